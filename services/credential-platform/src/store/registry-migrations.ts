import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of the registry. */
export const registryMigrations: readonly Migration[] = [
  { id: 1, name: 'registry', breaking: false, up: (db) => createTables(db, tables, indexes) },
  { id: 2, name: 'archives', breaking: false, up: (db) => createTables(db, archives, archiveIndexes) },
]

const must = 'text not null'

const tables: TableColumns = {
  registry_settings: {
    institute_id: 'text primary key references institute (id)',
    requires_two_people: 'integer not null',
    list_days: 'integer not null',
    updated_at: must,
  },
  registration_act: {
    registration_id: 'text not null references registration (id)',
    act: must,
    actor_kind: must,
    actor_id: must,
    data: 'text',
    at: must,
    'primary key': '(registration_id, act)',
  },
  book_entry: {
    institute_id: 'text not null references institute (id)',
    entry: must,
    item_id: must,
    created_at: must,
    'primary key': '(institute_id, entry)',
  },
}

const archives: TableColumns = {
  archive: {
    item_id: must,
    document_type: must,
    subscription_id: 'text not null references subscription (id)',
    institute_id: 'text not null references institute (id)',
    name: must,
    digest: must,
    identifier: must,
    expires_at: must,
    'primary key': '(item_id, document_type)',
  },
}

const archiveIndexes: readonly string[] = ['index archive_expiry on archive (expires_at)']

const indexes: readonly string[] = ['index book_entry_item on book_entry (item_id)']
