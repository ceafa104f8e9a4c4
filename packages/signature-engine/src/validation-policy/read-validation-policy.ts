import { digestAlgorithms } from '../crypto/algorithms.ts'
import { leastKeyBits } from '../crypto/curves.ts'
import { type FindingCode, findingSeverities } from '../report/report.ts'
import { refuseValidationPolicy } from './errors.ts'
import { mayHaveEffect } from './protected-findings.ts'
import { type Effect, families, generalPolicy, type ValidationPolicy } from './validation-policy.ts'

/** A kind of value: what it is called in a refusal, and what it holds for. Members are checked by their own names. */
type Check = (value: unknown, field: string) => void

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const must =
  (expected: string, holds: (value: unknown) => boolean): Check =>
  (value, field) => {
    if (!holds(value)) throw refuseValidationPolicy('validation-policy.wrong-field', { field, expected })
  }

const orNull =
  (check: Check): Check =>
  (value, field) => {
    if (value !== null) check(value, field)
  }

const listOf =
  (check: Check): Check =>
  (value, field) => {
    must('a list', Array.isArray)(value, field)
    for (const [at, member] of (value as unknown[]).entries()) check(member, `${field}[${at}]`)
  }

/** An object with no other members; every one that is there is checked. */
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, field) => {
    must('an object', isRecord)(value, field)
    for (const [name, member] of Object.entries(value as object)) {
      const path = field === '' ? name : `${field}.${name}`
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      if (!check) throw refuseValidationPolicy('validation-policy.unknown-field', { field: path })
      check(member, path)
    }
  }

const oneOf = (names: readonly string[]): Check =>
  must(`one of ${names.join(', ')}`, (value) => names.includes(value as string))
const each = (names: readonly string[], check: Check) => members(Object.fromEntries(names.map((name) => [name, check])))

const isMoment = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
const until = orNull(must('a time in ISO 8601 or null', isMoment))
const positive = must('a positive number', (value) => typeof value === 'number' && value > 0 && Number.isFinite(value))

/** Both members are due: a size without an end would be one for ever. */
const keySize: Check = (value, field) => {
  members({ bits: positive, until })(value, field)
  const isWhole = isRecord(value) && 'bits' in value && 'until' in value
  must('an object with bits and until', () => isWhole)(value, field)
}

const levels = ['none', 'B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA']

const policyFields = members({
  name: must('a text', (value) => typeof value === 'string' && value !== ''),
  algorithms: listOf(oneOf(families)),
  digests: each(Object.keys(digestAlgorithms), until),
  keys: each(Object.keys(leastKeyBits), listOf(keySize)),
  levels: orNull(listOf(oneOf(levels))),
  signaturePolicies: orNull(
    listOf(must('an object identifier', (value) => typeof value === 'string' && /^\d+(\.\d+)+$/.test(value))),
  ),
  revocation: members({ maximumAgeHours: orNull(positive) }),
  timestamps: members({ required: must('true or false', (value) => typeof value === 'boolean') }),
  findings: each(Object.keys(findingSeverities), oneOf(['error', 'warning', 'ignored'])),
})

/**
 * Reads a policy from what `JSON.parse` gives. What is left out is as in the general policy; a field that is not known,
 * or has a wrong value, is refused by its name, and so is a policy under which something broken could be valid.
 */
export function readValidationPolicy(json: unknown): ValidationPolicy {
  policyFields(json, '')
  const policy = { ...generalPolicy, ...(json as Partial<ValidationPolicy>) }
  must('given', () => (json as { name?: unknown }).name !== undefined)(undefined, 'name')
  for (const [code, effect] of Object.entries(policy.findings) as [FindingCode, Effect][])
    if (!mayHaveEffect(code, effect))
      throw refuseValidationPolicy('validation-policy.protected-finding', { code, effect })
  return policy
}
