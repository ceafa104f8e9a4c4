import type { Dialect, Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** The schema of durable jobs, for the owner `jobs` of a service's migration set. */
export const jobMigrations: readonly Migration[] = [
  { id: 1, name: 'durable-job', breaking: false, up: createDurableJob },
]

async function createDurableJob(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`create table durable_job (
    id text primary key,
    queue text not null,
    payload text not null,
    state text not null check (state in ('waiting', 'claimed', 'done', 'dead')),
    due_at text not null,
    attempts integer not null default 0,
    claimed_by text,
    claim_token text,
    last_error text,
    dedupe_key text,
    created_at text not null,
    updated_at text not null,
    finished_at text
  )`.execute(db)
  await createIndexes(db)
  if (dialect === 'postgres') await vacuumOften(db)
}

// Each index holds only the rows its query needs, so that the growing number of finished jobs never slows down a claim.
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`create index durable_job_due on durable_job (queue, due_at, id)
    where state in ('waiting', 'claimed')`.execute(db)
  await sql`create unique index durable_job_dedupe on durable_job (queue, dedupe_key)
    where dedupe_key is not null and state in ('waiting', 'claimed')`.execute(db)
  await sql`create index durable_job_dead on durable_job (queue, finished_at) where state = 'dead'`.execute(db)
  await sql`create index durable_job_done on durable_job (queue, finished_at) where state = 'done'`.execute(db)
}

// Every job leaves three dead row versions; PostgreSQL's default vacuums only when a fifth of the table is dead, and
// until then claims scan the dead rows.
async function vacuumOften(db: Kysely<unknown>): Promise<void> {
  await sql`alter table durable_job set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`.execute(
    db,
  )
}
