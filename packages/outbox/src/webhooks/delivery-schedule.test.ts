import { HOUR, SECOND } from '@chancela/service-kernel/clock'
import { expect, test } from 'vitest'
import { type FailedDelivery, growingIntervals, nextDelivery, retryAfterSeconds } from './delivery-schedule.ts'

const noon = new Date('2026-11-15T12:00:00.000Z')
const seconds = (at: Date | undefined) => (at ? (at.getTime() - noon.getTime()) / SECOND : undefined)
const failed = (attempts: number) => ({ attempts, needsPatience: false })

test('ten retries wait within the published curve, and take as long as it does', () => {
  const schedule = growingIntervals(11)
  const least = [15, 16, 31, 96, 271, 640, 1311, 2416, 4111, 6576]
  const most = [44, 74, 118, 212, 416, 814, 1514, 2648, 4372, 6866]
  const sums = least.map((from, at) => {
    const shortest = seconds(nextDelivery(schedule, failed(at + 1), noon, () => 0))!
    const longest = seconds(nextDelivery(schedule, failed(at + 1), noon, () => 1))!
    expect([shortest >= from, longest <= most[at]!, shortest < longest]).toEqual([true, true, true])
    return shortest + longest
  })
  expect(nextDelivery(schedule, failed(11), noon)).toBeUndefined()
  expect(sums.reduce((a, b) => a + b) / 2 / 3600).toBeCloseTo(4.5, 1)
})

test('a wait is longer than the one before, whatever chance says', () => {
  const { waits } = growingIntervals(50)
  const schedule = { waits }
  for (let attempts = 1; attempts < waits.length; attempts += 1) {
    const longest = nextDelivery(schedule, failed(attempts), noon, () => 1)!
    const shortest = nextDelivery(schedule, failed(attempts + 1), noon, () => 0)!
    expect([attempts, shortest > longest]).toEqual([attempts, true])
  }
})

/** Numbers of chance that are the same in every run. */
function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

test('a wait is longer than the one before, whatever receivers ask for', () => {
  const numbers = chance(20_261_115)
  const next = () => numbers.next().value
  const schedule = growingIntervals(11)
  for (let run = 0; run < 2_000; run += 1) {
    const waits: number[] = []
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      const outcome: FailedDelivery = {
        attempts,
        needsPatience: next() < 0.5,
        ...(next() < 0.3 && { retryAfter: Math.floor(next() ** 4 * 50_000) }),
        waited: waits.at(-1),
      }
      waits.push(seconds(nextDelivery(schedule, outcome, noon, next))!)
    }
    expect(waits.every((wait, at) => at === 0 || wait > waits[at - 1]!)).toBe(true)
  }
})

test('a receiver that is overloaded every time is tried along the same curve, not much later', () => {
  const schedule = growingIntervals(11)
  let waited: number | undefined
  const waits = Array.from({ length: 10 }, (_, at) => {
    waited = seconds(nextDelivery(schedule, { attempts: at + 1, needsPatience: true, waited }, noon, () => 0.5))
    return waited
  })
  expect(waits).toEqual([60, 61, 74.5, 154, 343.5, 727, 1412.5, 2532, 4241.5, 6721])
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
