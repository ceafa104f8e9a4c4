import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Schema steps of batches; their tables are among those of documents. */
export const batchMigrations: readonly Migration[] = [
  { id: 1, name: 'batch-reading', breaking: false, up: batchReading },
]

const columns = [
  "reading text not null default '{}'",
  "caller text not null default '{}'",
  'next_row integer not null default 0',
  // More than four bytes' worth: files may have several gigabytes.
  'next_offset bigint not null default 0',
]

const itemTables = ['degree', 'emission', 'academic_transcript']

async function batchReading(db: Kysely<unknown>): Promise<void> {
  for (const column of columns) await sql`alter table batch add column ${sql.raw(column)}`.execute(db)
  // Nothing waits in the table: the rows that were looked at are in it, the others in the file.
  await sql`drop index batch_row_waiting`.execute(db)
  for (const table of itemTables)
    await sql
      .raw(`create index ${table}_batch on ${table} (batch_id, created_at, id) where batch_id is not null`)
      .execute(db)
}
