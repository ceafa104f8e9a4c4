import { expect, it } from 'vitest'
import { proveBatch } from '../src/workers/test-support/prove/prove-batch.ts'

// The short form of `npm run prove:batch`: the steps where a file is handed over, a random moment, and each fault once,
// which also ends at a random moment.
const steps = ['ledger.completed', 'renameNewSync hidden'] as const

it('loses no file, puts nothing out twice and forgets nothing, however often it is killed', {
  timeout: 600_000,
}, async () => {
  const report = await proveBatch({
    randomKills: 1,
    steps,
    livesPerTrouble: 1,
    plannedLifeMs: 60_000,
    seed: 19,
    consumer: false,
    writersPerLife: 0,
    actsInOneOf: 0,
    storeChanges: 0,
    seconds: 0,
    databases: ['sqlite'],
  })
  expect(report.violations).toEqual([])
  expect(report.crashesMissed).toEqual([])
  expect(report.outputsJudged).toBeGreaterThan(0)
  expect(Object.values(report.lives).every((lives) => lives > 0)).toBe(true)
})
