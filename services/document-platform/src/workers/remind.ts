import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Db } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { remindDue } from '../actions/documents/reminders.ts'
import type { Context } from '../context.ts'
import { moveState, readState } from '../store/instance-state.ts'
import type { Tables } from '../store/tables.ts'

/** State key: time up to which reminders have been sent. */
const STATE = 'reminded-until'

/** Longest time range one transaction catches up on. */
const STRETCH = HOUR

/**
 * Reminds people of actions pending for one, two, three… times `EveryDays`. Due actions are found by the time they
 * became pending, so that no state is kept per action; the time processed so far is updated in the transaction of the
 * mails, and only one of several instances can update it.
 */
export const remindPeople = (context: Context): Worker =>
  sweeper(context, { name: 'reminders', every: MINUTE }, async () => {
    if (!context.notices.enabled || !context.settings.Reminders.Enabled) return false
    const now = context.clock()
    const state = await readState(context.store.db, STATE)
    if (state === undefined) {
      await moveState(context.store.db, STATE, undefined, now.toISOString())
      return false
    }
    const since = new Date(state)
    const until = new Date(Math.min(plus(since, STRETCH).getTime(), now.getTime()))
    if (until <= since) return false
    await remindBetween(context, since, until, now)
    return until < now
  })

const remindBetween = (context: Context, since: Date, until: Date, now: Date): Promise<void> =>
  context.store.transaction(async (tx) => {
    if (!(await moveState(tx, STATE, since.toISOString(), until.toISOString()))) return
    const { EveryDays, MaxReminders } = context.settings.Reminders
    for (let time = 1; time <= MaxReminders; time += 1) {
      const waited = -time * EveryDays * DAY
      const due = await waitingSince(tx, plus(since, waited), plus(until, waited))
      for (const action of due) await remindDue(context, tx, action, now)
    }
  })

/** Actions that became pending after `from`, up to `to`. */
const waitingSince = (db: Db<Tables>, from: Date, to: Date) =>
  db
    .selectFrom('flow_action')
    .select(['id', 'document_id'])
    .where('status', '=', 'Pending')
    .where('pending_at', '>', from.toISOString())
    .where('pending_at', '<=', to.toISOString())
    .orderBy('pending_at')
    .execute()
