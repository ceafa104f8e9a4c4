import { expect, test } from 'vitest'
import { dayIn, withinDays } from './day-range.ts'

test('the last day counts as a whole, and other filters stay', () => {
  const { from, to } = withinDays({ from: '2026-11-01', to: '2026-11-01' })
  expect(Date.parse(to!) - Date.parse(from!)).toBe(24 * 60 * 60 * 1000)
  expect(withinDays({ state: 'Signed' } as object)).toEqual({ state: 'Signed', from: undefined, to: undefined })
})

test('what is no day is dropped', () => {
  const days = ['2026-11-01', 'yesterday', '2026-13-01', ''].map((from) => dayIn({ from }, 'from'))
  expect(days).toEqual(['2026-11-01', undefined, undefined, undefined])
})
