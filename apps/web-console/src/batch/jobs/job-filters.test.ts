import { expect, test } from 'vitest'
import { exportQuery, filtersFromSearch, isFiltered, listQuery, withFilter } from './job-filters.ts'

test('the list is asked for page by page, the export for everything the filters leave', () => {
  const filters = { status: 'Failed', profile: 'folha', page: 3 }
  expect(listQuery(filters)).toBe('status=Failed&profile=folha&page=3&pageSize=50')
  expect(exportQuery(filters).toString()).toBe('status=Failed&profile=folha')
})

test('a value the service does not know is kept, to be refused there instead of widening the list', () => {
  expect(filtersFromSearch({ status: 'Bogus', page: '-2' })).toEqual({ status: 'Bogus' })
})

test('a changed filter begins at the first page, and an emptied one is gone', () => {
  expect(withFilter({ status: 'Failed', page: 3 }, 'profile', 'folha')).toEqual({ status: 'Failed', profile: 'folha' })
  expect(withFilter({ status: 'Failed', page: 3 }, 'status', '')).toEqual({})
})

test('a page number alone is no filter', () => {
  expect(isFiltered({ page: 2 })).toBe(false)
  expect(isFiltered({ from: '2026-01-01' })).toBe(true)
})
