import { type DigestName, type SignatureAlgorithm, signatureAlgorithms } from '../crypto/algorithms.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import type { Certificate } from '../x509/certificate.ts'
import { refuseJades } from './errors.ts'

interface JwaRow {
  readonly algorithm: SignatureAlgorithm
  /** RFC 7518 §3.4: each has its curve. */
  readonly curve?: string
}

/** RFC 7518 §3.1, RFC 8037, RFC 8812 and RFC 9864: the names of algorithms in `alg`. */
const jwa: Readonly<Record<string, JwaRow>> = {
  RS256: { algorithm: signatureAlgorithms['RSA-SHA256'] },
  RS384: { algorithm: signatureAlgorithms['RSA-SHA384'] },
  RS512: { algorithm: signatureAlgorithms['RSA-SHA512'] },
  PS256: { algorithm: signatureAlgorithms['RSA-PSS-SHA256'] },
  PS384: { algorithm: signatureAlgorithms['RSA-PSS-SHA384'] },
  PS512: { algorithm: signatureAlgorithms['RSA-PSS-SHA512'] },
  ES256: { algorithm: signatureAlgorithms['ECDSA-SHA256'], curve: 'prime256v1' },
  ES384: { algorithm: signatureAlgorithms['ECDSA-SHA384'], curve: 'secp384r1' },
  ES512: { algorithm: signatureAlgorithms['ECDSA-SHA512'], curve: 'secp521r1' },
  ES256K: { algorithm: signatureAlgorithms['ECDSA-SHA256'], curve: 'secp256k1' },
  Ed25519: { algorithm: signatureAlgorithms.Ed25519 },
  Ed448: { algorithm: signatureAlgorithms.Ed448 },
}

/** `alg` values that prove nothing: no signature at all, or a secret that whoever verifies must have, too. */
const FORBIDDEN = /^(none|HS\d+|HMAC.*)$/i

export const isForbidden = (alg: string): boolean => FORBIDDEN.test(alg)

/** The algorithm an `alg` names, for this key: `EdDSA` leaves the curve to it (RFC 8037 §3.1). */
export function algorithmNamed(alg: string, certificate: Certificate | undefined): JwaRow | undefined {
  if (alg !== 'EdDSA') return Object.hasOwn(jwa, alg) ? jwa[alg] : undefined
  return jwa[certificate?.keyType === 'ed448' ? 'Ed448' : 'Ed25519']
}

/** Whether the certificate's key is on the curve that the algorithm demands. */
export const isOnCurve = ({ publicKey }: Certificate, { curve }: JwaRow): boolean =>
  curve === undefined || publicKey.asymmetricKeyDetails?.namedCurve === curve

const rsaNames: Readonly<Record<SigningDigest, string>> = { sha256: '256', sha384: '384', sha512: '512' }

/** The `alg` of a new signature with this key: its curve decides, for RSA the digest does. */
export function algForNew(
  certificate: Certificate,
  { digest, pss = false }: { readonly digest?: SigningDigest | undefined; readonly pss?: boolean | undefined },
): { readonly alg: string; readonly algorithm: SignatureAlgorithm } {
  const { keyType } = certificate
  if (keyType === 'rsa') {
    const alg = `${isPss(certificate) || pss ? 'PS' : 'RS'}${rsaNames[digest ?? 'sha256']}`
    return { alg, algorithm: jwa[alg]!.algorithm }
  }
  if (keyType === 'ed25519' || keyType === 'ed448')
    return { alg: 'EdDSA', algorithm: jwa[keyType === 'ed448' ? 'Ed448' : 'Ed25519']!.algorithm }
  const found = Object.entries(jwa).find(([, row]) => row.curve !== undefined && isOnCurve(certificate, row))
  if (keyType !== 'ec' || !found) throw refuseJades('jades.key-unsupported', { key: keyType ?? 'unknown' })
  const [alg, { algorithm }] = found
  if (digest && algorithm.digest !== digest) throw refuseJades('jades.digest-unfit', { algorithm: alg })
  return { alg, algorithm }
}

const isPss = ({ publicKey }: Certificate): boolean => publicKey.asymmetricKeyType === 'rsa-pss'

/** TS 119 182-1 annex E: the names of digests in `digAlg` and `hashM`. */
const digests: Readonly<Record<string, DigestName>> = {
  S256: 'sha256',
  S384: 'sha384',
  S512: 'sha512',
  'S3-256': 'sha3-256',
  'S3-384': 'sha3-384',
  'S3-512': 'sha3-512',
}

export const digestNamed = (name: unknown): DigestName | undefined =>
  typeof name === 'string' && Object.hasOwn(digests, name) ? digests[name] : undefined

export const nameOfDigest = (digest: SigningDigest): string => `S${rsaNames[digest]}`
