import { createHash, type Hash } from 'node:crypto'
import { refuseCms } from '../cms/errors.ts'
import { contentTypes } from '../cms/oids.ts'
import { readSignedData, type SignedData } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { startDigest } from '../crypto/digest.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import { readDer } from '../der/der-value.ts'
import { sequence } from '../der/der-writer.ts'
import { fromBer } from '../der/from-ber.ts'
import { tags } from '../der/tags.ts'
import { withoutTrailing } from './cades-file.ts'
import { refuseCades } from './errors.ts'

/** A SignedData whose content was hashed while it passed, but not kept. */
export interface StreamedSignedData {
  /** As if detached. */
  readonly signedData: SignedData
  /** Whether it contained the content. */
  readonly attached: boolean
  /** How many bytes follow it that do not belong to it. */
  readonly trailing: number
  digest(name: DigestName): Buffer | undefined
  /** The start of an archive-time-stamp-v2 imprint; SHA-256 only, which such timestamps use. */
  archiveHash(name: DigestName): Hash | undefined
}

/** Certificates, revocation data and signers; lists of large authorities have 5 MB each. */
const MAX_TAIL_BYTES = 64 * 1024 * 1024
/** Version, algorithms, type: a few dozen bytes each. */
const MAX_SMALL_BYTES = 64 * 1024
const MAX_DEPTH = 8

/** Reads ContentInfo(SignedData) in DER or BER from a stream, in memory that does not depend on the content. */
export async function readSignedDataStream(source: AsyncIterable<Uint8Array>): Promise<StreamedSignedData> {
  const bytes = new ByteStream(source)
  const outer = await bytes.header(tags.sequence)
  const type = await bytes.value(tags.oid)
  const typeOid = readDer(type).oid()
  if (typeOid !== contentTypes.signedData) throw refuseCms('cms.not-signed-data', { type: typeOid })
  const tagged = await bytes.header(0xa0)
  const body = await bytes.header(tags.sequence)
  const version = await bytes.value(tags.integer)
  const digests = await bytes.value(tags.set)
  const hashes = new Map(namesIn(digests).map((name) => [name, startDigest(name)]))
  const archive = createHash('sha256')
  const content = await readContent(bytes, [...hashes.values()], archive)
  const rest = await bytes.rest(MAX_TAIL_BYTES, outer.end)
  const { cms, trailing } = withoutTrailing(
    Buffer.concat([
      Buffer.of(0x30, 0x80),
      type,
      Buffer.of(0xa0, 0x80, 0x30, 0x80),
      version,
      digests,
      sequence(content.type),
      withEnds(rest, content.end, [body, tagged, outer]),
    ]),
  )
  const signedData = readSignedData(cms)
  const results = new Map([...hashes].map(([name, hash]) => [name, hash.digest()]))
  return {
    signedData,
    attached: content.attached,
    trailing: trailing + (await bytes.skipped()),
    digest: (name) => (content.attached ? results.get(name) : undefined),
    archiveHash: (name) => (content.attached && name === 'sha256' ? archive.copy() : undefined),
  }
}

/** The digests signers announced, and SHA-256 for timestamps. */
const namesIn = (set: Buffer): DigestName[] => [
  ...new Set<DigestName>([
    'sha256',
    ...readDer(set)
      .members()
      .flatMap((identifier) => readDigestIdentifier(identifier) ?? []),
  ]),
]

/** EncapsulatedContentInfo: its type is kept, its content goes into the hashes. */
async function readContent(
  bytes: ByteStream,
  hashes: readonly Hash[],
  archive: Hash,
): Promise<{ type: Buffer; attached: boolean; end: number }> {
  bytes.listener = (read) => archive.update(read)
  const encapsulated = await bytes.header(tags.sequence)
  const type = await bytes.value(tags.oid)
  const attached = !(await bytes.isAtEnd(encapsulated))
  if (attached) {
    const wrapper = await bytes.header(0xa0)
    await readOctets(bytes, hashes, 0)
    await bytes.end(wrapper)
  }
  await bytes.end(encapsulated)
  bytes.listener = undefined
  return { type, attached, end: bytes.position }
}

/** An OCTET STRING, whole or in pieces. */
async function readOctets(bytes: ByteStream, hashes: readonly Hash[], depth: number): Promise<void> {
  const header = await bytes.header(tags.octetString, 0x24)
  if (header.tag === tags.octetString) {
    if (header.end === undefined) throw refuseCms('cms.malformed', { reason: 'a string has no end.' })
    for await (const piece of bytes.upTo(header.end)) for (const hash of hashes) hash.update(piece)
    return
  }
  if (depth >= MAX_DEPTH) throw refuseCms('cms.malformed', { reason: 'the content is nested too deeply.' })
  while (!(await bytes.isAtEnd(header))) await readOctets(bytes, hashes, depth + 1)
  await bytes.end(header)
}

