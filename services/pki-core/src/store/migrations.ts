import { administratorMigrations } from '@chancela/admin-console'
import { jobMigrations } from '@chancela/outbox/queue'
import { webhookMigrations } from '@chancela/outbox/webhooks'
import { blobMigrations } from '@chancela/service-kernel/blobs'
import { chainMigrations, eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { apiKeyMigrations } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import type { MigrationSet } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { DEFAULT_SUBSCRIPTION } from '../rules/subscription.ts'
import { bioMigrations } from './bio/migrations.ts'
import { certificateMigrations } from './certificate-migrations.ts'
import { documentMigrations } from './document-migrations.ts'
import { earlierMigrations } from './earlier-migrations.ts'
import { fileRuleMigrations } from './file-rules.ts'
import { managementMigrations } from './management-migrations.ts'
import { sessionMigrations } from './session-migrations.ts'

/** The whole schema of the service: the kernel's tables and its own. */
export const pkiCoreSchema: MigrationSet = {
  events: eventMigrations,
  'master-keys': masterKeyMigrations,
  health: healthMigrations,
  'audit-chain': chainMigrations,
  'api-keys': apiKeyMigrations,
  blobs: blobMigrations,
  jobs: jobMigrations,
  webhooks: webhookMigrations,
  'pki-core': [{ id: 1, name: 'authentication', breaking: false, up: authentication }],
  'pki-core-documents': documentMigrations,
  administrators: administratorMigrations,
  'pki-core-management': managementMigrations,
  'pki-core-bio': bioMigrations,
  'pki-core-legacy': earlierMigrations,
  'pki-core-sessions': sessionMigrations,
  'pki-core-certificates': certificateMigrations,
  'pki-core-file-rules': fileRuleMigrations,
}

type Columns = Readonly<Record<string, string>>

const tables: Readonly<Record<string, Columns>> = {
  subscription: {
    id: 'text primary key',
    name: 'text not null',
    default_context_id: 'text',
    created_at: 'text not null',
  },
  application_role: {
    application_id: 'text not null references client_application (id)',
    subscription_id: 'text not null references subscription (id)',
    roles: 'text not null',
    'primary key': '(application_id, subscription_id)',
  },
  security_context: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    name: 'text not null',
    roots: 'text not null',
    intermediates: 'text not null',
    created_at: 'text not null',
    updated_at: 'text not null',
  },
  authentication: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    state: 'text not null',
    nonce: 'text not null',
    context_id: 'text',
    ignores_unknown: 'integer not null',
    certificate: 'text',
    signature: 'text',
    created_at: 'text not null',
    expires_at: 'text not null',
  },
  used_nonce: { nonce: 'text primary key', expires_at: 'text not null' },
}

const indexes: readonly string[] = [
  'index security_context_subscription on security_context (subscription_id)',
  // The sweep reads only the oldest rows of each table, whatever its size.
  'index authentication_to_purge on authentication (expires_at)',
  'index used_nonce_to_purge on used_nonce (expires_at)',
]

async function authentication(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
  await sql`insert into subscription (id, name, created_at)
    values (${DEFAULT_SUBSCRIPTION}, 'Default', '1970-01-01T00:00:00.000Z')`.execute(db)
}
