import { expect, test } from 'vitest'
import { webhookAuthentication } from './webhook-authentication.ts'

const bearer = { authType: 'Bearer', token: 'secret' } as const
const none = { authType: 'NoAuth', token: null } as const
const kept = {}

test.each([
  ['a new webhook without a word has none', {}, undefined, none],
  ['a new webhook has what is said', bearer, undefined, bearer],
  ['a token beside NoAuth is not kept', { ...bearer, authType: 'NoAuth' }, undefined, none],
  ['a change without a word keeps what is there', {}, 'Bearer', kept],
  ['null says nothing', { authType: null, token: null }, 'ApiKey', kept],
  ['the same type keeps its token', { authType: 'Bearer' }, 'Bearer', kept],
  ['a token alone is one of the same type', { token: 'other' }, 'Basic', { authType: 'Basic', token: 'other' }],
  ['another type comes with its token', bearer, 'ApiKey', bearer],
  ['only NoAuth takes it off', { authType: 'NoAuth' }, 'Bearer', none],
  ['a webhook without any stays so', {}, 'NoAuth', none],
] as const)('%s', (_, asked, known, expected) => {
  expect(webhookAuthentication(asked, known)).toEqual(expected)
})

test.each([
  ['a token without a type', { token: 'secret' }, undefined, 'authType'],
  ['a token without a type where there was none', { token: 'secret' }, 'NoAuth', 'authType'],
  ['a type without a token', { authType: 'Bearer' }, undefined, 'token'],
  ['another type without a token', { authType: 'Basic' }, 'Bearer', 'token'],
  ['a token that cannot stand in a header', { ...bearer, token: 'two\nlines' }, undefined, 'token'],
  ['such a token alone', { token: ' blank' }, 'Bearer', 'token'],
] as const)('%s is refused by the name of the field', (_, asked, known, field) => {
  expect(() => webhookAuthentication(asked, known)).toThrow(
    expect.objectContaining({ code: 'InvalidRequest', details: { [field]: expect.any(String) } }),
  )
})
