import { afterEach, expect, test, vi } from 'vitest'
import { lastWay, rememberWay } from './last-way.ts'

afterEach(() => vi.unstubAllGlobals())

test('the way is remembered for the next visit', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  expect(lastWay()).toBeNull()
  rememberWay('token')
  expect(lastWay()).toBe('token')
})

test('a frame whose storage is blocked signs all the same', () => {
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked })
  rememberWay('token')
  expect(lastWay()).toBeNull()
})
