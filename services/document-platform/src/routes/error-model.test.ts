import type { Failure, FailureContext } from '@chancela/service-kernel/http'
import { expect, test } from 'vitest'
import { errorModel } from './error-model.ts'

const context: FailureContext = {
  correlationId: '0b0f2a50-7a3f-4c51-9e9c-b34e0a4b0f11',
  path: '/api/documents',
  environment: 'production',
  error: new Error('hunter2'),
}

function answer(more: Partial<Failure> = {}) {
  const failure: Failure = { kind: 'refusal', status: 422, code: 'SomeCode', message: 'What happened.', ...more }
  const { contentType, body } = errorModel.render(failure, context)
  return { contentType, body: JSON.parse(body) }
}

const plain = { code: 'SomeCode', message: 'What happened.', details: null }

test.each([400, 401, 403, 404, 413, 422, 429, 500, 503])(
  'a %s has code, message and details, null for none',
  (status) => {
    expect(answer({ status })).toEqual({ contentType: 'application/json; charset=utf-8', body: plain })
  },
)

test('a validation failure names its fields in the details', () => {
  const fields = { name: ['must be string', 'must not be empty'] }
  expect(answer({ kind: 'validation', fields }).body.details).toEqual({ name: 'must be string; must not be empty' })
})

test('details are a map of text, since clients type them so', () => {
  const details = { id: 7, extra: null, list: [1, 2] }
  expect(answer({ details }).body.details).toEqual({ id: '7', extra: 'null', list: '[1,2]' })
})
