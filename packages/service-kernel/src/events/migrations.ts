import { type Kysely, sql } from 'kysely'
import type { Migration } from '../store/index.ts'

/** The schema of audit events, for the owner `events` of a service's migration set. */
export const eventMigrations: readonly Migration[] = [
  { id: 1, name: 'audit-event', breaking: false, up: createAuditEvent },
]

async function createAuditEvent(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_event (
    id text primary key,
    at text not null,
    type text not null,
    actor text not null,
    subject_kind text,
    subject_id text,
    code text,
    text text not null,
    data text,
    search_text text not null
  )`.execute(db)
  await sql`create index audit_event_at on audit_event (at, id)`.execute(db)
  await sql`create index audit_event_type on audit_event (type, at, id)`.execute(db)
  await sql`create index audit_event_subject on audit_event (subject_kind, subject_id, at, id)
    where subject_kind is not null`.execute(db)
}
