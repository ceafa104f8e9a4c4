import { HOUR, SECOND } from '@chancela/service-kernel/clock'
import { expect, test } from 'vitest'
import { growingIntervals, nextDelivery, retryAfterSeconds } from './delivery-schedule.ts'

const noon = new Date('2026-11-15T12:00:00.000Z')
const seconds = (at: Date | undefined) => (at ? (at.getTime() - noon.getTime()) / SECOND : undefined)
const failed = (attempts: number) => ({ attempts, needsPatience: false })

test('ten attempts wait at growing intervals, between the least and the most of the curve', () => {
  const schedule = growingIntervals(11)
  const least = [15, 16, 31, 96, 271, 640, 1311, 2416, 4111, 6576]
  const most = [44, 74, 118, 212, 416, 814, 1514, 2648, 4372, 6866]
  least.forEach((wait, at) => {
    expect(seconds(nextDelivery(schedule, failed(at + 1), noon, () => 0))).toBe(wait)
    expect(seconds(nextDelivery(schedule, failed(at + 1), noon, () => 1))).toBe(most[at])
  })
  expect(nextDelivery(schedule, failed(11), noon)).toBeUndefined()
  const hours = (least.reduce((a, b) => a + b) + most.reduce((a, b) => a + b)) / 2 / 3600
  expect(hours).toBeCloseTo(4.5, 1)
})

test('an overloaded receiver gets a minute, and as long as it asks for, up to six hours', () => {
  const schedule = growingIntervals(10)
  expect(seconds(nextDelivery(schedule, { attempts: 1, needsPatience: true }, noon, () => 0))).toBe(60)
  expect(seconds(nextDelivery(schedule, { ...failed(1), retryAfter: 900 }, noon))).toBe(900)
  expect(seconds(nextDelivery(schedule, { ...failed(1), retryAfter: 1e9 }, noon))).toBe((6 * HOUR) / SECOND)
})

test.each([
  ['120', 120],
  ['Sun, 15 Nov 2026 12:02:00 GMT', 120],
  ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s is %s seconds', (value, expected) => {
  expect(retryAfterSeconds(value, noon)).toBe(expected)
})