/** What follows the content, with an end mark for each level of definite length. */
function withEnds(rest: Buffer, start: number, levels: readonly Level[]): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const { end } of levels) {
    if (end === undefined) continue
    const until = end - start
    if (until < at || until > rest.length)
      throw refuseCms('cms.malformed', { reason: 'its lengths contradict each other.' })
    parts.push(rest.subarray(at, until), Buffer.alloc(2))
    at = until
  }
  return Buffer.concat([...parts, rest.subarray(at)])
}

interface Level {
  readonly tag: number
  /** Position after it; undefined: indefinite. */
  readonly end: number | undefined
}

/** Reads bytes from a stream on demand. */
class ByteStream {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = Buffer.alloc(0)
  #at = 0
  position = 0
  /** Called with every byte read. */
  listener: ((bytes: Uint8Array) => void) | undefined

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async header(...allowed: number[]): Promise<Level> {
    const [tag = 0, first = 0] = await this.#take(2)
    if (!allowed.includes(tag))
      throw refuseCms('cms.malformed', { reason: `unexpected tag at byte ${this.position - 2}.` })
    if (first === 0x80) return { tag, end: undefined }
    if (first < 0x80) return { tag, end: this.position + first }
    const count = first & 0x7f
    if (count > 6) throw refuseCms('cms.malformed', { reason: `bad length at byte ${this.position - 1}.` })
    const length = (await this.#take(count)).readUIntBE(0, count)
    return { tag, end: this.position + length }
  }

  /** A small value as a whole, in DER. */
  async value(tag: number): Promise<Buffer> {
    const start = this.position
    const header = await this.header(tag)
    const { end } = header
    if (end === undefined || end - start > MAX_SMALL_BYTES) {
      throw refuseCms('cms.malformed', { reason: `the value at byte ${start} is too long.` })
    }
    const content = await this.#take(end - this.position)
    const length = content.length
    const head =
      length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
    return Buffer.from(fromBer(Buffer.concat([Buffer.from(head), content])))
  }

  /** Whether nothing more is inside this level; an end mark is not read yet. */
  async isAtEnd({ end }: Level): Promise<boolean> {
    if (end !== undefined) return this.position >= end
    return (await this.#peek()) === 0
  }

  /** Leaves a level. */
  async end({ end }: Level): Promise<void> {
    if (end !== undefined) {
      if (this.position !== end) throw refuseCms('cms.malformed', { reason: 'its lengths contradict each other.' })
      return
    }
    const mark = await this.#take(2)
    if (mark[0] !== 0 || mark[1] !== 0) throw refuseCms('cms.malformed', { reason: 'an end mark is missing.' })
  }

  async *upTo(end: number): AsyncGenerator<Uint8Array> {
    while (this.position < end) yield await this.#some(end - this.position)
  }

  /** What follows up to this position, or to the end of the source. */
  async rest(limit: number, end = Number.MAX_SAFE_INTEGER): Promise<Buffer> {
    const parts: Uint8Array[] = []
    let size = 0
    while (this.position < end && (await this.#fill())) {
      const part = await this.#some(end - this.position)
      size += part.length
      if (size > limit) throw refuseCades('cades.tail-too-large', { limit })
      parts.push(Buffer.from(part))
    }
    return Buffer.concat(parts)
  }

  /** How many bytes follow; they are read and not kept. */
  async skipped(): Promise<number> {
    const from = this.position
    while (await this.#fill()) await this.#some(Number.MAX_SAFE_INTEGER)
    return this.position - from
  }

  async #peek(): Promise<number> {
    if (!(await this.#fill())) throw truncated(this.position)
    return this.#chunk[this.#at]!
  }

  async #take(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for (let missing = count; missing > 0; ) {
      const part = await this.#some(missing)
      parts.push(part.length === count ? part : Buffer.from(part))
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  /** At least one byte, at most so many; the source may reuse their buffer, so a caller that keeps them must copy. */
  async #some(most: number): Promise<Uint8Array> {
    if (!(await this.#fill())) throw truncated(this.position)
    const part = this.#chunk.subarray(this.#at, Math.min(this.#chunk.length, this.#at + most))
    this.#at += part.length
    this.position += part.length
    this.listener?.(part)
    return part
  }

  async #fill(): Promise<boolean> {
    while (this.#at >= this.#chunk.length) {
      const next = await this.#source.next()
      if (next.done) return false
      this.#chunk = next.value
      this.#at = 0
    }
    return true
  }
}

const truncated = (position: number) => refuseCms('cms.malformed', { reason: `it ends at byte ${position}.` })
