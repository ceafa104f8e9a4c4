// A suspension with an end is over: the degree is valid again, as whoever suspended it said (credentials-platform facts
// 2.1).
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { findItem, lockItem } from '../../store/items.ts'
import { endProposals } from '../../store/proposals.ts'
import type { Tables } from '../../store/tables.ts'
import { type Actor, change } from '../items/item-changes.ts'

const AT_ONCE = 100

const calendar: Actor = { actor_kind: 'worker', actor_id: 'calendar', actor_name: 'Calendar' }

/** What the models say where nobody wrote a reason. */
const REASON = 'Fim do prazo da suspensão.'

/** Restores what is over; true where there may be more. */
export async function endSuspensions(context: Context, now: Date): Promise<boolean> {
  const due = await context.store.db
    .selectFrom('degree')
    .select('id')
    .where('suspended_until', '<=', now.toISOString())
    .orderBy('suspended_until')
    .limit(AT_ONCE)
    .execute()
  for (const { id } of due) await context.store.transaction((tx) => endOne(context, tx, id, now))
  return due.length === AT_ONCE
}

/** Another process, or a person, may have been quicker. */
async function endOne(context: Context, tx: Transaction<Tables>, id: string, now: Date): Promise<void> {
  await lockItem(tx, 'Degree', id)
  const known = await findItem(tx, 'Degree', id)
  const { status, suspended_until } = known ?? {}
  if (status !== 'CanceledTemporarily' || !suspended_until || suspended_until > now.toISOString()) return
  await endProposals(tx, id)
  const set = { reason: REASON, was_restored: 1, suspended_until: null }
  const moved = { kind: 'Degree', id, move: 'restore', set, event: 'DegreeRestored' } as const
  await change(context, tx, { ...moved, data: { reason: REASON } }, calendar, now)
}
