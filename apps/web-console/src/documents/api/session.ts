import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { Invitation, Me } from './types.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('GET', '/api/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = (email: string, password: string, code?: string) =>
  call<Me>('POST', '/api/session', { body: { email, password, ...(code && { code }) } })

export const requestPasswordReset = (email: string) =>
  call<unknown>('POST', '/api/session/password-reset', { body: { email } })

export const resetPassword = (ticket: string, password: string) =>
  call<unknown>('POST', '/api/session/password', { body: { ticket, password } })

export const invitationQuery = (ticket: string) =>
  queryOptions({
    queryKey: ['invitation', ticket],
    queryFn: ({ signal }) => call<Invitation>('GET', `/api/invitation?${new URLSearchParams({ ticket })}`, { signal }),
    // The page must not change while somebody types a password.
    refetchOnWindowFocus: false,
  })

export const acceptInvitation = (ticket: string, password: string) =>
  call<Me>('POST', '/api/invitation', { body: { ticket, password } })

export const signOut = () => call<unknown>('DELETE', '/api/session')

export const switchOrganization = (organizationId: string) =>
  call<Me>('PUT', '/api/session/organization', { body: { organizationId } })
