import { expect, it } from 'vitest'
import type { Crash } from '../src/workers/test-support/prove/life-plan.ts'
import { proveWebhooks } from '../src/workers/test-support/prove/prove-webhooks.ts'

// The short form of `npm run prove:webhooks`: where a document and its event become durable, and where one is sent.
const crashes: readonly Crash[] = [
  { point: 'transaction', side: 'after', nth: 6 },
  { point: 'blob arrives', side: 'after', nth: 4 },
  { point: 'delivery', nth: 3 },
]

it('loses no event, tells of nothing that did not happen and leaves no document half-signed, however often it is killed', {
  timeout: 600_000,
}, async () => {
  const report = await proveWebhooks({ randomKills: 1, crashes, postgresWorlds: 0 })
  expect(report.violations).toEqual([])
  expect(report.kills).toBe(4)
  expect(report.crashesReached.length).toBeGreaterThan(0)
  expect(report.events).toBeGreaterThan(0)
})
