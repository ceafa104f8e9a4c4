import { administratorMigrations } from '@chancela/admin-console'
import { chainMigrations, eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { apiKeyMigrations } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import { instanceLeaseMigrations, type MigrationSet } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** The whole schema of the service: the kernel's tables and its own. */
export const sessionServerSchema: MigrationSet = {
  events: eventMigrations,
  'master-keys': masterKeyMigrations,
  health: healthMigrations,
  'audit-chain': chainMigrations,
  'api-keys': apiKeyMigrations,
  administrators: administratorMigrations,
  'instance-lease': instanceLeaseMigrations,
  'session-server': [
    { id: 1, name: 'sessions', breaking: false, up: sessions },
    { id: 2, name: 'server-tokens', breaking: false, up: serverTokens },
    { id: 3, name: 'certificate-findings', breaking: false, up: certificateFindings },
  ],
  'session-history': [{ id: 1, name: 'session-history', breaking: false, up: sessionHistory }],
  'agent-channel': [{ id: 1, name: 'channel-of-enrolments', breaking: false, up: channelOfEnrolments }],
}

type Columns = Readonly<Record<string, string>>

const tables: Readonly<Record<string, Columns>> = {
  workstation: {
    id: 'text primary key',
    name: 'text not null',
    cpfs: 'text not null',
    public_key: 'text',
    platform: 'text',
    agent_version: 'text',
    address: 'text',
    enrolled_at: 'text',
    last_seen_at: 'text',
    revoked_at: 'text',
    created_at: 'text not null',
  },
  enrolment_code: {
    hash: 'text primary key',
    workstation_id: 'text not null references workstation (id)',
    expires_at: 'text not null',
    used_at: 'text',
  },
  certificate: {
    id: 'text primary key',
    cpf: 'text not null',
    custody: 'text not null',
    workstation_id: 'text references workstation (id)',
    fingerprint: 'text not null',
    der: 'text',
    chain: 'text not null',
    subject_name: 'text not null',
    subject_key: 'text not null',
    subject_cpf: 'text',
    email: 'text',
    issuer: 'text not null',
    serial_number: 'text not null',
    not_before: 'text not null',
    not_after: 'text not null',
    status: 'text not null',
    status_reason: 'text',
    checked_at: 'text',
    good_at: 'text',
    sealed_file: 'text',
    created_at: 'text not null',
    removed_at: 'text',
  },
  pin_to_forget: {
    workstation_id: 'text not null references workstation (id)',
    fingerprint: 'text not null',
    at: 'text not null',
    'primary key': '(workstation_id, fingerprint)',
  },
  signing_session: {
    id: 'text primary key',
    hash: 'text not null unique',
    cpf: 'text not null',
    certificate_id: 'text not null references certificate (id)',
    custody: 'text not null',
    application_id: 'text not null',
    email: 'text',
    window_seconds: 'integer not null',
    expires_at: 'text not null',
    signatures: 'integer not null',
    created_at: 'text not null',
    ended_at: 'text',
    end_reason: 'text',
  },
  pin_failures: { cpf: 'text primary key', times: 'text not null', last_at: 'text not null' },
  signature: {
    id: 'text primary key',
    session_id: 'text not null',
    certificate_id: 'text not null',
    application_id: 'text not null',
    cpf: 'text not null',
    custody: 'text not null',
    file_name: 'text not null',
    bytes: 'integer not null',
    sha256: 'text not null',
    state: 'text not null',
    document_id: 'text',
    code: 'text',
    detail: 'text',
    batch_id: 'text',
    correlation_id: 'text not null',
    started_at: 'text not null',
    ended_at: 'text',
    look_at: 'text',
  },
  instance_secret: { name: 'text primary key', sealed: 'text not null' },
}

const indexes: readonly string[] = [
  'index certificate_by_cpf on certificate (cpf) where removed_at is null',
  'index certificate_by_expiry on certificate (not_after, id) where removed_at is null',
  'index certificate_checked on certificate (checked_at) where removed_at is null',
  'unique index certificate_in_vault on certificate (cpf, fingerprint) where removed_at is null and workstation_id is null',
  'unique index certificate_at_workstation on certificate (workstation_id, cpf, fingerprint) where removed_at is null and workstation_id is not null',
  // At most one session is active per CPF (spec 1 A).
  'unique index session_active on signing_session (cpf) where ended_at is null',
  'index session_expiring on signing_session (expires_at) where ended_at is null',
  'index session_ended on signing_session (ended_at) where ended_at is not null',
  'index signature_by_cpf on signature (cpf, id)',
  'index signature_by_document on signature (document_id) where document_id is not null',
  'index signature_open on signature (look_at) where look_at is not null',
  'index signature_started on signature (started_at)',
  'index signature_by_state on signature (state, id)',
]

async function sessions(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}

/** From where a session was opened, and attempts that failed; what the console searches them by. */
const historyStatements: readonly string[] = [
  'alter table signing_session add column address text',
  'alter table signing_session add column correlation_id text',
  `create table session_attempt (
    id text primary key,
    cpf text not null,
    application_id text not null,
    code text not null,
    address text not null,
    correlation_id text not null,
    at text not null
  )`,
  'create index session_by_cpf on signing_session (cpf, id)',
  'create index session_by_application on signing_session (application_id, id)',
  'create index session_created on signing_session (created_at)',
  'create index attempt_by_cpf on session_attempt (cpf, id)',
  'create index attempt_by_application on session_attempt (application_id, id)',
  'create index attempt_at on session_attempt (at)',
]

async function sessionHistory(db: Kysely<unknown>): Promise<void> {
  for (const statement of historyStatements) await sql.raw(statement).execute(db)
}

/** Enrolments that are there were made for the first channel. */
async function channelOfEnrolments(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table workstation add column channel integer not null default 1',
    'alter table workstation add column outdated_at text',
    'create index workstation_by_key on workstation (public_key)',
  ])
    await sql.raw(statement).execute(db)
}

/** Certificates on the server's own tokens; one may be in the vault as well. */
async function serverTokens(db: Kysely<unknown>): Promise<void> {
  await sql`alter table certificate add column token text`.execute(db)
  await sql`alter table certificate add column sealed_pin text`.execute(db)
  await sql`drop index certificate_in_vault`.execute(db)
  const held = 'on certificate (cpf, fingerprint) where removed_at is null and workstation_id is null and token is null'
  await sql.raw(`create unique index certificate_in_the_vault ${held}`).execute(db)
  const shown = 'on certificate (token, cpf, fingerprint) where removed_at is null and token is not null'
  await sql.raw(`create unique index certificate_on_token ${shown}`).execute(db)
  const login = 'token text primary key, accepted text, refused text, tries integer not null'
  await sql.raw(`create table token_login (${login})`).execute(db)
}

/** Why a certificate is not good, as a code: pages say it in the language of whoever reads. */
async function certificateFindings(db: Kysely<unknown>): Promise<void> {
  await sql`alter table certificate add column status_finding text`.execute(db)
}
