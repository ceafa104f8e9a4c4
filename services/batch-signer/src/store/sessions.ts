// Sessions of operators and approvers, which the kernel keeps.
import { listSessions } from '@chancela/service-kernel/http'
import { type Store, writeAlone } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type SessionRow = Tables['cookie_session']

/** Identifiers of one statement; SQLite takes no endless ones. */
const AT_ONCE = 500

/** Ends sessions, with the windows of their second factors; those that were there. */
export async function deleteSessions(tx: Transaction<Tables>, ids: readonly string[]): Promise<SessionRow[]> {
  const ended: SessionRow[] = []
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE)
    ended.push(...(await tx.deleteFrom('cookie_session').where('id', 'in', some).returningAll().execute()))
    await tx.deleteFrom('approver_window').where('session_id', 'in', some).execute()
  }
  return ended
}

/**
 * Browsers in which one link holds at the same time. A link is used as often as somebody, or what reads their mail, opens
 * it: without a bound the rows of one link would fill the table.
 */
const MOST_BROWSERS = 20

/** Ends the oldest sessions of a holder that are beyond the bound. */
export async function keepLatest(store: Store<Tables>, who: string, now: Date): Promise<void> {
  const beyond = (await listSessions(store.db, { who }, now)).slice(MOST_BROWSERS)
  if (beyond.length === 0) return
  const ids = beyond.map(({ id }) => id)
  await writeAlone(store, (db) => db.deleteFrom('cookie_session').where('id', 'in', ids).execute())
}
