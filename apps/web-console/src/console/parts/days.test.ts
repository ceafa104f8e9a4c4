import { expect, test } from 'vitest'
import { beginOfDay, daysUntil, isDay, today } from './days.ts'

test('a day begins at midnight of whoever looks, and ends where the next begins', () => {
  const begin = new Date(beginOfDay('2026-02-28'))
  expect([begin.getFullYear(), begin.getMonth(), begin.getDate(), begin.getHours()]).toEqual([2026, 1, 28, 0])
  expect(new Date(beginOfDay('2026-02-28', 1)).getMonth()).toBe(2)
  expect(today(begin.getTime())).toBe('2026-02-28')
})

test('what is no day is told', () => {
  expect(['2026-02-28', '2026-13-01', '28/02/2026', '2026-02-28T10:00', '+02026-02-28', ''].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('days until a time are whole ones, below zero once it has passed', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  expect(daysUntil('2026-11-17T11:00:00Z', now)).toBe(1)
  expect(daysUntil('2026-11-15T13:00:00Z', now)).toBe(0)
  expect(daysUntil('2026-11-15T11:00:00Z', now)).toBe(-1)
})
