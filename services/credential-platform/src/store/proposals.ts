// What one person asked for, where another has to ask for the same before it is done.
import type { Db } from '@chancela/service-kernel/store'
import type { ProposalRow } from './registry-tables.ts'
import type { Tables } from './tables.ts'

/** Keeps a proposal, unless one stands: then that is returned. Whoever calls has the item locked. */
export async function propose(db: Db<Tables>, row: ProposalRow): Promise<ProposalRow | undefined> {
  const kept = await db
    .insertInto('proposal')
    .values(row)
    .onConflict((conflict) => conflict.columns(['item_id', 'act']).doNothing())
    .returning('item_id')
    .executeTakeFirst()
  if (kept) return undefined
  const standing = db.selectFrom('proposal').selectAll().where('item_id', '=', row.item_id).where('act', '=', row.act)
  return standing.executeTakeFirstOrThrow()
}

export async function replaceProposal(db: Db<Tables>, { item_id, act, ...set }: ProposalRow): Promise<void> {
  await db.updateTable('proposal').set(set).where('item_id', '=', item_id).where('act', '=', act).execute()
}

/** What is proposed holds for the state of the item in which it was. */
export async function endProposals(db: Db<Tables>, itemId: string): Promise<void> {
  await db.deleteFrom('proposal').where('item_id', '=', itemId).execute()
}
