// Opens AuthEnvelopedData (RFC 5083) and, when asked, EnvelopedData (RFC 5652 §6), sequentially. `decrypted` yields
// plaintext before the tag is checked: its two callers here release the plaintext only afterwards.

import { createDecipheriv, type DecipherGCM } from 'node:crypto'
import { type DerValue, readDer } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { cbcCiphers, contentTypes, gcmKeyBytes, MAX_CONTENT_BYTES } from './algorithms.ts'
import { BerStream } from './ber-stream.ts'
import { type Bytes, inPieces } from './bytes.ts'
import { malformed, refuseEnvelope, unsupported } from './errors.ts'
import { contentKeyFor, type OpeningKey } from './open-recipient.ts'
import { writeWhole } from './write-whole.ts'

export interface DecryptOptions {
  /**
   * Also open envelopes that do not protect their content against changes (EnvelopedData, AES-CBC); default false. An
   * attacker who can change such a file and observe the result can read it.
   */
  readonly allowUnauthenticated?: boolean
}

export interface DecryptInMemoryOptions extends DecryptOptions {
  /** Size of the content in bytes above which it is refused; default 256 MiB. */
  readonly maxBytes?: number
}

/** Opens an envelope in memory. Returns the content only after all of it was checked. */
export async function decryptWith(
  key: OpeningKey,
  envelope: Bytes,
  inMemory: DecryptInMemoryOptions = {},
): Promise<Buffer> {
  requireArguments('decryptWith', { key: [key, 'object'], envelope: [envelope, 'bytes or stream'] }, inMemory)
  const { maxBytes = 256 * 1024 * 1024, ...options } = inMemory
  const pieces: Buffer[] = []
  let count = 0
  for await (const piece of decrypted(key, envelope, options)) {
    count += piece.length
    if (count > maxBytes) throw refuseEnvelope('envelope.too-large-for-memory', { limit: maxBytes })
    pieces.push(piece)
  }
  return Buffer.concat(pieces, count)
}

/** Opens an envelope into a file, which appears under its name only after all of it was checked. */
export async function decryptToFile(
  key: OpeningKey,
  envelope: Bytes,
  path: string,
  options: DecryptOptions = {},
): Promise<{ readonly bytes: number }> {
  requireArguments(
    'decryptToFile',
    { key: [key, 'object'], envelope: [envelope, 'bytes or stream'], path: [path, 'text'] },
    options,
  )
  return { bytes: await writeWhole(path, decrypted(key, inPieces(envelope), options)) }
}

/** The content, piece by piece; valid only if the last piece came without an error. */
async function* decrypted(key: OpeningKey, envelope: Bytes, options: DecryptOptions): AsyncGenerator<Buffer> {
  const stream = new BerStream(inPieces(envelope))
  try {
    const authenticated = await openContentInfo(stream, options)
    const opening = await openRecipients(stream, key, authenticated)
    yield* contentOf(stream, opening)
    await stream.leave()
    const last = opening.tagBytes === undefined ? lastBlock(opening) : await checked(stream, opening, opening.tagBytes)
    await skipAttributes(stream)
    for (let level = 0; level < LEVELS; level++) await stream.leave()
    await stream.end()
    if (last.length > 0) yield last
  } catch (error) {
    throw named(error)
  } finally {
    await stream.release()
  }
}

/** Envelope, explicit tag and ContentInfo. */
const LEVELS = 3

/** ContentInfo; whether the content type is the authenticated one. */
async function openContentInfo(stream: BerStream, { allowUnauthenticated }: DecryptOptions): Promise<boolean> {
  const type = await contentType(stream)
  if (type !== contentTypes.authEnvelopedData && type !== contentTypes.envelopedData) {
    throw refuseEnvelope('envelope.not-an-envelope')
  }
  const authenticated = type === contentTypes.authEnvelopedData
  if (!authenticated && !allowUnauthenticated) throw refuseEnvelope('envelope.unauthenticated')
  await stream.enter(contextConstructed(0))
  await stream.enter(tags.sequence)
  const version = readDer(await stream.value(tags.integer)).smallInteger()
  if (version > (authenticated ? 0 : 4)) throw malformed('an unknown version')
  return authenticated
}

async function contentType(stream: BerStream): Promise<string> {
  try {
    await stream.enter(tags.sequence)
    return readDer(await stream.value(tags.oid)).oid()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'envelope.truncated') throw error
    throw refuseEnvelope('envelope.not-an-envelope', undefined, error)
  }
}

/** How the content is decrypted, and how its end is checked. */
interface Opening {
  readonly decipher: ReturnType<typeof createDecipheriv>
  /** Bytes of the tag; undefined where there is none. */
  readonly tagBytes: number | undefined
}

