// The history of sessions: those that were opened and attempts that were refused, as one list.
import { DEFAULT_LIMIT, pageFrom, readCursor } from '@chancela/admin-console'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listHistory } from '../../contract/console-activity.ts'
import {
  type FailedAttempt,
  type HistoryFilter,
  listFailedAttempts,
  listOpenedSessions,
  type OpenedSession,
} from '../../store/session-history.ts'
import { cpfDigits } from './cpf-filter.ts'

type Query = Static<typeof listHistory.query>

/** A page of the history, newest first. */
export async function sessionHistory(
  { store }: Pick<Context, 'store'>,
  { limit = DEFAULT_LIMIT, kind, ...query }: Query,
  now: Date,
) {
  const filter = filterOf(query, limit + 1)
  const sessions = kind === 'attempt' ? [] : await listOpenedSessions(store.db, filter)
  const attempts = kind === 'session' ? [] : await listFailedAttempts(store.db, filter)
  // Ids of both sort by creation.
  const entries = [...sessions.map((row) => openedView(row, now)), ...attempts.map(refusedView)].toSorted((a, b) =>
    a.id < b.id ? 1 : -1,
  )
  return pageFrom(
    entries.slice(0, limit + 1),
    limit,
    (entry) => entry,
    ({ id }) => [id],
  )
}

function filterOf({ cursor, cpf, application, from, to }: Omit<Query, 'kind' | 'limit'>, limit: number): HistoryFilter {
  const digits = cpfDigits(cpf)
  const name = application?.trim()
  return {
    limit,
    ...(digits !== undefined && { cpf: digits }),
    ...(name && { application: name }),
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    ...(cursor !== undefined && { before: readCursor(cursor, 1)[0]! }),
  }
}

const openedView = (row: OpenedSession, now: Date) => ({
  id: row.id,
  kind: 'session' as const,
  at: row.created_at,
  cpf: row.cpf,
  application: row.application ?? '',
  address: row.address,
  correlationId: row.correlation_id,
  code: null,
  session: {
    subjectName: row.subject_name,
    custody: row.custody,
    workstation: row.workstation,
    signatures: row.signatures,
    ...endOf(row, now),
  },
})

/** One that lapsed is over before it is swept. */
function endOf({ ended_at, end_reason, expires_at }: OpenedSession, now: Date) {
  if (ended_at === null && expires_at <= now.toISOString()) return { endedAt: expires_at, endReason: 'expired' }
  return { endedAt: ended_at, endReason: end_reason }
}

const refusedView = (row: FailedAttempt) => ({
  id: row.id,
  kind: 'attempt' as const,
  at: row.at,
  cpf: row.cpf,
  application: row.application ?? '',
  address: row.address,
  correlationId: row.correlation_id,
  code: row.code,
  session: null,
})
