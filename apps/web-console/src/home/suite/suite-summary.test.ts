import { expect, test } from 'vitest'
import { sampleSuite } from '../../../test/sample-suite.ts'
import { summarize } from './suite-summary.ts'

test('counts what runs and what is degraded, of all the suite will have', () => {
  expect(summarize(sampleSuite().services)).toEqual({ total: 8, running: 3, degraded: 1 })
})
