import { PostgresAdapter, sql } from 'kysely'
import type { StoreAdapter } from '../adapter.ts'
import type { Db } from '../store.ts'

/** Kysely's adapter, and wake-ups over NOTIFY, which PostgreSQL holds back until the commit. */
export class PostgresStoreAdapter extends PostgresAdapter implements StoreAdapter {
  readonly storeDialect = 'postgres'

  // Services share a database, and channels belong to the database: the schema's name keeps them apart.
  async notify<Tables>(db: Db<Tables>, channel: string): Promise<void> {
    await sql`select pg_notify(current_schema(), ${channel})`.execute(db)
  }
}
