import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Schema steps of sessions bound to a list. Breaking: a program that does not know the list would sign anything. */
export const listMigrations: readonly Migration[] = [{ id: 1, name: 'listed hashes', breaking: true, up: lists }]

const statements = [
  'alter table creation add column sealed_names text',
  'alter table session add column list_size integer',
  `create table listed_hash (
    session_id text not null references session (id),
    hash text not null,
    state text not null,
    primary key (session_id, hash)
  )`,
]

async function lists(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
