import { createRequire } from 'node:module'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { fixedApiKeys } from '../api-keys/ring.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { errorEnvelope } from '../dialects/error-envelope.ts'
import { problemDetails } from '../dialects/problem-details.ts'
import { route } from '../route.ts'
import { serve } from '../serve.ts'
import { KEY, listen, testApp } from '../test-support/test-app.ts'

// The validator of the reference page's own library, with the official schema of OpenAPI 3.1 inside.
const scalar = createRequire(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference'))
const { validate } = scalar('@scalar/openapi-parser') as {
  validate(document: unknown): Promise<{ valid: boolean; errors?: unknown[]; version?: string }>
}

const Session = Type.Object(
  { sessionId: Type.String(), owner: Type.Object({ name: Type.String() }, { $id: 'Owner' }) },
  { $id: 'Session' },
)

const routes = {
  create: route({
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Opens a session.',
    description: 'Longer.',
    tags: ['Sessions'],
    body: Type.Object(
      { cpf: Type.String(), note: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
      { $id: 'NewSession' },
    ),
    status: 201,
    answer: Session,
    refusals: ['NotAllowed', 'job.gone'],
    policy: 'Create',
  }),
  find: route({
    method: 'GET',
    path: '/v1/sessions/:sessionId/parts/{part}',
    summary: 'Finds.',
    operationId: 'findSession',
    params: Type.Object({ sessionId: Type.String({ description: 'Its id.' }), part: Type.Integer() }),
    query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })), sort: Type.String() }),
    headers: Type.Object({ 'X-Subscription': Type.Optional(Type.String({ format: 'uuid' })) }),
    answer: Session,
    otherAnswers: { 202: Type.Object({ waiting: Type.Boolean() }) },
  }),
  pdf: route({ method: 'GET', path: '/v1/pdf', summary: 'PDF.', access: 'anonymous', produces: 'application/pdf' }),
  upload: route({ method: 'PUT', path: '/v1/pdf', summary: 'Upload.', consumes: ['application/pdf'] }),
  end: route({ method: 'DELETE', path: '/v1/sessions/{id}', summary: 'Ends.', hidden: true }),
}

async function documentOf(
  options: Parameters<typeof testApp>[0] = {},
  more?: (app: Awaited<ReturnType<typeof testApp>>['app']) => void,
) {
  const { app } = await testApp({
    openApi: { path: '/openapi/v1.json' },
    rateLimits: { Create: { PermitsPerWindow: 5, WindowSeconds: 60 } },
    settings: { maxRunning: 5 },
    ...options,
  })
  for (const each of Object.values(routes)) serve(app, each as never, (() => undefined) as never)
  more?.(app)
  const answer = await fetch(`${await listen(app)}/openapi/v1.json`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return answer.json()
}

describe('the OpenAPI document', () => {
  for (const dialect of [errorEnvelope, problemDetails]) {
    test(`is valid OpenAPI 3.1 in ${dialect.name}`, async () => {
      const document = await documentOf({ dialect })
      const verdict = await validate(document)
      expect(verdict.errors ?? []).toEqual([])
      expect([verdict.valid, verdict.version]).toEqual([true, '3.1'])
    })
  }

  test('is judged by a validator that is no rubber stamp', async () => {
    expect((await validate({ ...(await documentOf()), info: { title: 1 } })).valid).toBe(false)
  })

  test('is answered without a credential and names the service', async () => {
    expect((await documentOf()).info).toEqual({ title: 'Test', version: '1.2.3' })
  })

  test('writes paths with braces and leaves hidden routes out', async () => {
    const { paths } = await documentOf()
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item as object)])).toEqual([
      ['/v1/sessions', ['post']],
      ['/v1/sessions/{sessionId}/parts/{part}', ['get']],
      ['/v1/pdf', ['get', 'put']],
    ])
  })

  test('describes every parameter', async () => {
    const { paths } = await documentOf()
    const { operationId, parameters } = paths['/v1/sessions/{sessionId}/parts/{part}'].get
    expect(operationId).toBe('findSession')
    expect(parameters).toEqual([
      {
        name: 'sessionId',
        in: 'path',
        required: true,
        description: 'Its id.',
        schema: { type: 'string', description: 'Its id.' },
      },
      { name: 'part', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
      { name: 'sort', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'X-Subscription', in: 'header', required: false, schema: { type: 'string', format: 'uuid' } },
    ])
  })

  test('writes a named schema once and refers to it', async () => {
    const { paths, components } = await documentOf()
    const { requestBody, responses } = paths['/v1/sessions'].post
    expect(requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/NewSession' } } },
    })
    expect(responses[201].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Session' })
    expect(components.schemas.Session.properties.owner).toEqual({ $ref: '#/components/schemas/Owner' })
    expect(components.schemas.NewSession.properties.note).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] })
  })

  test('refuses two schemas of one name', async () => {
    const other = Type.Object({ quite: Type.String() }, { $id: 'Session' })
    const { app, lines } = await testApp({ openApi: { path: '/openapi.json' } })
    serve(app, routes.find, () => ({ waiting: true }))
    serve(app, { method: 'GET', path: '/other', summary: 'O.', answer: other }, () => ({ quite: 'other' }))
    expect((await fetch(`${await listen(app)}/openapi.json`)).status).toBe(500)
    expect(JSON.stringify(lines)).toContain('Session')
  })

  test('tells what each route may refuse, by status, with the body a caller receives', async () => {
    const { paths } = await documentOf()
    const { responses } = paths['/v1/sessions'].post
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '410', '413', '415', '422', '429', '500', '503'])
    expect(responses[422]).toEqual({
      description: '`NotAllowed`: This is not allowed.',
      headers: { 'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' } },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorEnvelope' },
          examples: { NotAllowed: { value: { error: { code: 'NotAllowed', message: 'This is not allowed.' } } } },
        },
      },
    })
    expect(responses[400].description).toBe('`bad-field`: A field is wrong.\n\n`bad-json`: The body is not JSON.')
    expect(Object.keys(paths['/v1/pdf'].get.responses)).toEqual(['200', '500'])
  })

  test('describes an empty body as no content', async () => {
    const dialect: Dialect = {
      ...errorEnvelope,
      describe: (status) => (status === 401 ? undefined : errorEnvelope.describe(status)),
    }
    const { paths } = await documentOf({ dialect })
    expect(paths['/v1/sessions'].post.responses[401]).not.toHaveProperty('content')
  })

  test('says which credential each route takes', async () => {
    const { paths, components } = await documentOf({
      keys: { ring: fixedApiKeys({ a: KEY }), headers: ['X-Api-Key'], authorization: ['Bearer'] },
    })
    expect(paths['/v1/sessions'].post.security).toEqual([{ 'X-Api-Key': [] }, { Bearer: [] }])
    expect(paths['/v1/pdf'].get.security).toEqual([])
    expect(components.securitySchemes).toEqual({
      'X-Api-Key': { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      Bearer: { type: 'http', scheme: 'bearer' },
    })
  })

  test('can be switched off, its page with it', async () => {
    const { app } = await testApp({ openApi: { path: '/openapi.json', referencePath: '/reference', enabled: false } })
    const url = await listen(app)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(404)
    expect((await fetch(`${url}/reference`)).status).toBe(404)
  })
})
