import { PostgresAdapter } from 'kysely'
import type { StoreAdapter } from '../adapter.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Db } from '../store.ts'

/** Kysely's adapter, and wake-ups over NOTIFY, which PostgreSQL sends on commit. */
export class PostgresStoreAdapter extends PostgresAdapter implements StoreAdapter {
  readonly storeDialect = 'postgres'

  // Services share a database, and channels are per database: the schema's name keeps them apart.
  async notify<Tables>(db: Db<Tables>, channel: string): Promise<void> {
    await wake(db, channel)
  }
}

const form = { text: 'select pg_notify(current_schema(), $1)', parameters: (channel: string) => [channel] }
const wake = hotStatement<string, never>('store_notify', { sqlite: form, postgres: form })
