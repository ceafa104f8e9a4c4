import { type Kysely, sql } from 'kysely'

/** Tables as data: column to type, in the order they are created. */
export type TableColumns = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Creates tables, then their indexes; both databases take the same text. */
export async function createTables(
  db: Kysely<unknown>,
  tables: TableColumns,
  indexes: readonly string[],
): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}
