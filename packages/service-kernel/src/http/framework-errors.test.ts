import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { notedStorageUnreachable, notedUnreachable, Refusal } from '../errors/index.ts'
import type { Dialect } from './dialects/dialect.ts'
import { errorEnvelope } from './dialects/error-envelope.ts'
import { problemDetails } from './dialects/problem-details.ts'
import { route } from './route.ts'
import { serve } from './serve.ts'
import { openConnection } from './test-support/raw-http.ts'
import { listen, testApp, testErrors, testFrameworkErrors, withKey } from './test-support/test-app.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const id = expect.stringMatching(UUID)
const traceId = expect.stringMatching(/^[0-9a-f]{32}$/)

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const echo = route({
  method: 'POST',
  path: '/echo',
  summary: 'Takes a name.',
  body: Type.Object({ name: Type.String() }),
  status: 200,
  answer: Type.Object({ name: Type.String() }),
  bodyLimitBytes: 100,
})

const broken = route({ method: 'GET', path: '/broken', summary: 'Fails.', answer: Type.String() })
const limited = route({
  method: 'GET',
  path: '/limited',
  summary: 'Is limited.',
  answer: Type.String(),
  policy: 'Once',
})
const slow = route({ method: 'GET', path: '/slow', summary: 'Never ends.', answer: Type.String() })

interface Speaking {
  readonly environment?: 'production' | 'development'
  readonly headersTimeoutSeconds?: number
}

async function serviceSpeaking(
  dialect: Dialect,
  { environment = 'production', headersTimeoutSeconds = 60 }: Speaking = {},
) {
  const { app, lines } = await testApp({
    dialect,
    environment,
    settings: { maxRunning: 1, maxQueued: 0, headersTimeoutSeconds, requestTimeoutSeconds: headersTimeoutSeconds },
    rateLimits: { Once: { PermitsPerWindow: 1, WindowSeconds: 60 } },
  })
  serve(app, echo, ({ body }) => body)
  serve(app, broken, () => {
    throw new Error('the password of the database is hunter2')
  })
  serve(app, limited, () => 'once')
  serve(app, slow, () => new Promise<string>(() => {}))
  return { url: await listen(app), lines, app }
}

async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, init)
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
}

const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...withKey, ...headers } })

async function rawly(url: string, ...lines: readonly string[]): Promise<Answer> {
  const connection = await openConnection(url)
  connection.send(...lines)
  return connection.answer()
}

interface Provoked {
  readonly provoke: (url: string) => Promise<Answer>
  readonly code: string
  readonly status: number
  /** Only where a request is to time out: on a busy machine others would, too. */
  readonly headersTimeoutSeconds?: number
}

