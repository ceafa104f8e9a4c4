import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { HOUR, plus } from '../../clock/index.ts'
import { createEndedSessions, type EndedSessionTables, endedSessions } from './ended-sessions.ts'

const NOW = new Date('2026-03-02T12:00:00Z')

for (const [name, open] of Object.entries(testStores))
  describe(`ended sessions on ${name}`, () => {
    test('are ended by one of those who end them at the same time, and forgotten after their time', async () => {
      const store = await open<EndedSessionTables>({
        test: [{ id: 1, name: 'ended', breaking: false, up: createEndedSessions }],
      })
      const ended = endedSessions(store)
      const until = plus(NOW, HOUR)
      expect(await ended.has('a')).toBe(false)
      const calls = await Promise.all([1, 2, 3].map(() => ended.note('a', until, NOW)))
      expect(calls.filter(Boolean)).toHaveLength(1)
      expect([await ended.has('a'), await ended.has('b')]).toEqual([true, false])
      expect(await ended.note('b', plus(until, HOUR), plus(until, 1))).toBe(true)
      expect([await ended.has('a'), await ended.has('b')]).toEqual([false, true])
    })
  })
