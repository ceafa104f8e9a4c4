import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type {
  Credentials,
  Me,
  NewSecondFactor,
  PasswordChange,
  Proof,
  RecoveryCodes,
  RecoveryCodesLeft,
  SecondFactorCodes,
  SignInWays,
} from './types.ts'

export const waysQuery = queryOptions({
  queryKey: ['ways'],
  queryFn: ({ signal }) => call<SignInWays>('GET', '/api/session/ways', { signal }),
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('GET', '/api/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = (body: Credentials) => call<Me>('POST', '/api/session', { body })

export const signOut = () => call<unknown>('DELETE', '/api/session')

/** A new secret, requested once per visit of the page that shows it: each request returns another one. */
export const newSecondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call<NewSecondFactor>('POST', '/api/session/second-factor', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

export const confirmSecondFactor = (body: SecondFactorCodes) => call<Me>('PUT', '/api/session/second-factor', { body })

export const recoveryCodesQuery = queryOptions({
  queryKey: ['recovery-codes'],
  queryFn: ({ signal }) => call<RecoveryCodesLeft>('GET', '/api/session/second-factor/recovery-codes', { signal }),
})

export const makeRecoveryCodes = () => call<RecoveryCodes>('POST', '/api/session/second-factor/recovery-codes')

export const proveSession = (body: Proof) => call<unknown>('POST', '/api/session/proof', { body })

/** The address that has the identity provider ask again who it is, and leads back to a page. */
export const freshSignIn = (page: string): string =>
  `/api/session/oidc?${new URLSearchParams({ fresh: 'true', ReturnUrl: page })}`

export const changePassword = (body: PasswordChange) => call<Me>('PUT', '/api/session/password', { body })
