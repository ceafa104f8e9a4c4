import { type Kysely, sql } from 'kysely'

/** What signing in keeps, and the audit. */
export async function signInAndAudit(db: Kysely<unknown>): Promise<void> {
  await sessions(db)
  await guesses(db)
  await audit(db)
  await secondFactors(db)
}

async function sessions(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_session (
    id text primary key,
    account_id text not null,
    organization_id text not null,
    way text not null,
    created_at text not null,
    seen_at text not null,
    ip text not null,
    user_agent text not null,
    ended_at text
  )`.execute(db)
  await sql`create index account_session_account on account_session (account_id, created_at)`.execute(db)
  await sql`create index account_session_age on account_session (seen_at)`.execute(db)
}

async function guesses(db: Kysely<unknown>): Promise<void> {
  await sql`create table sign_in_guess (
    id text primary key,
    guesses integer not null,
    expires_at text not null
  )`.execute(db)
  await sql`create index sign_in_guess_age on sign_in_guess (expires_at)`.execute(db)
}

async function audit(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_entry (
    organization_id text not null,
    number integer not null,
    at text not null,
    kind text not null,
    actor_type text not null,
    actor_id text,
    actor_name text,
    ip text not null,
    subject_kind text,
    subject_id text,
    subject_name text,
    before text,
    after text,
    hash text not null,
    primary key (organization_id, number)
  )`.execute(db)
  await sql`create index audit_entry_kind on audit_entry (organization_id, kind, number)`.execute(db)
  await sql`create index audit_entry_actor on audit_entry (organization_id, actor_id, number)`.execute(db)
  await sql`create index audit_entry_age on audit_entry (at)`.execute(db)
  await sql`create table audit_chain (
    organization_id text primary key,
    number integer not null,
    hash text not null,
    swept_number integer not null,
    swept_hash text not null
  )`.execute(db)
}

async function secondFactors(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table account add column sealed_totp text',
    'alter table account add column sealed_new_totp text',
    'alter table account add column totp_step double precision',
    'alter table organization add column require_second_factor integer not null default 0',
    'create table recovery_code (account_id text not null, hash text not null, primary key (account_id, hash))',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** How often the addresses of participants were revoked: tickets name the number they were made at. */
export async function revocations(db: Kysely<unknown>): Promise<void> {
  for (const table of ['document', 'participant'])
    await sql.raw(`alter table ${table} add column revocations integer not null default 0`).execute(db)
}

/** When somebody last proved who they are. Sessions from before are asked again. */
export async function proofsOfSessions(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account_session add column proved_at text`.execute(db)
}
