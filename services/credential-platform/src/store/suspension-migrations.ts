import type { Migration } from '@chancela/service-kernel/store'
import { createTables } from './create-tables.ts'

/** Schema steps of suspensions that end by themselves. */
export const suspensionMigrations: readonly Migration[] = [
  { id: 1, name: 'own-degrees-suspensions', breaking: false, up: (db) => createTables(db, {}, indexes) },
]

const indexes: readonly string[] = [
  'index degree_suspended on degree (suspended_until) where suspended_until is not null',
]
