import { afterEach, expect, test, vi } from 'vitest'
import { labelledPoints, timeAxis } from './time-axis.ts'

const HOUR_MS = 3_600_000

/** Points from a time on, so many hours apart. */
const points = (from: string, count: number, hours: number) =>
  Array.from({ length: count }, (_, n) => ({ at: new Date(Date.parse(from) + n * hours * HOUR_MS).toISOString() }))

const labelsOf = (axis: ReturnType<typeof points>, most: number) =>
  [...labelledPoints(axis, most)].map((index) => axis[index]!.at.slice(0, 16))

afterEach(() => vi.unstubAllEnvs())

test('a day of quarter hours and a day of hours carry the same round labels, whenever they begin', () => {
  vi.stubEnv('TZ', 'America/Sao_Paulo')
  const rounds = ['2026-11-14T15:00', '2026-11-14T21:00', '2026-11-15T03:00', '2026-11-15T09:00']
  expect(labelsOf(points('2026-11-14T12:45:00Z', 96, 0.25), 5)).toEqual(rounds)
  expect(labelsOf(points('2026-11-14T12:00:00Z', 25, 1), 5)).toEqual(rounds)
})

test('a week of hours is labelled at midnight of the reader’s clock', () => {
  vi.stubEnv('TZ', 'America/Sao_Paulo')
  expect(labelsOf(points('2026-11-09T00:00:00Z', 72, 1), 4)).toEqual([
    '2026-11-09T03:00',
    '2026-11-10T03:00',
    '2026-11-11T03:00',
  ])
})

test('a zone of half hours is labelled at the hour that holds the round time', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  expect(labelsOf(points('2026-11-14T00:00:00Z', 24, 1), 4)).toEqual([
    '2026-11-14T00:00',
    '2026-11-14T06:00',
    '2026-11-14T12:00',
    '2026-11-14T18:00',
  ])
})

test('days are those of the service, and never more of them labelled than fit', () => {
  vi.stubEnv('TZ', 'America/Sao_Paulo')
  const month = points('2026-10-17T00:00:00Z', 30, 24)
  expect(timeAxis(month)).toEqual({ step: 24 * HOUR_MS, isDaily: true, span: 30 * 24 * HOUR_MS })
  for (const most of [1, 2, 3, 5, 8, 40]) {
    const count = labelledPoints(month, most).size
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(most + 1)
  }
})

test('one point, or none, needs no label', () => {
  expect(labelledPoints([], 5).size).toBe(0)
  expect(labelledPoints([{ at: '2026-11-15T00:00:00Z' }], 5).size).toBe(0)
})
