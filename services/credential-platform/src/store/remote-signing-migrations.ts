import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of signatures by keys elsewhere. */
export const remoteSigningMigrations: readonly Migration[] = [
  { id: 1, name: 'remote-signing', breaking: false, up: (db) => createTables(db, tables, indexes) },
]

const must = 'text not null'

const tables: TableColumns = {
  remote_signing: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    // Who was removed from the organization signs nothing more in it.
    user_id: 'text not null references membership (id) on delete cascade',
    way: must,
    reference: must,
    created_at: must,
    expires_at: must,
    taken_at: 'text',
    outcome: 'text',
    path: 'text',
  },
  remote_signature: {
    signing_id: 'text not null references remote_signing (id) on delete cascade',
    document_id: 'text not null references xml_document (id) on delete cascade',
    position: 'integer not null',
    title: must,
    layout: 'text',
    signature: 'text',
    outcome: 'text',
    reason: 'text',
    'primary key': '(signing_id, document_id)',
  },
}

const indexes: readonly string[] = [
  'index remote_signing_age on remote_signing (expires_at)',
  "index remote_signing_begun on remote_signing (user_id) where outcome is null and way = 'token'",
]
