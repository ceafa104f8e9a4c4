import { expect, test } from 'vitest'
import { decodeBase64 } from './base64.ts'

test.each([
  ['', ''],
  ['YQ==', 'a'],
  ['YWI=', 'ab'],
  ['YWJj', 'abc'],
])('%s is base64', (text, bytes) => expect(decodeBase64(text)?.toString()).toBe(bytes))

test.each(['YQ', 'YQ=', 'Y===', 'Y Q=', 'YQ==YQ==', 'YWJ\n', '!!!!', 'YWJj!', '====', 'é==='])('%j is not', (text) =>
  expect(decodeBase64(text)).toBeUndefined(),
)
