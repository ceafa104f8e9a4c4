import { expect, test } from 'vitest'
import { isPattern, matchesPattern } from './name-pattern.ts'

test('the whole name must match', () => {
  expect(matchesPattern('[a-zç-]+\\.pdf|b', 'doação.pdf')).toBe(false)
  expect(matchesPattern('\\p{L}+\\.pdf|b', 'doação.pdf')).toBe(true)
  expect(matchesPattern('a|b', 'ab')).toBe(false)
  expect(isPattern('a|b')).toBe(true)
  expect(isPattern('(')).toBe(false)
  expect(isPattern('a)(b')).toBe(false)
})

test('a pattern that would take years matches nothing, at once', () => {
  const began = performance.now()
  expect(matchesPattern('(a+)+', `${'a'.repeat(60)}!`)).toBe(false)
  expect(performance.now() - began).toBeLessThan(60_000)
})
