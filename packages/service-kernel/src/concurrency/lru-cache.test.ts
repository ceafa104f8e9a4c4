import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('the value that was not needed for the longest time goes when there is no more room', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((name) => cache.get(name))).toEqual([1, undefined, 3])
})

test('a look that does not count as a use saves nothing', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.peek('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((name) => cache.peek(name))).toEqual([undefined, 2, 3])
})

test('values may weigh more than one, and the same name weighs once', () => {
  const cache = new LruCache<string, string>(10, { weigh: ({ length }) => length })
  cache.set('a', '1234')
  cache.set('a', '12345')
  cache.set('b', '12345')
  expect(['a', 'b'].map((name) => cache.get(name))).toEqual(['12345', '12345'])
  cache.set('c', '123456')
  expect(['a', 'b', 'c'].map((name) => cache.get(name))).toEqual([undefined, undefined, '123456'])
  cache.delete('c')
  cache.delete('c')
  cache.set('d', '1234567890')
  expect(cache.get('d')).toBe('1234567890')
})

test('what is heavier than all may be together drives nothing else out, and is not kept', () => {
  const cache = new LruCache<string, string>(3, { weigh: ({ length }) => length })
  cache.set('a', '1')
  cache.set('b', '1234')
  expect(['a', 'b'].map((name) => cache.get(name))).toEqual(['1', undefined])
  cache.set('a', '1234')
  expect(cache.get('a')).toBeUndefined()
})

test('a value holds as long as it may, however often it is used', () => {
  let now = 0
  const cache = new LruCache<string, boolean>(2, { ttl: { milliseconds: 100, clock: () => new Date(now) } })
  cache.set('a', false)
  now = 99
  expect([cache.get('a'), cache.peek('a')]).toEqual([false, false])
  now = 100
  expect([cache.peek('a'), cache.get('a')]).toEqual([undefined, undefined])
})

test('a clock that is set back does not prolong the time of a value', () => {
  let now = 1000
  const cache = new LruCache<string, number>(2, { ttl: { milliseconds: 100, clock: () => new Date(now) } })
  cache.set('a', 1)
  now = 500
  expect(cache.get('a')).toBeUndefined()
})

test('what holds for no time is not kept', () => {
  const cache = new LruCache<string, number>(2, { ttl: { milliseconds: 0, clock: () => new Date(0) } })
  cache.set('a', 1)
  expect(cache.get('a')).toBeUndefined()
})
