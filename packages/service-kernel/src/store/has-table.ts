import { sql } from 'kysely'
import { dialectOf } from './adapter.ts'
import type { Db } from './store.ts'

/** Whether a service's database has a table; one that nobody has migrated has none. */
export async function hasTable<Tables>(db: Db<Tables>, name: string): Promise<boolean> {
  const asked = {
    sqlite: sql`select 1 from sqlite_master where type = 'table' and name = ${name}`,
    postgres: sql`select 1 where to_regclass(${name}) is not null`,
  }
  return (await asked[dialectOf(db)].execute(db)).rows.length > 0
}
