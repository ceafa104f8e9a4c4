import type { Mechanism, RsaPSS } from 'pkcs11js'
import { type DigestName, type KeyType, refuseAlgorithm, type SignatureAlgorithm } from '../../crypto/algorithms.ts'
import type { Certificate } from '../../x509/certificate.ts'
import type { SigningRequest } from '../digest-signer.ts'
import { digestInfo } from '../known-digest/digest-info.ts'
import { mechanisms } from './cryptoki.ts'

/** What a token is asked for a signature. */
interface RawSigning {
  readonly mechanism: Mechanism
  /** The token's input; the document itself is never sent, except where the key hashes by itself. */
  readonly input: Buffer
  /** Buffer size for the output. */
  readonly outputBytes: number
}

/** How the certificate's key signs this request. */
export const rawSigning = (request: SigningRequest, certificate: Certificate): RawSigning =>
  byKey[certificate.keyType!](request, Math.ceil((certificate.keyBits ?? 0) / 8))

const byKey: Readonly<Record<KeyType, (request: SigningRequest, keyBytes: number) => RawSigning>> = {
  rsa: ({ digest, algorithm }, outputBytes) =>
    algorithm.pss
      ? { mechanism: pssMechanism(algorithm), input: Buffer.from(digest), outputBytes }
      : // CKM_RSA_PKCS pads, but the caller supplies the DigestInfo.
        { mechanism: { mechanism: mechanisms.rsaPkcs }, input: digestInfo(algorithm.digest, digest), outputBytes },
  ec: ({ digest }, keyBytes) => ({
    mechanism: { mechanism: mechanisms.ecdsa },
    // FIPS 186-4 §6.4: the leftmost bits, as many as the order has. Tokens differ in whether they truncate it.
    input: Buffer.from(digest.subarray(0, keyBytes)),
    outputBytes: 2 * keyBytes,
  }),
  dsa: ({ algorithm }) => {
    throw refuseAlgorithm('algorithm.unfit', { key: 'of a token', algorithm: algorithm.name })
  },
  ed25519: ({ toSign }) => edwards(toSign, 64),
  ed448: ({ toSign }) => edwards(toSign, 114),
}

const edwards = (toSign: Uint8Array, outputBytes: number): RawSigning => ({
  mechanism: { mechanism: mechanisms.eddsa },
  input: Buffer.from(toSign),
  outputBytes,
})

/** CKM_ and CKG_MGF1_ of each digest (PKCS#11 §6.1.10). */
const pssDigests: Readonly<Partial<Record<DigestName, readonly [hash: number, mgf: number]>>> = {
  sha1: [0x220, 1],
  sha256: [0x250, 2],
  sha384: [0x260, 3],
  sha512: [0x270, 4],
}

/** CK_PARAMS_RSA_PSS of pkcs11js: which structure the parameter is. */
const PSS_STRUCTURE = 5

function pssMechanism({ name, digest, pss }: SignatureAlgorithm): Mechanism {
  const [hashAlg] = pssDigests[digest] ?? []
  const [, mgf] = pssDigests[pss!.mgf] ?? []
  if (hashAlg === undefined || mgf === undefined) {
    throw refuseAlgorithm('algorithm.unfit', { key: 'of a token', algorithm: name })
  }
  const parameter: RsaPSS = { type: PSS_STRUCTURE, hashAlg, mgf, saltLen: pss!.saltLength }
  return { mechanism: mechanisms.rsaPkcsPss, parameter }
}
