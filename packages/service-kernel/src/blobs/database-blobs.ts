import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { type Clock, DAY, plus } from '../clock/index.ts'
import { type Db, isUniqueViolation, newRowId, type Store, storeOf } from '../store/index.ts'
import {
  BlobMissing,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  clampRange,
  type DeleteOptions,
  type ListedBlob,
  type PutOptions,
  requireDigest,
  type StoredBlob,
} from './blob-store.ts'
import { allPieces, type Intake, takeIn } from './intake.ts'

/** Bytes of one row of `blob_chunk`. */
const CHUNK = 256 * 1024
/** Blobs listed per query. */
const PAGE = 500
/** An upload unfinished after this time belongs to a process that died. */
const ABANDONED_AFTER = DAY

interface BlobTables {
  blob: {
    id: string
    /** Null while the upload is in progress. */
    digest: string | null
    size: number
    stored_at: string
  }
  blob_chunk: {
    blob_id: string
    /** From 0. */
    position: number
    bytes: Uint8Array
  }
}

/** Blobs as rows, for operators who want one thing to back up. The store's schema needs `blobMigrations`. */
export async function databaseBlobs<Tables>(store: Store<Tables>, { clock }: { clock: Clock }): Promise<BlobStore> {
  const blobs = new DatabaseBlobs(storeOf<BlobTables>()(store), clock)
  await blobs.removeAbandoned()
  return blobs
}

class DatabaseBlobs implements BlobStore {
  readonly #store: Store<BlobTables>
  readonly #clock: Clock

  constructor(store: Store<BlobTables>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  get #db(): Kysely<BlobTables> {
    return this.#store.db
  }

  async put(source: BlobSource, options?: PutOptions): Promise<StoredBlob> {
    const intake = await takeIn(source, CHUNK, options)
    const id = newRowId(this.#clock())
    return intake.rest ? this.#putLarge(id, intake) : this.#putSmall(id, intake)
  }

  async #putSmall(id: string, { head, stored }: Intake): Promise<StoredBlob> {
    const { digest, size, md5 } = stored()
    const stored_at = this.#clock().toISOString()
    const bytes = Buffer.concat(head)
    await this.#orTouch(digest, () =>
      this.#store.transaction(async (tx) => {
        await tx.insertInto('blob').values({ id, digest, size, stored_at }).execute()
        for (let position = 0; position * CHUNK < size; position++)
          await insertChunk(tx, id, position, bytes.subarray(position * CHUNK, (position + 1) * CHUNK))
      }),
    )
    return { digest, size, md5 }
  }

  /** One chunk per statement: a slow upload must not hold a transaction open. */
  async #putLarge(id: string, intake: Intake): Promise<StoredBlob> {
    const stored_at = this.#clock().toISOString()
    await this.#db.insertInto('blob').values({ id, digest: null, size: 0, stored_at }).execute()
    try {
      let position = 0
      for await (const bytes of inChunks(allPieces(intake))) await insertChunk(this.#db, id, position++, bytes)
      const { digest, size, md5 } = intake.stored()
      const isNew = await this.#orTouch(digest, () => this.#finish(id, digest, size))
      if (!isNew) await this.#remove(id)
      return { digest, size, md5 }
    } catch (error) {
      await this.#remove(id)
      throw error
    }
  }

  #finish(id: string, digest: string, size: number): Promise<unknown> {
    const stored_at = this.#clock().toISOString()
    return this.#db.updateTable('blob').set({ digest, size, stored_at }).where('id', '=', id).execute()
  }

  /**
   * Marks existing bytes as stored now, so that a running sweep keeps them; otherwise stores them. Returns whether they
   * were new. Retries when the same bytes are stored or deleted concurrently.
   */
  async #orTouch(digest: string, store: () => Promise<unknown>): Promise<boolean> {
    for (;;) {
      if (await this.#touch(digest)) return false
      try {
        await store()
        return true
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
      }
    }
  }

  async #touch(digest: string): Promise<boolean> {
    const touched = await this.#db
      .updateTable('blob')
      .set({ stored_at: this.#clock().toISOString() })
      .where('digest', '=', digest)
      .executeTakeFirst()
    return touched.numUpdatedRows > 0n
  }

  async read(digest: string): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of await this.stream(digest)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async stream(digest: string, range?: ByteRange): Promise<Readable> {
    const { id, size } = await this.#row(digest)
    const { start, end } = clampRange(size, range)
    return Readable.from(this.#chunks({ digest, id }, start, end), { objectMode: false })
  }

  async *#chunks(blob: { digest: string; id: string }, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const position = Math.floor(at / CHUNK)
      const bytes = await this.#chunk(blob.id, position)
      if (!bytes) throw new BlobMissing(blob.digest)
      const piece = bytes.subarray(at - position * CHUNK, end - position * CHUNK)
      yield piece
      at += piece.length
    }
  }

  async #chunk(id: string, position: number): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom('blob_chunk')
      .select('bytes')
      .where('blob_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirst()
    return row?.bytes
  }

  async has(digest: string): Promise<boolean> {
    return (await this.#find(digest)) !== undefined
  }

  async size(digest: string): Promise<number> {
    return (await this.#row(digest)).size
  }

  async delete(digest: string, { storedBefore }: DeleteOptions = {}): Promise<boolean> {
    let removal = this.#db.deleteFrom('blob').where('digest', '=', requireDigest(digest))
    if (storedBefore) removal = removal.where('stored_at', '<', storedBefore.toISOString())
    return (await removal.executeTakeFirst()).numDeletedRows > 0n
  }

  async *list(): AsyncGenerator<ListedBlob, void, undefined> {
    for (let after = ''; ; ) {
      const rows = await this.#db
        .selectFrom('blob')
        .select(['digest', 'size', 'stored_at'])
        .where('digest', '>', after)
        .orderBy('digest')
        .limit(PAGE)
        .execute()
      for (const { digest, size, stored_at } of rows)
        yield { digest: digest!, size: Number(size), storedAt: new Date(stored_at) }
      if (rows.length < PAGE) return
      after = rows.at(-1)!.digest!
    }
  }

  /** The service owns the database and closes it. */
  async close(): Promise<void> {}

  async removeAbandoned(): Promise<void> {
    const before = plus(this.#clock(), -ABANDONED_AFTER).toISOString()
    await this.#db.deleteFrom('blob').where('digest', 'is', null).where('stored_at', '<', before).execute()
  }

  async #remove(id: string): Promise<void> {
    await this.#db.deleteFrom('blob').where('id', '=', id).execute()
  }

  async #row(digest: string): Promise<{ id: string; size: number }> {
    const row = await this.#find(digest)
    if (!row) throw new BlobMissing(digest)
    return row
  }

  async #find(digest: string): Promise<{ id: string; size: number } | undefined> {
    const row = await this.#db
      .selectFrom('blob')
      .select(['id', 'size'])
      .where('digest', '=', requireDigest(digest))
      .executeTakeFirst()
    return row && { id: row.id, size: Number(row.size) }
  }
}

async function insertChunk(db: Db<BlobTables>, blob_id: string, position: number, bytes: Uint8Array): Promise<void> {
  await db.insertInto('blob_chunk').values({ blob_id, position, bytes }).execute()
}

/** Regroups pieces of any length into chunks of fixed length, the last one shorter. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let chunk = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + CHUNK - filled)
      chunk.set(part, filled)
      filled += part.length
      from += part.length
      if (filled < CHUNK) continue
      yield chunk
      chunk = Buffer.allocUnsafe(CHUNK)
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
