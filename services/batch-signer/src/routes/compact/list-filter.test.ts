import { describe, expect, test } from 'vitest'
import { compactFilter } from './list-filter.ts'

const page = { page: 1, pageSize: 50 }
const filterOf = (query: Partial<Parameters<typeof compactFilter>[0]>) =>
  compactFilter({ ...page, ...query }, () => ['secret'])

describe('the filter of a compact list', () => {
  test('is empty for a query that asks for nothing', () => {
    expect(filterOf({})).toStrictEqual({})
  })

  test('takes a time without offset as UTC and one with an offset as that instant', () => {
    expect(filterOf({ createdFromUtc: '2026-03-02T10:00' })).toStrictEqual({ createdFrom: '2026-03-02T10:00:00.000Z' })
    expect(filterOf({ createdFromUtc: '2026-03-02T10:00:00-03:00' })).toStrictEqual({
      createdFrom: '2026-03-02T13:00:00.000Z',
    })
    expect(filterOf({ createdToUtc: '2026-03-02T10:00:00.5Z' })).toStrictEqual({
      createdTo: '2026-03-02T10:00:00.500Z',
    })
  })

  test('takes a date as its whole day, at both ends', () => {
    expect(filterOf({ createdFromUtc: '2026-03-02', createdToUtc: '2026-03-02' })).toStrictEqual({
      createdFrom: '2026-03-02T00:00:00.000Z',
      createdTo: '2026-03-02T23:59:59.999Z',
    })
  })

  test('asks for the encrypting profiles only where encryption is asked for', () => {
    expect(filterOf({ encryptionEnabled: false })).toStrictEqual({
      encryption: { enabled: false, encryptingProfiles: ['secret'] },
    })
  })

  test.each([
    '',
    'yesterday',
    '02/03/2026',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-03-02T25:00:00Z',
    '2026-03-02 10:00',
    '20260302',
    '1772445600',
  ])('refuses %j as a time', (createdToUtc) => {
    expect(() => filterOf({ createdToUtc })).toThrow('validation')
  })

  test('refuses a range that ends before it begins', () => {
    const query = { createdFromUtc: '2026-03-02T10:00:00Z', createdToUtc: '2026-03-02T09:59:59Z' }
    expect(() => filterOf(query)).toThrow('validation')
  })
})
