import { testClock } from '@chancela/testkit/clock'
import { sampleService } from '@chancela/testkit/sample-service'
import { startServiceWorld } from '@chancela/testkit/service-world'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { HOUR } from '../../clock/index.ts'
import { chainedEvents, chainMigrations, readChain, verifyChain } from '../index.ts'

const chainedSample = {
  ...sampleService,
  migrations: { ...sampleService.migrations, 'audit-chain': chainMigrations },
  chained: [chainedEvents],
}

test.each(['SQLite', 'PostgreSQL'] as const)('a service that says so has a chain, on %s', async (database) => {
  const clock = testClock()
  const world = await startServiceWorld(chainedSample, { database, clock })
  onTestFinished(() => world.close())
  const { store, events, metrics, readiness } = world.context
  const verify = () => verifyChain(readChain(store.db, chainedSample.chained))
  const check = async () => (await readiness.verdict()).checks.find(({ name }) => name === 'audit-chain')
  await events.record(store.db, { type: 'Happened', actor: 'ana', text: 'a' })
  await expect.poll(async () => (await verify()).links).toBe(1)
  expect(await check()).toMatchObject({ ok: true })
  // Nobody can make links now.
  await sql`alter table audit_chain rename to gone`.execute(store.db)
  await events.record(store.db, { type: 'Happened', actor: 'ana', text: 'b' })
  clock.advance(HOUR)
  expect(await check()).toMatchObject({ ok: false, detail: expect.stringContaining('3600 s') })
  expect((await readiness.verdict()).ready).toBe(true)
  expect(await metrics.text()).toMatch(/^audit_chain_lag_seconds 3600$/m)
  await sql`alter table gone rename to audit_chain`.execute(store.db)
  await world.stop()
  expect(await verifyChain(readChain(world.store.db, chainedSample.chained))).toMatchObject({
    links: 2,
    problemCount: 0,
  })
})
