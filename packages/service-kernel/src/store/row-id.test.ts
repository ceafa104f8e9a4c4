import { expect, test } from 'vitest'
import { newRowId } from './row-id.ts'

const time = new Date('2099-01-01T00:00:00.000Z')

test('an id is a UUID of version 7 that carries its time', () => {
  const id = newRowId(time)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(time.getTime())
})

test('ids of one instant, more than a millisecond can count, sort in the order they were made', () => {
  const ids = Array.from({ length: 10_000 }, () => newRowId(time))
  expect(new Set(ids).size).toBe(10_000)
  expect([...ids].sort()).toEqual(ids)
})

test('ids go on when the clock is set back', () => {
  const before = newRowId(time)
  expect(newRowId(new Date('2020-01-01T00:00:00.000Z')) > before).toBe(true)
})
