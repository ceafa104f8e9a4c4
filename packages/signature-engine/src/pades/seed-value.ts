// What the author of a signature field asks of its signature (ISO 32000-2 §12.7.5.5, tables 236 to 239).
import type { PdfView } from '../pdf/pdf-file.ts'
import {
  dict,
  hexString,
  isArray,
  isDict,
  isInteger,
  isString,
  name,
  nameOf,
  type PdfDict,
  type PdfObject,
} from '../pdf/pdf-object.ts'
import { decodeText, textString } from '../pdf/text-string.ts'
import { attributeOid } from '../x509/oids.ts'
import { refusePades } from './errors.ts'
import { type CertifiedFor, permissionLevels } from './signature-locks.ts'

/** What a field asks of its signature. What is not among `required` is a wish, and a default where nothing is said. */
export interface SeedValue {
  readonly filter?: string
  /** The best first. */
  readonly subFilter?: readonly string[]
  /** Such as SHA256; the best first. */
  readonly digestMethod?: readonly string[]
  readonly reasons?: readonly string[]
  /** Whether and how the signature certifies the document; always required. */
  readonly mdp?: CertifiedFor | 'ordinary'
  readonly timeStamp?: { readonly url: string; readonly required?: boolean }
  readonly legalAttestation?: readonly string[]
  /** Whether evidence about revocation goes with it. */
  readonly addRevInfo?: boolean
  readonly cert?: SeedCertificate
  /** Whether nothing may be changed once it is signed; `auto` leaves it to whoever signs. */
  readonly lockDocument?: boolean | 'auto'
  readonly required?: readonly SeedName[]
}

/** Of whom the signature is. */
export interface SeedCertificate {
  /** Certificates, DER: one of them signs. */
  readonly subject?: readonly Uint8Array[]
  /** Certificates, DER: one of them is in the chain. */
  readonly issuer?: readonly Uint8Array[]
  /** Certificate policies: the certificate has one of them. */
  readonly oid?: readonly string[]
  /** Attributes by their short name or object identifier: the subject has all of them. */
  readonly subjectDN?: readonly Readonly<Record<string, string>>[]
  /** Where somebody without such a certificate gets one. */
  readonly url?: string
  /** Bits as 1 (set), 0 (not set) and X (either), from digitalSignature on; one of the patterns fits. */
  readonly keyUsage?: readonly string[]
  readonly required?: readonly SeedCertificateName[]
}

/** Bits of /Ff. */
const seedBits = {
  filter: 1,
  subFilter: 2,
  reasons: 8,
  legalAttestation: 16,
  addRevInfo: 32,
  digestMethod: 64,
  lockDocument: 128,
} as const
const certificateBits = { subject: 1, issuer: 2, oid: 4, subjectDN: 8, keyUsage: 32 } as const

export type SeedName = keyof typeof seedBits
export type SeedCertificateName = keyof typeof certificateBits

/** What a field may require and this engine cannot give, by its bit of /Ff: refused by its name. */
const unsupported: Readonly<Record<number, string>> = { 256: 'AppearanceFilter' }
const URL_BIT = 64
const unsupportedOfCertificate: Readonly<Record<number, string>> = { [URL_BIT]: 'Cert.URL' }
/** 1 for PDF 1.5, 2 for 1.7, 3 for 2.0. */
const NEWEST_VERSION = 3
const VERSION_BIT = 4

