import type { Migration } from '@chancela/service-kernel/store'
import { sql } from 'kysely'

/** The schema of outgoing mail, for the owner `mail` of a service's migration set, in addition to `jobs`. */
export const mailMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'mail',
    breaking: false,
    up: async (db) => {
      await sql`create table mail (id text primary key, sealed_content text not null)`.execute(db)
    },
  },
]
