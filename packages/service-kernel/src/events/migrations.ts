import { type Kysely, sql } from 'kysely'
import type { Migration } from '../store/index.ts'
import { addChainSequence, createAuditChain } from './chain/chain-tables.ts'

/** The schema of audit events, for the owner `events` of a service's migration set. */
export const eventMigrations: readonly Migration[] = [
  { id: 1, name: 'audit-event', breaking: false, up: createAuditEvent },
  { id: 2, name: 'audit-event: address, changes and checkpoints', breaking: false, up: addCheckpoints },
]

/** The chain of a service that chains its events and nothing else, for the owner `audit-chain`, after `events`. */
export const chainMigrations: readonly Migration[] = [{ id: 1, name: 'audit-chain', breaking: false, up: chainEvents }]

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

async function addCheckpoints(db: Kysely<unknown>): Promise<void> {
  for (const column of ['address', 'changes'])
    await sql`alter table audit_event add column ${sql.id(column)} text`.execute(db)
  await sql`create table audit_key (
    id text primary key,
    public_key text not null,
    sealed text not null,
    made_at text not null
  )`.execute(db)
  await sql`create table audit_checkpoint (
    number bigint primary key,
    sequence bigint not null,
    link text not null,
    at text not null,
    key_id text not null,
    signature text not null
  )`.execute(db)
}

async function chainEvents(db: Kysely<unknown>): Promise<void> {
  await createAuditChain(db)
  await addChainSequence(db, { table: 'audit_event', at: 'at', key: ['id'] })
}
