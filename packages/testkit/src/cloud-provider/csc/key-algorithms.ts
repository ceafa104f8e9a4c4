import type { DemoKey } from '../../demo-pki/index.ts'
import { type Digest, digestOf, digests } from '../sign-hash.ts'
import type { CscQuirks } from './quirks.ts'
import { CscRefusal } from './refusals.ts'

const PLAIN_RSA = '1.2.840.113549.1.1.1'

/** Signature algorithms by kind of key, each with the digest it implies. */
const signatures: Readonly<Record<'rsa' | 'ec', Readonly<Record<string, Digest>>>> = {
  rsa: { '1.2.840.113549.1.1.11': 'sha256', '1.2.840.113549.1.1.12': 'sha384', '1.2.840.113549.1.1.13': 'sha512' },
  ec: { '1.2.840.10045.4.3.2': 'sha256', '1.2.840.10045.4.3.3': 'sha384', '1.2.840.10045.4.3.4': 'sha512' },
}

const curves: Readonly<Record<string, { readonly len: number; readonly curve: string }>> = {
  prime256v1: { len: 256, curve: '1.2.840.10045.3.1.7' },
  secp384r1: { len: 384, curve: '1.3.132.0.34' },
}

/** What credentials/info returns of a key. */
export function algorithmsOf({ publicKey }: DemoKey, { rsaAlgorithms }: CscQuirks) {
  const details = publicKey.asymmetricKeyDetails
  if (publicKey.asymmetricKeyType === 'ec') {
    return { algo: Object.keys(signatures.ec), ...curves[details?.namedCurve ?? ''] }
  }
  const named = rsaAlgorithms === 'all' ? Object.keys(signatures.rsa) : []
  return { algo: [PLAIN_RSA, ...named], len: details?.modulusLength }
}

/** The digest that `signAlgo` implies; undefined for plain RSA, which implies none. */
export function impliedDigest(key: DemoKey, signAlgo: string, quirks: CscQuirks): Digest | undefined {
  if (!algorithmsOf(key, quirks).algo.includes(signAlgo)) throw new CscRefusal('Invalid parameter signAlgo')
  return signatures.rsa[signAlgo] ?? signatures.ec[signAlgo]
}

/** The digest of this OID; names are not accepted, nor digests weaker than SHA-256. */
export function namedDigest(oid: string, parameter: string): Digest {
  const digest = digestOf(oid)
  if (!digest || digests[digest].oid !== oid || digest === 'sha1')
    throw new CscRefusal(`Invalid parameter ${parameter}`)
  return digest
}

export function requireLength(digest: Digest, hashes: readonly string[]): void {
  const { bytes } = digests[digest]
  if (hashes.some((hash) => Buffer.from(hash, 'base64').length !== bytes)) {
    throw new CscRefusal('Invalid digest value length')
  }
}
