import { addChainSequence } from '@chancela/service-kernel/events'
import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of organizations and of what they set up. */
export const tenantMigrations: readonly Migration[] = [
  { id: 1, name: 'tenants', breaking: false, up: (db) => createTables(db, tables, indexes) },
  {
    id: 2,
    name: 'tenants: chained events',
    breaking: false,
    up: (db) => addChainSequence(db, { table: 'entity_event', at: 'at', key: ['id'] }),
  },
  { id: 3, name: 'tenants: address and changes of events', breaking: false, up: addAddressAndChanges },
]

async function addAddressAndChanges(db: Kysely<unknown>): Promise<void> {
  for (const column of ['address', 'changes'])
    await sql`alter table entity_event add column ${sql.id(column)} text`.execute(db)
}

const times = { created_at: 'text not null', updated_at: 'text not null' }
const owned = { id: 'text primary key', subscription_id: 'text not null references subscription (id)' }
const ofInstitute = { institute_id: 'text references institute (id)' }

const tables: TableColumns = {
  subscription: { id: 'text primary key', name: 'text not null', disabled_at: 'text', ...times },
  membership: {
    ...owned,
    // Without the account the person is one who was invited, and may be invited again.
    person_id: 'text references administrator (id) on delete set null',
    name: 'text not null',
    email: 'text not null',
    role: 'text not null',
    ...times,
  },
  application_role: {
    application_id: 'text primary key references client_application (id)',
    subscription_id: 'text not null references subscription (id)',
    role: 'text not null',
    created_at: 'text not null',
    deleted_at: 'text',
  },
  webhook_settings: {
    owner_id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    enabled: 'integer not null',
    url: 'text',
    auth_type: 'text not null',
    sealed_token: 'text',
    uses_subscription: 'integer not null',
    updated_at: 'text not null',
  },
  institute: {
    ...owned,
    kind: 'text not null',
    name: 'text not null',
    code: 'text not null',
    cnpj: 'text not null',
    federal_system: 'integer not null',
    public_url: 'text not null',
    data: 'text not null',
    ...times,
    deleted_at: 'text',
  },
  institute_certificate: {
    institute_id: 'text primary key references institute (id)',
    sealed_key: 'text not null',
    certificate: 'text not null',
    subject: 'text not null',
    not_after: 'text not null',
    created_at: 'text not null',
  },
  partnership: {
    id: 'text primary key',
    issuer_subscription_id: 'text not null references subscription (id)',
    issuer_institute_id: 'text not null references institute (id)',
    registrar_subscription_id: 'text not null references subscription (id)',
    registrar_institute_id: 'text not null references institute (id)',
    proposed_by: 'text not null',
    status: 'text not null',
    ...times,
  },
  course: {
    ...owned,
    institute_id: 'text not null references institute (id)',
    name: 'text not null',
    emec_code: 'text',
    data: 'text not null',
    ...times,
    deleted_at: 'text',
  },
  flow: {
    ...owned,
    ...ofInstitute,
    name: 'text not null',
    document_kind: 'text not null',
    steps: 'text not null',
    ...times,
    deleted_at: 'text',
  },
  template: {
    ...owned,
    ...ofInstitute,
    name: 'text not null',
    kind: 'text not null',
    content: 'text not null',
    ...times,
    deleted_at: 'text',
  },
  entity_event: {
    ...owned,
    at: 'text not null',
    type: 'text not null',
    actor_kind: 'text not null',
    actor_id: 'text not null',
    actor_name: 'text not null',
    entity_type: 'text not null',
    entity_id: 'text not null',
    data: 'text',
  },
  creation_replay: {
    subscription_id: 'text not null references subscription (id)',
    key_hash: 'text not null',
    request_hash: 'text not null',
    answer: 'text not null',
    created_at: 'text not null',
    'primary key': '(subscription_id, key_hash)',
  },
}

const indexes: readonly string[] = [
  'unique index subscription_name on subscription (lower(name))',
  'unique index membership_email on membership (subscription_id, email)',
  'index membership_person on membership (person_id)',
  'index application_role_subscription on application_role (subscription_id)',
  'index webhook_settings_subscription on webhook_settings (subscription_id)',
  'unique index institute_code on institute (subscription_id, code) where deleted_at is null',
  // Documents that come from elsewhere name an institution by its CNPJ.
  'index institute_cnpj on institute (cnpj) where deleted_at is null',
  'unique index partnership_pair on partnership (issuer_institute_id, registrar_institute_id)',
  'index partnership_issuer on partnership (issuer_subscription_id)',
  'index partnership_registrar on partnership (registrar_subscription_id)',
  'index course_list on course (subscription_id, name)',
  'unique index course_code on course (institute_id, emec_code) where deleted_at is null and emec_code is not null',
  'unique index flow_name on flow (subscription_id, lower(name)) where deleted_at is null',
  'unique index template_name on template (subscription_id, lower(name)) where deleted_at is null',
  'index entity_event_list on entity_event (subscription_id, id)',
  'index entity_event_entity on entity_event (entity_id, id)',
  'index entity_event_age on entity_event (at)',
  'index creation_replay_age on creation_replay (created_at)',
]
