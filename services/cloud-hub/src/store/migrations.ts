import { administratorMigrations } from '@chancela/admin-console'
import { chainMigrations, eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { apiKeyMigrations } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import type { MigrationSet } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { holderMigrations } from './holder-migrations.ts'
import { listMigrations } from './list-migrations.ts'
import { proxyMigrations } from './proxy-migrations.ts'
import { searchMigrations } from './search-migrations.ts'

/** The whole schema of the service: the kernel's tables and its own. */
export const cloudHubSchema: MigrationSet = {
  events: eventMigrations,
  'master-keys': masterKeyMigrations,
  health: healthMigrations,
  'audit-chain': chainMigrations,
  'api-keys': apiKeyMigrations,
  administrators: administratorMigrations,
  'cloud-hub': [{ id: 1, name: 'hub', breaking: false, up: hub }],
  'cloud-hub-holders': holderMigrations,
  'hub-lists': listMigrations,
  'hub-proxies': proxyMigrations,
  'hub-search': searchMigrations,
}

type Columns = Readonly<Record<string, string>>

const tables: Readonly<Record<string, Columns>> = {
  provider: {
    id: 'text primary key',
    service_name: 'text not null',
    name_key: 'text not null unique',
    provider: 'text not null',
    protocol: 'text not null',
    preset: 'text not null',
    endpoint: 'text not null',
    badge_url: 'text',
    client_id: 'text not null',
    sealed_secret: 'text not null',
    knobs: 'text not null',
    position: 'integer not null',
    enabled: 'integer not null',
    created_at: 'text not null',
    updated_at: 'text not null',
  },
  redirect_uri: {
    key_id: 'text not null references api_key (id)',
    uri: 'text not null',
    created_at: 'text not null',
    'primary key': '(key_id, uri)',
  },
  creation: {
    id: 'text primary key',
    key_id: 'text not null',
    application_id: 'text not null',
    type: 'text not null',
    redirect_uri: 'text not null',
    identifier: 'text',
    identifier_type: 'text',
    custom_state: 'text',
    known_hashes: 'text',
    lifetime_seconds: 'bigint not null',
    created_at: 'text not null',
    expires_at: 'text not null',
    chooser_hash: 'text',
    sealed_choice: 'text',
  },
  session: {
    id: 'text primary key',
    creation_id: 'text not null references creation (id)',
    key_id: 'text not null',
    provider_id: 'text not null',
    type: 'text not null',
    state: 'text not null',
    state_hash: 'text',
    sealed_step: 'text',
    step_until: 'text',
    value_hash: 'text',
    sealed_grant: 'text',
    alias: 'text',
    certificate: 'text',
    created_at: 'text not null',
    expires_at: 'text not null',
    authorized_at: 'text',
    ended_at: 'text',
    reason: 'text',
    purge_at: 'text not null',
  },
  session_use: {
    id: 'text primary key',
    at: 'text not null',
    session_id: 'text not null',
    key_id: 'text not null',
    provider_id: 'text not null',
    action: 'text not null',
    outcome: 'text not null',
    hashes: 'integer not null',
    digest_algorithm: 'text',
    alias: 'text',
    milliseconds: 'integer',
    correlation_id: 'text',
  },
  signature_replay: {
    session_id: 'text not null references session (id)',
    key_hash: 'text not null',
    request_hash: 'text not null',
    signatures: 'text',
    at: 'text not null',
    'primary key': '(session_id, key_hash)',
  },
  instance_secret: { name: 'text primary key', sealed: 'text not null' },
}

const indexes: readonly string[] = [
  'unique index session_state on session (state_hash) where state_hash is not null',
  'unique index session_value on session (value_hash) where value_hash is not null',
  'unique index creation_chooser on creation (chooser_hash) where chooser_hash is not null',
  'index session_of_creation on session (creation_id)',
  // The sweep reads only the oldest rows of each table, whatever its size.
  'index session_to_forget on session (expires_at) where sealed_grant is not null',
  'index session_to_purge on session (purge_at)',
  'index creation_to_purge on creation (expires_at)',
  'index session_use_by_session on session_use (session_id, id)',
  'index session_use_at on session_use (at)',
  'index session_use_by_provider on session_use (provider_id, id)',
]

async function hub(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}
