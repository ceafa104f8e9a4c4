import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { eventsTexts } from '../texts/events-texts.ts'
import { queryOf, REFRESH_MS } from './live.ts'
import type { AuditEvent, Page } from './types.ts'

export type EventType = keyof (typeof eventsTexts)['en-US']['types']

/** Every kind of event there are words for; a test sees to it that these are all of the contract. */
export const eventTypes = Object.keys(eventsTexts['en-US'].types) as readonly EventType[]

export const eventsQuery = (filters: { readonly type?: EventType; readonly q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['events', filters],
    queryFn: ({ signal, pageParam: cursor }) =>
      call<Page<AuditEvent>>('GET', `/api/events?${queryOf({ ...filters, cursor })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
