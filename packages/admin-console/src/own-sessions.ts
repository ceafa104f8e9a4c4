// Where administrators are signed in: what they see of it themselves, and what others do about it.
import { type CookieSessionRow, endSession, endSessionsOf, listSessions } from '@chancela/service-kernel/http'
import { addressOf } from './administrators.ts'
import { act, actorOf, said } from './audit.ts'
import type { SessionCaller } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import { holderOf, isLocal } from './console-sessions.ts'
import { refuse } from './refuse.ts'

type SessionsContext = Pick<ConsoleContext, 'store' | 'events'>

export async function ownSessions({ store }: SessionsContext, caller: SessionCaller, now: Date) {
  const { who } = holderOf(caller)
  return (await listSessions(store.db, { who }, now)).map((row) => toWire(row, caller))
}

export async function allSessions({ store }: SessionsContext, caller: SessionCaller, now: Date) {
  const rows = await listSessions(store.db, {}, now)
  return rows.map((row) => ({ ...toWire(row, caller), email: row.label, isLocal: isLocal(row) }))
}

export const endOwnSession = (context: SessionsContext, caller: SessionCaller, id: string): Promise<void> =>
  context.store.transaction(async (tx) => {
    const ended = await endSession(tx, { id, who: holderOf(caller).who })
    if (!ended) throw refuse('ADMINISTRATOR_SESSION_NOT_FOUND', { id })
    await context.events.record(tx, endedEvent(caller, [ended]))
  })

export const endOtherSessions = (context: SessionsContext, caller: SessionCaller): Promise<{ ended: number }> =>
  end(context, caller, holderOf(caller).who)

/** Local administrators and those of the identity provider may have the same address: it is all of them who are meant. */
export const signOutByAddress = (
  context: SessionsContext,
  caller: SessionCaller,
  email: string,
): Promise<{ ended: number }> => end(context, caller, undefined, addressOf(email))

const end = (
  { store, events }: SessionsContext,
  caller: SessionCaller,
  who?: string,
  label?: string,
): Promise<{ ended: number }> =>
  store.transaction(async (tx) => {
    const holder = { ...(who !== undefined && { who }), ...(label !== undefined && { label }) }
    const ended = await endSessionsOf(tx, holder, { but: caller.session.sid })
    if (ended.length > 0) await events.record(tx, endedEvent(caller, ended))
    return { ended: ended.length }
  })

/** Of sessions of one person: how many ended, and whose. */
function endedEvent(caller: SessionCaller, ended: readonly CookieSessionRow[]) {
  const { who, label } = ended[0]!
  const subject = isLocal({ who }) ? (['administrator', who] as const) : (['identity', who] as const)
  const browsers = ended.length === 1 ? said('one-browser') : said('some-browsers', { count: ended.length })
  return act('SessionsEnded', actorOf(caller), subject, { email: label, browsers })
}

const toWire = (row: CookieSessionRow, { session }: SessionCaller) => ({
  id: row.id,
  begunAt: row.begun_at,
  lastUsedAt: row.seen_at,
  address: row.address,
  userAgent: row.user_agent,
  isCurrent: row.id === session.sid,
})
