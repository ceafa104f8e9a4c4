import { expect, test } from 'vitest'
import { folderBreaker } from './folder-breaker.ts'

test('ten failures in a row stop the folder, nine do not', () => {
  const breaker = folderBreaker(() => 0)
  const failTimes = (times: number) => Array.from({ length: times }, () => breaker.failed())
  expect(failTimes(9)).not.toContain(true)
  breaker.succeeded()
  expect(failTimes(10)).toEqual([...Array(9).fill(false), true])
  expect(breaker.admits()).toBe(false)
})

test('it tries again after a pause that doubles up to five minutes; a success ends the matter', () => {
  let now = 0
  const breaker = folderBreaker(() => now)
  for (let failure = 0; failure < 10; failure += 1) breaker.failed()
  const pauses: number[] = []
  for (let trial = 0; trial < 9; trial += 1) {
    pauses.push(breaker.pauseLeft)
    now += breaker.pauseLeft - 1
    expect(breaker.admits()).toBe(false)
    now += 1
    expect(breaker.admits()).toBe(true)
    expect(breaker.failed()).toBe(true)
  }
  expect(pauses.map((pause) => pause / 1000)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300])
  breaker.endPause()
  expect(breaker.admits()).toBe(true)
  breaker.succeeded()
  expect([breaker.state, breaker.isTrial]).toEqual(['closed', false])
})
