import { expect, test } from 'vitest'
import { loginSearchFrom } from './login-search.ts'

test('the way back and the problem of the identity provider are read out of the address', () => {
  expect(loginSearchFrom({ ReturnUrl: '/sessions', error: 'OIDC_UNAVAILABLE' })).toEqual({
    ReturnUrl: '/sessions',
    error: 'OIDC_UNAVAILABLE',
  })
  expect(loginSearchFrom({ ReturnUrl: '', other: 'x' })).toEqual({})
})

test('words of somebody else in the address do not reach the page', () => {
  expect(loginSearchFrom({ error: 'Call this number' })).toEqual({ error: 'OIDC_REFUSED' })
})
