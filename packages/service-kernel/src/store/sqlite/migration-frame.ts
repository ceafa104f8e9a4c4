import { type Kysely, sql, type Transaction } from 'kysely'

/**
 * Runs `work` in one transaction that only one process at a time enters. SQLite changes most things about a table by
 * replacing it, and dropping the old one would cascade into its children: so foreign keys are off meanwhile and checked
 * before the commit (sqlite.org/lang_altertable.html section 7). The setting cannot change inside a transaction.
 */
export function inMigrationFrame<T>(
  db: Kysely<unknown>,
  _service: string,
  work: (tx: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`pragma foreign_keys = off`.execute(connection)
    try {
      return await connection.transaction().execute(async (tx) => {
        const result = await work(tx)
        await refuseOrphans(tx)
        return result
      })
    } finally {
      await sql`pragma foreign_keys = on`.execute(connection)
    }
  })
}

async function refuseOrphans(tx: Transaction<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
  const [orphan] = rows
  if (orphan) throw new Error(`A migration left rows of ${orphan.table} without their rows in ${orphan.parent}.`)
}
