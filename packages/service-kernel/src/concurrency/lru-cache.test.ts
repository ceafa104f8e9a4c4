import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('the value that was not needed for the longest time goes when there is no more room', () => {
  const cache = new LruCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((name) => cache.get(name))).toEqual([1, undefined, 3])
})
