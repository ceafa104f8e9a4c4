import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { AdministratorSession, EndedSessions, OwnSession } from './types.ts'

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: ({ signal }) => call<OwnSession[]>('GET', '/api/session/sessions', { signal }),
})

export const endSession = (id: string) => call<unknown>('DELETE', `/api/session/sessions/${encodeURIComponent(id)}`)

export const endOtherSessions = () => call<EndedSessions>('DELETE', '/api/session/sessions')

export const administratorSessionsQuery = queryOptions({
  queryKey: ['administrator-sessions'],
  queryFn: ({ signal }) => call<AdministratorSession[]>('GET', '/api/administrators/sessions', { signal }),
})

export const signAdministratorOut = (email: string) =>
  call<EndedSessions>('POST', '/api/administrators/sign-out', { body: { email } })
