import { describe, expect, test } from 'vitest'
import { BLOCK_SIZE, blockOf, NumberSet, placeOf, withPlaces } from './number-set.ts'

const LIMIT = 3 * BLOCK_SIZE - 5

/** Numbers that are no pattern, and the same at every run. */
function* scattered(count: number): Generator<number> {
  for (let at = 0, state = 1; at < count; at += 1) {
    state = (state * 48_271) % 2_147_483_647
    yield state % LIMIT
  }
}

/** Kept in blocks, as the store does it, in two rounds. */
function kept(numbers: readonly number[]): NumberSet {
  const set = new NumberSet(LIMIT)
  for (const block of new Set(numbers.map(blockOf))) {
    const places = numbers.filter((number) => blockOf(number) === block).map(placeOf)
    const half = Math.ceil(places.length / 2)
    set.addBlock(block, withPlaces(withPlaces(undefined, places.slice(0, half)), places.slice(half)))
  }
  return set
}

const sorted = (numbers: readonly number[]) => [...new Set(numbers)].toSorted((a, b) => b - a)

describe('sets of numbers', () => {
  for (const count of [0, 1, 40, 3_000, 60_000])
    test(`${count} numbers are kept and come back from the highest down`, () => {
      const numbers = [...scattered(count)]
      const set = kept(numbers)
      expect([...set.descending()]).toEqual(sorted(numbers))
      expect(set.size()).toBe(new Set(numbers).size)
      expect(set.blocks()).toEqual([...new Set(numbers.map(blockOf))].toSorted((a, b) => a - b))
    })

  test('a block is never longer than a bit for each number', () => {
    for (const count of [1_000, 1_023, 1_024, 1_025, BLOCK_SIZE]) {
      const places = Array.from({ length: count }, (_, at) => at)
      expect(withPlaces(undefined, places).length).toBe(Math.min(2 * count, BLOCK_SIZE / 8))
    }
  })

  test('two sets have what is in both', () => {
    const [some, others] = [[...scattered(30_000)].slice(0, 20_000), [...scattered(30_000)].slice(10_000)]
    const both = kept(some)
    both.keep(kept(others))
    const known = new Set(others)
    expect([...both.descending()]).toEqual(sorted(some.filter((number) => known.has(number))))
  })

  test('a range begins and ends anywhere', () => {
    for (const [from, to] of [
      [0, LIMIT],
      [5, 6],
      [31, 33],
      [32, 64],
      [100, 100],
      [BLOCK_SIZE - 1, LIMIT],
    ] as const) {
      const numbers = [...NumberSet.range(LIMIT, from, to).descending()]
      expect([numbers.length, numbers.at(-1) ?? from, numbers[0] ?? to - 1]).toEqual([to - from, from, to - 1])
    }
  })
})
