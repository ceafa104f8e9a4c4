// Activity lists and counts of the admin page.
import { containingAnyCase, type Db } from '@chancela/service-kernel/store'
import { type ExpressionBuilder, sql } from 'kysely'
import type { shownStates } from '../contract/console-sessions.ts'
import { sessionMoves } from '../rules/session-states.ts'
import type { SessionUseRow, Tables } from './tables.ts'

export type ShownState = (typeof shownStates)[number]

/** States that time ends. */
const LIVE = sessionMoves.end.from

/** Whether a row is over although its state still says live: it has expired, or the holder did not return in time. */
const isOver = (row: ExpressionBuilder<Tables & { s: Tables['session'] }, 's'>, now: string) =>
  row.or([
    row.and([row('s.state', 'in', [...LIVE]), row('s.expires_at', '<=', now)]),
    row.and([row('s.state', '=', 'pending'), row('s.step_until', '<=', now)]),
  ])

const sessionsAt = (db: Db<Tables>, now: Date) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('session as s')
        .selectAll()
        .select((row) =>
          row
            .case()
            .when(isOver(row, now.toISOString()))
            .then(sql.lit<ShownState>('expired'))
            .else(row.ref('s.state'))
            .end()
            .$castTo<ShownState>()
            .as('shown'),
        )
        .as('s'),
    )
    .innerJoin('creation as c', 'c.id', 's.creation_id')

/** What both lists are searched by. */
interface Search {
  /** `creation.identifier_digest` of whoever is looked for. */
  readonly identifierDigest?: string
  /** Part of the application's name. */
  readonly application?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
}

export interface SessionFilter extends Search {
  readonly live?: boolean
  readonly state?: ShownState
  readonly providerId?: string
  /** Id of the last entry of the previous page; ids sort by creation. */
  readonly before?: string
  readonly limit: number
}

export type ListedSession = Awaited<ReturnType<typeof listHubSessions>>[number]

/** Sessions, newest first, without anything that is secret. */
export const listHubSessions = (
  db: Db<Tables>,
  { live, state, providerId, identifierDigest, application, from, to, before, limit }: SessionFilter,
  now: Date,
) =>
  sessionsAt(db, now)
    .leftJoin('provider as p', 'p.id', 's.provider_id')
    .leftJoin('client_application as a', 'a.id', 'c.application_id')
    .select([
      's.id',
      's.creation_id',
      's.provider_id',
      's.type',
      's.shown',
      's.reason',
      's.created_at',
      's.authorized_at',
      's.expires_at',
      's.ended_at',
      'c.application_id',
      'c.sealed_identifier',
      'c.identifier_type',
      'p.service_name as provider',
      'a.name as application',
    ])
    .$if(live !== undefined, (query) => query.where('s.shown', live ? 'in' : 'not in', [...LIVE]))
    .$if(state !== undefined, (query) => query.where('s.shown', '=', state!))
    .$if(providerId !== undefined, (query) => query.where('s.provider_id', '=', providerId!))
    .$if(identifierDigest !== undefined, (query) => query.where('c.identifier_digest', '=', identifierDigest!))
    .$if(application !== undefined, (query) => query.where(containingAnyCase('a.name', application!)))
    .$if(from !== undefined, (query) => query.where('s.created_at', '>=', from!.toISOString()))
    .$if(to !== undefined, (query) => query.where('s.created_at', '<', to!.toISOString()))
    .$if(before !== undefined, (query) => query.where('s.id', '<', before!))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()

/** How many live sessions are in each state. */
export async function countLiveSessions(db: Db<Tables>, now: Date): Promise<ReadonlyMap<ShownState, number>> {
  const rows = await sessionsAt(db, now)
    .select(['s.shown', (row) => row.fn.countAll<number>().as('count')])
    .where('s.shown', 'in', [...LIVE])
    .groupBy('s.shown')
    .execute()
  return new Map(rows.map(({ shown, count }) => [shown, Number(count)]))
}

export interface UseFilter extends Search {
  readonly sessionId?: string
  readonly providerId?: string
  readonly action?: SessionUseRow['action']
  readonly failed?: boolean
  /** Id of the last entry of the previous page; ids sort by creation. */
  readonly before?: string
  readonly limit: number
}

export type ListedUse = Awaited<ReturnType<typeof listSessionUses>>[number]

/** Sessions of a holder, those included that are deleted. */
const sessionsOf = (db: Db<Tables>, identifierDigest: string) =>
  db
    .selectFrom('session as s')
    .innerJoin('creation as c', 'c.id', 's.creation_id')
    .select('s.id')
    .where('c.identifier_digest', '=', identifierDigest)
    .unionAll(db.selectFrom('past_holder').select('session_id as id').where('identifier_digest', '=', identifierDigest))

/** The audit of uses, newest first. */
export const listSessionUses = (
  db: Db<Tables>,
  { sessionId, providerId, action, failed, identifierDigest, application, from, to, before, limit }: UseFilter,
) =>
  db
    .selectFrom('session_use as u')
    .leftJoin('provider as p', 'p.id', 'u.provider_id')
    .leftJoin('api_key as k', 'k.id', 'u.key_id')
    .leftJoin('client_application as a', 'a.id', 'k.application_id')
    .leftJoin('session as s', 's.id', 'u.session_id')
    .leftJoin('creation as c', 'c.id', 's.creation_id')
    .leftJoin('past_holder as h', 'h.session_id', 'u.session_id')
    .selectAll('u')
    .select(['p.service_name as provider', 'a.id as application_id', 'a.name as application'])
    .select(({ fn }) => [
      fn.coalesce('c.id', 'h.creation_id').as('creation_id'),
      fn.coalesce('c.identifier_type', 'h.identifier_type').as('identifier_type'),
      fn.coalesce('c.sealed_identifier', 'h.sealed_identifier').as('sealed_identifier'),
    ])
    .$if(identifierDigest !== undefined, (query) =>
      query.where('u.session_id', 'in', sessionsOf(db, identifierDigest!)),
    )
    .$if(application !== undefined, (query) => query.where(containingAnyCase('a.name', application!)))
    .$if(sessionId !== undefined, (query) => query.where('u.session_id', '=', sessionId!))
    .$if(providerId !== undefined, (query) => query.where('u.provider_id', '=', providerId!))
    .$if(action !== undefined, (query) => query.where('u.action', '=', action!))
    .$if(failed !== undefined, (query) => query.where('u.outcome', failed ? '!=' : '=', 'ok'))
    .$if(from !== undefined, (query) => query.where('u.at', '>=', from!.toISOString()))
    .$if(to !== undefined, (query) => query.where('u.at', '<', to!.toISOString()))
    .$if(before !== undefined, (query) => query.where('u.id', '<', before!))
    .orderBy('u.id', 'desc')
    .limit(limit)
    .execute()

/** Counts of uses since a time: one row for each action and whether it succeeded. */
export async function countUses(db: Db<Tables>, since: Date) {
  const ok = sql<number>`case when outcome = 'ok' then 1 else 0 end`
  const rows = await db
    .selectFrom('session_use')
    .select(['action', ok.as('ok'), (row) => row.fn.countAll<number>().as('count')])
    .select((row) => row.fn.sum<number>('hashes').as('hashes'))
    .where('at', '>=', since.toISOString())
    .groupBy(['action', ok])
    .execute()
  return rows.map(({ action, ok, count, hashes }) => ({
    action,
    ok: Number(ok) === 1,
    count: Number(count),
    hashes: Number(hashes),
  }))
}
