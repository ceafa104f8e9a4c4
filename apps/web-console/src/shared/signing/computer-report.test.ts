import { expect, test } from 'vitest'
import { type ComputerReport, stepStates, stoppedAt } from './computer-report.ts'

const results = (isValid: boolean) => ({ isValid, errors: [], indeterminateItens: [] })
const report = (outcome: string, isValid = true): ComputerReport => ({
  outcome,
  certificate: null,
  validationResults: results(isValid),
})

test('a computer on which everything is there has only good steps', () => {
  expect(stoppedAt(report('signed'))).toBeUndefined()
  expect(new Set(stepStates(report('signed')).map(({ state }) => state))).toEqual(new Set(['good']))
})

test('what is missing stops the test, and nothing is said of what comes behind it', () => {
  expect(stepStates(report('no-driver')).map(({ state }) => state)).toEqual([
    'good',
    'good',
    'bad',
    'open',
    'open',
    'open',
    'open',
  ])
})

test.each([
  ['expired', 'agent'],
  ['no-token', 'token'],
  ['declined', 'signature'],
  ['an outcome of a newer service', 'signature'],
])('%s stops it at the %s', (outcome, step) => {
  expect(stoppedAt(report(outcome))).toBe(step)
})

test('a certificate that is not accepted stops it at its validity', () => {
  expect(stoppedAt(report('signed', false))).toBe('validity')
})
