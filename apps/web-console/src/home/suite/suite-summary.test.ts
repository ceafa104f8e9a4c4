import { expect, test } from 'vitest'
import { sampleSuite } from '../../../test/sample-suite.ts'
import { summarize } from './suite-summary.ts'

test('counts what runs and what is degraded, of all that is built', () => {
  expect(summarize(sampleSuite().services)).toEqual({ total: 7, running: 5, degraded: 1, planned: 1 })
})
