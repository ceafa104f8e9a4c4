import { describe, expect, test } from 'vitest'
import { databases, sharedSessionServer, startSessionServer } from './test-support/session-world.ts'

for (const database of databases) {
  describe(`the surface on ${database}`, () => {
    const world = sharedSessionServer(database)

    test('a call to a route without the prefix answers 404 ENDPOINT_NOT_FOUND', async () => {
      for (const [method, path] of [
        ['POST', '/sessions'],
        ['GET', '/sessions/status'],
        ['POST', '/signatures'],
        ['DELETE', '/v1/sessions'],
        ['GET', '/v2/sessions'],
        ['GET', '/'],
      ] as const) {
        const { status, body, headers } = await world().json(method, path)
        expect([path, status, body.error.code]).toEqual([path, 404, 'ENDPOINT_NOT_FOUND'])
        expect(headers.get('X-Correlation-Id')).toMatch(/^[0-9a-f-]{36}$/)
      }
    })

    test('what breaks inside is INTERNAL_ERROR, tells nothing of it, and is found in the log by X-Correlation-Id', async () => {
      const own = await startSessionServer(database)
      await own.store.db.schema.dropTable('pin_failures').execute()
      const { status, body, headers } = await own.json('POST', '/v1/sessions', { cpf: '52998224725', pin: '1234' })
      expect([status, body]).toEqual([500, { error: { code: 'INTERNAL_ERROR', message: expect.any(String) } }])
      expect(JSON.stringify(body)).not.toContain('pin_failures')
      const correlationId = headers.get('X-Correlation-Id')!
      const isTold = (line: string) => line.includes(correlationId) && line.includes('pin_failures')
      await expect.poll(() => own.log().split('\n').some(isTold)).toBe(true)
    })

    test('the OpenAPI 3.1 document and the browsable reference answer without a credential', async () => {
      const document = await fetch(`${world().baseUrl}/openapi/v1.json`)
      expect([document.status, (await document.json()).openapi]).toEqual([200, expect.stringMatching(/^3\.1/)])
      expect((await fetch(`${world().baseUrl}/scalar/v1`)).status).toBe(200)
    })
  })
}
