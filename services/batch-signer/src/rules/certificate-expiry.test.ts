import { DAY, plus } from '@chancela/service-kernel/clock'
import { expect, test } from 'vitest'
import { daysLeft, isExpiring, noticeDue } from './certificate-expiry.ts'

const end = new Date('2026-06-30T12:00:00.000Z')
const days = [30, 15, 7, 1]

test.each([
  [31, undefined],
  [30, 30],
  [16, 30],
  [15, 15],
  [2, 7],
  [1, 1],
  [0.5, 1],
  [0, undefined],
  [-3, undefined],
])('with %s days left the notice due is %s', (left, due) => {
  expect(noticeDue(end, days, plus(end, -left * DAY))).toBe(due)
})

test('the last day counts as one, and the end as none', () => {
  expect([1, 0.1, 0, -1].map((left) => daysLeft(end, plus(end, -left * DAY)))).toEqual([1, 1, 0, -1])
})

test('a certificate is expiring from the first notice on, also when it has ended; without notices at its end', () => {
  expect([31, 30, -5].map((left) => isExpiring(end, days, plus(end, -left * DAY)))).toEqual([false, true, true])
  expect([1, -1].map((left) => isExpiring(end, [], plus(end, -left * DAY)))).toEqual([false, true])
})
