// Every loop of the service tells that it turns, behind the check `workers`.
import { HOUR } from '@chancela/service-kernel/clock'
import { createHeartbeats } from '@chancela/service-kernel/health'
import { testStores } from '@chancela/testkit/stores'
import { expect, test } from 'vitest'
import { openParts, StoreTroubles, startWorking } from '../src/compose.ts'
import { openSigningWorld, seed } from './test-support/signing-world.ts'

/** Those that turn by themselves every few seconds. */
const quick = [
  'unfinished jobs',
  'overdue approvals',
  'signs of life',
  'queue of jobs',
  'enumeration of default',
  'watch of default',
]

for (const [name, open] of Object.entries(testStores))
  test(`on ${name} a loop that comes to no end of a turn is named, until it does`, async () => {
    let elapsed = 0
    const heartbeats = createHeartbeats(() => elapsed)
    const settings = {
      Pipeline: { PollIntervalSeconds: 1 },
      WatchedFolder: { PollIntervalSeconds: 5 },
      Cluster: { HeartbeatSeconds: 1 },
    }
    const seeds = [seed('default', { Format: 'Cades', InputFolder: 'default' })]
    const { context } = await openSigningWorld({ open, settings, seeds })
    const parts = await openParts({ ...context, heartbeats }, new StoreTroubles())
    startWorking(parts)
    expect(heartbeats.check()).toMatchObject({ ok: true })
    elapsed += 200 * HOUR
    const told = heartbeats.check()
    expect(told.ok).toBe(false)
    for (const loop of [...quick, 'kept signatures of approvers', 'notices of profiles and folders', 'retention'])
      expect(told.detail).toContain(loop)
    const stillTold = () => quick.filter((loop) => heartbeats.check().detail?.includes(loop))
    await expect.poll(stillTold).toEqual([])
  })
