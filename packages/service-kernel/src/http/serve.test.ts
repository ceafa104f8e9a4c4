import { once } from 'node:events'
import { request as nodeRequest } from 'node:http'
import { Readable } from 'node:stream'
import { testClock } from '@chancela/testkit/clock'
import Type, { type TSchema } from 'typebox'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ApiKeyCaller } from './api-keys/ring.ts'
import { type FrameworkErrors, failures } from './failure.ts'
import { route } from './route.ts'
import { routesOf, serve } from './serve.ts'
import { deferred, openConnection } from './test-support/raw-http.ts'
import { KEY, listen, testApp, withKey } from './test-support/test-app.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const createJob = route({
  method: 'POST',
  path: '/v1/Jobs/{jobId}/parts',
  summary: 'Adds a part.',
  params: Type.Object({ jobId: Type.String() }),
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    tag: Type.Optional(Type.Array(Type.String())),
  }),
  headers: Type.Object({ 'X-Subscription': Type.Optional(Type.String()) }),
  body: Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) }),
  status: 201,
  answer: Type.Object({ jobId: Type.String(), name: Type.String(), page: Type.Integer() }),
  refusals: ['job.gone'],
})

describe('a route is data', () => {
  test('the handler gets typed parts, checked and read, and its answer is cut to the schema', async () => {
    const { app } = await testApp()
    serve(app, createJob, ({ body, query, params, headers, caller }) => {
      expectTypeOf(body).toEqualTypeOf<{ name: string; size?: number }>()
      expectTypeOf(query).toEqualTypeOf<{ page?: number; tag?: string[] }>()
      expectTypeOf(params).toEqualTypeOf<{ jobId: string }>()
      expectTypeOf(headers).toEqualTypeOf<{ 'x-subscription'?: string }>()
      expectTypeOf(caller).toEqualTypeOf<ApiKeyCaller>()
      const answer = { jobId: params.jobId, name: body.name, page: query.page ?? 0 }
      return { ...answer, secret: 'not declared', caller, headers }
    })
    const answer = await fetch(`${await listen(app)}/v1/Jobs/AbC/parts?page=3`, {
      method: 'POST',
      headers: { ...withKey, 'content-type': 'application/json', 'x-subscription': 's1' },
      body: JSON.stringify({ name: 'a', unknown: 'ignored' }),
    })
    expect([answer.status, await answer.json()]).toEqual([201, { jobId: 'AbC', name: 'a', page: 3 }])
  })

  test('a plain object, as a contract writes it, serves as well as a declared one', async () => {
    const plain = { method: 'GET', path: '/v1/items/:itemId', summary: 'One item.', answer: Type.String() } as const
    const { app } = await testApp()
    serve(app, plain, ({ params, body }) => {
      expectTypeOf(params).toEqualTypeOf<Readonly<Record<'itemId', string>>>()
      expectTypeOf(body).toEqualTypeOf<undefined>()
      return params.itemId
    })
    const answer = await fetch(`${await listen(app)}/v1/items/x1`, { headers: withKey })
    expect(await answer.json()).toBe('x1')
  })

  test('a route can only refuse with codes of its service', async () => {
    const { app } = await testApp()
    const unknown = route({ method: 'GET', path: '/x', summary: 'X.', refusals: ['no.such.code'] })
    // @ts-expect-error the compiler sees it, and so does the start
    expect(() => serve(app, unknown, () => {})).toThrow('no.such.code')
  })

  test('an app answers framework failures with codes of its vocabulary only', () => {
    const codes: FrameworkErrors<'a' | 'b'> = {
      'invalid-json': 'a',
      validation: 'a',
      'unsupported-media-type': 'b',
      'body-too-large': 'b',
      'unknown-route': 'a',
      unauthorized: 'a',
      'rate-limited': 'a',
      busy: 'a',
      // @ts-expect-error the vocabulary has no c
      internal: 'c',
    }
    const vocabulary = { a: { status: 400, message: 'A.' }, b: { status: 400, message: 'B.' } }
    expect(() => failures(vocabulary, codes)).toThrow('internal')
  })

  test('the answer must have the type the route declares', async () => {
    const { app } = await testApp()
    const counted = route({ method: 'GET', path: '/count', summary: 'Counts.', answer: Type.Integer() })
    // @ts-expect-error text is no integer
    serve(app, counted, () => 'five')
  })

  test('every route of an app can be called without a credential, to see that it refuses', async () => {
    const { app } = await testApp()
    serve(app, createJob, ({ params, body }) => ({ jobId: params.jobId, name: body.name, page: 1 }))
    serve(app, { method: 'GET', path: '/open', summary: 'Open.', access: 'anonymous' }, () => {})
    const url = await listen(app)
    const answers = await Promise.all(
      routesOf(app).map(async ({ route: { method, access }, path }) => {
        const { status } = await fetch(url + path.replace(':jobId', 'j1'), { method })
        return [method, path, access ?? 'key', status]
      }),
    )
    expect(answers).toEqual([
      ['POST', '/v1/Jobs/:jobId/parts', 'key', 401],
      ['GET', '/open', 'anonymous', 204],
    ])
  })

  test('a route whose access the app does not define is refused before anything starts', async () => {
    const { app } = await testApp()
    const odd = route({ method: 'GET', path: '/x', summary: 'X.', access: 'operator' })
    expect(() => serve(app, odd, () => {})).toThrow('operator')
  })

  test('a scheme of the app says who calls, also after asking elsewhere', async () => {
    const { app } = await testApp({
      schemes: {
        operator: {
          credentialOf: ({ name }: { name: string }) => name,
          authenticate: async ({ headers }) => (headers.cookie === 'who=ana' ? { name: 'ana' } : undefined),
          security: { cookie: { type: 'apiKey', in: 'cookie', name: 'who' } },
        },
      },
    })
    const whoAmI = route({ method: 'GET', path: '/me', summary: 'Me.', access: 'operator', answer: Type.String() })
    serve(app, whoAmI, ({ caller }) => {
      expectTypeOf(caller).toEqualTypeOf<{ name: string }>()
      return caller.name
    })
    const url = await listen(app)
    const known = await fetch(`${url}/me`, { headers: { cookie: 'who=ana' } })
    expect(await known.json()).toBe('ana')
    expect((await fetch(`${url}/me`, { headers: { cookie: 'who=eve' } })).status).toBe(401)
  })

  test('time, language and correlation id come with the call', async () => {
    const clock = testClock('2026-03-02T12:00:00.000Z')
    const { app, lines } = await testApp({ clock })
    const about = route({
      method: 'GET',
      path: '/about',
      summary: 'About.',
      access: 'anonymous',
      answer: Type.Array(Type.String()),
    })
    serve(app, about, ({ now, locale, correlationId, log }) => {
      log.info({ step: 1 }, 'from the handler')
      return [now.toISOString(), locale, correlationId]
    })
    const answer = await fetch(`${await listen(app)}/about`, { headers: { 'accept-language': 'pt-PT,en;q=0.5' } })
    const correlationId = answer.headers.get('x-correlation-id')
    expect(await answer.json()).toEqual(['2026-03-02T12:00:00.000Z', 'pt-BR', correlationId])
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'from the handler', step: 1, correlationId }))
  })

  test('the signal of a call aborts when its client goes away', async () => {
    const { app } = await testApp()
    const aborted = deferred()
    const begun = deferred()
    const wait = route({ method: 'GET', path: '/wait', summary: 'Waits.', access: 'anonymous', answer: Type.String() })
    serve(app, wait, ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      begun.resolve()
      return new Promise<string>(() => {})
    })
    const connection = await openConnection(await listen(app))
    connection.send('GET /wait HTTP/1.1', 'Host: x', '', '')
    await begun.promise
    connection.socket.destroy()
    await aborted.promise
  })
})

