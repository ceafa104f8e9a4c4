import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Trust } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import type { DigestSigner } from '@chancela/signature-engine/keys'

/** Longest time the opening of a key waits for issuers from the network. */
const PATIENCE = 5 * SECOND

/**
 * The signer with every issuer up to the root. Tokens mostly contain only the holder's certificate, and a signature
 * without the others can be validated only by those who have them; without the root, the matching policy version is
 * unknown. Issuers not found in time are left out: the signature is no less valid.
 */
export async function withIssuers(signer: DigestSigner, trust: Trust, now: Date): Promise<DigestSigner> {
  if ([signer.certificate, ...signer.chain].at(-1)?.selfIssued) return signer
  const over = new AbortController()
  const tired = wait(PATIENCE, signer, { ref: false, signal: over.signal })
  // Aborting ends the timer when the issuers came first.
  tired.catch(() => {})
  try {
    return await Promise.race([completed(signer, trust, now), tired])
  } finally {
    over.abort()
  }
}

async function completed(signer: DigestSigner, trust: Trust, now: Date): Promise<DigestSigner> {
  try {
    const judge = await trust.judge()
    const { anchor, path } = await judge.certificate(signer.certificate, { at: now, now, certificates: signer.chain })
    return anchor ? { ...signer, chain: path.slice(1) } : signer
  } catch (error) {
    if (error instanceof EngineError) return signer
    throw error
  }
}
