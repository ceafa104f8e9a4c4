import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const algorithmErrors = {
  'algorithm.unknown': 'The algorithm {algorithm} is not one this engine knows.',
  'algorithm.unfit': 'A key of kind {key} cannot sign with {algorithm}.',
} as const satisfies ErrorVocabulary

export const refuseAlgorithm = refuser(algorithmErrors)

/** What the engine knows of a digest, and of the signatures over it. */
interface DigestRow {
  readonly oid: string
  /** Undefined where no URI was assigned. */
  readonly xml: string | undefined
  readonly bytes: number
  /** Still collision resistant, so a new signature may use it. */
  readonly sound: boolean
  /** OIDs of the signature algorithms with this digest; where there is none, CMS names the digest elsewhere. */
  readonly signatures: Readonly<Partial<Record<'rsa' | 'ecdsa' | 'plainEcdsa' | 'dsa', string>>>
  /** The same for XMLDSig. */
  readonly xmlSignatures: Readonly<Partial<Record<'rsa' | 'pss' | 'ecdsa' | 'dsa', string>>>
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const DSIG11 = 'http://www.w3.org/2009/xmldsig11#'
const ENC = 'http://www.w3.org/2001/04/xmlenc#'
const MORE_2001 = 'http://www.w3.org/2001/04/xmldsig-more#'
const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#'
const MORE_2021 = 'http://www.w3.org/2021/04/xmldsig-more#'

const nistHash = (last: number): string => `2.16.840.1.101.3.4.2.${last}`
const nistSignature = (last: number): string => `2.16.840.1.101.3.4.3.${last}`
const pkcs1 = (last: number): string => `1.2.840.113549.1.1.${last}`
const x962 = (tail: string): string => `1.2.840.10045.4.${tail}`
/** BSI TR-03111 §5.2.1: the value is r‖s. */
const bsi = (last: number): string => `0.4.0.127.0.7.1.1.4.1.${last}`

/** Digests, and the signatures over them: how X.509 and CMS (RFC 5754, RFC 8702, RFC 9688) and XML (RFC 9231) name them. */
export const digestAlgorithms = {
  sha1: {
    oid: '1.3.14.3.2.26',
    xml: `${DSIG}sha1`,
    bytes: 20,
    sound: false,
    signatures: { rsa: pkcs1(5), ecdsa: x962('1'), plainEcdsa: bsi(1), dsa: '1.2.840.10040.4.3' },
    xmlSignatures: {
      rsa: `${DSIG}rsa-sha1`,
      pss: `${MORE_2007}sha1-rsa-MGF1`,
      ecdsa: `${MORE_2001}ecdsa-sha1`,
      dsa: `${DSIG}dsa-sha1`,
    },
  },
  sha224: {
    oid: nistHash(4),
    xml: `${MORE_2001}sha224`,
    bytes: 28,
    sound: true,
    signatures: { rsa: pkcs1(14), ecdsa: x962('3.1'), plainEcdsa: bsi(2), dsa: nistSignature(1) },
    xmlSignatures: {
      rsa: `${MORE_2001}rsa-sha224`,
      pss: `${MORE_2007}sha224-rsa-MGF1`,
      ecdsa: `${MORE_2001}ecdsa-sha224`,
    },
  },
  sha256: {
    oid: nistHash(1),
    xml: `${ENC}sha256`,
    bytes: 32,
    sound: true,
    signatures: { rsa: pkcs1(11), ecdsa: x962('3.2'), plainEcdsa: bsi(3), dsa: nistSignature(2) },
    xmlSignatures: {
      rsa: `${MORE_2001}rsa-sha256`,
      pss: `${MORE_2007}sha256-rsa-MGF1`,
      ecdsa: `${MORE_2001}ecdsa-sha256`,
      dsa: `${DSIG11}dsa-sha256`,
    },
  },
  sha384: {
    oid: nistHash(2),
    xml: `${MORE_2001}sha384`,
    bytes: 48,
    sound: true,
    signatures: { rsa: pkcs1(12), ecdsa: x962('3.3'), plainEcdsa: bsi(4), dsa: nistSignature(3) },
    xmlSignatures: {
      rsa: `${MORE_2001}rsa-sha384`,
      pss: `${MORE_2007}sha384-rsa-MGF1`,
      ecdsa: `${MORE_2001}ecdsa-sha384`,
    },
  },
  sha512: {
    oid: nistHash(3),
    xml: `${ENC}sha512`,
    bytes: 64,
    sound: true,
    signatures: { rsa: pkcs1(13), ecdsa: x962('3.4'), plainEcdsa: bsi(5), dsa: nistSignature(4) },
    xmlSignatures: {
      rsa: `${MORE_2001}rsa-sha512`,
      pss: `${MORE_2007}sha512-rsa-MGF1`,
      ecdsa: `${MORE_2001}ecdsa-sha512`,
    },
  },
  'sha512-256': {
    oid: nistHash(6),
    xml: undefined,
    bytes: 32,
    sound: true,
    signatures: { rsa: pkcs1(16) },
    xmlSignatures: {},
  },
  'sha3-224': sha3(224, 7, 5),
  'sha3-256': sha3(256, 8, 6),
  'sha3-384': sha3(384, 9, 7),
  'sha3-512': sha3(512, 10, 8),
  // With 512 bits; RFC 8419 §3.1 pairs it with Ed448, and nothing else here signs over it.
  shake256: { oid: nistHash(12), xml: undefined, bytes: 64, sound: true, signatures: {}, xmlSignatures: {} },
} as const satisfies Record<string, DigestRow>

function sha3(bits: 224 | 256 | 384 | 512, hash: number, dsa: number) {
  return {
    oid: nistHash(hash),
    xml: `${MORE_2007}sha3-${bits}`,
    bytes: bits / 8,
    sound: true,
    // The arcs run in parallel: DSA 5 to 8, ECDSA 9 to 12, RSA 13 to 16.
    signatures: {
      dsa: nistSignature(dsa),
      ecdsa: nistSignature(dsa + 4),
      rsa: nistSignature(dsa + 8),
      plainEcdsa: bsi(hash + 1),
    },
    xmlSignatures: { pss: `${MORE_2007}sha3-${bits}-rsa-MGF1`, ecdsa: `${MORE_2021}ecdsa-sha3-${bits}` },
  } satisfies DigestRow
}

export type DigestName = keyof typeof digestAlgorithms

/** Digests that RSA, ECDSA and DSA sign. */
type SignedDigest = Exclude<DigestName, 'shake256'>

/** Kinds of keys. `rsa` has two: for PKCS#1 v1.5 and PSS, or for PSS alone (RFC 4055 §1.2). */
export type KeyType = 'rsa' | 'ec' | 'dsa' | 'ed25519' | 'ed448'

/** Parameters of an RSA-PSS signature (RFC 4055 §3.1); its trailer field is always 1. */
export interface PssParameters {
  /** Digest of the mask generation function MGF1. */
  readonly mgf: DigestName
  readonly saltLength: number
}

export interface SignatureAlgorithm {
  readonly name: SignatureAlgorithmName
  readonly key: KeyType
  /** The digest the signature is over; Ed25519 and Ed448 hash by themselves, and RFC 8419 §3.1 pairs them with this. */
  readonly digest: DigestName
  /** Names it, in some cases only together with its digest or parameters. */
  readonly oid: string
  /** Undefined where XMLDSig has no place for it. */
  readonly xml: string | undefined
  readonly pss?: PssParameters
}

type Family = 'RSA' | 'RSA-PSS' | 'ECDSA' | 'DSA'

/** Algorithms without parameters of their own. */
type PlainName = `${Family}-${Uppercase<SignedDigest>}` | 'Ed25519' | 'Ed448'

export type SignatureAlgorithmName =
  | PlainName
  | `RSA-PSS-${Uppercase<SignedDigest>}-MGF1-${Uppercase<SignedDigest>}-SALT-${number}`

const RSA_ENCRYPTION = pkcs1(1)
const RSA_PSS = pkcs1(10)
const EC_PUBLIC_KEY = '1.2.840.10045.2.1'
const DSA = '1.2.840.10040.4.1'

/** XMLDSig with the parameters of RSA-PSS in an element (RFC 9231 §2.3.9). */
export const XML_RSA_PSS = `${MORE_2007}rsa-pss`

const signedDigests = (Object.keys(digestAlgorithms) as DigestName[]).filter((name) => name !== 'shake256')

const upper = (digest: SignedDigest) => digest.toUpperCase() as Uppercase<SignedDigest>

const named = <F extends Family>(family: F, digest: SignedDigest): `${F}-${Uppercase<SignedDigest>}` =>
  `${family}-${upper(digest)}`

function algorithmsOver(digest: SignedDigest): readonly SignatureAlgorithm[] {
  const { signatures, xmlSignatures, bytes }: DigestRow = digestAlgorithms[digest]
  const row = (family: Family, key: KeyType, oid: string, xml: string | undefined): SignatureAlgorithm => ({
    name: named(family, digest),
    key,
    digest,
    oid,
    xml,
  })
  return [
    row('RSA', 'rsa', signatures.rsa ?? RSA_ENCRYPTION, xmlSignatures.rsa),
    // One OID for all; the digest is in the parameters. Others sign with it, ICP-Brasil policies do not allow it.
    { ...row('RSA-PSS', 'rsa', RSA_PSS, xmlSignatures.pss), pss: { mgf: digest, saltLength: bytes } },
    row('ECDSA', 'ec', signatures.ecdsa ?? EC_PUBLIC_KEY, xmlSignatures.ecdsa),
    row('DSA', 'dsa', signatures.dsa ?? DSA, xmlSignatures.dsa),
  ]
}

const edwards: readonly SignatureAlgorithm[] = [
  { name: 'Ed25519', key: 'ed25519', digest: 'sha512', oid: '1.3.101.112', xml: `${MORE_2021}eddsa-ed25519` },
  { name: 'Ed448', key: 'ed448', digest: 'shake256', oid: '1.3.101.113', xml: `${MORE_2021}eddsa-ed448` },
]

/** Every signature algorithm the engine creates or verifies; RSA-PSS with its usual parameters. */
export const signatureAlgorithms = Object.fromEntries(
  [...signedDigests.flatMap(algorithmsOver), ...edwards].map((algorithm) => [algorithm.name, algorithm]),
) as Readonly<Record<PlainName, SignatureAlgorithm>>

/** RSA-PSS with these parameters: usually the mask's digest is the message's, and the salt is as long as it. */
export function pssAlgorithm(digest: DigestName, { mgf, saltLength }: PssParameters): SignatureAlgorithm | undefined {
  if (digest === 'shake256' || mgf === 'shake256') return undefined
  const usual = signatureAlgorithms[named('RSA-PSS', digest)]
  if (mgf === digest && saltLength === digestAlgorithms[digest].bytes) return usual
  const name = `${named('RSA-PSS', digest)}-MGF1-${upper(mgf)}-SALT-${saltLength}` as const
  return { ...usual, name, xml: XML_RSA_PSS, pss: { mgf, saltLength } }
}

/** The algorithm of this name, RSA-PSS with any parameters included. */
export function signatureAlgorithmByName(name: string): SignatureAlgorithm {
  const known = (signatureAlgorithms as Readonly<Record<string, SignatureAlgorithm | undefined>>)[name]
  const [, digest, mgf, salt] = /^RSA-PSS-(SHA[\d-]+)-MGF1-(SHA[\d-]+)-SALT-(\d{1,4})$/.exec(name) ?? []
  const variant = [digest, mgf].map((part) => signedDigests.find((one) => one === part?.toLowerCase()))
  const algorithm =
    known ?? (variant[0] && variant[1] && pssAlgorithm(variant[0], { mgf: variant[1], saltLength: Number(salt) }))
  if (!algorithm) throw refuseAlgorithm('algorithm.unknown', { algorithm: name })
  return algorithm
}

/** Names of a family of keys alone: the digest is named elsewhere. */
const byKey: Readonly<Record<string, 'RSA' | 'ECDSA' | 'DSA' | undefined>> = {
  [RSA_ENCRYPTION]: 'RSA',
  [EC_PUBLIC_KEY]: 'ECDSA',
  [DSA]: 'DSA',
}

/**
 * The algorithm of a CMS or certificate; `digest` decides where the identifier names the key alone (RFC 3370 §3.2).
 * Undefined for an unknown one, which a verifier reports as data, and for RSA-PSS, which its parameters make.
 */
export function signatureAlgorithmByOid(oid: string, digest?: DigestName): SignatureAlgorithm | undefined {
  const family = byKey[oid]
  if (!family) return byOid.get(oid)
  return digest && digest !== 'shake256' ? signatureAlgorithms[named(family, digest)] : undefined
}

export const isRsaPss = (oid: string): boolean => oid === RSA_PSS

export const signatureAlgorithmByXmlUri = (uri: string): SignatureAlgorithm | undefined => byXml.get(uri)

export const digestByOid = (oid: string): DigestName | undefined => digestsByOid.get(oid)

export const digestByXmlUri = (uri: string): DigestName | undefined => digestsByXml.get(uri)

const all = Object.values(signatureAlgorithms)
const plainEcdsa = signedDigests.flatMap((name): [string, SignatureAlgorithm][] => {
  const { plainEcdsa: oid }: DigestRow['signatures'] = digestAlgorithms[name].signatures
  return oid ? [[oid, signatureAlgorithms[named('ECDSA', name)]]] : []
})
const byOid = new Map([
  ...all.filter(({ oid }) => oid !== RSA_PSS && !byKey[oid]).map((algorithm) => [algorithm.oid, algorithm] as const),
  ...plainEcdsa,
  // OIW sha1WithRSA, of old certificates.
  ['1.3.14.3.2.29', signatureAlgorithms['RSA-SHA1']] as const,
])
const byXml = new Map(all.flatMap((algorithm) => (algorithm.xml ? [[algorithm.xml, algorithm] as const] : [])))
const digestNames = Object.keys(digestAlgorithms) as DigestName[]
const digestsByOid = new Map<string, DigestName>(digestNames.map((name) => [digestAlgorithms[name].oid, name]))
const digestsByXml = new Map<string, DigestName>(
  digestNames.flatMap((name) => {
    const { xml } = digestAlgorithms[name]
    return xml ? [[xml, name] as const] : []
  }),
)

/** Whether the key hashes what it signs by itself: then the digest is only that of the content. */
export const hashesItself = ({ key }: SignatureAlgorithm): boolean => key === 'ed25519' || key === 'ed448'
