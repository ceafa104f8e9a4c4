import type { Failure, FailureContext } from '@chancela/service-kernel/http'
import { describe, expect, test } from 'vitest'
import { hubModel } from './hub-model.ts'

const context: FailureContext = {
  correlationId: '0b0f2a50-7a3f-4c51-9e9c-b34e0a4b0f11',
  path: '/api/sessions',
  environment: 'production',
  error: new Error('hunter2'),
}

const failure = (status: number, more: Partial<Failure> = {}): Failure => ({
  kind: 'refusal',
  status,
  code: 'some-code',
  message: 'What happened.',
  ...more,
})

function answer(given: Failure) {
  const { contentType, body } = hubModel.render(given, context)
  return { contentType, body: body === '' ? undefined : JSON.parse(body) }
}

const problem = 'application/problem+json; charset=utf-8'
const json = 'application/json; charset=utf-8'

describe('what the hub answers when it refuses or fails', () => {
  test('a refusal is its code, message and details, or null for none, with 422', () => {
    const plain = { code: 'some-code', message: 'What happened.', details: null }
    expect(answer(failure(422))).toEqual({ contentType: json, body: plain })
    expect(answer(failure(422, { details: { id: 7 } })).body).toEqual({ ...plain, details: { id: 7 } })
  })

  test('a validation failure is a problem that names the fields, with 400', () => {
    const errors = { name: ['must be string'] }
    expect(answer(failure(400, { kind: 'validation', fields: errors }))).toEqual({
      contentType: problem,
      body: {
        type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
        title: 'One or more validation errors occurred.',
        status: 400,
        errors,
        traceId: context.correlationId,
      },
    })
  })

  test.each([
    ['fields', failure(400, { details: { name: 'has the wrong length' } }), { name: ['has the wrong length'] }],
    ['a header', failure(400, { kind: 'malformed-request', details: { field: 'Host' } }), { Host: ['What happened.'] }],
    ['the body as a whole', failure(400, { kind: 'invalid-json' }), { $: ['What happened.'] }],
  ])('a 400 names what is wrong: %s', (_, given, errors) => {
    expect(answer(given).body.errors).toEqual(errors)
  })

  test('a wrong key is told with 401 alone: no body, no content type', () => {
    expect(answer(failure(401, { kind: 'unauthorized' }))).toEqual({ contentType: undefined, body: undefined })
    expect(hubModel.describe(401)).toBeUndefined()
  })

  test('a failure is a short code as a JSON string with 500, and nothing of a bug reaches the caller', () => {
    expect(answer(failure(500, { kind: 'internal' }))).toEqual({ contentType: json, body: 'some-code' })
  })

  test.each([404, 405, 413, 415, 429, 503])('a %s is a problem with its code', (status) => {
    expect(answer(failure(status))).toEqual({
      contentType: problem,
      body: {
        type: expect.stringContaining('https://tools.ietf.org/html/rfc'),
        title: expect.any(String),
        status,
        code: 'some-code',
        traceId: context.correlationId,
      },
    })
  })
})
