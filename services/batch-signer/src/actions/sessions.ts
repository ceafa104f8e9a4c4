// Where operators and approvers are signed in: what operators see and end of it, and approvers of their own.

import { listSessions } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import type { SessionKind } from '../contract/sessions.ts'
import { opensNow } from '../parts/session-realms.ts'
import { type Actor, nameOf } from '../rules/actor.ts'
import { refuse } from '../rules/refuse.ts'
import { type Said, said, telling } from '../rules/sentences.ts'
import { holderIn, type SessionHolder, sameOf } from '../rules/session-holder.ts'
import { deleteSessions, type SessionRow } from '../store/sessions.ts'

type SessionsContext = Pick<Context, 'settings' | 'store' | 'events'>
type Reads = Context['store']['db']

/** Whose sessions are meant: those of a kind, or of one person. */
type Whose = { readonly kind?: SessionKind } | { readonly holder: SessionHolder }

/** Who asks, and from which session; the key has none. */
interface Asking {
  readonly actor: Actor
  readonly sessionId?: string | undefined
  readonly now: Date
}

/** The sessions that are alive, the latest first. */
export async function sessionsOf(context: SessionsContext, whose: Whose, { sessionId, now }: Omit<Asking, 'actor'>) {
  const rows = await liveRows(context, context.store.db, whose, now)
  return rows.map((row) => {
    const { kind, way } = holderIn(row.who)
    return {
      id: row.id,
      kind,
      way,
      name: row.label,
      begunAt: row.begun_at,
      lastUsedAt: row.seen_at,
      address: row.address,
      userAgent: row.user_agent,
      isCurrent: row.id === sessionId,
    }
  })
}

/** Ends one of these sessions, also that of the call. Refuses `session.not-found`. */
export const endOne = (context: SessionsContext, whose: Whose, id: string, asking: Asking): Promise<Ended> =>
  context.store.transaction(async (tx) => {
    const there = (await liveRows(context, tx, whose, asking.now)).filter((row) => row.id === id)
    const ended = await deleteSessions(tx, idsOf(there))
    if (ended.length === 0) throw refuse('session.not-found', { id })
    await record(context, tx, ended, asking)
    return { ended: ended.length }
  })

/** Ends all of these sessions but that of the call. */
export const endOthers = (context: SessionsContext, whose: Whose, asking: Asking): Promise<Ended> =>
  context.store.transaction(async (tx) => {
    const others = (await liveRows(context, tx, whose, asking.now)).filter(({ id }) => id !== asking.sessionId)
    const ended = await deleteSessions(tx, idsOf(others))
    if (ended.length > 0) await record(context, tx, ended, asking)
    return { ended: ended.length }
  })

interface Ended {
  readonly ended: number
}

const idsOf = (rows: readonly SessionRow[]): readonly string[] => rows.map(({ id }) => id)

/** Without those of a key or a secret from before: their cookies open nothing. */
async function liveRows({ settings }: SessionsContext, db: Reads, whose: Whose, now: Date) {
  const opens = opensNow(settings)
  const rows = 'holder' in whose ? await rowsOf(db, whose.holder, now) : await listSessions(db, {}, now)
  const kind = 'kind' in whose ? whose.kind : undefined
  return rows.filter(({ who }) => {
    const holder = holderIn(who)
    return opens(holder) && (kind === undefined || holder.kind === kind)
  })
}

const rowsOf = async (db: Reads, holder: SessionHolder, now: Date): Promise<readonly SessionRow[]> =>
  (await Promise.all(sameOf(holder).map((who) => listSessions(db, { who }, now)))).flat()

type Tx = Parameters<Parameters<Context['store']['transaction']>[0]>[0]

/** One event for each person, so that it can be found by them. */
async function record({ events }: SessionsContext, tx: Tx, ended: readonly SessionRow[], { actor }: Asking) {
  const people = new Map<string, SessionRow[]>()
  for (const row of ended) people.set(row.who, [...(people.get(row.who) ?? []), row])
  for (const [who, rows] of people) {
    const { label: name } = rows[0]!
    const { kind, way } = holderIn(who)
    const what = telling(saidEnded(name, rows.length, actor), { way, addresses: rows.map(({ address }) => address) })
    await events.record(tx, { type: 'SessionsEnded', actor, subject: { kind, id: name }, ...what })
  }
}

const saidEnded = (who: string, count: number, actor: Actor): Said =>
  said('sessions-ended', { who, count, actor: nameOf(actor) })
