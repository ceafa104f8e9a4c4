import { expect, test } from 'vitest'
import { isoText } from './index.ts'

test('the text of a time is that of the language, whichever time was before', () => {
  const times = [0, 7, 999, 1_000, 1_099, 999, -1, -1_000, Date.UTC(2026, 1, 28, 23, 59, 59, 10), 253_402_300_800_000]
  for (const time of [...times, ...times.toReversed()].map((milliseconds) => new Date(milliseconds)))
    expect(isoText(time)).toBe(time.toISOString())
})

test('what is no time has no text', () => {
  expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError)
})
