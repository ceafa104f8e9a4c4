import { createHash } from 'node:crypto'
import { type MigrationSet, migrate, openStore } from '@chancela/service-kernel/store'
import { sql } from 'kysely'

/** The service name of every test store, and so its PostgreSQL schema: a copy cannot change it. */
export const TEST_SERVICE = 'test-service'

/** Brings an empty database to the schema of the set. */
export async function migrateAt(url: string, set: MigrationSet): Promise<void> {
  const store = await openStore({ url, service: TEST_SERVICE })
  try {
    await migrate(store, set)
    // SQLite checkpoints its log when the last statement is collected, which is later than a copy.
    if (store.dialect === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(store.db)
  } finally {
    await store.close()
  }
}

/** The same for equivalent sets, because tests build theirs anew. */
export function nameOfSet(set: MigrationSet): string {
  const hash = createHash('sha256')
  for (const [owner, steps] of Object.entries(set)) {
    for (const { id, name, up } of steps) hash.update(JSON.stringify([owner, id, name, String(up)]))
  }
  return hash.digest('hex').slice(0, 16)
}
