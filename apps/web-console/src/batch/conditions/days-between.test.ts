import { expect, test } from 'vitest'
import { daysBetween } from './days-between.ts'

test('days are counted by the calendar, not by the hour', () => {
  const evening = new Date(2026, 5, 1, 23, 50)
  expect(daysBetween(evening, new Date(2026, 5, 1, 23, 59))).toBe(0)
  expect(daysBetween(evening, new Date(2026, 5, 2, 0, 5))).toBe(1)
  expect(daysBetween(evening, new Date(2026, 5, 11, 12))).toBe(10)
  expect(daysBetween(evening, new Date(2026, 4, 31, 12))).toBe(-1)
})
