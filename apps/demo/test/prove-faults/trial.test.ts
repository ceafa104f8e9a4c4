// The short form of `npm run prove:faults`: what can be broken on every machine, once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults } from './faults.ts'
import { trial } from './trial.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld('files', { isolated: false })
})
afterAll(() => world?.close())

const broken = ['suite frozen (SIGSTOP)', 'provider down', 'SMTP refuses']

test('frozen while its provider and its mail server are away, the suite loses nothing, says so, and serves again', async () => {
  const chosen = faults.filter(({ name }) => broken.includes(name))
  expect(chosen).toHaveLength(broken.length)
  const report = await trial(world, chosen, { before: 2, broken: 8, recovery: 120 })
  expect(report).toMatchObject({ violations: [], servesAfter: expect.any(Number) })
  expect(report.confirmed).toBeGreaterThan(0)
})
