import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of what is signed at the document platform. */
export const platformMigrations: readonly Migration[] = [
  { id: 1, name: 'platform-connections', breaking: false, up: (db) => createTables(db, connections, []) },
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
