// Certificates that no authority would issue, to test the engine's reaction. Real keys, real signatures.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { digest } from '../../crypto/digest.ts'
import { readDer } from '../../der/der-value.ts'
import {
  bitString,
  boolean,
  type Der,
  explicit,
  implicit,
  integer,
  namedBits,
  nothing,
  octetString,
  oid,
  sequence,
  setOf,
  time,
  utf8String,
} from '../../der/der-writer.ts'
import { Certificate } from '../certificate.ts'
import { type KeyUsage, keyUsageBits } from '../extensions.ts'
import { attributeNames, extensionOids } from '../oids.ts'

export interface Crafted {
  readonly certificate: Certificate
  readonly privateKey: KeyObject
}

export interface CraftedContent {
  /** Short names of RFC 4514 to values; default a common name. */
  readonly subject?: Readonly<Record<string, string>> | Der
  /** Default: itself. */
  readonly issuer?: Crafted
  /** How the issuer is named; default as it names itself. */
  readonly issuerName?: Der
  readonly extensions?: readonly Der[]
  readonly notBefore?: Date
  readonly notAfter?: Date
  /** Default a new P-256 key; signed with SHA-256 unless `hash` is given. */
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly hash?: 'sha1' | 'sha256'
  /** Default that of the keys. */
  readonly publicKeyInfo?: Der
  /** Flips a bit of the signature. */
  readonly forged?: boolean
  readonly serialNumber?: Uint8Array
}

let count = 0

export function craft(content: CraftedContent = {}): Crafted {
  const { issuer, hash = 'sha256', keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }) } = content
  const subject = subjectOf(content.subject ?? { CN: `Crafted ${++count}` })
  const algorithm = algorithmFor(issuer?.privateKey ?? keys.privateKey, hash)
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(content.serialNumber ?? Buffer.from([0x10, ++count & 0xff, count >> 8])),
    algorithm,
    content.issuerName ?? issuer?.certificate.subject.der ?? subject,
    sequence(time(content.notBefore ?? new Date('2026-01-01')), time(content.notAfter ?? new Date('2030-01-01'))),
    subject,
    content.publicKeyInfo ?? keys.publicKey.export({ format: 'der', type: 'spki' }),
    content.extensions && explicit(3, sequence(...content.extensions)),
  )
  const der = signedBy(issuer?.privateKey ?? keys.privateKey, tbs, algorithm, hash, content.forged)
  return { certificate: Certificate.read(der), privateKey: keys.privateKey }
}

/** SEQUENCE { signed part, algorithm, signature }, the structure of certificates and lists. */
export function signedBy(
  key: KeyObject,
  tbs: Der,
  algorithm = algorithmFor(key),
  hash = 'sha256',
  forged = false,
): Der {
  const signature = sign(hash, tbs, key)
  if (forged) signature[signature.length - 1]! ^= 1
  return sequence(tbs, algorithm, bitString(signature))
}

const algorithms: Readonly<Record<string, Der>> = {
  'rsa sha1': sequence(oid('1.2.840.113549.1.1.5'), nothing),
  'rsa sha256': sequence(oid('1.2.840.113549.1.1.11'), nothing),
  'ec sha1': sequence(oid('1.2.840.10045.4.1')),
  'ec sha256': sequence(oid('1.2.840.10045.4.3.2')),
  'dsa sha256': sequence(oid('2.16.840.1.101.3.4.3.2')),
}

export const algorithmFor = (key: KeyObject, hash = 'sha256'): Der => algorithms[`${key.asymmetricKeyType} ${hash}`]!

const subjectOf = (subject: NonNullable<CraftedContent['subject']>): Der =>
  Buffer.isBuffer(subject) ? subject : nameOf(subject)

/** A name of UTF8Strings. */
export const nameOf = (parts: Readonly<Record<string, string>>): Der =>
  sequence(...Object.entries(parts).map(([name, value]) => setOf(sequence(oid(attributeOid(name)), utf8String(value)))))

const attributeOid = (short: string): string => Object.entries(attributeNames).find(([, name]) => name === short)![0]

export const extension = (id: string, value: Der, critical = false): Der =>
  sequence(oid(id), critical ? boolean(true) : undefined, octetString(value))

/** Basic constraints and key usage of an authority. */
export const authority = (pathLength?: number): Der[] => [
  extension(
    extensionOids.basicConstraints,
    sequence(boolean(true), pathLength === undefined ? undefined : integer(pathLength)),
    true,
  ),
  keyUsage('keyCertSign', 'cRLSign'),
]

export const keyUsage = (...usages: readonly KeyUsage[]): Der =>
  extension(extensionOids.keyUsage, namedBits(...usages.map((usage) => keyUsageBits[usage])), true)

export const extendedKeyUsage = (critical: boolean, ...purposes: readonly string[]): Der =>
  extension(extensionOids.extendedKeyUsage, sequence(...purposes.map(oid)), critical)

export const policies = (...oids: readonly string[]): Der =>
  extension(extensionOids.certificatePolicies, sequence(...oids.map((id) => sequence(oid(id)))))

/** A subjectAltName of otherNames, each given with what stands under its explicit tag. */
export const otherNames = (...names: readonly (readonly [id: string, value: Der])[]): Der =>
  extension(
    extensionOids.subjectAltName,
    sequence(...names.map(([id, value]) => implicit(0, sequence(oid(id), explicit(0, value))))),
  )

export const crlUrls = (...urls: readonly string[]): Der =>
  extension(
    extensionOids.crlDistributionPoints,
    sequence(...urls.map((url) => sequence(explicit(0, implicit(0, sequence(uri(url))))))),
  )

export const uri = (url: string): Der => implicit(6, octetString(Buffer.from(url, 'latin1')))

/** The key identifier by which `authorityKeyIdentifier` names its issuer. */
export const subjectKey = (publicKey: KeyObject): Der =>
  extension(extensionOids.subjectKeyIdentifier, octetString(keyHash(publicKey)))

export const authorityKey = (publicKey: KeyObject): Der =>
  extension(extensionOids.authorityKeyIdentifier, sequence(implicit(0, octetString(keyHash(publicKey)))))

function keyHash(publicKey: KeyObject): Buffer {
  const [, bits] = readDer(publicKey.export({ format: 'der', type: 'spki' })).members()
  return digest('sha1', bits!.bits())
}
