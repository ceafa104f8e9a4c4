import { constants, createPublicKey, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { hashesItself, type SignatureAlgorithm } from '../crypto/algorithms.ts'
import { requireFit } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { DigestSigner } from './digest-signer.ts'
import { refuseKey } from './errors.ts'
import { whenThereIsRoom } from './in-flight.ts'
import { requireSigningKey } from './key-strength.ts'
import { samePublicKey } from './same-public-key.ts'

// The callback form runs on libuv's threads: all cores sign, and the event loop stays free.
const signAside = promisify(sign)

/** A private key with its certificate. */
export interface KeyPair {
  readonly certificate: Certificate
  /** The known issuers, nearest first; default none. */
  readonly chain?: readonly Certificate[]
  readonly privateKey: KeyObject
}

/** Signs with a key held in this process. */
export function keySigner(pair: KeyPair): DigestSigner {
  requireArguments('keySigner', {}, pair, ['certificate', 'privateKey'])
  const { certificate, chain = [], privateKey } = pair
  requireSigningKey(certificate)
  requirePair(certificate, privateKey)
  // One KeyObject for every signature: creating one costs half a signature (performance.md §1).
  let key: KeyObject | undefined = privateKey
  return {
    certificate,
    chain,
    async sign({ toSign, algorithm }) {
      requireFit(certificate.publicKey, algorithm)
      return whenThereIsRoom(() => {
        if (!key) throw refuseKey('key.closed')
        return signAside(hashFor(algorithm), toSign, withPadding(key, algorithm))
      })
    },
    async close() {
      key = undefined
    },
  }
}

/** Refuses a key that does not match the certificate. */
function requirePair(certificate: Certificate, privateKey: KeyObject): void {
  if (privateKey.type !== 'private') throw refuseKey('key.not-private')
  if (!samePublicKey(createPublicKey(privateKey), certificate.publicKey)) throw refuseKey('key.does-not-match')
}

const hashFor = (algorithm: SignatureAlgorithm): string | null => (hashesItself(algorithm) ? null : algorithm.digest)

const withPadding = (key: KeyObject, { pss }: SignatureAlgorithm): KeyObject | SignKeyObjectInput =>
  pss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: pss.saltLength } : key