/** Every way the framework fails, provoked over the wire, with the code the test service has for it. */
const failures: Record<string, Provoked> = {
  'broken JSON': { provoke: (url) => post(url, '{"name":'), code: 'bad-json', status: 400 },
  'a media type nobody reads': {
    provoke: (url) => post(url, '<name/>', { 'content-type': 'application/xml' }),
    code: 'bad-type',
    status: 415,
  },
  // Pages of other sites may send it without a preflight.
  'a text that calls itself JSON in a parameter': {
    provoke: (url) => post(url, '{"name":"x"}', { 'content-type': 'text/plain; application/json' }),
    code: 'bad-type',
    status: 415,
  },
  'a content type that is none': {
    provoke: (url) => post(url, '{}', { 'content-type': 'nonsense' }),
    code: 'bad-type',
    status: 415,
  },
  'a body whose declared length is too large': {
    provoke: (url) => post(url, JSON.stringify({ name: 'x'.repeat(200) })),
    code: 'too-large',
    status: 413,
  },
  'an unknown path': { provoke: (url) => call(`${url}/nowhere`), code: 'no-route', status: 404 },
  'an unknown path with a broken body': {
    provoke: (url) =>
      call(`${url}/nowhere`, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }),
    code: 'no-route',
    status: 404,
  },
  'a path that is no valid encoding': { provoke: (url) => call(`${url}/a%ZZ`), code: 'no-route', status: 404 },
  'a method the path does not have': { provoke: (url) => call(`${url}/echo`), code: 'no-route', status: 404 },
  'a method no route has': {
    provoke: (url) => call(`${url}/echo`, { method: 'PROPFIND' }),
    code: 'no-route',
    status: 404,
  },
  'a wrong field': { provoke: (url) => post(url, '{"name":5}'), code: 'bad-field', status: 400 },
  'a missing body': { provoke: (url) => post(url, ''), code: 'bad-field', status: 400 },
  'a missing key': { provoke: (url) => call(`${url}/broken`), code: 'no-key', status: 401 },
  'too many calls': {
    provoke: async (url) => {
      await call(`${url}/limited`, { headers: withKey })
      return call(`${url}/limited`, { headers: withKey })
    },
    code: 'too-many',
    status: 429,
  },
  'more calls than places': {
    provoke: async (url) => {
      const holding = await openConnection(url)
      holding.send('GET /slow HTTP/1.1', 'Host: x', `X-API-Key: ${withKey['x-api-key']}`, '', '')
      for (;;) {
        const answer = await post(url, '{"name":"a"}')
        if (answer.status !== 200) return answer
      }
    },
    code: 'too-busy',
    status: 503,
  },
  'a bug': { provoke: (url) => call(`${url}/broken`, { headers: withKey }), code: 'broken', status: 500 },
  'a method nobody knows': {
    provoke: (url) => rawly(url, 'BREW /echo HTTP/1.1', 'Host: x', '', ''),
    code: 'no-route',
    status: 404,
  },
  'a method in lower case': {
    provoke: (url) => rawly(url, 'post /echo HTTP/1.1', 'Host: x', '', ''),
    code: 'no-route',
    status: 404,
  },
  'a request line that is no HTTP': {
    provoke: (url) => rawly(url, 'NONSENSE', '', ''),
    code: 'bad-json',
    status: 400,
  },
  'a request without Host': {
    provoke: (url) => rawly(url, 'GET /nowhere HTTP/1.1', '', ''),
    code: 'bad-json',
    status: 400,
  },
  'a request with two Hosts': {
    provoke: (url) => rawly(url, 'GET /nowhere HTTP/1.1', 'Host: x', 'host: y', '', ''),
    code: 'bad-json',
    status: 400,
  },
  'a header block that is too large': {
    provoke: (url) => rawly(url, 'GET / HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`, '', ''),
    code: 'bad-json',
    status: 431,
  },
  'an expectation nobody meets': {
    provoke: (url) => rawly(url, 'GET / HTTP/1.1', 'Host: x', 'Expect: tea', '', ''),
    code: 'bad-json',
    status: 417,
  },
  'headers that never end': {
    provoke: (url) => rawly(url, 'GET / HTTP/1.1', 'Host: x', ''),
    code: 'bad-json',
    status: 408,
    headersTimeoutSeconds: 0.2,
  },
}

const message = (code: string): string => testErrors[code as keyof typeof testErrors].message

type Shape = (code: string, status: number) => { contentType: string | undefined; body: unknown }

const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** The form of a failure in each dialect, without what only some failures carry. */
const shapes: Record<string, { dialect: Dialect; shape: Shape }> = {
  errorEnvelope: {
    dialect: errorEnvelope,
    shape: (code) => ({
      contentType: JSON_TYPE,
      body: { error: expect.objectContaining({ code, message: message(code) }) },
    }),
  },
  problemDetails: {
    dialect: problemDetails,
    shape: (code, status) => ({
      contentType: PROBLEM_TYPE,
      body: { type: 'about:blank', title: message(code), status, code, traceId, requestId: id },
    }),
  },
}

for (const [name, { dialect, shape }] of Object.entries(shapes)) {
  describe(`in ${name}`, () => {
    for (const [failure, { provoke, code, status, ...speaking }] of Object.entries(failures)) {
      test(`${failure} answers ${status} with the service's own code and form`, async () => {
        const { url } = await serviceSpeaking(dialect, speaking)
        const answer = await provoke(url)
        const { contentType, body } = shape(code, status)
        expect(answer.status).toBe(status)
        expect(answer.headers['content-type']).toBe(contentType)
        expect(answer.body === '' ? undefined : JSON.parse(answer.body)).toEqual(
          body !== null && typeof body === 'object' ? expect.objectContaining(body) : body,
        )
        expect(answer.headers['x-correlation-id']).toMatch(UUID)
        expect(answer.headers['x-content-type-options']).toBe('nosniff')
      })
    }
  })
}

