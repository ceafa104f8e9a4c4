import { expect, test } from 'vitest'
import { niceTicks } from './nice-ticks.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 0.5, 1]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [0.03, [0, 0.01, 0.02, 0.03]],
])('an axis up to %d has round ticks that reach it', (max, ticks) => {
  expect(niceTicks(max, 4)).toEqual(ticks)
})

test('an axis always reaches its largest value', () => {
  for (const max of [3, 17, 99, 101, 12_345, 999_999]) expect(niceTicks(max, 4).at(-1)).toBeGreaterThanOrEqual(max)
})
