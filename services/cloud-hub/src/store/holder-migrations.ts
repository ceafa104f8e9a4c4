import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Identifiers and customStates of creations are sealed. */
export const holderMigrations: readonly Migration[] = [
  { id: 1, name: 'sealed holders', breaking: true, up: sealHolders },
]

/**
 * A step has no master key: the service seals what stands in the former columns when it starts. They are renamed, so that
 * a process of the version before fails instead of writing identifiers in clear, and of taking sealed ones for none.
 */
async function sealHolders(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table creation rename column identifier to plain_identifier',
    'alter table creation rename column custom_state to plain_custom_state',
    'alter table creation add column sealed_identifier text',
    'alter table creation add column sealed_custom_state text',
    'alter table creation add column identifier_digest text',
    'create index creation_by_identifier on creation (identifier_digest, id) where identifier_digest is not null',
    'create index creation_to_seal on creation (id) where plain_identifier is not null or plain_custom_state is not null',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
