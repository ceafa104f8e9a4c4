import { requireArguments } from '../errors/arguments.ts'
import { startsLikeJws } from '../jades/jws.ts'
import { isZip } from '../zip/zip-reader.ts'
import { type DerKind, derKindOf } from './der-outline.ts'
import { refuseVerify } from './errors.ts'

/** What a file is that can be verified. */
export type DetectedFormat = 'PAdES' | 'XAdES' | 'CAdES' | 'ASiC' | 'JAdES' | 'timestamp'

export interface DetectOptions {
  /** Name of the file: where the content is nothing, an error can say what the name promised. */
  readonly name?: string
}

/**
 * What a file is, by its content: a name may be wrong. The first 1,024 bytes are enough. A file that nothing verifies is
 * refused by what it is.
 */
export function detectFormat(bytes: Uint8Array, options: DetectOptions = {}): DetectedFormat {
  requireArguments('detectFormat', { bytes: [bytes, 'bytes'] }, options)
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, START_BYTES))
  const found = kindOf(start)
  const format = found && formats[found]
  if (!format) throw refusal(start, found, options)
  return format
}

const START_BYTES = 1024

type FileKind =
  | DerKind
  | 'pdf'
  | 'xml'
  | 'zip'
  | 'jws'
  | 'mail'
  | 'image'
  | 'program'
  | 'office'
  | 'openpgp'
  | 'certificates'

/** What each kind is verified as. */
const formats: Readonly<Partial<Record<FileKind, DetectedFormat>>> = {
  pdf: 'PAdES',
  xml: 'XAdES',
  cms: 'CAdES',
  timestamp: 'timestamp',
  zip: 'ASiC',
  jws: 'JAdES',
}

/** What the others are called. */
const names: Readonly<Partial<Record<FileKind, string>>> = {
  envelope: 'an encrypted CMS envelope',
  unsigned: 'a CMS structure that holds no signature',
  certificate: 'a certificate or a revocation list',
  certificates: 'a certificate, a key or another PEM file',
  pkcs12: 'a PKCS#12 file (a key with its certificates)',
  ocsp: 'an OCSP answer',
  key: 'a private key',
  mail: 'an e-mail message (S/MIME)',
  image: 'an image',
  program: 'a program',
  office: 'a document of Microsoft Office 97 to 2003',
  openpgp: 'an OpenPGP message',
}

const advice: Readonly<Partial<Record<FileKind, string>>> = {
  mail: '; save its signature (smime.p7s or smime.p7m) and verify that',
  envelope: '; decrypt it first',
}

function refusal(start: Buffer, found: FileKind | undefined, { name }: DetectOptions) {
  const what = found && names[found]
  if (name?.toLowerCase().endsWith('.pdf'))
    return refuseVerify('verify.no-pdf', { found: start.length === 0 ? 'is empty' : `is ${what ?? 'something else'}` })
  if (start.length === 0) return refuseVerify('verify.empty')
  if (!found || !what) return refuseVerify('verify.unknown-format')
  return refuseVerify('verify.not-signed-format', { what, advice: advice[found] ?? '' })
}

type Recognise = (start: Buffer, text: string) => FileKind | undefined

function kindOf(start: Buffer): FileKind | undefined {
  const text = start.toString('latin1')
  for (const recognise of recognisers) {
    const kind = recognise(start, text)
    if (kind) return kind
  }
  return undefined
}

// In UTF-16 there are zero bytes between the characters of the markup.
const MARKUP = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</
const MAIL = /^(?:[\w-]+:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)*(?:MIME-Version|Content-Type):/i
const PEM = /-----BEGIN ([A-Z0-9 #]+)-----\s+([A-Za-z0-9+/=\s]*)/
const BARE_BASE64 = /^[A-Za-z0-9+/\s]+=*\s*$/
const CMS_LABELS: ReadonlySet<string> = new Set(['PKCS7', 'CMS', 'PKCS #7 SIGNED DATA'])

/** Asked in this order. */
const recognisers: readonly Recognise[] = [
  (_start, text) => (text.includes('%PDF-') ? 'pdf' : undefined),
  (_start, text) => (MARKUP.test(text) ? 'xml' : undefined),
  (_start, text) => (startsLikeJws(text) ? 'jws' : undefined),
  (start) => (isZip(start) ? 'zip' : undefined),
  (_start, text) => magic.find(([prefix]) => text.startsWith(prefix))?.[1],
  (start, text) => (start[0] === 0x30 && !isBase64(text) ? derKindOf(start) : undefined),
  (_start, text) => (MAIL.test(text) ? 'mail' : undefined),
  (_start, text) => armoured(text),
  (_start, text) => (isBase64(text) ? derKindOf(fromBase64(text)) : undefined),
]

const magic: readonly (readonly [prefix: string, kind: FileKind])[] = [
  ['\x89PNG', 'image'],
  ['\xff\xd8\xff', 'image'],
  ['GIF8', 'image'],
  ['MZ', 'program'],
  ['\x7fELF', 'program'],
  ['\xd0\xcf\x11\xe0', 'office'],
  ['-----BEGIN PGP', 'openpgp'],
]

function armoured(text: string): FileKind | undefined {
  const [, label, base64] = PEM.exec(text) ?? []
  if (label === undefined) return undefined
  return CMS_LABELS.has(label) ? derKindOf(fromBase64(base64!)) : 'certificates'
}

const isBase64 = (text: string): boolean => BARE_BASE64.test(text)

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')
