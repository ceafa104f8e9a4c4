import { expect, it } from 'vitest'
import { proveBatch } from '../src/workers/test-support/prove/prove-batch.ts'

// The short form of `npm run prove:batch`: one world with a consumer, writers, an operator and a moving clock, the step
// where a file is handed over, some random moments, and each fault once, which also ends at a random moment.
it('loses no file, delivers none twice and signs none that it should not, however often it is killed', {
  timeout: 600_000,
}, async () => {
  const report = await proveBatch({
    randomKills: 4,
    steps: ['ledger.completed'],
    livesPerTrouble: 1,
    plannedLifeMs: 60_000,
    seed: 19,
    actsInOneOf: 2,
    storeChanges: 0,
    seconds: 0,
    databases: ['sqlite'],
  })
  expect(report.violations).toEqual([])
  expect(report.crashesMissed).toEqual([])
  expect(report.outputsJudged).toBeGreaterThan(0)
  expect(report.acts).toBeGreaterThan(0)
  expect(Object.values(report.lives).every((lives) => lives > 0)).toBe(true)
})