/** Reads the seed values of a field; refused where it requires what nobody here understands. */
export function readSeedValue(view: PdfView, field: PdfDict, fieldName: string): SeedValue | undefined {
  const seed = view.resolve(field.get('SV'))
  if (!isDict(seed)) return undefined
  const read = new SeedReader(view, seed)
  const flags = read.flags()
  const refused = (entry: string) => refusePades('pades.seed-unsupported', { field: fieldName, entry })
  const version = view.resolve(seed.get('V'))
  if ((flags & VERSION_BIT) !== 0 && typeof version === 'number' && version > NEWEST_VERSION) throw refused('V')
  requireKnown(flags, { ...seedBits, V: VERSION_BIT }, unsupported, refused)
  const certificate = view.resolve(seed.get('Cert'))
  const ofCertificate = isDict(certificate) ? new SeedReader(view, certificate) : undefined
  if (ofCertificate) requireCertificateKnown(ofCertificate, refused)
  return withoutAbsent({
    filter: read.name('Filter'),
    subFilter: read.names('SubFilter'),
    digestMethod: read.texts('DigestMethod'),
    reasons: read.texts('Reasons'),
    mdp: mdpOf(view, seed),
    timeStamp: timeStampOf(view, seed),
    legalAttestation: read.texts('LegalAttestation'),
    addRevInfo: read.flag('AddRevInfo'),
    lockDocument: lockings[read.name('LockDocument') ?? ''],
    cert: ofCertificate && certificateOf(ofCertificate),
    required: namesIn(flags, seedBits),
  })
}

/** LockDocument is a name (table 237). */
const lockings: Readonly<Record<string, SeedValue['lockDocument']>> = { true: true, false: false, auto: 'auto' }

/** Table 239: the bit of an address to enrol at is ignored; that of a server which signs is a constraint. */
function requireCertificateKnown(read: SeedReader, refused: (entry: string) => Error): void {
  const isToEnrol = (read.name('URLType') ?? 'Browser') === 'Browser'
  const flags = isToEnrol ? read.flags() & ~URL_BIT : read.flags()
  requireKnown(flags, certificateBits, unsupportedOfCertificate, refused)
  const names = (read.records('SubjectDN') ?? []).flatMap(Object.keys)
  if ((flags & certificateBits.subjectDN) !== 0 && names.some((one) => attributeOid(one) === undefined))
    throw refused('Cert.SubjectDN')
}

const certificateOf = (read: SeedReader): SeedCertificate =>
  withoutAbsent({
    subject: read.bytes('Subject'),
    issuer: read.bytes('Issuer'),
    oid: read.texts('OID'),
    subjectDN: read.records('SubjectDN'),
    url: read.text('URL'),
    keyUsage: read.texts('KeyUsage'),
    required: namesIn(read.flags(), certificateBits),
  })

function requireKnown(
  flags: number,
  known: Readonly<Record<string, number>>,
  named: Readonly<Record<number, string>>,
  refused: (entry: string) => Error,
): void {
  const rest = Object.values(known).reduce((bits, bit) => bits & ~bit, flags)
  if (rest === 0) return
  const [, entry = 'Ff'] = Object.entries(named).find(([bit]) => (rest & Number(bit)) !== 0) ?? []
  throw refused(entry)
}

function namesIn<Name extends string>(
  flags: number,
  bits: Readonly<Record<Name, number>>,
): readonly Name[] | undefined {
  const found = (Object.keys(bits) as Name[]).filter((key) => (flags & bits[key]) !== 0)
  return found.length > 0 ? found : undefined
}

