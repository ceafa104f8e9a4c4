import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { actFor, chosenOf } from './acting-for.ts'
import type { Credentials, Me, NewSecondFactor, PasswordChange } from './types.ts'

/** Whoever is known works for an organization from then on. */
const entering = async (answer: Promise<Me>): Promise<Me> => {
  const me = await answer
  actFor(chosenOf(me)?.id)
  return me
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => entering(call<Me>('GET', '/api/session', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = (body: Credentials) => entering(call<Me>('POST', '/api/session', { body }))

export const signOut = () => call<unknown>('DELETE', '/api/session')

export const acceptInvitation = (body: { ticket: string; password: string; code?: string }) =>
  entering(call<Me>('POST', '/api/session/invitation', { body }))

export const changePassword = (body: PasswordChange) => entering(call<Me>('PUT', '/api/session/password', { body }))

export const proveSession = (body: { password: string; code?: string }) =>
  call<unknown>('POST', '/api/session/proof', { body })

/** A new secret, requested once per visit of the page that shows it: each request returns another one. */
export const newSecondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call<NewSecondFactor>('POST', '/api/session/second-factor', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

export const confirmSecondFactor = (body: { code: string; presentCode?: string }) =>
  entering(call<Me>('PUT', '/api/session/second-factor', { body }))
