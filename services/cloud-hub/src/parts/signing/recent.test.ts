import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

test('the value that was not needed for the longest time goes when there is no more room', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3)
  expect(['a', 'b', 'c'].map((name) => recent.get(name))).toEqual([1, undefined, 3])
})
