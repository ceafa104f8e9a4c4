import { checkSettings } from '@chancela/service-kernel/config'
import { expect, test } from 'vitest'
import { batchSignerRules, batchSignerSettings } from '../src/settings.ts'

const whole = { ISSUER: 'https://id.example.com', CLIENTID: 'batch', CLIENTSECRET: 'a secret at the provider' }

/** What the start says of these variables of the section. */
function problemsOf(given: Readonly<Record<string, string>>) {
  const variables = Object.entries(given).map(([name, value]) => [`CHANCELA__BATCH_SIGNER__AUTH__IDP__${name}`, value])
  const verdict = checkSettings({
    schemas: { 'batch-signer': batchSignerSettings },
    rules: { 'batch-signer': batchSignerRules },
    environment: Object.fromEntries(variables),
  })
  return verdict.ok ? [] : verdict.problems
}

const keysOf = (given: Readonly<Record<string, string>>) => problemsOf(given).map(({ key }) => key)

const key = (name: string) => `batch-signer Auth:Idp:${name}`

test('an identity provider is configured as a whole: half of it stops the start and names what is missing', () => {
  expect(keysOf({})).toEqual([])
  expect(keysOf(whole)).toEqual([])
  expect(keysOf({ ISSUER: whole.ISSUER })).toEqual([key('ClientId'), key('ClientSecret')])
  expect(keysOf({ ROLESCLAIM: 'groups' })).toEqual([key('Issuer'), key('ClientId'), key('ClientSecret')])
  for (const [variable, name] of [
    ['ISSUER', 'Issuer'],
    ['CLIENTID', 'ClientId'],
    ['CLIENTSECRET', 'ClientSecret'],
  ] as const) {
    const { [variable]: _, ...half } = whole
    expect(keysOf(half)).toEqual([key(name)])
    expect(keysOf({ ...whole, [variable]: '' })).toContain(key(name))
  }
})

test('its issuer has TLS, unless it is on this machine', () => {
  for (const ISSUER of [
    'https://id.example.com/realms/casa',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]',
  ])
    expect(keysOf({ ...whole, ISSUER })).toEqual([])
  for (const ISSUER of ['http://id.example.com', 'http://localhost.example.com', 'ftp://localhost', 'nonsense'])
    expect(keysOf({ ...whole, ISSUER })).toEqual([key('Issuer')])
})

test('openid is among its scopes', () => {
  expect(keysOf({ ...whole, SCOPES: '["openid","groups"]' })).toEqual([])
  expect(keysOf({ ...whole, SCOPES: '["email"]' })).toEqual([key('Scopes')])
})

test('a problem never shows its secret', () => {
  expect(JSON.stringify(problemsOf({ CLIENTSECRET: whole.CLIENTSECRET }))).not.toContain(whole.CLIENTSECRET)
})
