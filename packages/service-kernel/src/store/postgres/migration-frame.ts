import { type Kysely, sql, type Transaction } from 'kysely'
import { LIFT_LIMIT } from './connection.ts'
import { schemaOf } from './schema-name.ts'

/** Runs `work` in one transaction that only one process at a time enters, with the service's schema created. */
export function inMigrationFrame<T>(
  db: Kysely<unknown>,
  service: string,
  work: (tx: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await liftLimits(tx)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`chancela migration ${service}`}, 0))`.execute(tx)
    await createSchema(tx, schemaOf(service))
    return work(tx)
  })
}

// Rewriting a large table, or waiting for another process that does, may take longer than a query may.
async function liftLimits(tx: Transaction<unknown>): Promise<void> {
  await sql.raw(LIFT_LIMIT).execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

// `create schema if not exists` requires CREATE on the database even when the schema exists; a careful operator creates
// the schema and grants no more than that.
async function createSchema(tx: Transaction<unknown>, schema: string): Promise<void> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(tx)
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(tx)
}
