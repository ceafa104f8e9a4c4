import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of what is signed. */
export const signingMigrations: readonly Migration[] = [
  { id: 1, name: 'signing-documents', breaking: false, up: (db) => createTables(db, tables, indexes) },
]

const must = 'text not null'

const tables: TableColumns = {
  xml_document: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    institute_id: 'text not null references institute (id)',
    owner_kind: must,
    owner_id: must,
    document_kind: must,
    file_name: must,
    status: must,
    revision: 'integer not null',
    digest: must,
    plan: must,
    error: 'text',
    created_at: must,
    updated_at: must,
    closed_at: 'text',
  },
  xml_document_version: {
    document_id: 'text not null references xml_document (id)',
    revision: 'integer not null',
    digest: must,
    bytes: 'integer not null',
    step: 'text',
    signer: 'text',
    created_at: must,
    'primary key': '(document_id, revision)',
  },
}

const indexes: readonly string[] = [
  // A code stands for one curriculum of an institution, from the first signature on.
  "unique index curriculum_live on curriculum (institute_id, code) where status <> 'Canceled'",
  // One XML of each kind is under way for an item; a withdrawn one may be made anew.
  "unique index xml_document_owner on xml_document (owner_id, document_kind) where status <> 'Withdrawn'",
  'index xml_document_of on xml_document (owner_id, created_at)',
  "index xml_document_open on xml_document (institute_id, created_at) where status = 'Open'",
  'index xml_document_digest on xml_document (digest)',
  'index xml_document_version_digest on xml_document_version (digest)',
]
