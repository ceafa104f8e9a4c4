// Lists of the admin page, newest first: sessions and subjects, whose ids say nothing about time.
import type { Db } from '@chancela/service-kernel/store'
import type { ExpressionBuilder } from 'kysely'
import type { SessionStatus } from '../rules/session-states.ts'
import type { Tables } from './tables.ts'

/** Where a page begins: after this row of the one before. */
export interface After {
  readonly createdAt: string
  readonly id: string
}

export interface SessionFilter {
  readonly subscriptionId?: string | undefined
  readonly status?: SessionStatus | undefined
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  readonly after?: After | undefined
  readonly limit: number
}

type Sessions = ExpressionBuilder<Tables & { s: Tables['signature_session'] }, 's'>

/** Pending sessions whose time is over have expired, whether or not the sweep has been there. */
function hasStatus(row: Sessions, status: SessionStatus, now: string) {
  const isPending = row('s.status', '=', 'Pending')
  if (status === 'Pending') return row.and([isPending, row('s.expires_at', '>', now)])
  const same = row('s.status', '=', status)
  return status === 'Expired' ? row.or([same, row.and([isPending, row('s.expires_at', '<=', now)])]) : same
}

/** The sessions of a status at a time. */
const sessionsWith = (db: Db<Tables>, status: SessionStatus | undefined, now: Date) =>
  db.selectFrom((from) =>
    from
      .selectFrom('signature_session as s')
      .selectAll()
      .$if(status !== undefined, (query) => query.where((row) => hasStatus(row, status!, now.toISOString())))
      .as('s'),
  )

export type ListedSession = Awaited<ReturnType<typeof listSessions>>[number]

export const listSessions = (
  db: Db<Tables>,
  { subscriptionId, status, from, to, after, limit }: SessionFilter,
  now: Date,
) =>
  sessionsWith(db, status, now)
    .leftJoin('subscription as o', 'o.id', 's.subscription_id')
    .select(['s.id', 's.status', 's.subscription_id', 's.application_id', 's.application', 's.is_background'])
    .select(['s.created_at', 's.expires_at', 's.ended_at', 'o.name as subscription'])
    .select((row) =>
      row
        .selectFrom('signature_session_document as d')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('d.session_id', '=', 's.id')
        .as('documents'),
    )
    .$if(subscriptionId !== undefined, (query) => query.where('s.subscription_id', '=', subscriptionId!))
    .$if(from !== undefined, (query) => query.where('s.created_at', '>=', from!.toISOString()))
    .$if(to !== undefined, (query) => query.where('s.created_at', '<', to!.toISOString()))
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('s.created_at', '<', after!.createdAt),
          row.and([row('s.created_at', '=', after!.createdAt), row('s.id', '<', after!.id)]),
        ]),
      ),
    )
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()

export interface SubjectFilter {
  readonly subscriptionId?: string | undefined
  readonly state?: 'enrolled' | 'deleted' | undefined
  readonly identifier?: string | undefined
  readonly after?: After | undefined
  readonly limit: number
}

export type ListedSubject = Awaited<ReturnType<typeof listSubjects>>[number]

/** Nothing of a face is read. */
export const listSubjects = (db: Db<Tables>, { subscriptionId, state, identifier, after, limit }: SubjectFilter) =>
  db
    .selectFrom('bio_subject as b')
    .leftJoin('subscription as o', 'o.id', 'b.subscription_id')
    .select(['b.id', 'b.subscription_id', 'b.identifier', 'b.consent', 'b.created_at', 'b.updated_at', 'b.deleted_at'])
    .select('o.name as subscription')
    .$if(subscriptionId !== undefined, (query) => query.where('b.subscription_id', '=', subscriptionId!))
    .$if(state !== undefined, (query) => query.where('b.deleted_at', state === 'deleted' ? 'is not' : 'is', null))
    .$if(identifier !== undefined, (query) => query.where('b.identifier', '=', identifier!))
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('b.created_at', '<', after!.createdAt),
          row.and([row('b.created_at', '=', after!.createdAt), row('b.id', '<', after!.id)]),
        ]),
      ),
    )
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(limit)
    .execute()
