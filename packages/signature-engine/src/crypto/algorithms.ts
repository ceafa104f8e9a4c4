import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const algorithmErrors = {
  'algorithm.unknown': 'The algorithm {algorithm} is not one this engine knows.',
  'algorithm.unfit': 'A key of kind {key} cannot sign with {algorithm}.',
} as const satisfies ErrorVocabulary

const refuseAlgorithm = refuser(algorithmErrors)

export type DigestName = 'sha1' | 'sha256' | 'sha384' | 'sha512'

interface DigestAlgorithm {
  readonly oid: string
  readonly xml: string
  readonly bytes: number
  /** Still collision resistant, so a new signature may use it. */
  readonly sound: boolean
}

/** Digest algorithms: how CMS and XML name them. */
export const digestAlgorithms = {
  sha1: { oid: '1.3.14.3.2.26', xml: 'http://www.w3.org/2000/09/xmldsig#sha1', bytes: 20, sound: false },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', xml: 'http://www.w3.org/2001/04/xmlenc#sha256', bytes: 32, sound: true },
  sha384: {
    oid: '2.16.840.1.101.3.4.2.2',
    xml: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
    bytes: 48,
    sound: true,
  },
  sha512: { oid: '2.16.840.1.101.3.4.2.3', xml: 'http://www.w3.org/2001/04/xmlenc#sha512', bytes: 64, sound: true },
} as const satisfies Record<DigestName, DigestAlgorithm>

export type KeyType = 'rsa' | 'ec' | 'ed25519'

export interface SignatureAlgorithm {
  readonly name: SignatureAlgorithmName
  readonly key: KeyType
  /** The digest the signature is over; Ed25519 hashes by itself, and RFC 8419 pairs it with SHA-512. */
  readonly digest: DigestName
  readonly oid: string
  /** Undefined where XMLDSig has no place for it. */
  readonly xml: string | undefined
}

export type SignatureAlgorithmName =
  | 'RSA-SHA1'
  | 'RSA-SHA256'
  | 'RSA-SHA384'
  | 'RSA-SHA512'
  | 'RSA-PSS-SHA256'
  | 'RSA-PSS-SHA384'
  | 'RSA-PSS-SHA512'
  | 'ECDSA-SHA1'
  | 'ECDSA-SHA256'
  | 'ECDSA-SHA384'
  | 'ECDSA-SHA512'
  | 'Ed25519'

const rows: readonly [SignatureAlgorithmName, KeyType, DigestName, string, string | undefined][] = [
  ['RSA-SHA1', 'rsa', 'sha1', '1.2.840.113549.1.1.5', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'],
  ['RSA-SHA256', 'rsa', 'sha256', '1.2.840.113549.1.1.11', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'],
  ['RSA-SHA384', 'rsa', 'sha384', '1.2.840.113549.1.1.12', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384'],
  ['RSA-SHA512', 'rsa', 'sha512', '1.2.840.113549.1.1.13', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512'],
  // One OID for all; the digest is in the parameters. Others sign with it, ICP-Brasil policies do not allow it.
  [
    'RSA-PSS-SHA256',
    'rsa',
    'sha256',
    '1.2.840.113549.1.1.10',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  [
    'RSA-PSS-SHA384',
    'rsa',
    'sha384',
    '1.2.840.113549.1.1.10',
    'http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1',
  ],
  [
    'RSA-PSS-SHA512',
    'rsa',
    'sha512',
    '1.2.840.113549.1.1.10',
    'http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1',
  ],
  ['ECDSA-SHA1', 'ec', 'sha1', '1.2.840.10045.4.1', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1'],
  ['ECDSA-SHA256', 'ec', 'sha256', '1.2.840.10045.4.3.2', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'],
  ['ECDSA-SHA384', 'ec', 'sha384', '1.2.840.10045.4.3.3', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384'],
  ['ECDSA-SHA512', 'ec', 'sha512', '1.2.840.10045.4.3.4', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512'],
  ['Ed25519', 'ed25519', 'sha512', '1.3.101.112', undefined],
]

/** Every signature algorithm the engine creates or verifies. */
export const signatureAlgorithms = Object.fromEntries(
  rows.map(([name, key, digest, oid, xml]) => [name, { name, key, digest, oid, xml }]),
) as Readonly<Record<SignatureAlgorithmName, SignatureAlgorithm>>

const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
const RSA_PSS = '1.2.840.113549.1.1.10'

// A table, because building a name from parts would cost a string lookup for every signature.
const newSignatures: Readonly<Record<KeyType, Readonly<Record<'sha256' | 'sha512', SignatureAlgorithm>>>> = {
  rsa: { sha256: signatureAlgorithms['RSA-SHA256'], sha512: signatureAlgorithms['RSA-SHA512'] },
  ec: { sha256: signatureAlgorithms['ECDSA-SHA256'], sha512: signatureAlgorithms['ECDSA-SHA512'] },
  ed25519: { sha256: signatureAlgorithms.Ed25519, sha512: signatureAlgorithms.Ed25519 },
}

/** The algorithm of a new signature: PKCS#1 v1.5, ECDSA or Ed25519, by the key and the requested digest. */
export function signingAlgorithm(key: KeyType, digest: 'sha256' | 'sha512' = 'sha256'): SignatureAlgorithm {
  return newSignatures[key][digest === 'sha256' ? 'sha256' : 'sha512']
}

/**
 * The algorithm of a CMS or certificate; `digest` decides for rsaEncryption, which names none itself, and for PSS.
 * Undefined for an unknown one: a verifier reports that as data.
 */
export function signatureAlgorithmByOid(oid: string, digest?: DigestName): SignatureAlgorithm | undefined {
  const byDigest = (family: 'RSA' | 'RSA-PSS') =>
    digest && signatureAlgorithms[`${family}-${digest.toUpperCase()}` as SignatureAlgorithmName]
  if (oid === RSA_ENCRYPTION) return byDigest('RSA')
  if (oid === RSA_PSS) return byDigest('RSA-PSS')
  return byOid.get(oid)
}

export const signatureAlgorithmByXmlUri = (uri: string): SignatureAlgorithm | undefined => byXml.get(uri)

export const digestByOid = (oid: string): DigestName | undefined => digestsByOid.get(oid)

export const digestByXmlUri = (uri: string): DigestName | undefined => digestsByXml.get(uri)

const byOid = new Map(Object.values(signatureAlgorithms).map((algorithm) => [algorithm.oid, algorithm]))
const byXml = new Map(Object.values(signatureAlgorithms).map((algorithm) => [algorithm.xml ?? '', algorithm]))
const digestNames = Object.keys(digestAlgorithms) as DigestName[]
const digestsByOid = new Map<string, DigestName>(digestNames.map((name) => [digestAlgorithms[name].oid, name]))
const digestsByXml = new Map<string, DigestName>(digestNames.map((name) => [digestAlgorithms[name].xml, name]))

/** Refuses an algorithm this key cannot sign with. */
export function requireFit(key: KeyType, algorithm: SignatureAlgorithm): void {
  if (algorithm.key !== key) throw refuseAlgorithm('algorithm.unfit', { key, algorithm: algorithm.name })
}
