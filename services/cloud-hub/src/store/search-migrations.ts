import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** What the console searches sessions and uses by; whose a session was outlives it, as long as the audit of its uses. */
export const searchMigrations: readonly Migration[] = [
  { id: 1, name: 'past holders', breaking: false, up: pastHolders },
]

const statements = [
  `create table past_holder (
    session_id text primary key,
    creation_id text not null,
    identifier_type text not null,
    sealed_identifier text not null,
    identifier_digest text not null,
    expires_at text not null
  )`,
  'create index past_holder_by_identifier on past_holder (identifier_digest)',
  'create index past_holder_to_purge on past_holder (expires_at)',
  'create index session_created on session (created_at)',
  'create index creation_by_application on creation (application_id)',
  'create index session_use_by_key on session_use (key_id, id)',
]

async function pastHolders(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
