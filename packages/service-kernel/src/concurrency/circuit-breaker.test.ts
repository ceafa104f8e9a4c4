import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'

function breakerWith(failures = 3, longestPause?: number) {
  let now = Date.parse('2026-11-16T12:00:00.000Z')
  const breaker = new CircuitBreaker({
    failures,
    pause: 30_000,
    ...(longestPause !== undefined && { longestPause }),
    now: () => now,
  })
  const pass = (seconds: number): void => {
    now += seconds * 1000
  }
  return { breaker, pass }
}

test('it opens after so many failures in a row', () => {
  const { breaker } = breakerWith()
  breaker.failed()
  breaker.failed()
  breaker.succeeded()
  breaker.failed()
  breaker.failed()
  expect(breaker.state).toBe('closed')
  breaker.failed()
  expect(breaker.state).toBe('open')
  expect(breaker.admits()).toBe(false)
})

test('a clock that is set back does not prolong its pause', () => {
  const { breaker, pass } = breakerWith(1)
  breaker.failed()
  pass(-7200)
  expect([breaker.state, breaker.pauseLeft, breaker.admits()]).toEqual(['half-open', 0, true])
})

test('when its time is over it lets one call through, whose success closes it', () => {
  const { breaker, pass } = breakerWith(1)
  breaker.failed()
  pass(29)
  expect(breaker.admits()).toBe(false)
  pass(1)
  expect(breaker.state).toBe('half-open')
  expect([breaker.admits(), breaker.admits()]).toEqual([true, false])
  breaker.succeeded()
  expect([breaker.state, breaker.admits()]).toEqual(['closed', true])
})

test('a failure of that call opens it for as long again', () => {
  const { breaker, pass } = breakerWith(1)
  breaker.failed()
  pass(30)
  expect(breaker.admits()).toBe(true)
  breaker.failed()
  expect(breaker.state).toBe('open')
  pass(30)
  expect(breaker.admits()).toBe(true)
})

test('calls that were under way when it opened do not keep it open', () => {
  const { breaker, pass } = breakerWith(1)
  breaker.failed()
  pass(20)
  breaker.failed()
  pass(10)
  expect(breaker.admits()).toBe(true)
})

test('a call on trial that tells nothing makes room for another', () => {
  const { breaker, pass } = breakerWith(1)
  breaker.failed()
  pass(30)
  expect(breaker.admits()).toBe(true)
  breaker.abandoned()
  expect([breaker.state, breaker.admits()]).toEqual(['half-open', true])
})

test('each failure says whether it opened it: nine in a row do not, ten do, and no more after that', () => {
  const { breaker } = breakerWith(10)
  const failTimes = (times: number) => Array.from({ length: times }, () => breaker.failed())
  expect(failTimes(9)).not.toContain(true)
  breaker.succeeded()
  expect(failTimes(11)).toEqual([...Array(9).fill(false), true, false])
})

test('the pause doubles with each failed trial as far as it may; a success makes it short again', () => {
  const { breaker, pass } = breakerWith(1, 300_000)
  const pauses: number[] = []
  breaker.failed()
  for (let trial = 0; trial < 5; trial += 1) {
    const seconds = breaker.pauseLeft / 1000
    pauses.push(seconds)
    pass(seconds - 1)
    expect(breaker.admits()).toBe(false)
    pass(1)
    expect([breaker.pauseLeft, breaker.isTrial, breaker.admits(), breaker.isTrial]).toEqual([0, false, true, true])
    expect([breaker.failed(), breaker.isTrial]).toEqual([true, false])
  }
  expect(pauses).toEqual([30, 60, 120, 240, 300])
  breaker.succeeded()
  expect([breaker.state, breaker.pauseLeft]).toEqual(['closed', 0])
  breaker.failed()
  expect(breaker.pauseLeft).toBe(30_000)
})

test('a pause that somebody ends allows a trial at once; where there is none, nothing changes', () => {
  const { breaker } = breakerWith(1)
  breaker.endPause()
  expect(breaker.state).toBe('closed')
  breaker.failed()
  breaker.endPause()
  expect([breaker.state, breaker.pauseLeft, breaker.admits()]).toEqual(['half-open', 0, true])
  breaker.succeeded()
  expect([breaker.state, breaker.isTrial]).toEqual(['closed', false])
})
