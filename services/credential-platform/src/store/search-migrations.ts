import type { Dialect, Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Schema steps of the index by which items are found. */
export const searchMigrations: readonly Migration[] = [
  // A program that writes words elsewhere would make items that nobody finds.
  { id: 1, name: 'search-blocks', breaking: true, up: blocks },
]

const searched = ['degree', 'emission', 'registration', 'academic_transcript', 'curriculum'] as const

/** Numbered items by the words they have, block by block; whatever is not numbered yet waits, also what there is. */
async function blocks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const clustered = sql.raw(dialect === 'sqlite' ? ' without rowid' : '')
  const binary = sql.raw(dialect === 'postgres' ? ' collate "C"' : '')
  const bytes = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea')
  const shelfId = sql.raw(
    dialect === 'sqlite' ? 'integer primary key' : 'integer primary key generated always as identity',
  )
  await sql`create table search_shelf (
    id ${shelfId},
    name text not null unique,
    next_number integer not null,
    last_created_at text${binary} not null,
    last_item_id text${binary} not null,
    folds integer not null
  )`.execute(db)
  await sql`create table search_waiting (
    shelf text${binary} not null,
    created_at text${binary} not null,
    item_id text${binary} not null,
    institute_id text not null,
    search_key text not null,
    primary key (shelf, created_at, item_id)
  )${clustered}`.execute(db)
  await sql`create table search_number (
    shelf integer not null,
    number integer not null,
    created_at text${binary} not null,
    item_id text${binary} not null,
    primary key (shelf, number)
  )${clustered}`.execute(db)
  await sql`create unique index search_number_item on search_number (item_id)`.execute(db)
  await sql`create index search_number_time on search_number (shelf, created_at, item_id)`.execute(db)
  await sql`create table search_block (
    shelf integer not null,
    block integer not null,
    term text${binary} not null,
    numbers ${bytes} not null,
    primary key (shelf, block, term)
  )${clustered}`.execute(db)
  for (const table of searched)
    await sql`insert into search_waiting (shelf, created_at, item_id, institute_id, search_key)
      select subscription_id || ${sql.lit(` ${table}`)}, created_at, id, institute_id, search_key
      from ${sql.table(table)}`.execute(db)
  await sql`drop table item_term`.execute(db)
}