describe('a call with a body', () => {
  const wait = route({
    method: 'POST',
    path: '/wait',
    summary: 'Waits.',
    access: 'anonymous',
    body: Type.Object({ name: Type.String() }),
    answer: Type.String(),
  })

  test('has a signal that the end of the body does not abort, but the client does', async () => {
    const { app } = await testApp()
    const aborted = deferred()
    const begun = deferred()
    let early = false
    serve(app, wait, async ({ signal, request }) => {
      if (!request.raw.closed) await once(request.raw, 'close')
      early = signal.aborted
      signal.addEventListener('abort', () => aborted.resolve())
      begun.resolve()
      return new Promise<string>(() => {})
    })
    const connection = await openConnection(await listen(app))
    const body = '{"name":"x"}'
    const type = 'Content-Type: application/json'
    connection.send('POST /wait HTTP/1.1', 'Host: x', type, `Content-Length: ${body.length}`, '', body)
    await begun.promise
    expect(early).toBe(false)
    connection.socket.destroy()
    await aborted.promise
  })

  test('that fails with an error of the platform is answered like any other failure', async () => {
    const { app } = await testApp()
    serve(app, wait, () => {
      throw new DOMException('given up', 'AbortError')
    })
    const answer = await fetch(`${await listen(app)}/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"x"}',
    })
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('given up')])
  })
})

describe('answers', () => {
  const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
  const Time = Type.String({ format: 'date-time' })
  const answers: Record<
    string,
    [Parameters<typeof route>[0], unknown, { status: number; type: string | null; body: string }]
  > = {
    'text is a quoted JSON string': [
      { method: 'GET', path: '/a', summary: 'A.', answer: Type.String() },
      'MIIC/+=',
      { status: 200, type: JSON_TYPE, body: '"MIIC/+="' },
    ],
    'null is null': [
      { method: 'GET', path: '/a', summary: 'A.', answer: Type.Union([Type.String(), Type.Null()]) },
      null,
      { status: 200, type: JSON_TYPE, body: 'null' },
    ],
    'what may be null is written as what it is': [
      {
        method: 'GET',
        path: '/a',
        summary: 'A.',
        answer: Type.Array(
          Type.Object({
            list: nullable(Type.Array(Type.Integer())),
            inner: nullable(Type.Object({ kind: nullable(Type.Enum(['A', 'B'])), at: nullable(Time) })),
            other: nullable(Type.Union([Type.Integer(), Type.Object({ kind: nullable(Type.Enum(['A', 'B'])) })])),
          }),
        ),
      },
      [
        { list: null, inner: null, other: null },
        { list: [1], inner: { kind: null, at: null, hidden: 1 }, other: 5 },
        { list: [], inner: { kind: 'B', at: new Date(0) }, other: { kind: null, hidden: 1 } },
        { list: [], inner: { kind: 'B', at: new Date(0) }, other: { kind: 'A' } },
      ],
      {
        status: 200,
        type: JSON_TYPE,
        body: JSON.stringify([
          { list: null, inner: null, other: null },
          { list: [1], inner: { kind: null, at: null }, other: 5 },
          { list: [], inner: { kind: 'B', at: '1970-01-01T00:00:00.000Z' }, other: { kind: null } },
          { list: [], inner: { kind: 'B', at: '1970-01-01T00:00:00.000Z' }, other: { kind: 'A' } },
        ]),
      },
    ],
    'a number is a number': [
      { method: 'GET', path: '/a', summary: 'A.', answer: Type.Integer() },
      5,
      { status: 200, type: JSON_TYPE, body: '5' },
    ],
    'nothing is 204': [
      { method: 'DELETE', path: '/a', summary: 'A.' },
      undefined,
      { status: 204, type: null, body: '' },
    ],
    'bytes go out under their media type': [
      { method: 'GET', path: '/a', summary: 'A.', produces: 'application/pdf' },
      Buffer.from('%PDF'),
      { status: 200, type: 'application/pdf', body: '%PDF' },
    ],
    'a stream goes out under its media type': [
      { method: 'GET', path: '/a', summary: 'A.', produces: 'text/csv' },
      Readable.from(['a;b\n', 'c;d\n']),
      { status: 200, type: 'text/csv', body: 'a;b\nc;d\n' },
    ],
  }

  for (const [name, [shape, value, expected]] of Object.entries(answers)) {
    test(name, async () => {
      const { app } = await testApp()
      serve(app, shape as never, () => value as never)
      const answer = await fetch(`${await listen(app)}/a`, { method: shape.method, headers: withKey })
      expect({
        status: answer.status,
        type: answer.headers.get('content-type'),
        body: await answer.text(),
      }).toEqual(expected)
    })
  }

  test('another status has its own answer, written by its schema', async () => {
    const { app } = await testApp()
    const ready = route({
      method: 'GET',
      path: '/ready',
      summary: 'Ready?',
      answer: Type.Object({ ready: Type.Boolean() }),
      otherAnswers: { 503: Type.Object({ failing: Type.Array(Type.String()) }) },
    })
    serve(app, ready, ({ reply }) => {
      reply.code(503)
      return { failing: ['database'], hidden: 1 }
    })
    const answer = await fetch(`${await listen(app)}/ready`, { headers: withKey })
    expect([answer.status, await answer.json()]).toEqual([503, { failing: ['database'] }])
  })

  test('a handler may redirect', async () => {
    const { app } = await testApp()
    serve(app, { method: 'GET', path: '/go', summary: 'Go.', access: 'anonymous' }, ({ reply }) =>
      reply.redirect('/there'),
    )
    const answer = await fetch(`${await listen(app)}/go`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/there'])
  })

  test('an answer that breaks its own schema is a bug, not a half answer', async () => {
    const { app } = await testApp()
    const typed = route({ method: 'GET', path: '/t', summary: 'T.', answer: Type.Object({ id: Type.String() }) })
    serve(app, typed, () => ({}) as { id: string })
    expect((await fetch(`${await listen(app)}/t`, { headers: withKey })).status).toBe(500)
  })

  test('HEAD answers what GET would, without the body; OPTIONS is refused like any unknown method', async () => {
    const { app } = await testApp()
    serve(app, { method: 'GET', path: '/a', summary: 'A.', answer: Type.String() }, () => 'text')
    const url = await listen(app)
    const head = await fetch(`${url}/a`, { method: 'HEAD', headers: withKey })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', ''])
    expect((await fetch(`${url}/a`, { method: 'HEAD' })).status).toBe(401)
    const options = await fetch(`${url}/a`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([404, 'GET, HEAD'])
  })
})

describe('requests as real clients write them', () => {
  async function pathService() {
    const { app } = await testApp()
    const find = route({
      method: 'GET',
      path: '/api/Tokens/{token}',
      summary: 'Finds.',
      access: 'anonymous',
      answer: Type.String(),
    })
    const list = route({
      method: 'POST',
      path: '/api/tokens',
      summary: 'Lists.',
      access: 'anonymous',
      answer: Type.String(),
    })
    serve(app, find, ({ params }) => params.token)
    serve(app, list, () => 'list')
    return listen(app)
  }

  const paths: Record<string, [method: string, path: string, answer: string]> = {
    'another case': ['GET', '/API/tokens/AbC', 'AbC'],
    'a trailing slash': ['GET', '/api/tokens/AbC/', 'AbC'],
    'a doubled slash': ['GET', '//api//tokens/AbC', 'AbC'],
    'a trailing slash after a collection': ['POST', '/api/tokens/', 'list'],
    'all of it, with a query': ['POST', '//Api/TOKENS//?x=1', 'list'],
    'an encoded parameter': ['GET', '/api/tokens/a%2Fb%20c', 'a/b c'],
    'a very long parameter': ['GET', `/api/tokens/${'t'.repeat(4000)}`, 't'.repeat(4000)],
  }
  for (const [name, [method, path, expected]] of Object.entries(paths)) {
    test(`a path with ${name} reaches its route, its parameter unchanged`, async () => {
      const answer = await fetch((await pathService()) + path, { method })
      expect(await answer.json()).toBe(expected)
    })
  }

  async function bodyService() {
    const { app } = await testApp()
    const Body = Type.Optional(Type.Object({ a: Type.Optional(Type.Integer()) }))
    const accept = { summary: 'Accepts.', access: 'anonymous', answer: Type.String() } as const
    serve(app, { ...accept, method: 'POST', path: '/maybe', body: Body }, ({ body }) => JSON.stringify(body ?? null))
    serve(app, { ...accept, method: 'POST', path: '/none' }, ({ body }) => String(body))
    serve(app, { ...accept, method: 'GET', path: '/get' }, () => 'got')
    serve(app, { ...accept, method: 'DELETE', path: '/delete' }, () => 'deleted')
    return listen(app)
  }

  const bodies: Record<
    string,
    [method: string, path: string, type: string | undefined, body: string | undefined, answer: string]
  > = {
    'GET with a JSON content type': ['GET', '/get', 'application/json', undefined, 'got'],
    'DELETE with a JSON content type': ['DELETE', '/delete', 'application/json', undefined, 'deleted'],
    'an empty JSON body where none is wanted': ['POST', '/none', 'application/json', '', 'undefined'],
    'an empty form where none is wanted': ['POST', '/none', 'application/x-www-form-urlencoded', '', 'undefined'],
    'an empty body of any type': ['POST', '/maybe', 'image/png', '', 'null'],
    'an empty body without a type': ['POST', '/maybe', undefined, '', 'null'],
    'application/json': ['POST', '/maybe', 'application/json', '{"a":1}', '{"a":1}'],
    'application/json with a charset': ['POST', '/maybe', 'Application/JSON; charset=UTF-8', '{"a":1}', '{"a":1}'],
    'text/json': ['POST', '/maybe', 'text/json', '{"a":1}', '{"a":1}'],
    'application/json-patch+json': [
      'POST',
      '/maybe',
      'application/json-patch+json; charset=utf-8',
      '{"a":1}',
      '{"a":1}',
    ],
    'a vendor +json type': ['POST', '/maybe', 'application/vnd.some.thing+json', '{"a":1}', '{"a":1}'],
    'fields nobody knows': ['POST', '/maybe', 'application/json', '{"a":1,"b":{"c":2}}', '{"a":1,"b":{"c":2}}'],
    'a field that would reach the prototype': [
      'POST',
      '/maybe',
      'application/json',
      '{"a":1,"__proto__":{"x":1}}',
      '{"a":1}',
    ],
    'JSON with a byte order mark': ['POST', '/maybe', 'application/json', '\uFEFF{"a":1}', '{"a":1}'],
  }
  for (const [name, [method, path, type, body, expected]] of Object.entries(bodies)) {
    test(`${name} is accepted`, async () => {
      expect(await exchange(`${await bodyService()}${path}`, method, type, body)).toBe(JSON.stringify(expected))
    })
  }

  test('an empty chunked body is no body', async () => {
    const connection = await openConnection(await bodyService())
    connection.send(
      'POST /none HTTP/1.1',
      'Host: x',
      'Content-Type: text/weird',
      'Transfer-Encoding: chunked',
      '',
      '0',
      '',
      '',
    )
    expect(await connection.answer()).toMatchObject({ status: 200, body: '"undefined"' })
  })

  test('a route takes the media types it names, and no others', async () => {
    const { app } = await testApp()
    const upload = route({
      method: 'POST',
      path: '/pdf',
      summary: 'Takes a PDF.',
      access: 'anonymous',
      consumes: ['application/pdf'],
      answer: Type.Integer(),
    })
    serve(app, upload, ({ body }) => {
      expectTypeOf(body).toEqualTypeOf<Buffer | undefined>()
      return body?.length ?? -1
    })
    const url = `${await listen(app)}/pdf`
    expect(await exchange(url, 'POST', 'application/pdf', '%PDF-1.7')).toBe('8')
    expect(JSON.parse(await exchange(url, 'POST', 'application/json', '{}')).error.code).toBe('bad-type')
    expect(await exchange(url, 'POST', 'application/pdf', '')).toBe('-1')
  })

  // fetch adds content types of its own; these tests need exact requests.
  function exchange(url: string, method: string, type: string | undefined, body: string | undefined): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(type && { 'content-type': type }),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      }
      const sent = nodeRequest(url, { method, headers }, (answer) => {
        answer.setEncoding('utf8')
        answer.toArray().then((chunks) => resolve(chunks.join('')), reject)
      })
      sent.on('error', reject).end(body)
    })
  }
})

describe('validation', () => {
  async function errorsOf(
    shape: Omit<Parameters<typeof route>[0], 'summary' | 'access'>,
    path: string,
    init: RequestInit = {},
    options = {},
  ) {
    const { app } = await testApp(options)
    const taken: unknown[] = []
    serve(
      app,
      { ...shape, summary: 'S.', access: 'anonymous' } as never,
      (({ body, query }: { body: unknown; query: unknown }) => {
        taken.push(body ?? query)
      }) as never,
    )
    const answer = await fetch((await listen(app)) + path, { method: shape.method, ...init })
    const text = await answer.text()
    return { status: answer.status, errors: text && JSON.parse(text).error.details.errors, taken: taken[0] }
  }

  const post = (body: unknown, headers = {}): RequestInit => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

  const Person = Type.Object({
    name: Type.String(),
    kind: Type.Union([Type.Literal('PF'), Type.Literal('PJ')]),
    born: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    list: Type.Array(Type.Object({ cpf: Type.String({ pattern: '^[0-9]{11}$' }) })),
    way: Type.Optional(Type.Enum(['a', 'b'])),
  })

  test('names every wrong field of every part at once', async () => {
    const shape = { method: 'POST', path: '/p', body: Person, query: Type.Object({ page: Type.Integer() }) } as const
    const body = { kind: 'XX', born: 'yesterday', list: [{ cpf: '1' }, {}], way: 'c' }
    expect(await errorsOf(shape, '/p?page=x', post(body))).toMatchObject({
      status: 400,
      errors: {
        page: ['must be integer'],
        name: ['is required'],
        kind: ['must be one of: PF, PJ'],
        born: ['must match format "date"'],
        'list[0].cpf': ['must match pattern "^[0-9]{11}$"'],
        'list[1].cpf': ['is required'],
        way: ['must be one of: a, b'],
      },
    })
  })

  test('tells people in their language', async () => {
    const shape = { method: 'POST', path: '/p', body: Person } as const
    const inLanguage = async (language: string) =>
      (await errorsOf(shape, '/p', post({ kind: 'X', list: 1, born: null }, { 'accept-language': language }))).errors
    expect(await inLanguage('pt-BR')).toEqual({
      name: ['é obrigatório'],
      kind: ['deve ser um de: PF, PJ'],
      list: ['deve ser array'],
    })
    expect((await inLanguage('es')).name).toEqual(['es obligatorio'])
  })

  test('a field that a strict body does not have is refused by its name', async () => {
    const Inner = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false })
    const body = Type.Object({ inner: Inner }, { additionalProperties: false })
    const shape = { method: 'POST', path: '/p', body } as const
    const errors = async (language: string) =>
      (await errorsOf(shape, '/p', post({ 'x/y': 1, inner: { b: 1 } }, { 'accept-language': language }))).errors
    expect(await errors('en')).toEqual({ 'x/y': ['is not known here'], 'inner.b': ['is not known here'] })
    expect((await errors('pt-BR'))['x/y']).toEqual(['não é conhecido aqui'])
  })

  test('a million wrong items are told as a few', async () => {
    const shape = { method: 'POST', path: '/p', body: Type.Array(Type.String()) } as const
    const { errors } = await errorsOf(shape, '/p', post(Array.from({ length: 100_000 }, () => 1)))
    expect(Object.keys(errors)).toHaveLength(64)
  })

  test('text of the query is read as the schema says, and only there', async () => {
    const query = Type.Object({
      n: Type.Integer(),
      x: Type.Number(),
      b: Type.Boolean(),
      many: Type.Array(Type.Integer()),
      text: Type.String(),
      size: Type.Integer({ default: 20 }),
    })
    const taken = (await errorsOf({ method: 'GET', path: '/q', query }, '/q?n=5&x=-1.5e1&b=True&many=7&text=12')).taken
    expect(taken).toEqual({ n: 5, x: -15, b: true, many: [7], text: '12', size: 20 })
    const body = Type.Object({ n: Type.Integer() })
    expect((await errorsOf({ method: 'POST', path: '/q', body }, '/q', post({ n: '5' }))).errors).toEqual({
      n: ['must be integer'],
    })
  })

  test('text that is no number stays wrong', async () => {
    const query = Type.Object({ n: Type.Integer(), b: Type.Optional(Type.Boolean()) })
    for (const wrong of ['', '1x', '0x10', '1.5', ' 1', '1e999']) {
      const { status } = await errorsOf({ method: 'GET', path: '/q', query }, `/q?n=${encodeURIComponent(wrong)}`)
      expect([wrong, status]).toEqual([wrong, 400])
    }
    expect((await errorsOf({ method: 'GET', path: '/q', query }, '/q?n=1&b=yes')).errors).toEqual({
      b: ['must be boolean'],
    })
  })

  test('null and empty text count as absent where the service says so', async () => {
    const body = Type.Object({
      a: Type.Optional(Type.String()),
      n: Type.Union([Type.String(), Type.Null()]),
      inner: Type.Optional(Type.Object({ b: Type.Optional(Type.Integer()) })),
      list: Type.Optional(Type.Array(Type.Object({ c: Type.Optional(Type.String()) }))),
    })
    const shape = { method: 'POST', path: '/t', body } as const
    const sent = post({ a: null, n: null, inner: { b: null }, list: [{ c: '' }] })
    expect((await errorsOf(shape, '/t', sent)).status).toBe(400)
    const tolerance = { nullIsAbsent: true, emptyStringIsAbsent: true }
    expect((await errorsOf(shape, '/t', sent, { tolerance })).taken).toEqual({ n: null, inner: {}, list: [{}] })
    const required = Type.Object({ name: Type.String() })
    const asRequired = await errorsOf({ ...shape, body: required }, '/t', post({ name: '' }), { tolerance })
    expect(asRequired.errors).toEqual({ name: ['is required'] })
  })

  test('no body counts as one without fields where the service says so', async () => {
    const shape = { method: 'POST', path: '/t', body: Type.Object({ name: Type.String() }) } as const
    const nothing = { method: 'POST', headers: { 'content-type': 'application/json' } }
    expect((await errorsOf(shape, '/t', nothing)).errors).toEqual({ body: ['is required'] })
    const tolerance = { noBodyIsEmpty: true }
    expect((await errorsOf(shape, '/t', nothing, { tolerance })).errors).toEqual({ name: ['is required'] })
  })

  test('names of properties and of query values are read in any case where the service says so', async () => {
    const body = Type.Object({
      folderId: Type.Optional(Type.String()),
      files: Type.Optional(Type.Array(Type.Object({ displayName: Type.String() }))),
    })
    const shape = { method: 'POST', path: '/t', body } as const
    const sent = post({ FolderID: 'f', Files: [{ DISPLAYNAME: 'a' }], folderid: 'g', other: 1 })
    const tolerance = { anyCaseNames: true }
    expect((await errorsOf(shape, '/t', sent, { tolerance })).taken).toEqual({
      folderId: 'f',
      files: [{ displayName: 'a' }],
      other: 1,
    })
    expect((await errorsOf(shape, '/t', sent)).taken).toMatchObject({ FolderID: 'f', folderid: 'g' })
    const query = Type.Object({ filterByParent: Type.Optional(Type.Boolean()) })
    const listed = { method: 'GET', path: '/q', query } as const
    expect((await errorsOf(listed, '/q?FilterByParent=True', {}, { tolerance })).status).toBe(204)
    expect((await errorsOf(listed, '/q?FILTERBYPARENT=perhaps', {}, { tolerance })).errors).toEqual({
      filterByParent: ['must be boolean'],
    })
  })

  test('a header is found under any case', async () => {
    const headers = Type.Object({ 'X-Signature-Session-Token': Type.String() })
    const shape = { method: 'GET', path: '/h', headers } as const
    expect((await errorsOf(shape, '/h', { headers: { 'x-SIGNATURE-session-token': 't' } })).status).toBe(204)
    expect((await errorsOf(shape, '/h')).errors).toEqual({ 'x-signature-session-token': ['is required'] })
  })

  test('a service refuses a field as the schema would have', async () => {
    const { invalidField } = await import('../errors/index.ts')
    const { app } = await testApp()
    serve(app, { method: 'GET', path: '/cpf', summary: 'CPF.', access: 'anonymous' }, () => {
      throw invalidField('cpf', 'is no valid CPF')
    })
    const answer = await fetch(`${await listen(app)}/cpf`)
    expect(await answer.json()).toMatchObject({
      error: { code: 'bad-field', details: { field: 'cpf', errors: { cpf: ['is no valid CPF'] } } },
    })
  })
})

test('two surfaces of one service are two apps side by side', async () => {
  const full = await testApp({ correlationHeader: 'X-Request-Id' })
  const compact = await testApp()
  for (const { app } of [full, compact])
    serve(app, { method: 'GET', path: '/a', summary: 'A.', answer: Type.String() }, () => 'a')
  const [one, two] = await Promise.all([listen(full.app), listen(compact.app)])
  const answers = await Promise.all([one, two].map((url) => fetch(`${url}/a`, { headers: { 'x-api-key': KEY } })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]!.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(answers[0]!.headers.has('x-correlation-id')).toBe(false)
})
