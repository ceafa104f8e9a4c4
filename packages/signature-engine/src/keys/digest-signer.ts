import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import type { Certificate } from '../x509/certificate.ts'

/** What a key is asked to sign: the same thing twice, because some keys take bytes and some only a digest. */
export interface SigningRequest {
  /** The exact bytes under the signature. */
  readonly toSign: Uint8Array
  /** Their digest, by `algorithm.digest`. Ed25519 keys need `toSign`. */
  readonly digest: Uint8Array
  readonly algorithm: SignatureAlgorithm
}

/** A key, wherever it is: it has a certificate and signs digests. Everything that signs goes through this seam. */
export interface DigestSigner {
  readonly certificate: Certificate
  /** The issuers that are known, nearest first; put into the signature beside the certificate. */
  readonly chain: readonly Certificate[]
  /** The raw signature: RSA PKCS#1 v1.5, ECDSA as DER or r‖s, Ed25519. */
  sign(request: SigningRequest): Promise<Uint8Array>
  /** Lets go of the key. */
  close(): Promise<void>
}
