import { constants, publicDecrypt } from 'node:crypto'
import { type DigestName, digestAlgorithms } from '../../crypto/algorithms.ts'
import { requireArguments } from '../../errors/arguments.ts'
import type { Certificate } from '../../x509/certificate.ts'
import { digestInfo } from './digest-info.ts'
import { isEcdsaOver } from './ecdsa-over-digest.ts'

/** Whether the certificate's key made this signature over the digest. Never throws: malformed input is not valid. */
export function isDigestSignedBy(
  certificate: Certificate,
  algorithm: DigestName,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  requireArguments('isDigestSignedBy', {
    certificate: [certificate, 'certificate'],
    algorithm: [algorithm, 'text'],
    digest: [digest, 'bytes'],
    signature: [signature, 'bytes'],
  })
  if (digest.length !== digestAlgorithms[algorithm].bytes || !certificate.hasKnownKey) return false
  try {
    return checks[certificate.publicKey.asymmetricKeyType ?? '']?.(certificate, algorithm, digest, signature) ?? false
  } catch {
    return false // OpenSSL throws on a malformed signature, which is invalid.
  }
}

type Check = (certificate: Certificate, algorithm: DigestName, digest: Uint8Array, signature: Uint8Array) => boolean

const checks: Readonly<Record<string, Check>> = {
  // The whole DigestInfo is compared: parsing it would accept the forgeries that lenient parsers accept.
  rsa: ({ publicKey: key }, algorithm, digest, signature) =>
    publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(digestInfo(algorithm, digest)),
  ec: ({ publicKey }, _algorithm, digest, signature) => isEcdsaOver(publicKey, digest, signature),
}
