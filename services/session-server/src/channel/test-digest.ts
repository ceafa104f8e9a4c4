import { createHash } from 'node:crypto'
import { testSignaturePrefix } from '../contract/test-signature.ts'

/**
 * What a key signs in a test: SHA-256 of the prefix and the nonce. The agent computes it itself, so that nobody gets a
 * document signed by calling it a test.
 */
export const testDigest = (nonce: Uint8Array): Buffer =>
  createHash('sha256').update(testSignaturePrefix).update(nonce).digest()
