import { expect, test } from 'vitest'
import { rememberCredentials, toldByLog } from './told-by-log.ts'

const line = (fields: object) => `${JSON.stringify(fields)}\n`

test.each([
  ['an address', 'ana.souza@example.com', 'ana.souza@example.com'],
  ['a CPF', '52998224725', '52998224725'],
  ['a CPF as people write it', '529.982.247-25', '529.982.247-25'],
  ['a CPF in the name of a certificate', 'CN=ANA SOUZA:52998224725', '52998224725'],
])('%s in a log is found, with its line', (_what, text, found) => {
  const guilty = line({ msg: 'mail sent', to: text })
  expect(toldByLog(line({ msg: 'before' }) + guilty)).toEqual([`${found} in: ${guilty.trimEnd()}`])
})

test.each([
  ['a shortened address', 'a***@example.com'],
  ['eleven digits that are no CPF', '52998224726'],
  ['a CPF inside an id', '0c52998224725f'],
  ['a CPF inside a longer number', '1752998224725'],
])('%s is not', (_what, text) => {
  expect(toldByLog(line({ text }))).toEqual([])
})

test.each([
  ['a key', { 'X-Api-Key': 'app|of-one-key-nobody-guesses' }, 'of-one-key-nobody-guesses'],
  ['a cookie', { cookie: 'a-long-name-of-a-cookie=of-one-cookie-nobody-guesses; b=c' }, 'of-one-cookie-nobody-guesses'],
  ['a token', { 'X-Session-Token': 'of-one-token-nobody-guesses' }, 'of-one-token-nobody-guesses'],
  ['a bearer token', { authorization: 'Bearer of-one-bearer-nobody-guesses' }, 'of-one-bearer-nobody-guesses'],
])('%s that a caller showed is found', (_what, headers, secret) => {
  rememberCredentials(headers as Readonly<Record<string, string>>)
  const guilty = line({ text: `${secret}.` })
  expect(toldByLog(guilty)).toEqual([`${secret} in: ${guilty.trimEnd()}`])
  expect(toldByLog(line({ text: 'app a-long-name-of-a-cookie' }))).toEqual([])
})

test('a key that a test made up of one character is none', () => {
  rememberCredentials({ 'X-Api-Key': `nobody|${'x'.repeat(43)}` })
  expect(toldByLog(line({ url: `/api/sessions/${'x'.repeat(90)}` }))).toEqual([])
})
