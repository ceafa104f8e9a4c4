import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { pipeline, Readable, Transform } from 'node:stream'
import { notedStorageUnreachable } from '../../errors/index.ts'
import {
  BlobMissing,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  clampRange,
  type DeleteOptions,
  isDigest,
  type ListedBlob,
  type PutOptions,
  requireDigest,
  type StoredBlob,
} from '../blob-store.ts'
import { DraftFile, removeAbandonedDrafts } from '../files/draft-file.ts'
import { allPieces, type Intake, takeIn } from '../intake.ts'
import { type S3Body, S3Client, type S3ClientOptions } from './s3-client.ts'

export interface S3BlobsOptions extends S3ClientOptions {
  /** Prefix of every key, such as `documents/`. */
  readonly prefix: string
  /** Local folder where large uploads are spooled until their digest is known. */
  readonly spoolFolder: string
  /** Objects per list request. Default 1000, the maximum of most stores. */
  readonly listPage?: number
}

/** Up to this size, uploads are buffered in memory: the key is the digest, which is only known at the end. */
const IN_MEMORY_BYTES = 1024 * 1024
const LIST_PAGE = 1_000

/** Blobs in a bucket of an S3-compatible store. The store verifies the body against the digest in the key. */
export async function s3Blobs(options: S3BlobsOptions): Promise<BlobStore> {
  await mkdir(options.spoolFolder, { recursive: true, mode: 0o700 })
  await removeAbandonedDrafts(options.spoolFolder, options.clock())
  return new S3Blobs(options)
}

class S3Blobs implements BlobStore {
  readonly #options: S3BlobsOptions
  readonly #client: S3Client

  constructor(options: S3BlobsOptions) {
    this.#options = options
    this.#client = new S3Client(options)
  }

  async put(source: BlobSource, options?: PutOptions): Promise<StoredBlob> {
    const intake = await takeIn(source, IN_MEMORY_BYTES, options)
    return intake.rest ? this.#putLarge(intake) : this.#putSmall(intake)
  }

  async #putSmall({ head, stored }: Intake): Promise<StoredBlob> {
    const blob = stored()
    await this.#send(blob, () => (head.length === 1 ? head[0]! : Buffer.concat(head)))
    return blob
  }

  async #putLarge(intake: Intake): Promise<StoredBlob> {
    const draft = await DraftFile.create(this.#options.spoolFolder)
    try {
      await draft.write(allPieces(intake))
      const blob = intake.stored()
      await this.#send(blob, () => createReadStream(draft.path))
      return blob
    } finally {
      await draft.discard()
    }
  }

  /** Uploads also an existing blob: this renews its time, so that a running sweep keeps it. */
  async #send({ digest, size, md5 }: StoredBlob, open: S3Body['open']): Promise<void> {
    const headers = { 'content-md5': Buffer.from(md5, 'hex').toString('base64') }
    await this.#client.text({ method: 'PUT', key: this.#keyOf(digest), headers, body: { size, sha256: digest, open } })
  }

  async read(digest: string): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of await this.#whole(digest)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async stream(digest: string, range?: ByteRange): Promise<Readable> {
    if (!range) return this.#whole(digest)
    const size = await this.size(digest)
    const { start, end } = clampRange(size, range)
    if (end - start === size) return this.#whole(digest)
    return start === end ? Readable.from([]) : this.#get(digest, { range: `bytes=${start}-${end - 1}` })
  }

  async has(digest: string): Promise<boolean> {
    return (await this.#head(digest)) !== undefined
  }

  async size(digest: string): Promise<number> {
    const head = await this.#head(digest)
    if (!head) throw new BlobMissing(digest)
    return head.size
  }

  /** The same bytes may be stored again between check and removal; the sweep's grace period makes that unlikely. */
  async delete(digest: string, { storedBefore }: DeleteOptions = {}): Promise<boolean> {
    const head = await this.#head(digest)
    if (!head || (storedBefore && head.storedAt >= storedBefore)) return false
    await this.#client.status({ method: 'DELETE', key: this.#keyOf(digest) })
    return true
  }

  /** ListObjects version 1, which every compatible store supports; it continues after a key. */
  async *list(): AsyncGenerator<ListedBlob, void, undefined> {
    const { prefix, listPage = LIST_PAGE } = this.#options
    for (let marker = ''; ; ) {
      const page = await this.#client.text({
        method: 'GET',
        query: { prefix, marker, 'max-keys': String(listPage) },
      })
      const objects = [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object]) => object!)
      yield* objects.flatMap(blobIn)
      if (elementOf(page, 'IsTruncated') !== 'true' || objects.length === 0) return
      marker = elementOf(objects.at(-1)!, 'Key')!
    }
  }

  async close(): Promise<void> {
    this.#client.close()
  }

  /** Of a range nobody can tell whether its bytes are the right ones. */
  async #whole(digest: string): Promise<Readable> {
    return pipeline(await this.#get(digest), theBytesOf(digest), () => undefined)
  }

  async #get(digest: string, headers: Readonly<Record<string, string>> = {}): Promise<Readable> {
    const answer = await this.#client.call({ method: 'GET', key: this.#keyOf(digest), headers }, 'absent-too')
    if (answer.statusCode !== 404) return answer
    answer.resume()
    throw new BlobMissing(digest)
  }

  async #head(digest: string): Promise<{ size: number; storedAt: Date } | undefined> {
    const { statusCode, headers } = await this.#client.status({ method: 'HEAD', key: this.#keyOf(digest) })
    if (statusCode === 404) return undefined
    return { size: Number(headers['content-length']), storedAt: new Date(headers['last-modified']!) }
  }

  #keyOf(digest: string): string {
    return `${this.#options.prefix}${requireDigest(digest)}`
  }
}

/** A broken or foreign store: until somebody looks after it, its blobs cannot be read. */
class BlobAltered extends Error {
  override readonly name = 'BlobAltered'

  constructor(digest: string) {
    super(`The blob store gives other bytes for ${digest} than it took.`)
  }
}

/** Passes on what comes, the last piece only when all of it is what the digest says: nobody gets a whole wrong blob. */
function theBytesOf(digest: string): Transform {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  return new Transform({
    transform(piece: Buffer, _encoding, next) {
      hash.update(piece)
      const before = held
      held = piece
      next(null, before)
    },
    flush(next) {
      if (hash.digest('hex') === digest) next(null, held)
      else next(notedStorageUnreachable(new BlobAltered(digest)))
    },
  })
}

/** Keys end with the digest, after any prefix; skips foreign objects under the prefix. */
function blobIn(object: string): ListedBlob[] {
  const digest = elementOf(object, 'Key')!.slice(-64)
  if (!isDigest(digest)) return []
  return [{ digest, size: Number(elementOf(object, 'Size')), storedAt: new Date(elementOf(object, 'LastModified')!) }]
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function elementOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]
  return text?.replaceAll(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
