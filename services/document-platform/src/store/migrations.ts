import { mailMigrations } from '@chancela/outbox/mail'
import { jobMigrations } from '@chancela/outbox/queue'
import { webhookMigrations } from '@chancela/outbox/webhooks'
import { blobMigrations } from '@chancela/service-kernel/blobs'
import { chainMigrations, eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { apiKeyMigrations } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import type { Dialect, MigrationSet } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { SYSTEM_ORGANIZATION } from '../rules/system-organization.ts'
import { auditEntryMigrations, auditPlaceMigrations } from './audit-migrations.ts'
import { proofsOfSessions, revocations, signInAndAudit } from './sign-in-migrations.ts'
import { tokenSigningMigrations } from './token-signing-migrations.ts'

/** The whole schema of the service: the kernel's tables, the bytes where they are kept in the database, and its own. */
export const documentPlatformSchema: MigrationSet = {
  events: eventMigrations,
  'master-keys': masterKeyMigrations,
  health: healthMigrations,
  'api-keys': apiKeyMigrations,
  jobs: jobMigrations,
  mail: mailMigrations,
  webhooks: webhookMigrations,
  blobs: blobMigrations,
  'token-signing': tokenSigningMigrations,
  'document-platform': [
    { id: 1, name: 'documents', breaking: false, up: documents },
    { id: 2, name: 'cloud signing', breaking: false, up: cloudSigning },
    { id: 3, name: 'contacts and accounts', breaking: true, up: contactsAndAccounts },
    { id: 4, name: 'names of applications', breaking: false, up: applicationNames },
    { id: 5, name: 'terms of the users involved', breaking: false, up: involvedTerms },
    { id: 6, name: 'wishes of clients', breaking: false, up: wishesOfClients },
    { id: 7, name: 'sessions of accounts and the audit', breaking: false, up: signInAndAudit },
    { id: 8, name: 'public documents and stamps', breaking: false, up: publicDocumentsAndStamps },
    { id: 9, name: 'stamps of single documents', breaking: false, up: stampsOfDocuments },
    { id: 10, name: 'proofs of sessions', breaking: false, up: proofsOfSessions },
    { id: 11, name: 'revocations of tickets', breaking: false, up: revocations },
  ],
  // In this order: the places of organizations had the name of the chain.
  'audit-places': auditPlaceMigrations,
  'audit-chain': chainMigrations,
  'audit-entries': auditEntryMigrations,
}

type Columns = Readonly<Record<string, string>>

async function documents(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const counter = dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key'
  const tables: Readonly<Record<string, Columns>> = {
    organization: {
      id: 'text primary key',
      name: 'text not null',
      identifier: 'text',
      owner_id: 'text',
      time_zone: 'text not null',
      billing: 'text',
      created_at: 'text not null',
      deleted_at: 'text',
    },
    person: {
      id: 'text primary key',
      name: 'text not null',
      identifier: 'text',
      email: 'text',
      phone: 'text',
      password_hash: 'text',
      language: 'text',
      created_at: 'text not null',
      updated_at: 'text not null',
    },
    member: {
      organization_id: 'text not null',
      person_id: 'text not null',
      administrator: 'integer not null',
      manager: 'integer not null',
      operator: 'integer not null',
      created_at: 'text not null',
      'primary key': '(organization_id, person_id)',
    },
    application_scope: {
      application_id: 'text primary key references client_application (id)',
      organization_id: 'text not null',
      role: 'text not null',
      folder_ids: 'text',
    },
    folder: {
      id: 'text primary key',
      organization_id: 'text not null',
      parent_id: 'text',
      name: 'text not null',
      name_key: 'text not null',
      created_at: 'text not null',
      updated_at: 'text not null',
    },
    upload: {
      id: 'text primary key',
      organization_id: 'text not null',
      digest: 'text not null',
      size: 'double precision not null',
      md5: 'text not null',
      name: 'text not null',
      content_type: 'text not null',
      created_at: 'text not null',
      expires_at: 'text not null',
    },
    segmented_upload: {
      id: 'text primary key',
      organization_id: 'text not null',
      segments: 'text not null',
      received: 'double precision not null',
      total: 'double precision',
      upload_id: 'text',
      created_at: 'text not null',
      expires_at: 'text not null',
    },
    document: {
      id: 'text primary key',
      organization_id: 'text not null',
      folder_id: 'text',
      key: 'text not null',
      name: 'text not null',
      name_key: 'text not null',
      filename: 'text not null',
      mime_type: 'text not null',
      size: 'double precision not null',
      md5: 'text not null',
      status: 'text not null',
      format: 'text not null',
      is_envelope: 'integer not null',
      force_cades: 'integer not null',
      signature_type: 'text not null',
      type: 'text',
      description: 'text',
      expires_at: 'text',
      expiration_day: 'text',
      created_by_id: 'text not null',
      created_by_name: 'text not null',
      created_by_key: 'text not null',
      created_by_type: 'text not null',
      created_at: 'text not null',
      updated_at: 'text not null',
      status_by_id: 'text',
      status_by_name: 'text',
      status_by_type: 'text',
      status_reason: 'text',
      deleted_at: 'text',
      has_signers: 'integer not null',
      revision: 'integer not null',
      original_digest: 'text not null',
      current_digest: 'text not null',
      current_size: 'double precision not null',
      signatures: 'integer not null',
      notified_emails: 'text not null',
      disable_pending_notifications: 'integer not null',
      disable_notifications: 'integer not null',
      timestamp_enabled: 'integer not null',
      additional_info: 'text',
      xml_namespaces: 'text',
    },
    flow_action: {
      id: 'text primary key',
      document_id: 'text not null',
      position: 'integer not null',
      type: 'text not null',
      step: 'integer not null',
      status: 'text not null',
      required: 'integer not null',
      title: 'text',
      rule_name: 'text',
      options: 'text not null',
      created_at: 'text not null',
      pending_at: 'text',
      updated_at: 'text',
    },
    participant: {
      id: 'text primary key',
      action_id: 'text not null',
      document_id: 'text not null',
      organization_id: 'text not null',
      position: 'integer not null',
      person_id: 'text not null',
      name: 'text not null',
      name_key: 'text not null',
      identifier: 'text',
      email: 'text',
      phone: 'text',
      completed_at: 'text',
      refused_at: 'text',
      refusal_reason: 'text',
      is_electronic: 'integer not null',
      reminders: 'integer not null',
      reminded_at: 'text',
    },
    signature: {
      id: 'text primary key',
      document_id: 'text not null',
      action_id: 'text',
      participant_id: 'text',
      kind: 'text not null',
      at: 'text not null',
      certificate: 'text',
      evidences: 'text not null',
    },
    observer: {
      id: 'text primary key',
      document_id: 'text not null',
      person_id: 'text not null',
      name: 'text not null',
      identifier: 'text',
      email: 'text',
      language: 'text',
    },
    attachment: {
      id: 'text primary key',
      document_id: 'text not null',
      display_name: 'text not null',
      name: 'text not null',
      content_type: 'text not null',
      digest: 'text not null',
      size: 'double precision not null',
      is_private: 'integer not null',
    },
    tag: {
      id: 'text primary key',
      document_id: 'text not null',
      organization_id: 'text not null',
      label: 'text',
      value: 'text not null',
    },
    timeline: {
      id: 'text primary key',
      document_id: 'text not null',
      at: 'text not null',
      type: 'text not null',
      agent_id: 'text',
      agent_name: 'text',
      agent_type: 'text',
      action_id: 'text',
      detail: 'text',
    },
    authentication_code: {
      participant_id: 'text primary key',
      code: 'text not null',
      sent_at: 'text not null',
      expires_at: 'text not null',
      attempts: 'integer not null',
    },
    saved_flow: {
      id: 'text primary key',
      organization_id: 'text not null',
      name: 'text not null',
      description: 'text',
      actions: 'text not null',
      observers: 'text not null',
      created_by_id: 'text not null',
      created_by_name: 'text not null',
      created_at: 'text not null',
      updated_at: 'text not null',
    },
    marks_session: {
      id: 'text primary key',
      organization_id: 'text not null',
      files: 'text not null',
      participants: 'text not null',
      data: 'text',
      created_at: 'text not null',
      expires_at: 'text not null',
    },
    billed_transaction: {
      id: counter,
      organization_id: 'text not null',
      type: 'text not null',
      month: 'text not null',
      total: 'integer not null',
      is_closed: 'integer not null default 0',
    },
    invoice: {
      id: counter,
      organization_id: 'text not null',
      year: 'integer not null',
      month: 'integer not null',
      value: 'double precision not null',
      totals: 'text not null',
      storage_bytes: 'double precision not null',
      is_paid: 'integer not null',
      closed_at: 'text not null',
    },
    instance_secret: { name: 'text primary key', sealed: 'text not null' },
    instance_state: { name: 'text primary key', value: 'text not null' },
  }
  for (const [name, columns] of Object.entries(tables)) await createTable(db, name, columns)
  await createTerms(db, dialect)
  for (const definition of indexes) await sql.raw(`create ${definition}`).execute(db)
  await sql`insert into organization (id, name, time_zone, created_at)
    values (${SYSTEM_ORGANIZATION}, 'Sys Admin', 'America/Sao_Paulo', '2026-01-01T00:00:00.000Z')`.execute(db)
}

async function cloudSigning(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'cloud_signing', {
    id: 'text primary key',
    nonce_hash: 'text not null',
    document_id: 'text not null',
    participant_id: 'text not null',
    original_digest: 'text not null',
    wishes: 'text not null',
    expires_at: 'text not null',
    taken_at: 'text',
    outcome: 'text',
  })
  await sql`create index cloud_signing_age on cloud_signing (expires_at)`.execute(db)
}

