import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import type { Certificate } from '../x509/certificate.ts'

/** Input of a signature: bytes and digest, because some keys take bytes and some only a digest. */
export interface SigningRequest {
  /** The exact bytes under the signature. */
  readonly toSign: Uint8Array
  /** Their digest, by `algorithm.digest`. Ed25519 and Ed448 keys need `toSign`. */
  readonly digest: Uint8Array
  readonly algorithm: SignatureAlgorithm
}

/** A key, local or remote: it has a certificate and signs digests. All signing goes through this interface. */
export interface DigestSigner {
  readonly certificate: Certificate
  /** The known issuers, nearest first; included in the signature with the certificate. */
  readonly chain: readonly Certificate[]
  /** The raw signature: RSA PKCS#1 v1.5 or PSS, ECDSA as DER or r‖s, EdDSA. */
  sign(request: SigningRequest): Promise<Uint8Array>
  /** Releases the key. */
  close(): Promise<void>
}
