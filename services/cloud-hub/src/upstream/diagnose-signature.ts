import { constants, createHash, publicDecrypt } from 'node:crypto'
import { readDer } from '@chancela/signature-engine/der'
import type { Certificate } from '@chancela/signature-engine/x509'
import { type DigestName, digestAlgorithms } from '../rules/digests.ts'

/** Diagnoses a wrong signature, for the operator's log. */
export function diagnoseSignature(
  certificate: Certificate,
  digest: DigestName,
  hash: Uint8Array,
  signature: Uint8Array,
): string {
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') return 'The signature does not fit; nothing more can be told.'
  const block = signedBlock(certificate, signature)
  if (!block) return 'Another key made it, or it is no PKCS#1 v1.5 signature.'
  const { engineName } = digestAlgorithms[digest]
  if (block.equals(hash)) return 'The bare digest was signed, without its DigestInfo.'
  const { oid, value } = digestInfoOf(block)
  if (!value) return 'What was signed is neither a DigestInfo nor the digest.'
  if (value.equals(createHash(engineName).update(hash).digest())) return 'The digest was hashed once more.'
  if (value.equals(createHash(engineName).update(Buffer.from(hash).toString('base64')).digest()))
    return 'The text of the digest was hashed.'
  if (!value.equals(hash)) return 'Another digest was signed.'
  return `The digest was signed under the algorithm ${oid} instead of ${digestAlgorithms[digest].oid}.`
}

/** The block the key signed, without its padding. */
function signedBlock({ publicKey: key }: Certificate, signature: Uint8Array): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature)
  } catch {
    return undefined // no padding: the key did not sign it
  }
}

function digestInfoOf(block: Buffer): { readonly oid?: string; readonly value?: Buffer } {
  try {
    const members = readDer(block).sequence()
    return { oid: members.next().sequence().next().oid(), value: members.next().octets() }
  } catch {
    return {} // no DigestInfo
  }
}
