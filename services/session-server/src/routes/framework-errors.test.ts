import { type FrameworkFailure, type FrameworkFailureRule, frameworkFailures } from '@chancela/service-kernel/errors'
import { expect, test } from 'vitest'
import { frameworkErrors } from './framework-errors.ts'

const codeOf = (kind: FrameworkFailure) => {
  const { instead }: FrameworkFailureRule = frameworkFailures[kind]
  return frameworkErrors[kind] ?? frameworkErrors[instead as 'busy']
}

test('SERVER_BUSY is said of load and before a call has begun, without Retry-After: clients repeat it with PINs and documents', () => {
  const kinds = Object.keys(frameworkFailures) as FrameworkFailure[]
  expect(kinds.filter((kind) => codeOf(kind) === 'SERVER_BUSY')).toEqual(['rate-limited', 'busy', 'draining'])
})
