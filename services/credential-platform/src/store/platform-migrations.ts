import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of what is signed at the document platform. */
export const platformMigrations: readonly Migration[] = [
  { id: 1, name: 'platform-connections', breaking: false, up: (db) => createTables(db, connections, []) },
  { id: 2, name: 'platform-documents', breaking: false, up: (db) => createTables(db, documents, indexes) },
]

const must = 'text not null'

const connections: TableColumns = {
  platform_connection: {
    subscription_id: 'text primary key references subscription (id)',
    enabled: 'integer not null',
    url: must,
    sealed_key: must,
    folder_id: 'text',
    updated_at: must,
  },
}

const documents: TableColumns = {
  platform_document: {
    id: 'text primary key',
    xml_document_id: 'text not null references xml_document (id)',
    subscription_id: 'text not null references subscription (id)',
    status: must,
    tries: 'integer not null',
    signer_document_id: 'text',
    signer_document_url: 'text',
    error: 'text',
    looked_at: must,
    created_at: must,
    updated_at: must,
  },
}

const indexes: readonly string[] = [
  // A document is signed at one place at a time.
  "unique index platform_document_live on platform_document (xml_document_id) where status in ('Sending', 'Sent')",
  "index platform_document_due on platform_document (looked_at) where status in ('Sending', 'Sent')",
  'index platform_document_of on platform_document (xml_document_id, id)',
  'index platform_document_signer on platform_document (signer_document_id) where signer_document_id is not null',
]