const withoutAbsent = <T extends object>(entries: { [Key in keyof T]: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T

/** Entries of one dictionary, of the type they should have. */
class SeedReader {
  readonly #view: PdfView
  readonly #dict: PdfDict

  constructor(view: PdfView, source: PdfDict) {
    this.#view = view
    this.#dict = source
  }

  #entry = (key: string): PdfObject => this.#view.resolve(this.#dict.get(key))

  #list(key: string): readonly PdfObject[] | undefined {
    const stored = this.#entry(key)
    return isArray(stored) ? stored.map((one) => this.#view.resolve(one)) : undefined
  }

  flags(): number {
    const flags = this.#entry('Ff')
    return isInteger(flags) ? flags : 0
  }

  flag(key: string): boolean | undefined {
    const value = this.#entry(key)
    return typeof value === 'boolean' ? value : undefined
  }

  name = (key: string): string | undefined => nameOf(this.#entry(key))
  names = (key: string): string[] | undefined => this.#list(key)?.flatMap((one) => nameOf(one) ?? [])
  texts = (key: string): string[] | undefined =>
    this.#list(key)?.flatMap((one) => (isString(one) ? [decodeText(one)] : []))
  text(key: string): string | undefined {
    const value = this.#entry(key)
    return isString(value) ? decodeText(value) : undefined
  }

  /** Dictionaries of texts. */
  records(key: string): Record<string, string>[] | undefined {
    return this.#list(key)?.flatMap((one) => (isDict(one) ? [this.#record(one)] : []))
  }

  #record(of: PdfDict): Record<string, string> {
    const texts = [...of].map(([key, value]) => [key, this.#view.resolve(value)] as const)
    return Object.fromEntries(texts.flatMap(([key, value]) => (isString(value) ? [[key, decodeText(value)]] : [])))
  }

  bytes = (key: string): Uint8Array[] | undefined =>
    this.#list(key)?.flatMap((one) => (isString(one) ? [one.bytes] : []))
}

const mdpNames = ['ordinary', 'no-changes', 'form-filling', 'annotations'] as const

function mdpOf(view: PdfView, seed: PdfDict): SeedValue['mdp'] {
  const mdp = view.resolve(seed.get('MDP'))
  const level = isDict(mdp) ? view.resolve(mdp.get('P')) : null
  return isInteger(level) ? mdpNames[level] : undefined
}

function timeStampOf(view: PdfView, seed: PdfDict): SeedValue['timeStamp'] {
  const stamp = view.resolve(seed.get('TimeStamp'))
  if (!isDict(stamp)) return undefined
  const url = view.resolve(stamp.get('URL'))
  return { url: isString(url) ? decodeText(url) : '', required: view.resolve(stamp.get('Ff')) === 1 }
}

/** The dictionary of seed values, for a new field. */
export function writeSeedValue(seed: SeedValue): PdfDict {
  const { filter, subFilter, digestMethod, reasons, mdp, timeStamp, legalAttestation, addRevInfo, cert } = seed
  const { lockDocument } = seed
  return dict(
    withoutAbsent<Record<string, PdfObject>>({
      Type: name('SV'),
      Ff: flagsOf(seed.required, seedBits),
      Filter: filter === undefined ? undefined : name(filter),
      SubFilter: subFilter?.map(name),
      DigestMethod: digestMethod?.map(textString),
      Reasons: reasons?.map(textString),
      MDP: mdp && dict({ P: mdp === 'ordinary' ? 0 : permissionLevels[mdp] }),
      TimeStamp: timeStamp && dict({ URL: textString(timeStamp.url), Ff: timeStamp.required ? 1 : 0 }),
      LegalAttestation: legalAttestation?.map(textString),
      AddRevInfo: addRevInfo,
      LockDocument: lockDocument === undefined ? undefined : name(String(lockDocument)),
      Cert: cert && writeCertificate(cert),
    }),
  )
}

const writeCertificate = ({ subject, issuer, oid, subjectDN, url, keyUsage, required }: SeedCertificate): PdfDict =>
  dict(
    withoutAbsent<Record<string, PdfObject>>({
      Type: name('SVCert'),
      Ff: flagsOf(required, certificateBits),
      Subject: subject?.map(hexString),
      Issuer: issuer?.map(hexString),
      OID: oid?.map(textString),
      SubjectDN: subjectDN?.map(writeRecord),
      URL: url === undefined ? undefined : textString(url),
      KeyUsage: keyUsage?.map(textString),
    }),
  )

const writeRecord = (texts: Readonly<Record<string, string>>): PdfDict =>
  dict(Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, textString(value)])))

function flagsOf<Name extends string>(required: readonly Name[] = [], bits: Readonly<Record<Name, number>>) {
  const flags = required.reduce((sum, key) => sum | bits[key], 0)
  return flags === 0 ? undefined : flags
}
