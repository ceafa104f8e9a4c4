import { expect, test } from 'vitest'
import { prefersTextJson } from './json-type.ts'

test.each<[string | undefined, boolean]>([
  ['text/json', true],
  ['TEXT/JSON; charset=utf-8', true],
  ['text/json, application/json', true],
  ['application/json;q=0.5, text/json', true],
  ['text/*', true],
  ['text/json, */*;q=0.1', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/json', false],
  ['application/json, text/plain, */*', false],
  ['text/json;q=0.2, application/json;q=0.9', false],
  ['text/json;q=0', false],
  ['text/html, text/*;q=0.5, */*;q=0.8', false],
])('%s asks for text/json: %s', (accept, expected) => {
  expect(prefersTextJson(accept)).toBe(expected)
})
