import { expect, it } from 'vitest'
import { proveBatch } from '../src/workers/test-support/prove/prove-batch.ts'

// The short form of `npm run prove:batch`: one world with a consumer, writers, an operator and a moving clock, the step
// where a file is handed over, some random moments, each fault once, which also ends at a random moment, a store that is
// lost, and a second process.
it('loses no file, delivers none twice and signs none that it should not, however often it is killed', {
  timeout: 600_000,
}, async () => {
  const report = await proveBatch({
    randomKills: 4,
    steps: ['ledger.completed'],
    livesPerTrouble: 1,
    plannedLifeMs: 60_000,
    seed: 15,
    actsInOneOf: 2,
    storeChanges: 1,
    seconds: 1,
    databases: ['sqlite'],
  })
  expect(report.violations).toEqual([])
  expect(report.crashesMissed).toEqual([])
  expect(report.outputsJudged).toBeGreaterThan(0)
  expect(report.canceled).toBeGreaterThan(0)
  expect(report.storesChanged).toBeGreaterThan(0)
  expect(report.secondsRefused + report.secondsLetIn).toBeGreaterThan(0)
  expect(Object.values(report.lives).every((lives) => lives > 0)).toBe(true)
})
