import { queryOptions } from '@tanstack/react-query'
import { pagedQuery, REFRESH_MS } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { BioSubject, SessionDetail, SignatureSession } from './types.ts'

type Asked = Readonly<Record<string, string | undefined>>

const encoded = encodeURIComponent

export const sessionsQuery = (asked: Asked) => pagedQuery<SignatureSession>('signature-sessions', asked)

const session = (id: string) => `/api/signature-sessions/${encoded(id)}`

/** Somebody may sign meanwhile. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['signature-session', id],
    queryFn: ({ signal }) => call<SessionDetail>('GET', session(id), { signal }),
    refetchInterval: REFRESH_MS,
  })

export const cancelSession = (id: string) => call<SessionDetail>('POST', `${session(id)}/cancellation`)

export const subjectsQuery = (asked: Asked) => pagedQuery<BioSubject>('bio-subjects', asked)

export const deleteSubject = (id: string) => call<unknown>('DELETE', `/api/bio-subjects/${encoded(id)}`)
