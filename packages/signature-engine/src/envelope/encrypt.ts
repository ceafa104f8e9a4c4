// AuthEnvelopedData of RFC 5083 with AES-256-GCM, written as a stream: the content is not buffered.

import { createCipheriv, randomBytes } from 'node:crypto'
import { type Der, integer, octetString, oid, setOf } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'
import { aes256Gcm, contentTypes, MAX_CONTENT_BYTES } from './algorithms.ts'
import { type Bytes, inPieces } from './bytes.ts'
import { refuseEnvelope } from './errors.ts'
import { nameOf, type RecipientWarning, type RsaPadding, recipientInfo, recipientWarnings } from './recipients.ts'
import { writeWhole } from './write-whole.ts'

export interface EncryptOptions {
  /** The moment at which the recipients' certificates must be valid. */
  readonly now: Date
  /** Size of the content in bytes, if known: then the envelope is DER, otherwise BER of indefinite lengths. */
  readonly size?: number
  /** How RSA recipients get the content key; default OAEP with SHA-256. Old readers support only PKCS#1 v1.5. */
  readonly rsaPadding?: RsaPadding
  /** Encrypt to certificates that are not valid now; default false. */
  readonly allowExpired?: boolean
}

export interface SealedEnvelope {
  /** Problems of the recipients that do not prevent encryption. */
  readonly warnings: readonly RecipientWarning[]
  /** The envelope, piece by piece, as it is read. */
  readonly bytes: AsyncIterable<Buffer>
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts content so that the holder of any of these certificates can open it. */
export function encryptTo(recipients: readonly Certificate[], content: Bytes, options: EncryptOptions): SealedEnvelope {
  requireArguments(
    'encryptTo',
    { recipients: [recipients, 'certificates'], content: [content, 'bytes or stream'] },
    options,
    ['now'],
  )
  if (recipients.length === 0) throw refuseEnvelope('envelope.no-recipients')
  const warnings = recipientWarnings(recipients, options.now)
  if (!options.allowExpired) requireValid(recipients, options.now)
  const size = options.size ?? (content instanceof Uint8Array ? content.length : undefined)
  if (size !== undefined && size > MAX_CONTENT_BYTES) throw tooLarge()
  // One random key per envelope: a nonce is never used twice with a key.
  const key = randomBytes(KEY_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const infos = recipients.map((recipient) => recipientInfo(recipient, key, options.rsaPadding ?? 'oaep'))
  const frame = (size === undefined ? indefiniteFrame : definiteFrame)(setOf(...infos), nonce, size ?? 0)
  return { warnings, bytes: sealed(inPieces(content), { key, nonce, size, frame }) }
}

/** Encrypts into a file, which appears under its name only when it is complete. */
export async function encryptToFile(
  recipients: readonly Certificate[],
  content: Bytes,
  path: string,
  options: EncryptOptions,
): Promise<{ readonly bytes: number; readonly warnings: readonly RecipientWarning[] }> {
  requireArguments(
    'encryptToFile',
    { recipients: [recipients, 'certificates'], content: [content, 'bytes or stream'], path: [path, 'text'] },
    options,
    ['now'],
  )
  const { bytes, warnings } = encryptTo(recipients, content, options)
  return { bytes: await writeWhole(path, bytes), warnings }
}

function requireValid(recipients: readonly Certificate[], now: Date): void {
  const invalid = recipients.find((recipient) => !recipient.validAt(now))
  if (invalid) throw refuseEnvelope('envelope.recipient-expired', { recipient: nameOf(invalid) })
}

interface Sealing {
  readonly key: Buffer
  readonly nonce: Buffer
  readonly size: number | undefined
  readonly frame: Frame
}

/** The bytes around the ciphertext. */
interface Frame {
  readonly before: Buffer
  /** Header of one piece of ciphertext. */
  readonly piece: (length: number) => Buffer | undefined
  readonly after: (tag: Buffer) => Buffer
}

async function* sealed(
  content: AsyncIterable<Uint8Array>,
  { key, nonce, size, frame }: Sealing,
): AsyncGenerator<Buffer> {
  try {
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    let count = 0
    yield frame.before
    for await (const plain of content) {
      count += plain.length
      if (count > MAX_CONTENT_BYTES) throw tooLarge()
      if (size !== undefined && count > size) throw mismatch(count, size)
      if (plain.length === 0) continue
      const header = frame.piece(plain.length)
      if (header) yield header
      yield cipher.update(plain)
    }
    if (size !== undefined && count !== size) throw mismatch(count, size)
    cipher.final()
    yield frame.after(cipher.getAuthTag())
  } finally {
    key.fill(0)
  }
}

const tooLarge = () => refuseEnvelope('envelope.too-large', { limit: MAX_CONTENT_BYTES })
const mismatch = (actual: number, expected: number) => refuseEnvelope('envelope.size-mismatch', { actual, expected })

const VERSION = integer(0) // RFC 5083 §2.1

/** All lengths known: DER. The content is one `[0] IMPLICIT OCTET STRING`. */
function definiteFrame(recipients: Der, nonce: Buffer, size: number): Frame {
  const mac = octetString(Buffer.alloc(TAG_BYTES))
  const contentHeader = header(0x80, size)
  const contentInfoStart = Buffer.concat([oid(contentTypes.data), aes256Gcm(nonce, TAG_BYTES), contentHeader])
  const contentInfoSize = contentInfoStart.length + size
  const contentInfoHeader = header(0x30, contentInfoSize)
  const envelopeStart = Buffer.concat([VERSION, recipients, contentInfoHeader, contentInfoStart])
  const envelopeSize = envelopeStart.length + size + mac.length
  const envelopeHeader = header(0x30, envelopeSize)
  const explicitHeader = header(0xa0, envelopeHeader.length + envelopeSize)
  const type = oid(contentTypes.authEnvelopedData)
  const outerSize = type.length + explicitHeader.length + envelopeHeader.length + envelopeSize
  return {
    before: Buffer.concat([header(0x30, outerSize), type, explicitHeader, envelopeHeader, envelopeStart]),
    piece: () => undefined,
    after: (tag) => octetString(tag),
  }
}

/** BER (X.690 §8.1.3.6): every structure around the content ends in two zero bytes, the content comes in pieces. */
function indefiniteFrame(recipients: Der, nonce: Buffer): Frame {
  const endless = (tag: number) => Buffer.of(tag, 0x80)
  const ends = (count: number) => Buffer.alloc(2 * count)
  return {
    before: Buffer.concat([
      endless(0x30),
      oid(contentTypes.authEnvelopedData),
      endless(0xa0),
      endless(0x30),
      VERSION,
      recipients,
      endless(0x30),
      oid(contentTypes.data),
      aes256Gcm(nonce, TAG_BYTES),
      endless(0xa0),
    ]),
    piece: (length) => header(0x04, length),
    after: (tag) => Buffer.concat([ends(2), octetString(tag), ends(3)]),
  }
}

/** Tag and length of a value whose content is written elsewhere. */
function header(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.of(tag, length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length), bytes])
}
