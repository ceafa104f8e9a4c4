import { expect, test } from 'vitest'
import { waysInOrder } from './ways-in-order.ts'

test('the way used last comes first, where it is offered', () => {
  expect(waysInOrder(['file', 'cloud', 'token'], 'token')).toEqual(['token', 'file', 'cloud'])
  expect(waysInOrder(['file', 'cloud'], 'token')).toEqual(['file', 'cloud'])
  expect(waysInOrder(['file', 'cloud'], null)).toEqual(['file', 'cloud'])
})
