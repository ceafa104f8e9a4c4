import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pagedQuery, queryOf, REFRESH_MS } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { HistoryEntry, LiveSession, Lockout, LoggedSignature, Overview } from './types.ts'

/** `since` is the start of today in the visitor's time zone. */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: ({ signal }) => call<Overview>('GET', `/api/overview?${queryOf({ since })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const sessionsQuery = (cpf: string | undefined) => pagedQuery<LiveSession>('sessions', { cpf })

export const historyQuery = (asked: Readonly<Record<string, string | undefined>>) =>
  pagedQuery<HistoryEntry>('session-history', asked)

export const endSession = (id: string) => call<unknown>('DELETE', `/api/sessions/${encodeURIComponent(id)}`)

export const signaturesQuery = (asked: Readonly<Record<string, string | undefined>>) =>
  pagedQuery<LoggedSignature>('signatures', asked)

export const lockoutsQuery = queryOptions({
  queryKey: ['lockouts'],
  queryFn: ({ signal }) => call<Lockout[]>('GET', '/api/lockouts', { signal }),
  refetchInterval: REFRESH_MS,
})

export const clearLockout = (cpf: string) => call<unknown>('DELETE', `/api/lockouts/${encodeURIComponent(cpf)}`)
