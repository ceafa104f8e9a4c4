import { expect, it } from 'vitest'
import type { Crash } from '../src/workers/test-support/prove/life-plan.ts'
import { proveWebhooks } from '../src/workers/test-support/prove/prove-webhooks.ts'

// The short form of `npm run prove:webhooks`: where a document and its event become durable, where an invitation or a
// password with its entry of the audit does, where a row of a generation does, and where a message is under way.
const crashes: readonly Crash[] = [
  { point: 'audit entry', side: 'before', nth: 2 },
  { point: 'generated row', side: 'after', nth: 2 },
  { point: 'delivery', nth: 3 },
  { point: 'mail', nth: 1 },
]

it('loses nothing it confirmed, tells of nothing that did not happen and leaves nothing half-done, however often it is killed', {
  timeout: 600_000,
}, async () => {
  const report = await proveWebhooks({ randomKills: 1, crashes, postgresWorlds: 0, generationRows: 8 })
  expect(report.violations).toEqual([])
  expect(report.kills).toBe(5)
  expect(report.crashesReached.length).toBeGreaterThan(0)
  for (const figure of ['events', 'accounts', 'generated', 'auditEntries', 'chainsFollowed', 'mails'] as const)
    expect([figure, report[figure]]).toEqual([figure, expect.toSatisfy((count: number) => count > 0)])
})
