import { expect, test } from 'vitest'
import { isNarrowed, listSearchFrom } from './list-search.ts'

test('a search is read from the URL, and what is unknown, empty or senseless is dropped', () => {
  expect(listSearchFrom({ q: ' ana ', status: '', page: '3', other: 'x' })).toEqual({ q: 'ana', page: 3 })
  expect(listSearchFrom({ page: '1', q: 7, instituteId: 'a' })).toEqual({ instituteId: 'a' })
})

test('another page narrows nothing', () => {
  expect([{}, { page: 2 }, { q: 'ana', page: 2 }].map(isNarrowed)).toEqual([false, false, true])
})
