import { expect, test } from 'vitest'
import { nextAttempt, type RetrySchedule } from './index.ts'

const noon = new Date('2026-03-02T12:00:00.000Z')
const secondsUntil = (time: Date | undefined) => time && (time.getTime() - noon.getTime()) / 1_000

test('each failed attempt is followed by its own wait, and the last one by nothing', () => {
  const schedule: RetrySchedule = { waitSeconds: [1, 10, 60] }
  const waits = [1, 2, 3, 4, 5].map((attempt) => secondsUntil(nextAttempt(schedule, attempt, noon)))
  expect(waits).toEqual([1, 10, 60, undefined, undefined])
})

test('without waits there is one attempt', () => {
  expect(nextAttempt({ waitSeconds: [] }, 1, noon)).toBeUndefined()
})

test('jitter lengthens a wait by at most its fraction and never shortens it', () => {
  const schedule: RetrySchedule = { waitSeconds: [100], jitter: 0.5 }
  const at = (random: number) => secondsUntil(nextAttempt(schedule, 1, noon, () => random))
  expect([at(0), at(0.5), at(0.999)]).toEqual([100, 125, 149.95])
})
