import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

const failTimes = (breaker: Breaker, times: number, now = 0) =>
  Array.from({ length: times }, () => breaker.failed('no', now))

test('ten failures in a row stop the folder, nine do not', () => {
  const breaker = new Breaker()
  expect(failTimes(breaker, 9)).not.toContain(true)
  breaker.succeeded()
  expect(failTimes(breaker, 10)).toEqual([...Array(9).fill(false), true])
  expect([breaker.offers, breaker.reason]).toEqual([false, 'no'])
})

test('it tries again after a pause that doubles up to five minutes; a success ends the matter', () => {
  const breaker = new Breaker()
  failTimes(breaker, 10)
  const pauses: number[] = []
  let now = 0
  for (let trial = 0; trial < 9; trial += 1) {
    pauses.push(breaker.pauseLeft(now))
    expect(breaker.tryAgain(now + breaker.pauseLeft(now) - 1)).toBe(false)
    now += breaker.pauseLeft(now)
    expect(breaker.tryAgain(now)).toBe(true)
    expect(breaker.reason).toBe('no')
    expect(breaker.failed('no', now)).toBe(true)
  }
  expect(pauses.map((pause) => pause / 1000)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300])
  breaker.endPause()
  expect(breaker.tryAgain(now)).toBe(true)
  breaker.succeeded()
  expect([breaker.offers, breaker.reason, breaker.isTrial]).toEqual([true, undefined, false])
})
