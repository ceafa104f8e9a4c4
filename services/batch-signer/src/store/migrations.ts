import { mailMigrations } from '@chancela/outbox/mail'
import { jobMigrations } from '@chancela/outbox/queue'
import { webhookMigrations } from '@chancela/outbox/webhooks'
import { addChainSequence, createAuditChain, eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { createEndedSessions, createListedSessions } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import type { Dialect, MigrationSet } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { rejectionCodes } from '../rules/compact-view.ts'

/** The whole schema of the service: the kernel's events, the outboxes of mails and webhooks, and its own tables. */
export const batchSignerSchema: MigrationSet = {
  events: eventMigrations,
  'master-keys': masterKeyMigrations,
  health: healthMigrations,
  jobs: jobMigrations,
  mail: mailMigrations,
  webhooks: webhookMigrations,
  'batch-signer': [
    { id: 1, name: 'pipeline', breaking: false, up: pipeline },
    { id: 2, name: 'intake: tombstones', breaking: false, up: tombstones },
    { id: 3, name: 'operator: watched folders', breaking: false, up: watchedFolders },
    { id: 4, name: 'reasons: why jobs failed', breaking: false, up: reasons },
    { id: 5, name: 'recovery: instances', breaking: false, up: instances },
    { id: 6, name: 'reasons: remittances by day', breaking: false, up: remittancesByDay },
    { id: 7, name: 'operator: ended sessions', breaking: false, up: createEndedSessions },
    { id: 8, name: 'requests: cleaned outputs', breaking: false, up: cleanedOutputs },
    { id: 9, name: 'intake: places', breaking: false, up: places },
    { id: 10, name: 'conditions: certificate notices', breaking: false, up: certificateNotices },
    { id: 11, name: 'recovery: output folders', breaking: false, up: outputFolders },
    { id: 12, name: 'history: sentences', breaking: false, up: historySentences },
    { id: 13, name: 'approvals: frozen rules and decisions', breaking: false, up: approvals },
    { id: 14, name: 'approvers: authenticator apps', breaking: false, up: approverFactors },
    { id: 15, name: 'approvers: windows of codes', breaking: false, up: approverWindows },
    { id: 16, name: 'approvers: notices by mail', breaking: false, up: approverNotices },
    { id: 17, name: 'approvers: keys elsewhere', breaking: false, up: approverSignings },
    { id: 18, name: 'audit: chain', breaking: false, up: auditChain },
    { id: 19, name: 'operator: listed sessions', breaking: false, up: createListedSessions },
    { id: 20, name: 'operator: guesses at the key', breaking: false, up: keyGuesses },
  ],
}

// The states of a released migration never change; they are generated from the current tables of states because both
// are equal now. A later change of a table adds its own migration.
const listed = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '))

const rejections = listed(rejectionCodes)

async function pipeline(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // A table that consists of its key needs no second B-tree.
  const withoutRowId = sql.raw(dialect === 'sqlite' ? ' without rowid' : '')
  const counter = sql.raw(dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key')
  await sql`create table job (
    id text primary key,
    file_name text not null,
    name_key text not null,
    original_path text,
    active_path text,
    input_folder text,
    format text not null,
    source text not null,
    status text not null,
    profile_name text not null,
    parent_job_id text,
    external_reference text,
    encryption_requested integer,
    created_at text not null,
    updated_at text not null,
    queued_at text not null,
    started_at text,
    finished_at text,
    owner text,
    reached_key_at text,
    content_sha256 text,
    content_length double precision,
    error_code text,
    error_message text,
    output_name text,
    output_encrypted integer not null default 0,
    output_length double precision,
    input_disposal text not null default 'none',
    cnab240 text,
    queue_ms integer,
    signing_ms integer,
    verification_ms integer,
    output_ms integer
  )`.execute(db)
  // Of two concurrent enqueues of one path, the database accepts one.
  await sql`create unique index job_active_path on job (active_path) where active_path is not null`.execute(db)
  await sql`create index job_path on job (original_path, created_at) where original_path is not null`.execute(db)
  // Not a partial index for the names in use: one with the status in its condition is rewritten with every move.
  await sql`create index job_name on job (name_key)`.execute(db)
  // With the columns of a job that never change, so that searches by name, format or source only scan the index.
  await sql`create index job_created on job (created_at, id, name_key, format, source)`.execute(db)
  await sql`create index job_profile on job (profile_name, created_at, id)`.execute(db)
  // Whole, not partial: SQLite takes a partial index only for a query that repeats its condition word by word. The
  // queue and what is in flight still are a handful of pages, because the index begins with the status.
  await sql`create index job_status on job (status, created_at, id)`.execute(db)
  await sql`create index job_finished on job (finished_at, id) where finished_at is not null`.execute(db)
  // What the compact variant counts and lists as Rejected, without a look at every other job.
  // With the status first and the code last: so the plan prefers it to job_status and never reads a row.
  await sql`create index job_rejected on job (status, created_at, id, source, format, error_code)
    where status = 'Failed' and error_code in (${rejections})`.execute(db)
  await sql`create index job_disposal on job (id) where input_disposal = 'pending'`.execute(db)

  await sql`create table job_history (
    id ${counter},
    job_id text not null,
    at text not null,
    status text not null,
    code text,
    message text not null
  )`.execute(db)
  await sql`create index job_history_job on job_history (job_id, id)`.execute(db)
  await sql`create table job_payments (job_id text primary key, payments text not null)`.execute(db)

  await sql`create table job_tally (
    profile_name text not null,
    status text not null,
    source text not null,
    format text not null,
    n integer not null,
    primary key (profile_name, status, source, format)
  )`.execute(db)
  await sql`create table job_calendar (
    level text not null,
    span text not null,
    profile_name text not null,
    source text not null,
    format text not null,
    ended text not null,
    n integer not null,
    primary key (level, span, profile_name, source, format, ended)
  )${withoutRowId}`.execute(db)
  await sql`create table throughput (
    minute text primary key,
    completed integer not null,
    failed integer not null,
    canceled integer not null,
    encrypted integer not null,
    queue_ms double precision not null,
    signing_ms double precision not null,
    verification_ms double precision not null,
    output_ms double precision not null,
    longest_ms integer not null,
    shortest_ms integer not null
  )`.execute(db)

  await sql`create table pipeline_state (
    id integer primary key,
    paused integer not null,
    paused_at text,
    resumed_at text,
    paused_by text,
    reason text,
    version integer not null,
    profile_version integer not null,
    statistics_since text not null
  )`.execute(db)
  await sql`insert into pipeline_state (id, paused, version, profile_version, statistics_since)
    values (1, 0, 0, 0, '')`.execute(db)
  await sql`create table input_folder (
    name text primary key,
    enqueued integer not null,
    last_enqueued_at text
  )`.execute(db)

  await sql`create table signing_profile (
    name text primary key,
    name_key text not null unique,
    enabled integer not null,
    input_folder text unique,
    format text,
    method text not null,
    behaviour text not null,
    certificate text,
    sealed_secret text,
    sealed_pkcs12 text,
    version integer not null,
    created_at text not null,
    updated_at text not null
  )`.execute(db)

  await sql`create table backup_run (
    id text primary key,
    cause text not null,
    actor text not null,
    started_at text not null,
    finished_at text,
    result text,
    file_name text,
    size_bytes double precision,
    error text
  )`.execute(db)
  await sql`create index backup_run_started on backup_run (started_at)`.execute(db)
}

async function tombstones(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job add column input_identity text`.execute(db)
  await sql`create table input_tombstone (
    path text primary key,
    folder text not null,
    identity text,
    sha256 text,
    verdict text not null,
    code text,
    job_id text,
    at text not null
  )`.execute(db)
  await sql`create index input_tombstone_folder on input_tombstone (folder, path)`.execute(db)
}

async function watchedFolders(db: Kysely<unknown>): Promise<void> {
  await sql`create table watched_folder (
    name text primary key,
    entry text,
    paused integer not null,
    paused_at text,
    paused_by text,
    reason text,
    version integer not null,
    created_at text not null,
    updated_at text not null
  )`.execute(db)
}

/** The reason of a failure apart from its English sentence, and the cause that failures are counted and retried by. */
async function reasons(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job add column error_reason text`.execute(db)
  await sql`alter table job add column error_cause text`.execute(db)
  await sql`update job set error_cause = error_code where error_code is not null`.execute(db)
  // Failures only, so that a job that is signed writes nothing here.
  await sql`create index job_failed on job (finished_at, id, error_cause) where status = 'Failed'`.execute(db)
  // Which failures were retried.
  await sql`create index job_parent on job (parent_job_id) where parent_job_id is not null`.execute(db)
}

async function instances(db: Kysely<unknown>): Promise<void> {
  await sql`create table instance (
    id text primary key,
    name text not null,
    state text not null,
    version text not null,
    started_at text not null,
    last_heartbeat text not null,
    space text,
    pid integer not null,
    process_started text
  )`.execute(db)
}

/** What remittances add up to by day, without a look at every other job. */
async function remittancesByDay(db: Kysely<unknown>): Promise<void> {
  await sql`create index job_remittance on job (finished_at, id) where cnab240 is not null`.execute(db)
}

/** Ids of completed jobs that retention deleted: their output is gone (410), that of an unknown id never was (404). */
async function cleanedOutputs(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const withoutRowId = sql.raw(dialect === 'sqlite' ? ' without rowid' : '')
  await sql`create table cleaned_output (id text primary key, cleaned_at text not null)${withoutRowId}`.execute(db)
  await sql`create index cleaned_output_at on cleaned_output (cleaned_at)`.execute(db)
}

async function places(db: Kysely<unknown>): Promise<void> {
  await sql`create table folder_place (
    id text primary key,
    folder text not null,
    sequence integer not null,
    at text not null
  )`.execute(db)
}

async function certificateNotices(db: Kysely<unknown>): Promise<void> {
  await sql`create table certificate_notice (
    profile_name text not null,
    thumbprint text not null,
    days integer not null,
    noticed_at text not null,
    primary key (profile_name, thumbprint, days)
  )`.execute(db)
}

async function outputFolders(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job add column output_folder text`.execute(db)
}

/** What a line of a history consists of, apart from its English words. */
async function historySentences(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_history add column told text`.execute(db)
}

/** What waits for approval, with the rule as it was then, and what each member of its pool decided. */
async function approvals(db: Kysely<unknown>): Promise<void> {
  // On the job itself: a worker that is about to use the key and an approver who rejects meet at this row.
  await sql`alter table job add column released_at text`.execute(db)
  await sql`alter table job add column vetoed_at text`.execute(db)
  await sql`create table job_approval (
    job_id text primary key,
    file_name text not null,
    profile_name text not null,
    rule text not null,
    content_sha256 text,
    content_length double precision,
    staged_name text not null,
    parked_at text not null,
    expires_at text,
    envelope_sha256 text
  )`.execute(db)
  await sql`create table approval_member (
    approver_key text not null,
    job_id text not null,
    primary key (approver_key, job_id)
  )`.execute(db)
  await sql`create index approval_member_job on approval_member (job_id)`.execute(db)
  await sql`create table approval_decision (
    job_id text not null,
    approver_key text not null,
    name text not null,
    cpf text not null,
    decision text not null,
    reason text,
    method text not null,
    content_sha256 text not null,
    decided_at text not null,
    ip_address text,
    user_agent text,
    second_factor_at text,
    certificate text,
    primary key (job_id, approver_key)
  )`.execute(db)
}

async function approverFactors(db: Kysely<unknown>): Promise<void> {
  await sql`create table approver_factor (
    approver_key text primary key,
    sealed_seed text not null,
    last_step integer not null,
    failures integer not null,
    locked_until text,
    enrolled_at text not null
  )`.execute(db)
}

async function approverWindows(db: Kysely<unknown>): Promise<void> {
  await sql`create table approver_window (
    session_id text primary key,
    approver_key text not null,
    verified_at text not null,
    until text not null,
    once integer not null
  )`.execute(db)
}

async function approverNotices(db: Kysely<unknown>): Promise<void> {
  await sql`create table approver_notice (
    approver_key text not null,
    kind text not null,
    job_id text not null,
    due_at text not null,
    told_in text,
    primary key (approver_key, kind, job_id)
  )`.execute(db)
  await sql`create index approver_notice_due on approver_notice (kind, due_at) where told_in is null`.execute(db)
  await sql`create index approver_notice_mail on approver_notice (told_in) where told_in is not null`.execute(db)
  await sql`create index approver_notice_job on approver_notice (job_id)`.execute(db)
  await sql`create table approver_mail (
    approver_key text not null,
    kind text not null,
    at text not null,
    primary key (approver_key, kind)
  )`.execute(db)
}

/** Requests to keys that are neither here nor in the browser, and what became of their files. */
async function approverSignings(db: Kysely<unknown>): Promise<void> {
  await sql`create table approver_signing (
    id text primary key,
    way text not null,
    reference text not null,
    approver_key text not null,
    method text not null,
    session_id text not null,
    ip_address text,
    user_agent text,
    reason text,
    created_at text not null,
    expires_at text not null,
    taken_at text,
    kept_at text,
    busy_until text,
    thumbprint text,
    outcome text
  )`.execute(db)
  await sql`create unique index approver_signing_reference on approver_signing (reference)`.execute(db)
  await sql`create index approver_signing_expires on approver_signing (expires_at)`.execute(db)
  await sql`create table approver_signing_file (
    signing_id text not null,
    job_id text not null,
    position integer not null,
    file_name text,
    token text,
    signature text,
    result text,
    primary key (signing_id, job_id)
  )`.execute(db)
}

/** Links for events, rules and decisions; those that are there get theirs after the start. */
async function auditChain(db: Kysely<unknown>): Promise<void> {
  await createAuditChain(db)
  await addChainSequence(db, { table: 'audit_event', at: 'at', key: ['id'] })
  await addChainSequence(db, { table: 'job_approval', at: 'parked_at', key: ['job_id'] })
  await addChainSequence(db, { table: 'approval_decision', at: 'decided_at', key: ['job_id', 'approver_key'] })
}

async function keyGuesses(db: Kysely<unknown>): Promise<void> {
  await sql`create table key_guess (
    client text primary key,
    guesses integer not null,
    expires_at text not null
  )`.execute(db)
}
