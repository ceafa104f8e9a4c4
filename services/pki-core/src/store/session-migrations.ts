// Signature sessions: an owner of its own in the schema.
import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

export const sessionMigrations: readonly Migration[] = [
  { id: 1, name: 'sessions-signature-session', breaking: false, up: createSessions },
  { id: 2, name: 'sessions-listed', breaking: false, up: listSessions },
  { id: 3, name: 'sessions-signing-elsewhere', breaking: false, up: createSignings },
]

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  signature_session: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    application_id: 'text not null',
    application: 'text not null',
    token_id: 'text not null unique',
    status: 'text not null',
    context_id: 'text not null',
    return_url: 'text',
    sealed_callback: 'text',
    is_background: 'integer not null',
    gives_out: 'integer not null',
    takes_uploads: 'integer not null',
    metadata: 'text not null',
    requirements: 'text not null',
    options: 'text not null',
    extra: 'text',
    extra_digest: 'text',
    revision: 'text not null',
    certificate: 'text',
    issuers: 'text',
    error_code: 'text',
    created_at: 'text not null',
    expires_at: 'text not null',
    ended_at: 'text',
  },
  signature_session_document: {
    id: 'text primary key',
    session_id: 'text not null references signature_session (id) on delete cascade',
    position: 'integer not null',
    status: 'text not null',
    is_uploaded: 'integer not null',
    file_digest: 'text',
    file_size: 'integer not null',
    file_name: 'text not null',
    file_type: 'text not null',
    sha256: 'text not null',
    url: 'text',
    signature_type: 'text not null',
    options: 'text not null',
    extra: 'text',
    extra_digest: 'text',
    metadata: 'text not null',
    document_key: 'text',
    plan: 'text',
    to_sign: 'text',
    signature: 'text',
    signed_at: 'text',
    error_code: 'text',
    unique: '(session_id, position)',
  },
}

const indexes = [
  "index signature_session_to_expire on signature_session (expires_at) where status = 'Pending'",
  'index signature_session_to_purge on signature_session (ended_at) where ended_at is not null',
  'index signature_session_extra on signature_session (extra_digest)',
  'index signature_session_document_file on signature_session_document (file_digest)',
  'index signature_session_document_extra on signature_session_document (extra_digest)',
]

async function createSessions(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}

/** For the list of the admin page. */
async function listSessions(db: Kysely<unknown>): Promise<void> {
  await sql`create index signature_session_newest on signature_session (created_at, id)`.execute(db)
  await sql`create index signature_session_of_subscription on signature_session (subscription_id, created_at, id)`.execute(
    db,
  )
}

async function createSignings(db: Kysely<unknown>): Promise<void> {
  await sql`create table signature_session_signing (
    id text primary key,
    session_id text not null references signature_session (id) on delete cascade,
    kind text not null,
    reference text not null,
    documents text not null,
    expires_at text not null,
    taken_at text,
    outcome text
  )`.execute(db)
  await sql`create index signature_session_signing_to_purge on signature_session_signing (expires_at)`.execute(db)
  await sql`create index signature_session_signing_session on signature_session_signing (session_id)`.execute(db)
}
