import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { queryOf, REFRESH_MS } from './live.ts'
import type { LiveSession, Lockout, LoggedSignature, Overview, Page } from './types.ts'

/** `since` says where today begins for whoever looks. */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: ({ signal }) => call<Overview>('GET', `/api/overview?${queryOf({ since })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const sessionsQuery = (cpf: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['sessions', cpf],
    queryFn: ({ signal, pageParam: cursor }) =>
      call<Page<LiveSession>>('GET', `/api/sessions?${queryOf({ cpf, cursor })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const endSession = (id: string) => call<unknown>('DELETE', `/api/sessions/${encodeURIComponent(id)}`)

export const signaturesQuery = (asked: Readonly<Record<string, string | undefined>>) =>
  infiniteQueryOptions({
    queryKey: ['signatures', asked],
    queryFn: ({ signal, pageParam: cursor }) =>
      call<Page<LoggedSignature>>('GET', `/api/signatures?${queryOf({ ...asked, cursor })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const lockoutsQuery = queryOptions({
  queryKey: ['lockouts'],
  queryFn: ({ signal }) => call<Lockout[]>('GET', '/api/lockouts', { signal }),
  refetchInterval: REFRESH_MS,
})

export const clearLockout = (cpf: string) => call<unknown>('DELETE', `/api/lockouts/${encodeURIComponent(cpf)}`)
