import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of people who sign, and of what waits for them. */
export const signerMigrations: readonly Migration[] = [
  { id: 1, name: 'signers', breaking: false, up: (db) => createTables(db, tables, indexes) },
]

const must = 'text not null'

const tables: TableColumns = {
  user_signer: {
    user_id: 'text primary key references membership (id) on delete cascade',
    cpf: must,
    updated_at: must,
  },
  document_wait: {
    document_id: 'text not null references xml_document (id) on delete cascade',
    revision: 'integer not null',
    signer: must,
    'primary key': '(document_id, revision, signer)',
  },
}

const indexes: readonly string[] = [
  'index document_wait_signer on document_wait (signer, document_id)',
  "index xml_document_waiting on xml_document (subscription_id, id) where status = 'Open'",
]
