import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** The schema of signatures with tokens, for the owner `token-signing` of the service's migration set. */
export const tokenSigningMigrations: readonly Migration[] = [
  { id: 1, name: 'token signing', breaking: false, up: tokenSigning },
]

async function tokenSigning(db: Kysely<unknown>): Promise<void> {
  await sql`create table token_signing (
    id text primary key,
    approval_id text not null,
    document_id text not null,
    participant_id text not null,
    original_digest text not null,
    wishes text not null,
    expires_at text not null,
    taken_at text,
    outcome text
  )`.execute(db)
  await sql`create index token_signing_age on token_signing (expires_at)`.execute(db)
  await sql`create index token_signing_open on token_signing (participant_id) where outcome is null`.execute(db)
}