describe('what only some failures carry', () => {
  test('a validation failure names the fields, in each dialect', async () => {
    const bodies = await Promise.all(
      [errorEnvelope, problemDetails].map(async (dialect) => {
        const { url } = await serviceSpeaking(dialect)
        return JSON.parse((await post(url, '{"name":5}')).body)
      }),
    )
    const errors = { name: ['must be string'] }
    expect(bodies[0].error.details).toEqual({ field: 'name', errors })
    expect(bodies[1].errors).toEqual(errors)
  })

  test.each([
    ['a request line that is no HTTP', 'request', ['NONSENSE', '', '']],
    ['a length that is none', 'request', ['GET /nowhere HTTP/1.1', 'Host: x', 'Content-Length: x', '', '']],
    ['a request without Host', 'Host', ['GET /nowhere HTTP/1.1', '', '']],
    ['a header block that is too large', 'headers', ['GET / HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`, '', '']],
    ['an expectation nobody meets', 'Expect', ['GET / HTTP/1.1', 'Host: x', 'Expect: tea', '', '']],
  ])('%s is told with what is wrong: %s', async (_, field, lines) => {
    const { url } = await serviceSpeaking(errorEnvelope)
    const { error } = JSON.parse((await rawly(url, ...lines)).body)
    expect(error).toMatchObject({ code: 'bad-json', details: { field } })
  })

  test('a short time for a request is one for its headers, too', async () => {
    const { app } = await testApp({ settings: { requestTimeoutSeconds: 0.2 } })
    expect(await rawly(await listen(app), 'GET / HTTP/1.1', 'Host: x', '')).toMatchObject({ status: 408 })
  })

  test('a body that is too large is told with both sizes', async () => {
    const { url } = await serviceSpeaking(errorEnvelope)
    const { error } = JSON.parse((await post(url, JSON.stringify({ name: 'x'.repeat(200) }))).body)
    expect(error.details).toEqual({ limitBytes: 100, sizeBytes: 211 })
  })

  test('a body that grows too large while it is sent answers 413 as well', async () => {
    const { url } = await serviceSpeaking(errorEnvelope)
    const connection = await openConnection(url)
    connection.send('POST /echo HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked')
    connection.send('', `X-API-Key: ${withKey['x-api-key']}`, '', '')
    for (let chunk = 0; chunk < 3; chunk += 1) connection.send('40', 'x'.repeat(64), '')
    const answer = await connection.answer()
    expect([answer.status, JSON.parse(answer.body).error]).toMatchObject([
      413,
      // How long it would have been nobody knows: it was not read to its end.
      { code: 'too-large', details: { limitBytes: 100, sizeBytes: 101 } },
    ])
  })

  test('a client that is still sending receives the answer to a body that is too large', async () => {
    const { url } = await serviceSpeaking(errorEnvelope)
    const answer = await post(url, JSON.stringify({ name: 'x'.repeat(8 * 1024 * 1024) }))
    expect(answer.status).toBe(413)
  })

  test('a wrong method may have a code of its own, and tells what is allowed', async () => {
    const { app } = await testApp({
      vocabulary: { ...testErrors, 'job.gone': { status: 405, message: 'Not with this method.' } } as never,
      frameworkErrors: { ...testFrameworkErrors, 'wrong-method': 'job.gone' },
    })
    serve(app, echo, ({ body }) => body)
    const answer = await call(`${await listen(app)}/echo`)
    expect([answer.status, answer.headers.allow, JSON.parse(answer.body).error.code]).toEqual([405, 'POST', 'job.gone'])
  })

  test('a refusal carries its status, code, details and headers', async () => {
    const { app } = await testApp()
    serve(app, broken, () => {
      throw new Refusal(
        'job.gone',
        { status: 410, message: 'The job is gone.' },
        { details: { id: 'j1' }, headers: { 'x-hint': 'look elsewhere' } },
      )
    })
    const answer = await call(`${await listen(app)}/broken`, { headers: withKey })
    expect([answer.status, answer.headers['x-hint']]).toEqual([410, 'look elsewhere'])
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: 'job.gone', message: 'The job is gone.', details: { id: 'j1' } },
    })
  })

  test('a refusal with details that are not JSON is still answered, without them', async () => {
    const { app, lines } = await testApp()
    serve(app, broken, () => {
      throw new Refusal('job.gone', { status: 410, message: 'The job is gone.' }, { details: { size: 10n } })
    })
    const answer = await call(`${await listen(app)}/broken`, { headers: withKey })
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([410, 'job.gone'])
    expect(lines.some(({ level }) => level === 'error')).toBe(true)
  })

  test('nothing of a bug reaches the caller in production; the log has it with the correlation id', async () => {
    for (const { dialect } of Object.values(shapes)) {
      const { url, lines } = await serviceSpeaking(dialect)
      const answer = await call(`${url}/broken`, { headers: withKey })
      expect(JSON.stringify(answer)).not.toMatch(/hunter2|Error:|\.ts/)
      const logged = lines.find(({ msg }) => msg === 'request failed')
      expect(logged).toMatchObject({ level: 'error', correlationId: answer.headers['x-correlation-id'] })
      expect(JSON.stringify(logged)).toContain('hunter2')
    }
  })

  test('ProblemDetails explain themselves in development and not in production', async () => {
    const bodies = await Promise.all(
      (['development', 'production'] as const).map(async (environment) => {
        const { url } = await serviceSpeaking(problemDetails, { environment })
        return JSON.parse((await call(`${url}/broken?x=1`, { headers: withKey })).body)
      }),
    )
    expect(bodies[0]).toMatchObject({ instance: '/broken', detail: expect.stringContaining('hunter2') })
    expect(bodies[1]).not.toHaveProperty('instance')
    expect(bodies[1]).not.toHaveProperty('detail')
  })

  const coded = (code: string) => Object.assign(new Error(`failed with ${code}`), { code })
  const sqlite = (errcode: number) => Object.assign(new Error('x'), { errcode })

  test.each([
    ['a full disk', coded('ENOSPC')],
    ['a quota', coded('EDQUOT')],
    ['a full disk, by SQLite', sqlite(13)],
    ['a full disk, by SQLite without its code', new Error('database or disk is full')],
    ['a full disk, by PostgreSQL', coded('53100')],
    ['a full disk, as the cause of another error', new Error('x', { cause: coded('ENOSPC') })],
    ['a disk that can only be read', coded('EROFS')],
    ['a file that can only be read, by SQLite', sqlite(8 | (1 << 8))],
    ['the same without its code', new Error('attempt to write a readonly database')],
    ['a PostgreSQL that can only be read', coded('25006')],
    ['no file descriptor left', coded('EMFILE')],
    ['none left on the machine', coded('ENFILE')],
    ['a disk that fails', coded('EIO')],
    ['a share that is gone', coded('ESTALE')],
    ['a disk that fails, by SQLite', sqlite(10 | (3 << 8))],
    ['a database whose file cannot be opened', sqlite(14)],
    ['a lock that another process holds', sqlite(5)],
    ['no connection left at PostgreSQL', coded('53300')],
    ['no memory left at PostgreSQL', coded('53200')],
    ['a statement that PostgreSQL ended by its limit', coded('57014')],
    ['a deadlock that did not end', coded('40P01')],
    ['a storage that does not answer', notedStorageUnreachable(coded('ECONNREFUSED'))],
  ])('%s is no bug: the caller may try again, and the operator is told', async (_, error) => {
    const { app, lines } = await testApp()
    serve(app, broken, () => {
      throw error
    })
    const answer = await call(`${await listen(app)}/broken`, { headers: withKey })
    expect([answer.status, answer.headers['retry-after'], JSON.parse(answer.body).error]).toMatchObject([
      503,
      expect.stringMatching(/^(5|30)$/),
      { code: 'too-busy', details: { reason: expect.any(String) } },
    ])
    expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({ level: 'error' })
  })

  test.each([
    ['at once', notedUnreachable(new Error('connect ECONNREFUSED'))],
    ['as the cause of another error', new Error('x', { cause: notedUnreachable(new Error('terminated')) })],
  ])('a database that cannot be reached, told %s, is no bug: the caller may try again soon', async (_, error) => {
    const { app, lines } = await testApp()
    serve(app, broken, () => {
      throw error
    })
    const answer = await call(`${await listen(app)}/broken`, { headers: withKey })
    expect([answer.status, answer.headers['retry-after'], JSON.parse(answer.body).error]).toMatchObject([
      503,
      '5',
      { code: 'too-busy', details: { reason: 'The database cannot be reached.' } },
    ])
    expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({ level: 'error' })
  })

  test('something that is no error but was thrown answers 500 as well', async () => {
    const { app } = await testApp()
    serve(app, broken, () => {
      throw 'a word'
    })
    const answer = await call(`${await listen(app)}/broken`, { headers: withKey })
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([500, 'broken'])
  })

  test('an error that names a status of its own is a bug like any other', async () => {
    const { app } = await testApp()
    serve(app, broken, () => {
      throw Object.assign(new Error('upstream said no'), { statusCode: 404, code: 'UPSTREAM' })
    })
    expect((await call(`${await listen(app)}/broken`, { headers: withKey })).status).toBe(500)
  })
})
