// One PKI and one time for all tests of a file, and the holders whose certificates they use.
import { testClock } from '@chancela/testkit/clock'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { afterAll } from 'vitest'

export const clock = testClock('2026-11-16T12:00:00.000Z')

export const running = await startDemoPki({ keys: cachedKeys(), clock })

afterAll(() => running.stop())
