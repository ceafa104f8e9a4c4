import Type from 'typebox'
import { describe, expect, test, vi } from 'vitest'
import type { Observation } from './app-options.ts'
import { route } from './route.ts'
import { serve } from './serve.ts'
import { deferred, openConnection } from './test-support/raw-http.ts'
import { KEY, listen, testApp, withKey } from './test-support/test-app.ts'

const find = route({
  method: 'GET',
  path: '/v1/sessions/{sessionToken}/jobs/{jobId}',
  summary: 'F.',
  answer: Type.String(),
})
const page = route({
  method: 'GET',
  path: '/page',
  summary: 'P.',
  access: 'anonymous',
  page: true,
  produces: 'text/html',
})

async function service(options: Parameters<typeof testApp>[0] = {}) {
  const { app, lines } = await testApp(options)
  serve(app, find, ({ params }) => params.jobId)
  serve(app, page, () => '<p>hello</p>')
  const url = await listen(app)
  const call = (path: string, headers: Record<string, string> = withKey) => fetch(url + path, { headers })
  const logged = (match: object) =>
    vi.waitFor(() => {
      const line = lines.find((each) => Object.entries(match).every(([name, value]) => each[name] === value))
      expect(line, JSON.stringify(lines)).toBeDefined()
      return line!
    })
  return { url, call, lines, logged }
}

describe('the correlation id', () => {
  test('is minted by the server for each answer, whatever the client sends', async () => {
    const { call } = await service()
    const ids = await Promise.all(
      ['/page', '/page', '/nowhere', '/a%ZZ'].map(async (path) => {
        const answer = await call(path, { 'x-correlation-id': 'mine', 'request-id': 'mine', 'x-request-id': 'mine' })
        return answer.headers.get('x-correlation-id')
      }),
    )
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('is in the log line of the answer', async () => {
    const { call, logged } = await service()
    const answer = await call('/nowhere')
    await logged({ correlationId: answer.headers.get('x-correlation-id'), status: 404 })
  })
})

describe('security headers', () => {
  test('an API answer may not be framed, sniffed, kept or read by another origin', async () => {
    const { call } = await service()
    const { headers } = await call('/v1/sessions/s/jobs/j')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const absent of ['x-powered-by', 'server', 'strict-transport-security'])
      expect(headers.has(absent)).toBe(false)
  })

  test('a page gets the policy of pages', async () => {
    const { call } = await service()
    expect(Object.fromEntries((await call('/page')).headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'self';.*frame-ancestors 'none'$/),
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    const own = await service({ pages: { contentSecurityPolicy: "default-src 'self' blob:" } })
    expect((await own.call('/page')).headers.get('content-security-policy')).toBe("default-src 'self' blob:")
  })

  test('Strict-Transport-Security is sent behind TLS only; single headers can be changed or left out', async () => {
    const { call } = await service({
      settings: { strictTransport: true },
      headers: { 'Referrer-Policy': 'same-origin', 'cache-control': false },
    })
    const { headers } = await call('/nowhere')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.has('cache-control')).toBe(false)
  })
})

describe('the access log', () => {
  test('has one line per request, with the template and without secrets', async () => {
    const { call, lines, logged } = await service()
    await call('/v1/sessions/very-secret/jobs/j1?page=2&apikey=abc&X-Signature-Session-Token=abc&pin=1234&flag')
    const line = await logged({ msg: 'request' })
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'test',
      correlationId: expect.any(String),
      method: 'GET',
      route: '/v1/sessions/:sessionToken/jobs/:jobId',
      url: '/v1/sessions/***/jobs/j1?page=2&apikey=***&X-Signature-Session-Token=***&pin=***&flag',
      status: 200,
      ms: expect.any(Number),
      client: '127.0.0.1',
      application: 'tester',
      msg: 'request',
    })
    expect(JSON.stringify(lines)).not.toContain(KEY)
    expect(lines).toHaveLength(1)
  })

  test('does not tell for whom somebody searched', async () => {
    const { call, lines, logged } = await service()
    await call('/page?q=ana%40example.com&cpf=52998224725&who=529.982.247-25&page=2')
    await logged({ url: '/page?q=***&cpf=***&who=***&page=2' })
    await call('/nowhere/52998224725/ana@example.com')
    await logged({ url: '/nowhere/***/a***@example.com' })
    expect(JSON.stringify(lines)).not.toMatch(/52998224725|ana@/)
  })

  test('knows the template of routes others registered, too', async () => {
    const { app, lines } = await testApp()
    app.get('/plugin/:id', (_request, reply) => reply.send('ok'))
    const answer = await fetch(`${await listen(app)}/plugin/7`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ route: '/plugin/:id', status: 200 })))
  })

  test('tells the code of a failure, louder the worse it is', async () => {
    const { call, logged } = await service()
    await call('/v1/sessions/s/jobs/j', {})
    expect(await logged({ status: 401 })).toMatchObject({ level: 'warn', code: 'no-key' })
    const { app, lines } = await testApp()
    serve(app, find, () => {
      throw new Error('no')
    })
    await fetch(`${await listen(app)}/v1/sessions/s/jobs/j`, { headers: withKey })
    await vi.waitFor(() =>
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', level: 'error', code: 'broken' })),
    )
  })

  test('masks what might be a secret in a path nobody serves, and cuts endless addresses', async () => {
    const { call, logged } = await service()
    await call('/v2/session/0123456789abcdef0123456789abcdef/x')
    await logged({ url: '/v2/session/***/x' })
    await call(`/page?${'a=1&'.repeat(500)}`)
    expect((await logged({ route: '/page' })).url).toHaveLength(501)
  })

  test('tells of a client that left, and of a request that could not be read', async () => {
    const { app, lines } = await testApp()
    const begun = deferred()
    serve(app, find, () => {
      begun.resolve()
      return new Promise<string>(() => {})
    })
    const url = await listen(app)
    const leaving = await openConnection(url)
    leaving.send('GET /v1/sessions/s/jobs/j HTTP/1.1', 'Host: x', `X-API-Key: ${KEY}`, '', '')
    await begun.promise
    const broken = await openConnection(url)
    broken.send('NONSENSE', '', '')
    const { headers } = await broken.answer()
    leaving.socket.destroy()
    await vi.waitFor(() => {
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', aborted: true, level: 'warn' }))
      expect(lines).toContainEqual(
        expect.objectContaining({
          msg: 'request',
          status: 400,
          correlationId: headers['x-correlation-id'],
          client: '127.0.0.1',
        }),
      )
    })
  })

  test('can be switched off', async () => {
    const { call, lines } = await service({ accessLog: false })
    await call('/nowhere')
    await call('/page')
    expect(lines).toEqual([])
  })
})

test('metrics are told of every request, by template', async () => {
  const seen: Observation[] = []
  const { call } = await service({ observe: (observation) => seen.push(observation) })
  await call('/v1/sessions/s/jobs/j')
  await call('/nowhere')
  await vi.waitFor(() =>
    expect(seen).toEqual([
      { method: 'GET', route: '/v1/sessions/:sessionToken/jobs/:jobId', status: 200, seconds: expect.any(Number) },
      { method: 'GET', route: undefined, status: 404, seconds: expect.any(Number) },
    ]),
  )
})
