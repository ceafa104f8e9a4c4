import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { Me } from './types.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('GET', '/api/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = (email: string, password: string) =>
  call<Me>('POST', '/api/session', { body: { email, password } })

export const signOut = () => call<unknown>('DELETE', '/api/session')

export const switchOrganization = (organizationId: string) =>
  call<Me>('PUT', '/api/session/organization', { body: { organizationId } })
