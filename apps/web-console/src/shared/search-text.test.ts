import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-text.ts'

test('filters survive the way through an address, letters and all', () => {
  const filters = { status: 'Failed', fileName: 'folha & férias +1', from: '2026-03-01', page: '4' }
  expect(parseSearch(stringifySearch(filters))).toEqual(filters)
})

test('a list is written as repeated names and read back as a list', () => {
  expect(stringifySearch({ type: ['A', 'B'] })).toBe('?type=A&type=B')
  expect(parseSearch('?type=A&type=B')).toEqual({ type: ['A', 'B'] })
})

test('a page without filters has an address without a query', () => {
  expect(stringifySearch({ status: undefined, page: undefined, fileName: '' })).toBe('')
})

test('digits stay text: a file may be called 007', () => {
  expect(parseSearch('?fileName=007')).toEqual({ fileName: '007' })
})
