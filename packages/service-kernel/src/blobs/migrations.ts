import { type Kysely, sql } from 'kysely'
import type { Dialect, Migration } from '../store/index.ts'

/** The schema of blobs in the database, for the owner `blobs` of the service's migration set. */
export const blobMigrations: readonly Migration[] = [{ id: 1, name: 'blobs', breaking: false, up: createBlobs }]

async function createBlobs(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bigint = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint')
  const bytes = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea')
  await sql`create table blob (
    id text primary key,
    digest text unique,
    size ${bigint} not null,
    stored_at text not null
  )`.execute(db)
  await sql`create index blob_unfinished on blob (stored_at) where digest is null`.execute(db)
  await sql`create table blob_chunk (
    blob_id text not null references blob (id) on delete cascade,
    position integer not null,
    bytes ${bytes} not null,
    primary key (blob_id, position)
  )`.execute(db)
  // Documents are mostly compressed already: compressing again costs time and saves nothing.
  if (dialect === 'postgres') await sql`alter table blob_chunk alter column bytes set storage external`.execute(db)
}
