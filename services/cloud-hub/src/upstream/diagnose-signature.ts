import { constants, createHash, publicDecrypt } from 'node:crypto'
import { readDer } from '@chancela/signature-engine/der'
import type { Certificate } from '@chancela/signature-engine/x509'
import { type Finding, type FindingCode, finding } from '../contract/provider-findings.ts'
import { type DigestName, digestAlgorithms } from '../rules/digests.ts'

/** Diagnoses a wrong signature, for the operator. */
export function diagnoseSignature(
  certificate: Certificate,
  digest: DigestName,
  hash: Uint8Array,
  signature: Uint8Array,
): FindingCode | Finding {
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') return 'signature-unfit'
  const block = signedBlock(certificate, signature)
  if (!block) return 'signature-of-another-key'
  const { engineName } = digestAlgorithms[digest]
  if (block.equals(hash)) return 'bare-digest-signed'
  const { oid = '', value } = digestInfoOf(block)
  if (!value) return 'no-digest-signed'
  if (value.equals(createHash(engineName).update(hash).digest())) return 'digest-hashed-again'
  if (value.equals(createHash(engineName).update(Buffer.from(hash).toString('base64')).digest()))
    return 'digest-text-hashed'
  if (!value.equals(hash)) return 'other-digest-signed'
  return finding('other-algorithm-signed', { oid, expected: digestAlgorithms[digest].oid })
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
