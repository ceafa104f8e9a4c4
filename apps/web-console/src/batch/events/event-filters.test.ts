import { expect, test } from 'vitest'
import { eventFiltersFromSearch, eventsQueryString } from './event-filters.ts'

test('an address with filters is the same filters again', () => {
  const filters = { type: ['PipelinePaused', 'JobDeleted'], contains: 'lote 7', from: '2026-03-01', page: 3 }
  expect(eventFiltersFromSearch(filters)).toEqual(filters)
})

test('one type in an address is a list of one, and nonsense is no filter', () => {
  expect(eventFiltersFromSearch({ type: 'JobDeleted', page: 'x', contains: '', other: 1 })).toEqual({
    type: ['JobDeleted'],
  })
})

test('the last day counts in full, although the service’s end is exclusive', () => {
  const query = new URLSearchParams(eventsQueryString({ from: '2026-02-28', to: '2026-02-28', type: ['A', 'B'] }))
  expect(query.getAll('eventType')).toEqual(['A', 'B'])
  expect(query.get('from')).toBe('2026-02-28')
  expect(query.get('to')).toBe('2026-03-01')
})

test('a day nobody could have chosen goes to the service as it is, to be refused there', () => {
  expect(new URLSearchParams(eventsQueryString({ to: 'tomorrow' })).get('to')).toBe('tomorrow')
})
