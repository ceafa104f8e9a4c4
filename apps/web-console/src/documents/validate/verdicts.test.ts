import { expect, test } from 'vitest'
import type { ValidationResults } from '../api/types.ts'
import { kindOf, summaryOf, verdictOf } from './verdicts.ts'

const nothing: ValidationResults = {
  passedChecks: [],
  errors: [],
  warnings: [],
  indeterminateItens: [],
  isValid: false,
}
const item = { type: 'revocation.revoked', message: 'Revoked.', detail: null }

const valid = { validationResults: { ...nothing, isValid: true } }
const invalid = { validationResults: { ...nothing, errors: [item] } }
const open = { validationResults: { ...nothing, indeterminateItens: [item] } }

test('a signature with an error is not valid', () => {
  expect(verdictOf(valid)).toBe('valid')
  expect(verdictOf(invalid)).toBe('invalid')
})

test('a signature that could not be judged is called neither valid nor invalid', () => {
  expect(verdictOf(open)).toBe('undetermined')
  expect(verdictOf({ validationResults: null })).toBe('undetermined')
})

test('one signature that is not valid speaks for the document', () => {
  expect(summaryOf([valid, open, invalid])).toBe('invalid')
  expect(summaryOf([valid, open])).toBe('undetermined')
  expect(summaryOf([valid, valid])).toBe('valid')
  expect(summaryOf([])).toBe('unsigned')
})

test('a timestamp of the document is no signature of a person', () => {
  expect(kindOf({ isTimestamp: true, isElectronic: false })).toBe('timestamp')
  expect(kindOf({ isTimestamp: false, isElectronic: true })).toBe('electronic')
  expect(kindOf({ isTimestamp: false, isElectronic: false })).toBe('certificate')
})
