// Each output is delivered exactly once, however the service dies, to a consumer that takes files the moment it sees
// them.
import { expect, it } from 'vitest'
import type { Crash } from '../src/workers/test-support/prove/life-plan.ts'
import { proveBatch } from '../src/workers/test-support/prove/prove-batch.ts'

/** Around the moment at which an output is seen. */
const steps: readonly Crash['point'][] = [
  'fsync processing',
  'ledger.completed',
  'renameNewSync hidden',
  'fsync output',
  'unlinkSync input',
  'ledger.inputSettled',
]

it('delivers every file once to a consumer that takes it at once, dying before and after each step', {
  timeout: 600_000,
}, async () => {
  const report = await proveBatch({
    randomKills: 0,
    steps,
    livesPerTrouble: 0,
    plannedLifeMs: 60_000,
    seed: 3,
    writersPerLife: 0,
    actsInOneOf: 0,
    storeChanges: 0,
    seconds: 0,
    databases: ['sqlite'],
  })
  expect(report.violations).toEqual([])
  expect(report.crashesMissed).toEqual([])
  expect(report.outputsJudged).toBeGreaterThan(0)
})
