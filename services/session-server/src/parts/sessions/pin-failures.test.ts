import { MINUTE } from '@chancela/service-kernel/clock'
import { expect, test } from 'vitest'
import { countingTimes, lockedUntil } from './pin-failures.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const rules = { maxFailures: 3, window: 15 * MINUTE }
const minutesAgo = (...minutes: readonly number[]) => minutes.map((each) => new Date(now.getTime() - each * MINUTE))

test('failures count while they are inside the window, and no more of them than lock', () => {
  expect(countingTimes(minutesAgo(16, 15, 14, 3), now, rules)).toEqual(minutesAgo(14, 3))
  expect(countingTimes(minutesAgo(9, 8, 7, 6, 5), now, rules)).toEqual(minutesAgo(7, 6, 5))
  expect(countingTimes([], now, rules)).toEqual([])
})

test('a CPF is locked until the oldest of the last failures ages out', () => {
  expect(lockedUntil(minutesAgo(9, 8), rules)).toBeNull()
  expect(lockedUntil(minutesAgo(9, 8, 7), rules)).toEqual(minutesAgo(-6)[0])
})
