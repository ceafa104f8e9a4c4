import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { MarksSessionPage, SessionMark } from './types.ts'

const session = (id: string) => `/api/marks-sessions/${encodeURIComponent(id)}`

export const marksSessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['marks-session', id],
    queryFn: ({ signal }) => call<MarksSessionPage>('GET', `${session(id)}/page`, { signal }),
    refetchOnWindowFocus: false,
  })

export const saveMarks = (id: string, data: readonly SessionMark[]) =>
  call<unknown>('PUT', `${session(id)}/data`, { body: { data } })
