import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pagedQuery, queryOf, REFRESH_MS } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { HubSession, Overview, SessionUse } from './types.ts'

/** For whoever may read no more of the providers. */
export const providerNamesQuery = queryOptions({
  queryKey: ['provider-names'],
  queryFn: async ({ signal }) => (await call<Overview>('GET', '/api/overview', { signal })).providers,
})

/** `since` is the start of today in the visitor's time zone. */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: ({ signal }) => call<Overview>('GET', `/api/overview?${queryOf({ since })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

type Asked = Readonly<Record<string, string | undefined>>

export const sessionsQuery = (asked: Asked) => pagedQuery<HubSession>('sessions', asked)

export const endSession = (id: string) => call<unknown>('DELETE', `/api/sessions/${encodeURIComponent(id)}`)

export const usesQuery = (asked: Asked) => pagedQuery<SessionUse>('uses', asked)
