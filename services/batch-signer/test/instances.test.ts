// Several processes on one store (spec 2, Resources: Cluster instance row; States: start-up recovery).
import { hostname } from 'node:os'
import { isCertainlyGone, thisProcess } from '@chancela/service-kernel/store'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBatchMetrics } from '../src/metrics.ts'
import { Instances } from '../src/parts/instances.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import type { KnownJob } from '../src/workers/recovery/recover.ts'
import { recoverAtStart } from '../src/workers/recovery/recover-at-start.ts'
import { Sweeper } from '../src/workers/recovery/sweeper.ts'
import { openContext } from '../src/workers/test-support/open-context.ts'
import { pipelineWorld } from '../src/workers/test-support/pipeline-world.ts'

type World = Awaited<ReturnType<typeof pipelineWorld>>

for (const [name, openStore] of Object.entries(testStores))
  describe(`instances on ${name}`, () => {
    const open = storesOf(openStore)

    /** A process of its own as far as the store can tell, with a clock of its own. */
    async function process({ store }: World, enabled: boolean) {
      const offset = { seconds: 0 }
      const context = await openContext({
        store,
        clock: () => new Date(Date.now() + offset.seconds * 1000),
        dataFolder: temporaryFolder(),
        settings: { Cluster: { Enabled: enabled } },
      })
      onTestFinished(() => context.close())
      return { context, offset, enter: () => Instances.open(context) }
    }

    const states = async ({ store }: World) =>
      (await store.db.selectFrom('instance').select(['name', 'state']).orderBy('started_at').execute()).map(
        (row) => `${row.name} ${row.state}`,
      )

    it('refuses a second process while the first lives, and names it', async () => {
      const world = await pipelineWorld(open)
      const [first, second] = [await process(world, false), await process(world, false)]
      await first.enter()
      await expect(second.enter()).rejects.toMatchObject({
        name: 'StartupProblem',
        setting: 'Cluster:Enabled',
        message: expect.stringMatching(
          new RegExp(`works on this database: ${hostname()}, process ${thisProcess().pid}`),
        ),
      })
      expect(await states(world)).toEqual([`${hostname()} Live`])
      await first.context.close()
      expect(await states(world)).toEqual([`${hostname()} Stopped`])
      await second.enter()
      expect(await states(world)).toEqual([`${hostname()} Stopped`, `${hostname()} Live`])
    })

    it('takes over at once from a process of this machine that is gone', async () => {
      const world = await pipelineWorld(open)
      const [first, second] = [await process(world, false), await process(world, false)]
      await first.enter()
      await world.store.db.updateTable('instance').set({ process_started: '1' }).execute()
      await second.enter()
      expect(await states(world)).toEqual([`${hostname()} Stale`, `${hostname()} Live`])
      expect(await world.eventTypes()).toEqual(['InstanceTakenOver'])
    })

    it('in a cluster leaves the jobs of one that lives alone, and takes those of a stale one over', async () => {
      const world = await pipelineWorld(open)
      const [first, second] = [await process(world, true), await process(world, true)]
      await first.enter()
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      await first.context.ledger.claim(1, first.context.clock())
      const instances = await second.enter()
      const { work, inputs, stuck, folderHolds, watched } = world
      const parts = { work, inputs, stuck, folderHolds, watched, metrics: openBatchMetrics(second.context) }
      const isBusy = ({ owner }: KnownJob) => instances.isLiveElsewhere(owner)
      await recoverAtStart(second.context, parts, { isBusy, strays: instances.isAlone })
      const { isLiveElsewhere, lookAround } = instances
      const sweeper = new Sweeper(second.context, { ...parts, isRunning: () => false, isLiveElsewhere, lookAround })
      for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweeper.sweep()
      expect(await world.row(id)).toMatchObject({ status: 'Processing', owner: first.context.ledger.owner })

      // One that starts later is known before its jobs are judged.
      const third = await process(world, true)
      await third.enter()
      const late = await world.drop('b.pdf', samplePdf('B'))
      await third.context.ledger.claim(1, third.context.clock())
      for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweeper.sweep()
      expect(await world.row(late)).toMatchObject({ status: 'Processing', owner: third.context.ledger.owner })
      await third.context.close()

      second.offset.seconds = 61
      await instances.beat()
      await sweeper.sweep()
      await sweeper.sweep()
      const row = await world.row(id)
      expect(row).toMatchObject({ status: 'Failed', error_code: 'job.interrupted', owner: second.context.ledger.owner })
      expect(row.error_message).toMatch(/^The instance that had the job gave no sign of life any more\./)
      expect(await world.eventTypes()).toEqual(['InstanceTakenOver'])
      // The first one wakes: whatever it had in hand, it can record nothing of it.
      const { ledger, clock } = first.context
      const content = { sha256: '00', length: 1, outputName: 'a.signed.pdf' }
      expect(await ledger.reachedKey(id, content, clock())).toBe(false)
      expect(await ledger.failed(id, { from: 'Processing', code: 'x', error: 'x' }, clock())).toBe(false)
    })

    it('without a cluster stands down when another took over, and resumes when it is alone', async () => {
      const world = await pipelineWorld(open)
      const [first, second] = [await process(world, false), await process(world, false)]
      const frozen = await first.enter()
      second.offset.seconds = 61
      await second.enter()
      first.offset.seconds = 61
      await frozen.beat()
      expect(frozen.mayClaim()).toBe(false)
      expect(await frozen.check()).toMatchObject({ ok: false })
      await second.context.close()
      await frozen.beat()
      expect(frozen.mayClaim()).toBe(true)
      expect(await frozen.check()).toMatchObject({ ok: true })
      expect(await world.eventTypes()).toEqual(['InstanceResumed', 'InstanceStoodDown', 'InstanceTakenOver'])
    })
  })

it('knows a process that is gone only on the machine where it ran', () => {
  const own = thisProcess()
  expect(isCertainlyGone(own)).toBe(false)
  expect(isCertainlyGone({ ...own, startedAt: '1' })).toBe(true)
  expect(isCertainlyGone({ ...own, space: 'elsewhere', startedAt: '1' })).toBe(false)
  expect(isCertainlyGone({ ...own, space: null, startedAt: '1' })).toBe(false)
})
