import { expect, test } from 'vitest'
import type { Sample } from '../../upstream/storage/folders/sample.ts'
import { StabilityWindow } from './stability-window.ts'

const rules = { intervalMs: 500, requiredSamples: 3, timeoutMs: 60_000, capacity: 3 }
const looks = (version: number): Sample => ({ size: 1n, mtimeNs: 1n, ctimeNs: BigInt(version), ino: 1n })

/** Samples all files that are due; `version` is their sample. */
function lookAll(window: StabilityWindow, now: number, version = 0, rested = false) {
  return window.takeDue(now, 100).map((candidate) => window.seen(candidate, looks(version), now, rested))
}

test('a file is stable after three looks that find it as the look before', () => {
  const window = new StabilityWindow(rules)
  window.add('a', 0)
  expect([0, 499, 500, 1000, 1500].map((now) => lookAll(window, now))).toEqual([
    ['waiting'],
    [],
    ['waiting'],
    ['waiting'],
    ['stable'],
  ])
  expect(window.takeStable(1500, 10).map(({ name }) => name)).toEqual(['a'])
  expect(window.isEmpty).toBe(true)
})

test('each change begins the count anew', () => {
  const window = new StabilityWindow(rules)
  window.add('a', 0)
  const verdicts = [0, 0, 0, 1, 1, 1, 1].map((version, look) => lookAll(window, look * 500, version)[0])
  expect(verdicts).toEqual([...Array(6).fill('waiting'), 'stable'])
})

test('a file that has rested for a whole window before it was found is stable', () => {
  const window = new StabilityWindow(rules)
  window.add('a', 0)
  expect(lookAll(window, 0, 0, true)).toEqual(['stable'])
  expect(window.takeStable(0, 10)).toMatchObject([{ name: 'a', unchanged: 0 }])
})

test('a rested file that is put back is looked at once more', () => {
  const window = new StabilityWindow(rules)
  window.add('a', 0)
  lookAll(window, 0, 0, true)
  for (const candidate of window.takeStable(0, 10)) window.putBack(candidate, 0)
  expect([lookAll(window, 499), lookAll(window, 500)]).toEqual([[], ['stable']])
  expect(window.takeStable(500, 10)).toMatchObject([{ name: 'a', unchanged: 1 }])
})

test('a rested file that changes after all has to rest like any other', () => {
  const window = new StabilityWindow(rules)
  window.add('a', 0)
  lookAll(window, 0, 0, true)
  for (const candidate of window.takeStable(0, 10)) window.putBack(candidate, 0)
  const verdicts = [1, 1, 1, 1].map((version, look) => lookAll(window, 500 + look * 500, version)[0])
  expect(verdicts).toEqual(['waiting', 'waiting', 'waiting', 'stable'])
})

test('what the system tells of begins the rest at once', () => {
  const window = new StabilityWindow(rules)
  window.add('a', 0)
  lookAll(window, 0)
  expect(window.touched('a', looks(1), 400)).toBe('waiting')
  expect(window.untilDue(400)).toBe(500)
  expect([900, 1400, 1900].map((now) => lookAll(window, now, 1)[0])).toEqual(['waiting', 'waiting', 'stable'])
  expect(window.touched('a', looks(1), 1900)).toBeUndefined()
  window.touched('a', looks(2), 1900)
  expect(window.hasStable).toBe(false)
  window.touched('a', undefined, 1900)
  expect(window.isEmpty).toBe(true)
})

test('a file that keeps changing is given up', () => {
  const window = new StabilityWindow({ ...rules, timeoutMs: 1000 })
  window.add('a', 0)
  const verdicts = [0, 1, 2].map((version) => lookAll(window, version * 500, version)[0])
  expect(verdicts).toEqual(['waiting', 'waiting', 'abandoned'])
  expect(window.has('a')).toBe(false)
})

test('the window is bounded, and takes no file twice', () => {
  const window = new StabilityWindow(rules)
  expect(['a', 'b', 'a', 'c', 'd'].map((name) => window.add(name, 0))).toEqual([true, true, true, true, false])
  expect(window.takeDue(0, 2).map(({ name }) => name)).toEqual(['a', 'b'])
  expect(window.takeDue(0, 2).map(({ name }) => name)).toEqual(['c'])
})

test('a stable file that had to wait for its turn is looked at once more', () => {
  const window = new StabilityWindow({ ...rules, requiredSamples: 1 })
  window.add('a', 0)
  lookAll(window, 0)
  lookAll(window, 500)
  expect(window.takeStable(5_000, 10).map(({ name }) => name)).toEqual([])
  expect(lookAll(window, 5_000, 1)).toEqual(['waiting'])
  expect(lookAll(window, 5_500, 1)).toEqual(['stable'])
  expect(window.takeStable(5_500, 10).map(({ name }) => name)).toEqual(['a'])
})