/** Recipients and algorithm; afterwards the stream is at the ciphertext. */
async function openRecipients(stream: BerStream, key: OpeningKey, authenticated: boolean): Promise<Opening> {
  if ((await stream.nextTag()) === contextConstructed(0)) await stream.value(contextConstructed(0))
  const recipients = readDer(await stream.value(tags.set))
  await stream.enter(tags.sequence)
  const type = readDer(await stream.value(tags.oid)).oid()
  // RFC 5083 §2.1: any other type requires authenticated attributes.
  if (authenticated && type !== contentTypes.data) throw unsupported(`the content type ${type}`)
  const algorithm = readDer(await stream.value(tags.sequence))
  return authenticated ? gcmOpening(algorithm, recipients, key) : cbcOpening(algorithm, recipients, key)
}

function gcmOpening(identifier: DerValue, recipients: DerValue, key: OpeningKey): Opening {
  const fields = identifier.sequence()
  const oid = fields.next().oid()
  const keyBytes = gcmKeyBytes[oid]
  if (!keyBytes) throw unsupported(`the cipher ${oid}`)
  const parameters = fields.next().sequence()
  const nonce = parameters.next().octets()
  const tagBytes = parameters.done ? 12 : parameters.next(tags.integer).smallInteger()
  if (nonce.length === 0 || nonce.length > 64) throw malformed('a nonce of no proper size')
  // RFC 5084 §3.2 allows 12 to 16; shorter tags could be guessed.
  if (tagBytes < 12 || tagBytes > 16) throw malformed('a tag of no proper size')
  return withContentKey(recipients, key, keyBytes, (contentKey) => ({
    decipher: createDecipheriv(`aes-${keyBytes * 8}-gcm` as 'aes-256-gcm', contentKey, nonce, {
      authTagLength: tagBytes,
    }),
    tagBytes,
  }))
}

function cbcOpening(identifier: DerValue, recipients: DerValue, key: OpeningKey): Opening {
  const fields = identifier.sequence()
  const oid = fields.next().oid()
  const cipher = cbcCiphers[oid]
  if (!cipher) throw unsupported(`the cipher ${oid}`)
  const iv = fields.next().octets()
  if (iv.length !== cipher.ivBytes) throw malformed('an initialisation vector of the wrong size')
  return withContentKey(recipients, key, cipher.keyBytes, (contentKey) => ({
    decipher: createDecipheriv(cipher.name, contentKey, iv),
    tagBytes: undefined,
  }))
}

function withContentKey<T>(recipients: DerValue, key: OpeningKey, keyBytes: number, use: (key: Buffer) => T): T {
  const contentKey = contentKeyFor(recipients, key, keyBytes)
  try {
    return use(contentKey)
  } finally {
    contentKey.fill(0)
  }
}

async function* contentOf(stream: BerStream, { decipher }: Opening): AsyncGenerator<Buffer> {
  let count = 0
  for await (const piece of stream.pieces(contextPrimitive(0))) {
    count += piece.length
    if (count > MAX_CONTENT_BYTES) throw refuseEnvelope('envelope.too-large', { limit: MAX_CONTENT_BYTES })
    const plain = decipher.update(piece)
    if (plain.length > 0) yield plain
  }
}

/** The tag over the whole content (RFC 5083 §2.1); GCM outputs nothing after it. */
async function checked(stream: BerStream, { decipher }: Opening, tagBytes: number): Promise<Buffer> {
  // Authenticated attributes follow the content, but GCM needs them before it: one pass cannot check them.
  if ((await stream.nextTag()) === contextConstructed(1)) throw unsupported('authenticated attributes')
  const tag = readDer(await stream.value(tags.octetString)).octets()
  if (tag.length !== tagBytes) throw malformed('a tag of another size than announced')
  const gcm = decipher as DecipherGCM
  gcm.setAuthTag(tag)
  try {
    return gcm.final()
  } catch (error) {
    throw refuseEnvelope('envelope.tampered', undefined, error)
  }
}

/** CBC keeps the last block until it knows that it is the last. */
function lastBlock({ decipher }: Opening): Buffer {
  try {
    return decipher.final()
  } catch (error) {
    throw refuseEnvelope('envelope.tampered', undefined, error)
  }
}

/** Unauthenticated attributes: `[1]` or `[2]` at the end of the envelope. */
async function skipAttributes(stream: BerStream): Promise<void> {
  for (const tag of [contextConstructed(1), contextConstructed(2)]) {
    if ((await stream.nextTag()) === tag) await stream.value(tag)
  }
}

/** Errors of the ASN.1 reader mean a malformed envelope; errors of the source are passed on. */
function named(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.code.startsWith('envelope.')) return error
  return malformed(error.message, error)
}
