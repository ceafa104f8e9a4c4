import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of what one person asked for and another has to confirm. */
export const proposalMigrations: readonly Migration[] = [
  { id: 1, name: 'own-degrees-proposals', breaking: false, up: proposals },
]

const must = 'text not null'

const tables: TableColumns = {
  proposal: {
    item_id: must,
    act: must,
    actor_kind: must,
    actor_id: must,
    terms: must,
    created_at: must,
    'primary key': '(item_id, act)',
  },
}

/** Annulments of registered degrees were proposed among the acts of their requests. */
async function proposals(db: Kysely<unknown>): Promise<void> {
  await createTables(db, tables, [])
  const rows = await sql<OldProposal>`select registration_id, actor_kind, actor_id, data, at
    from registration_act where act = 'propose-annulment'`.execute(db)
  for (const { registration_id, actor_kind, actor_id, data, at } of rows.rows)
    await sql`insert into proposal (item_id, act, actor_kind, actor_id, terms, created_at)
      values (${registration_id}, 'annul', ${actor_kind}, ${actor_id}, ${termsIn(data)}, ${at})`.execute(db)
  await sql`delete from registration_act where act = 'propose-annulment'`.execute(db)
}

interface OldProposal {
  readonly registration_id: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly data: string | null
  readonly at: string
}

const termsIn = (data: string | null): string => {
  const { cancellationReason } = JSON.parse(data ?? '{}') as { cancellationReason?: string }
  return JSON.stringify({ cancellationReason })
}
