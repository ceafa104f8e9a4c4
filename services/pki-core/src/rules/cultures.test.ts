import { expect, test } from 'vitest'
import { cultureOf } from './cultures.ts'

test.each([
  ['en', 'en-US'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['es-MX', 'es-ES'],
  ['de, es;q=0.5, pt;q=0.8', 'pt-BR'],
  ['de', 'en-US'],
  ['es;q=0, de', 'en-US'],
  ['', 'en-US'],
  [undefined, 'en-US'],
])('Accept-Language %s is answered in %s', (header, culture) => {
  expect(cultureOf(header)).toBe(culture)
})
