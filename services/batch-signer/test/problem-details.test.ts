import type { SettingsFile } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { sharedOperations, startWorld } from './test-support/operations-world.ts'

const development = { Environment: 'development' } as unknown as SettingsFile

describe('the error body', () => {
  const fresh = sharedOperations()

  test('is ProblemDetails with code, traceId and requestId, and in production no detail', async () => {
    const world = await fresh()
    const answer = await world.call('POST', '/api/backup')
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    const body = (await answer.json()) as Record<string, unknown>
    expect(body).toStrictEqual({
      type: 'about:blank',
      title: 'Backups are switched off or not made by this service.',
      status: 409,
      code: 'backup.disabled',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      requestId: answer.headers.get('x-correlation-id'),
    })
  })

  test('explains itself in development', async () => {
    const world = await startWorld({ settings: development })
    const answer = await world.call('POST', '/api/backup')
    expect(await answer.json()).toMatchObject({
      code: 'backup.disabled',
      detail: expect.any(String),
      instance: '/api/backup',
    })
  })

  test('of a bug says nothing but internal, and the log says all', async () => {
    const world = await startWorld()
    await world.context.store.close()
    const answer = await world.call('GET', '/api/events')
    const body = (await answer.json()) as Record<string, unknown>
    expect([answer.status, body.code]).toStrictEqual([500, 'internal'])
    expect(Object.keys(body)).toStrictEqual(['type', 'title', 'status', 'code', 'traceId', 'requestId'])
    const [line] = world.log().filter(({ msg }) => msg === 'request failed')
    expect(line).toMatchObject({ correlationId: body.requestId, err: { stack: expect.any(String) } })
  })

  test('of a body that is wrong keeps the errors by field', async () => {
    const world = await fresh()
    const init = { body: '{"reason": 5}', headers: { 'content-type': 'application/json' } }
    const answer = await world.call('POST', '/api/pipeline/pause', init)
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: { reason: [expect.any(String)] } }])
  })
})
