import { expect, test } from 'vitest'
import { dayPlus, siteDay, siteMidnight } from './site-days.ts'

test.each([
  ['UTC', '2026-11-15', '2026-11-15T00:00:00.000Z'],
  ['America/Sao_Paulo', '2026-11-15', '2026-11-15T03:00:00.000Z'],
  ['America/Noronha', '2026-11-15', '2026-11-15T02:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-15', '2026-11-14T10:00:00.000Z'],
  ['Pacific/Niue', '2026-11-15', '2026-11-15T11:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-15', '2026-11-14T18:15:00.000Z'],
  // Summer time began at midnight, which did not exist.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  ['America/Sao_Paulo', '2018-11-05', '2018-11-05T02:00:00.000Z'],
])('in %s the day %s begins at %s', (zone, day, moment) => {
  expect(siteMidnight(zone, day).toISOString()).toBe(moment)
  expect(siteDay(zone, siteMidnight(zone, day))).toBe(day)
})

test('days are counted over the ends of months', () => {
  expect([dayPlus('2026-12-31', 1), dayPlus('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28'])
})
