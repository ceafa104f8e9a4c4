import { describe, expect, test } from 'vitest'
import { median, ratioByRound, summarize } from './statistics.ts'

describe('statistics of a benchmark', () => {
  test('the median of an odd number of values is the middle one, whatever their order', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([7])).toBe(7)
  })

  test('the median of an even number of values is the mean of the two middle ones', () => {
    expect(median([10, 2, 4, 100])).toBe(7)
  })

  test('values are ordered as numbers, not as text', () => {
    expect(median([100, 9, 20])).toBe(20)
  })

  test('the median of nothing is not a number', () => {
    expect(median([])).toBeNaN()
  })

  test('taking the median leaves the values in their order', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })

  test('a summary shows the spread beside the median', () => {
    expect(summarize([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30 })
  })

  test('a ratio is the median of the ratios of each round, so that a slow round does not count twice', () => {
    // The machine was at half speed in the second round: both sides halved, the ratio of every round is 0.5.
    expect(ratioByRound([50, 25, 50], [100, 50, 100])).toEqual({ median: 0.5, min: 0.5, max: 0.5 })
    // The ratio of the medians (20 / 100) would be 0.2.
    expect(ratioByRound([10, 20, 90], [100, 40, 100]).median).toBe(0.5)
  })

  test('a ratio with a round missing on one side is refused', () => {
    expect(() => ratioByRound([1, 2], [1])).toThrow(RangeError)
  })
})
