import { addChainSequence } from '@chancela/service-kernel/events'
import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { chainedAuditEntries } from './audit-entries.ts'

/** The places of organizations' own chains, after `document-platform`. */
export const auditPlaceMigrations: readonly Migration[] = [
  { id: 1, name: 'places of audits', breaking: true, up: movePlaces },
]

/** The place of each organization's own chain gets another table: the name is that of the service's chain. */
async function movePlaces(db: Kysely<unknown>): Promise<void> {
  await sql`create table organization_audit (
    organization_id text primary key,
    number integer not null,
    hash text not null,
    swept_number integer not null,
    swept_hash text not null
  )`.execute(db)
  const columns = sql.raw('organization_id, number, hash, swept_number, swept_hash')
  await sql`insert into organization_audit (${columns}) select ${columns} from audit_chain`.execute(db)
  await sql`drop table audit_chain`.execute(db)
}

/** The entries in the chain of the service; after `audit-chain`, which makes it. */
export const auditEntryMigrations: readonly Migration[] = [
  { id: 1, name: 'audit entries: chained', breaking: false, up: chainEntries },
]

async function chainEntries(db: Kysely<unknown>): Promise<void> {
  await addChainSequence(db, chainedAuditEntries)
  // Who verifies one organization looks at its links only.
  await sql`create index audit_chain_record on audit_chain (kind, record_id, sequence)`.execute(db)
}
