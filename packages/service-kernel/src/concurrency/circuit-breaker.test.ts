import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'

function breakerWith(failures = 3) {
  let now = Date.parse('2026-11-16T12:00:00.000Z')
  const breaker = new CircuitBreaker({ failures, seconds: 30, clock: () => new Date(now) })
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
