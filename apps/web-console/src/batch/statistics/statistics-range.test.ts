import { expect, test } from 'vitest'
import { bucketsWithin, daysOf, rangeFromSearch } from './statistics-range.ts'

const now = Date.parse('2026-03-02T12:30:00Z')

test('without a range the last 24 hours are shown: two days, less what is older', () => {
  const { from, to, since } = daysOf(rangeFromSearch({}), now, 'UTC')
  expect([from, to]).toEqual(['2026-03-01', '2026-03-02'])
  const hours = ['2026-03-01T11:00Z', '2026-03-01T12:00Z', '2026-03-02T12:00Z', '2026-03-02T13:00Z'].map((at) => ({
    at,
  }))
  expect(bucketsWithin(hours, { since, now }).map(({ at }) => at)).toEqual(['2026-03-01T12:00Z', '2026-03-02T12:00Z'])
})

test('a named range counts back from today, which is one of its days', () => {
  expect(daysOf(rangeFromSearch({ range: 'week' }), now, 'UTC')).toEqual({ from: '2026-02-24', to: '2026-03-02' })
})

test('two days are asked for as they are', () => {
  expect(daysOf(rangeFromSearch({ from: '2026-02-27', to: '2026-02-28' }), now, 'UTC')).toEqual({
    from: '2026-02-27',
    to: '2026-02-28',
  })
})

test('an address that makes no sense shows the last 24 hours', () => {
  expect(rangeFromSearch({ range: 'toString', from: '2026-02-31x', to: '' })).toEqual({})
})

test('today is the day of the site, also when UTC is a day ahead', () => {
  const evening = Date.parse('2026-03-03T01:30:00Z')
  expect(daysOf({ range: 'week' }, evening, 'America/Sao_Paulo')).toEqual({ from: '2026-02-24', to: '2026-03-02' })
  expect(daysOf({}, evening, 'America/Sao_Paulo')).toMatchObject({ from: '2026-03-01', to: '2026-03-02' })
})
