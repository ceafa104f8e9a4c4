import { type Kysely, sql } from 'kysely'
import type { Migration } from '../store/index.ts'

/** The schema of the write probe, for the owner `health` of a service's migration set. */
export const healthMigrations: readonly Migration[] = [
  { id: 1, name: 'write-probe', breaking: false, up: createWriteProbe },
]

async function createWriteProbe(db: Kysely<unknown>): Promise<void> {
  await sql`create table write_probe (
    id integer primary key,
    written_at text not null
  )`.execute(db)
}
