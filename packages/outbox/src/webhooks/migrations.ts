import type { Dialect, Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** The schema of outbound webhooks, for the owner `webhooks` of a service's migration set. */
export const webhookMigrations: readonly Migration[] = [{ id: 1, name: 'outbox', breaking: false, up: createOutbox }]

async function createOutbox(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const counter = sql.raw(dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key')
  const bigint = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint')
  // One tree instead of two: attempts are only read by their delivery.
  const clustered = sql.raw(dialect === 'sqlite' ? ' without rowid' : '')
  await sql`create table webhook_endpoint (
    id text primary key,
    owner_id text not null,
    url text not null,
    auth_type text not null,
    sealed_token text,
    sealed_secret text not null,
    sealed_previous_secret text,
    previous_secret_until text,
    sealed_access text,
    event_types text,
    groups text,
    ordered integer not null,
    concurrency integer not null,
    per_second integer,
    state text not null,
    state_reason text,
    state_at text not null,
    failing_since text,
    failures integer not null,
    open_until text,
    lease_holder text,
    leased_until text,
    created_at text not null,
    updated_at text not null
  )`.execute(db)
  await sql`create index webhook_endpoint_owner on webhook_endpoint (owner_id, created_at)`.execute(db)

  await sql`create table webhook_event (
    id text primary key,
    owner_id text not null,
    type text not null,
    subject text not null,
    groups text,
    is_test integer not null,
    body text,
    created_at text not null
  )`.execute(db)
  await sql`create index webhook_event_age on webhook_event (created_at, id)`.execute(db)

  await sql`create table webhook_delivery (
    id ${counter},
    event_id text not null,
    endpoint_id text not null,
    subject text not null,
    type text not null,
    is_test integer not null,
    in_order integer not null,
    state text not null,
    attempts integer not null,
    due_at text not null,
    created_at text not null,
    finished_at text,
    last_status integer,
    last_error text,
    last_duration_ms integer,
    last_answer text
  )`.execute(db)
  // The line of each endpoint: its head is what is due, and one endpoint's line never delays another's.
  await sql`create index webhook_delivery_line on webhook_delivery (endpoint_id, due_at, id)
    where state = 'waiting'`.execute(db)
  // Of one subject, in order. Subjects are scattered: without an order this index would cost more than all the rest.
  await sql`create index webhook_delivery_subject on webhook_delivery (endpoint_id, subject, id)
    where state = 'waiting' and in_order = 1`.execute(db)
  await sql`create index webhook_delivery_event on webhook_delivery (event_id)`.execute(db)
  await sql`create index webhook_delivery_log on webhook_delivery (endpoint_id, created_at, id)`.execute(db)
  await sql`create index webhook_delivery_ended on webhook_delivery (finished_at, id)
    where finished_at is not null`.execute(db)

  await sql`create table webhook_attempt (
    delivery_id ${bigint} not null,
    number integer not null,
    at text not null,
    duration_ms integer not null,
    status integer,
    error text,
    answer text,
    body text,
    primary key (delivery_id, number)
  )${clustered}`.execute(db)
}