/**
 * People were one row each for the whole instance; now an organization has contacts of its own, and who signs in has an
 * account. Ids stay, so that documents, events and cookies name the same people as before.
 */
async function contactsAndAccounts(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'contact', {
    organization_id: 'text not null',
    id: 'text not null',
    name: 'text not null',
    identifier: 'text',
    email: 'text',
    phone: 'text',
    created_at: 'text not null',
    updated_at: 'text not null',
    'primary key': '(organization_id, id)',
  })
  await createTable(db, 'account', {
    id: 'text primary key',
    name: 'text not null',
    email: 'text not null',
    phone: 'text',
    password_hash: 'text',
    language: 'text',
    created_at: 'text not null',
    updated_at: 'text not null',
  })
  const statements = [
    `insert into account (id, name, email, phone, password_hash, language, created_at, updated_at)
      select id, name, email, phone, password_hash, language, created_at, updated_at
      from person where password_hash is not null and email is not null`,
    // A contact gets the address and the phone that its own organization wrote, not those of another one.
    `insert into contact (organization_id, id, name, identifier, email, phone, created_at, updated_at)
      select k.organization_id, p.id, p.name, p.identifier, ${ownWord('email')}, ${ownWord('phone')},
        p.created_at, p.updated_at
      from (select organization_id, person_id from member
        union select organization_id, person_id from participant
        union select d.organization_id, o.person_id from observer as o join document as d on d.id = o.document_id
      ) as k join person as p on p.id = k.person_id`,
    'alter table member add column account_id text',
    'update member set account_id = person_id where person_id in (select id from account)',
    'drop table person',
    'create unique index contact_identifier on contact (organization_id, identifier) where identifier is not null',
    'create index contact_email on contact (organization_id, email)',
    'create unique index account_email on account (email)',
    'create index member_account on member (account_id)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** What an organization last wrote of a person in a document; for its users, what stood with the person. */
const ownWord = (column: 'email' | 'phone'): string => `coalesce(
  (select p.${column} from member as m where m.organization_id = k.organization_id and m.person_id = p.id),
  (select q.${column} from participant as q where q.organization_id = k.organization_id and q.person_id = p.id
    and q.${column} is not null order by q.document_id desc limit 1)${column === 'email' ? ownObserver : ''})`

/** Observers have no phone. */
const ownObserver = `,
  (select o.email from observer as o join document as d on d.id = o.document_id
    where d.organization_id = k.organization_id and o.person_id = p.id and o.email is not null
    order by d.id desc limit 1)`

/** Names of applications are the organization's own: another one may use the same. */
async function applicationNames(db: Kysely<unknown>): Promise<void> {
  const statements = [
    "alter table application_scope add column name text not null default ''",
    `update application_scope set name =
      (select name from client_application where id = application_scope.application_id)`,
    'create unique index application_scope_name on application_scope (organization_id, name)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Documents are listed by the users they involve (`terms.involved`): those made before get their terms. */
async function involvedTerms(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`insert into document_term (shelf, term, document_id)
      select d.organization_id || case when d.deleted_at is null then '' else '~' end, 'v' || i.user_id, d.id
      from (select id as document_id, created_by_id as user_id from document where created_by_type = 'User'
        union select document_id, person_id from participant
        union select document_id, person_id from observer
      ) as i join document as d on d.id = i.document_id`)
    .execute(db)
}

/** What requests could say and nobody kept: security contexts, the order of saved flows, wishes of marks sessions, templates. */
async function wishesOfClients(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table document add column security_context text',
    'alter table saved_flow add column are_actions_ordered integer',
    'alter table marks_session add column wishes text',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  await createTable(db, 'document_template', {
    id: 'text primary key',
    organization_id: 'text not null',
    name: 'text not null',
    filename: 'text not null',
    digest: 'text not null',
    fields: 'text not null',
    created_by_id: 'text not null',
    created_by_name: 'text not null',
    created_at: 'text not null',
  })
  await createTable(db, 'generation', {
    id: 'text primary key',
    organization_id: 'text not null',
    folder_id: 'text',
    status: 'text not null',
    request: 'text not null',
    caller: 'text not null',
    agent_id: 'text not null',
    template_name: 'text not null',
    template_digest: 'text not null',
    template_fields: 'text not null',
    data_digest: 'text not null',
    total: 'integer not null',
    next_row: 'integer not null',
    completed: 'integer not null',
    failed: 'integer not null',
    errors: 'text not null',
    created_at: 'text not null',
    updated_at: 'text not null',
  })
  for (const index of [
    'index document_template_organization on document_template (organization_id, created_at)',
    'index document_template_digest on document_template (digest)',
    "index generation_open on generation (updated_at, id) where status in ('Created', 'Processing')",
  ])
    await sql.raw(`create ${index}`).execute(db)
}

const createTable = (db: Kysely<unknown>, name: string, columns: Columns): Promise<unknown> => {
  const lines = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  return sql.raw(`create table ${name} (${lines.join(', ')})`).execute(db)
}

/** The table is only its key. Terms sort by bytes, because words are searched by prefix. */
const createTerms = (db: Kysely<unknown>, dialect: Dialect): Promise<unknown> => {
  const [order, kept] = dialect === 'sqlite' ? ['', ' without rowid'] : [' collate "C"', '']
  const columns = `shelf text not null, term text${order} not null, document_id text not null`
  return sql.raw(`create table document_term (${columns}, primary key (shelf, term, document_id))${kept}`).execute(db)
}

/** Indexes that lists and sweeps scan; every list of documents is sorted by id, which is the order of creation. */
const indexes: readonly string[] = [
  'unique index organization_identifier on organization (identifier) where identifier is not null and deleted_at is null',
  'unique index person_identifier on person (identifier) where identifier is not null',
  'index person_email on person (email)',
  'unique index person_login on person (email) where password_hash is not null',
  'index member_person on member (person_id)',
  'index application_scope_organization on application_scope (organization_id)',
  "unique index folder_name on folder (organization_id, coalesce(parent_id, ''), name)",
  'index folder_parent on folder (parent_id)',
  'index upload_age on upload (expires_at)',
  'index upload_digest on upload (digest)',
  'index segmented_upload_age on segmented_upload (expires_at)',
  'unique index document_key on document (key)',
  // Includes the words of the name, which searches match in the index.
  'index document_listed on document (organization_id, id, name_key) where deleted_at is null',
  'index document_deleted on document (organization_id, status, id) where deleted_at is not null',
  'index document_by_status on document (organization_id, status, id) where deleted_at is null',
  'index document_by_folder on document (folder_id, status, id) where deleted_at is null and folder_id is not null',
  'index document_without_folder on document (organization_id, status, id) where deleted_at is null and folder_id is null',
  'index document_by_type on document (organization_id, type, status, id) where deleted_at is null and type is not null',
  'index document_with_signers on document (organization_id, status, id) where deleted_at is null and has_signers = 1',
  "index document_concluding on document (updated_at) where status = 'FlowConcluded' and deleted_at is null",
  "index document_expiring on document (expires_at) where status = 'Pending' and expires_at is not null and deleted_at is null",
  'index document_original on document (original_digest)',
  'index document_current on document (current_digest)',
  'index flow_action_document on flow_action (document_id, step, position)',
  "index flow_action_waiting on flow_action (pending_at) where status = 'Pending'",
  'index participant_action on participant (action_id, position)',
  'index participant_document on participant (document_id)',
  'index participant_waiting on participant (organization_id, email) where completed_at is null and refused_at is null',
  'index participant_person on participant (person_id, document_id)',
  'index signature_document on signature (document_id, at)',
  'index observer_document on observer (document_id)',
  'index attachment_document on attachment (document_id)',
  'index attachment_digest on attachment (digest)',
  'index tag_document on tag (document_id)',
  'index timeline_document on timeline (document_id, at, id)',
  'index saved_flow_organization on saved_flow (organization_id, created_at)',
  'index marks_session_age on marks_session (expires_at)',
  'unique index billed_month on billed_transaction (organization_id, month, type)',
  'index billed_open on billed_transaction (month, organization_id) where is_closed = 0',
  'unique index invoice_month on invoice (organization_id, year, month)',
]

async function publicDocumentsAndStamps(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organization add column public_documents integer not null default 0`.execute(db)
  await sql`alter table organization add column verification_stamp text`.execute(db)
}

async function stampsOfDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document add column verification_stamp text`.execute(db)
}
