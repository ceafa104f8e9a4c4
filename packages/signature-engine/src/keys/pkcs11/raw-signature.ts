import type { KeyType } from '../../crypto/algorithms.ts'
import type { Certificate } from '../../x509/certificate.ts'
import type { SigningRequest } from '../digest-signer.ts'
import { digestInfo } from '../known-digest/digest-info.ts'
import { mechanisms } from './cryptoki.ts'

interface RawSigning {
  readonly mechanism: number
  /** The token's input; the document itself is never sent. */
  readonly input: (request: SigningRequest, certificate: Certificate) => Buffer
  /** Buffer size for the output. */
  readonly outputBytes: (certificate: Certificate) => number
}

/** How each kind of key signs a digest. */
export const rawSigning: Readonly<Partial<Record<KeyType, RawSigning>>> = {
  rsa: {
    mechanism: mechanisms.rsaPkcs,
    // CKM_RSA_PKCS pads, but the caller supplies the DigestInfo.
    input: ({ digest, algorithm }) => digestInfo(algorithm.digest, digest),
    outputBytes: ({ keyBits }) => Math.ceil(keyBits! / 8),
  },
  ec: {
    mechanism: mechanisms.ecdsa,
    // FIPS 186-4 §6.4: the leftmost bits, as many as the order has. Tokens differ in whether they truncate it.
    input: ({ digest }, { keyBits }) => Buffer.from(digest.subarray(0, Math.ceil(keyBits! / 8))),
    outputBytes: ({ keyBits }) => 2 * Math.ceil(keyBits! / 8),
  },
  ed25519: {
    mechanism: mechanisms.eddsa,
    input: ({ toSign }) => Buffer.from(toSign),
    outputBytes: () => 64,
  },
}
