import { expect, it } from 'vitest'
import { proveBatch } from '../src/workers/test-support/prove/prove-batch.ts'

// The short form of `npm run prove:batch`: the steps where a file changes hands, a few random moments, each trouble once.
const steps = ['ledger.completed', 'linkSync hidden'] as const

it('loses no file, puts nothing out twice and forgets nothing, however often it is killed', {
  timeout: 180_000,
}, async () => {
  const report = await proveBatch({ randomKills: 3, steps, livesPerTrouble: 1 })
  expect(report.violations).toEqual([])
  expect(report.crashesReached.length).toBeGreaterThan(0)
  expect(report.outputsJudged).toBeGreaterThan(0)
  expect(Object.values(report.lives).every((lives) => lives > 0)).toBe(true)
})
