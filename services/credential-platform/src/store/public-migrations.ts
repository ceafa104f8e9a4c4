import type { Dialect, Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Schema steps of what everybody may read. */
export const publicMigrations: readonly Migration[] = [{ id: 1, name: 'public-facts', breaking: false, up: facts }]

async function facts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const clustered = sql.raw(dialect === 'sqlite' ? ' without rowid' : '')
  await sql`create table public_fact (
    sha256 text primary key,
    facts text not null
  )${clustered}`.execute(db)
}
