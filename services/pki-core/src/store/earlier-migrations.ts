// Signatures of the earlier generation: an owner of its own in the schema.
import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

export const earlierMigrations: readonly Migration[] = [
  { id: 1, name: 'legacy-signatures', breaking: false, up: createSignatures },
  { id: 2, name: 'legacy-sealed-callback', breaking: false, up: sealCallbacks },
]

const columns = {
  id: 'text primary key',
  subscription_id: 'text not null references subscription (id)',
  signature_type: 'text not null',
  state: 'text not null',
  draft: 'text not null',
  time_culture: 'text',
  context_id: 'text not null',
  ignores_unknown: 'integer not null',
  callback_argument: 'text',
  plan: 'text',
  certificate: 'text',
  issuers: 'text',
  to_sign_hash: 'text',
  certificate_fixed: 'integer not null',
  signature: 'text',
  file_digest: 'text',
  extra_digest: 'text',
  created_at: 'text not null',
  expires_at: 'text not null',
}

const indexes = [
  'index earlier_signature_to_purge on earlier_signature (expires_at)',
  'index earlier_signature_file on earlier_signature (file_digest)',
  'index earlier_signature_extra on earlier_signature (extra_digest)',
]

/** Arguments that are there in clear expire with their rows, within a day. */
async function sealCallbacks(db: Kysely<unknown>): Promise<void> {
  await sql`alter table earlier_signature add column sealed_callback text`.execute(db)
}

async function createSignatures(db: Kysely<unknown>): Promise<void> {
  const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  await sql.raw(`create table earlier_signature (${list.join(', ')})`).execute(db)
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}
