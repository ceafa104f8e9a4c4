import { expect, test, vi } from 'vitest'
import { nameIn } from './download.ts'
import { CallFailure, onSessionLost, readProblem, refusalCode, refused } from './request.ts'

const headers =
  (said: Record<string, string> = {}) =>
  (name: string) =>
    said[name] ?? null

test('a refusal keeps code, request and the errors of fields', () => {
  const body = { code: 'profile.invalid', title: 'No.', requestId: 'r-1', errors: { level: ['needs a TSA'] } }
  expect(readProblem(400, JSON.stringify(body), headers())).toEqual({
    ...body,
    status: 400,
    details: {},
    retryAfterSeconds: undefined,
  })
})

test('a refusal of the other dialect keeps its message and what it is about', () => {
  const body = { code: 'FolderNotFound', message: 'No folder has this id.', details: { id: '7' } }
  const { code, title, details } = readProblem(422, JSON.stringify(body), headers())
  expect({ code, message: title, details }).toEqual(body)
})

test('a refusal in an envelope is read out of it, and its request out of the header', () => {
  const details = { field: 'cpf', errors: { cpf: ['must be a CPF'] } }
  const body = { error: { code: 'INVALID_REQUEST', message: 'Malformed.', details } }
  const read = readProblem(400, JSON.stringify(body), headers({ 'x-correlation-id': 'c-1' }))
  expect(read).toMatchObject({ code: 'INVALID_REQUEST', title: 'Malformed.', requestId: 'c-1', details })
  expect(read.errors).toEqual(details.errors)
})

test('an answer of something in between is told by its status', () => {
  expect(readProblem(502, '<html>Bad gateway</html>', headers())).toMatchObject({
    code: 'http-502',
    requestId: undefined,
  })
  expect(readProblem(500, '"text"', headers()).code).toBe('http-500')
})

test('how long to wait is taken from the header, where it is a number', () => {
  expect(readProblem(429, '{}', headers({ 'retry-after': '17' })).retryAfterSeconds).toBe(17)
  expect(
    readProblem(429, '{}', headers({ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })).retryAfterSeconds,
  ).toBeUndefined()
})

test('a session that ended is told to whoever listens, once they listen and until they stop', () => {
  const lost = vi.fn()
  const stop = onSessionLost(lost)
  const failure = refused(401, '{"code":"auth.invalid-credentials"}', headers())
  expect(refusalCode(failure)).toBe('auth.invalid-credentials')
  expect(lost).toHaveBeenCalledTimes(1)
  stop()
  refused(401, '{}', headers())
  refused(403, '{}', headers())
  expect(lost).toHaveBeenCalledTimes(1)
})

test('only a refusal has a code', () => {
  expect(refusalCode(new CallFailure({ kind: 'unreachable' }))).toBeUndefined()
  expect(refusalCode(new Error('bug'))).toBeUndefined()
})

test('the name of a download is the one its header gives', () => {
  expect(nameIn('attachment; filename="jobs-20260302-120000.xlsx"')).toBe('jobs-20260302-120000.xlsx')
  expect(nameIn("attachment; filename=a.zip; filename*=UTF-8''a.zip")).toBe('a.zip')
  expect(nameIn(null)).toBeUndefined()
})
