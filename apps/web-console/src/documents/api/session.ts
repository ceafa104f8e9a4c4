import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { AccountSession, Invitation, Me, NewSecondFactor, Proof, SignInWays } from './types.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('GET', '/api/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = (email: string, password: string, code?: string) =>
  call<Me>('POST', '/api/session', { body: { email, password, ...(code && { code }) } })

export const waysQuery = queryOptions({
  queryKey: ['ways'],
  queryFn: ({ signal }) => call<SignInWays>('GET', '/api/session/ways', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const changePassword = (body: { password: string; newPassword: string }) =>
  call<Me>('PUT', '/api/session/password', { body })

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

export const acceptInvitation = (ticket: string, proof: Proof) =>
  call<Me>('POST', '/api/invitation', { body: { ticket, ...proof } })

export const signOut = () => call<unknown>('DELETE', '/api/session')

export const switchOrganization = (organizationId: string) =>
  call<Me>('PUT', '/api/session/organization', { body: { organizationId } })

export const proveSession = (body: Proof) => call<unknown>('POST', '/api/session/proof', { body })

/** Where the identity provider asks again who it is, and comes back to a page. */
export const freshSignIn = (page: string): string =>
  `/api/session/oidc?${new URLSearchParams({ fresh: 'true', returnUrl: page })}`

const FACTOR = '/api/session/second-factor'

export const beginSecondFactor = (proof: Proof) => call<NewSecondFactor>('POST', FACTOR, { body: proof })

export const confirmSecondFactor = (code: string) =>
  call<{ recoveryCodes: readonly string[] }>('PUT', FACTOR, { body: { code } })

export const removeSecondFactor = (proof: Proof) => call<unknown>('POST', `${FACTOR}/removal`, { body: proof })

export const makeRecoveryCodes = (proof: Proof) =>
  call<{ recoveryCodes: readonly string[] }>('POST', `${FACTOR}/recovery-codes`, { body: proof })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<readonly AccountSession[]>('GET', '/api/session/sessions', { signal }),
})

export const endSession = (id: string) => call<unknown>('DELETE', `/api/session/sessions/${id}`)

export const endOtherSessions = () => call<{ ended: number }>('DELETE', '/api/session/sessions')
