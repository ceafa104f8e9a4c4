import { describe, expect, test } from 'vitest'
import { monthOf, readExpiration } from './expiration.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const endOf = (text: string, zone = 'America/Sao_Paulo', at = now) => readExpiration(text, zone, at).at.toISOString()

describe('an expiration date', () => {
  test('is the end of its day in the time zone of the organization', () => {
    expect(endOf('2026-11-20T08:30:00-03:00')).toBe('2026-11-21T02:59:59.999Z')
    expect(endOf('2026-11-20')).toBe('2026-11-21T02:59:59.999Z')
    expect(endOf('2026-11-20', 'America/Manaus')).toBe('2026-11-21T03:59:59.999Z')
    expect(endOf('2026-11-20', 'UTC')).toBe('2026-11-20T23:59:59.999Z')
  })

  test('ends with the day where clocks change in the night', () => {
    const before = new Date('2018-11-01T00:00:00.000Z')
    // São Paulo went from 23:59:59 to 01:00:00 on 4 November 2018.
    expect(endOf('2018-11-03', 'America/Sao_Paulo', before)).toBe('2018-11-04T02:59:59.999Z')
    expect(endOf('2018-11-04', 'America/Sao_Paulo', before)).toBe('2018-11-05T01:59:59.999Z')
  })

  test('may be today, and is refused when its day is over', () => {
    expect(endOf('2026-11-15')).toBe('2026-11-16T02:59:59.999Z')
    expect(() => endOf('2026-11-14')).toThrow(expect.objectContaining({ code: 'ExpirationInPast' }))
    expect(() => endOf('2026-11-15', 'America/Sao_Paulo', new Date('2026-11-16T03:00:00.000Z'))).toThrow(
      expect.objectContaining({ code: 'ExpirationInPast' }),
    )
  })

  test('that is none is refused', () => {
    for (const text of ['soon', '2026-13-45', '15/11/2026'])
      expect(() => endOf(text)).toThrow(expect.objectContaining({ code: 'InvalidRequest' }))
  })
})

test('a month begins when it begins where the instance is', () => {
  expect(monthOf(new Date('2026-12-01T02:59:59.999Z'), 'America/Sao_Paulo')).toBe('2026-11')
  expect(monthOf(new Date('2026-12-01T03:00:00.000Z'), 'America/Sao_Paulo')).toBe('2026-12')
})
