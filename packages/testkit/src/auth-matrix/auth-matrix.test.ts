// The matrix of the services' tests, over an app with holes.
import type { AddressInfo } from 'node:net'
import { type ErrorVocabulary, refuser } from '@chancela/service-kernel/errors'
import {
  type AccessScheme,
  type App,
  createApp,
  createLogger,
  drain,
  type FrameworkErrors,
  problemDetails,
  type RouteShape,
  route,
  serve,
} from '@chancela/service-kernel/http'
import { expect, onTestFinished, test } from 'vitest'
import { type AuthMatrix, anyOf, authMatrix, nothing, onlyReading } from './index.ts'

const errors = {
  wrong: { status: 400, message: 'The request is not accepted.' },
  nowhere: { status: 404, message: 'Nothing is here.' },
  unknown: { status: 401, message: 'Nobody knows the caller.' },
  forbidden: { status: 403, message: 'The caller may not.' },
  broken: { status: 500, message: 'It did not work.' },
} as const satisfies ErrorVocabulary

const refuse = refuser(errors)

const frameworkErrors: FrameworkErrors<keyof typeof errors> = {
  'invalid-json': 'wrong',
  validation: 'wrong',
  'unsupported-media-type': 'wrong',
  'body-too-large': 'wrong',
  'unknown-route': 'nowhere',
  unauthorized: 'unknown',
  'rate-limited': 'broken',
  busy: 'broken',
  internal: 'broken',
}

/** Whoever says who they are is believed; these names may. */
const scheme = (...names: readonly string[]): AccessScheme<string> => ({
  security: {},
  credentialOf: (name) => name,
  authenticate({ headers }) {
    const name = headers['x-name']
    if (typeof name === 'string' && !names.includes(name)) throw refuse('forbidden')
    return typeof name === 'string' ? name : undefined
  },
})

const schemes = {
  staff: scheme('ana', 'rui'),
  boss: scheme('ana'),
  ajar: scheme('ana', 'rui', 'eva'),
  unused: scheme(),
}

type Planted = Pick<RouteShape, 'path'> & Partial<Pick<RouteShape, 'method' | 'access' | 'page'>>

const usual: readonly Planted[] = [
  { path: '/health', access: 'anonymous' },
  { path: '/links/{ticket}', access: 'anonymous' },
  { path: '/things', access: 'boss' },
  { path: '/things', method: 'POST', access: 'boss' },
  { path: '/things/{id}', method: 'DELETE', access: 'boss' },
  { path: '/me', access: 'staff' },
]

const called: string[] = []

/** The routes of an app, and what else was planted there; none of them does anything but be called. */
async function start(
  planted: readonly Planted[] = [],
  tickets: 'checked' | 'ignored' = 'checked',
  plant: (app: App) => void = () => undefined,
) {
  const app = await createApp({
    service: { name: 'planted', title: 'Planted', version: '1.0.0' },
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    environment: 'production',
    logger: createLogger({ service: 'planted', destination: { write: () => undefined } }),
    schemes,
  })
  for (const one of [...usual, ...planted]) {
    const declared = route({ method: 'GET', summary: 'Planted.', produces: 'text/plain', ...one })
    serve(app, declared, () => {
      if (one.path.startsWith('/links') && tickets === 'checked') throw refuse('nowhere')
      if (one.path === '/broken') throw new Error('broken')
      if (declared.method !== 'GET') called.push(declared.path)
      return 'here'
    })
  }
  plant(app)
  onTestFinished(async () => void (await drain(app, 30)))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

const matrix: Omit<AuthMatrix, 'app' | 'baseUrl'> = {
  open: ['GET /health'],
  byTicket: ['GET /links/{ticket}'],
  weak: { staff: ['GET /me'] },
  callers: {
    nobody: { headers: {}, may: nothing },
    eva: { headers: { 'x-name': 'eva' }, may: nothing },
    rui: { headers: { 'x-name': 'rui' }, may: anyOf('staff', 'ajar') },
    ana: { headers: { 'x-name': 'ana' }, may: anyOf('staff', 'boss', 'ajar') },
  },
}

const problemsOf = async (...planted: readonly Planted[]) =>
  (await authMatrix({ ...matrix, ...(await start(planted)) })).problems

test('every route is called by every caller, and whoever is let in changes nothing', async () => {
  expect(await authMatrix({ ...matrix, ...(await start()) })).toEqual({ calls: 24, problems: [] })
  expect(called).toEqual([])
})

test('a new route is called without a line of its own', async () => {
  expect(await problemsOf({ path: '/new', access: 'boss' })).toEqual([])
  expect(await problemsOf({ path: '/new', access: 'ajar' })).toEqual(['GET /new (ajar) for eva: let in with 200'])
  expect(await problemsOf({ path: '/new', method: 'PUT', access: 'ajar' })).toEqual([
    'PUT /new (ajar) for eva: let in with 415',
  ])
})

test('a route that is open, or weaker than most, and not listed is a problem', async () => {
  expect(await problemsOf({ path: '/hole', access: 'anonymous' })).toEqual(['GET /hole is anonymous and not listed'])
  expect(await problemsOf({ path: '/hole', access: 'anonymous', page: true })).toEqual([
    'GET /hole is anonymous and not listed',
  ])
  expect(await problemsOf({ path: '/hole', method: 'POST', access: 'staff' })).toEqual([
    'POST /hole is staff and not listed',
  ])
})

test('a list that names what is no longer served so is a problem', async () => {
  const open = ['GET /health', 'GET /things']
  expect((await authMatrix({ ...matrix, ...(await start()), open })).problems).toEqual([
    'GET /things is listed and not anonymous',
  ])
})

test('an access that nobody of the table may, or everybody, is a problem', async () => {
  expect(await problemsOf({ path: '/new', access: 'unused' })).toEqual(['GET /new is unused, which no caller may'])
  const { ana } = matrix.callers as Record<'ana', never>
  const { problems } = await authMatrix({ ...matrix, ...(await start()), callers: { ana } })
  expect(problems).toContain('GET /me is staff, which every caller may')
})

test('whoever may and is refused, and a route that fails, are problems', async () => {
  const rui = { headers: { 'x-name': 'rui' }, may: anyOf('staff', 'boss') }
  const { problems } = await authMatrix({ ...matrix, ...(await start()), callers: { ...matrix.callers, rui } })
  expect(problems).toContainEqual(expect.stringContaining('POST /things (boss) for rui: refused with 403'))
  expect(await problemsOf({ path: '/broken', access: 'boss' })).toEqual(['GET /broken (boss) for ana: failed with 500'])
})

test('a ticket that does not exist opens nothing to anybody', async () => {
  const { problems } = await authMatrix({ ...matrix, ...(await start([], 'ignored')) })
  expect(problems).toEqual(
    Object.keys(matrix.callers).map(
      (who) => `GET /links/{ticket} (anonymous) for ${who}: let in with 200 and a ticket that does not exist`,
    ),
  )
})

test('what only reads may not write', async () => {
  const elsewhere = { headers: { 'x-name': 'ana' }, may: onlyReading(anyOf('staff', 'boss')) }
  const { problems } = await authMatrix({ ...matrix, ...(await start()), callers: { ...matrix.callers, elsewhere } })
  expect(problems).toEqual([
    'POST /things (boss) for elsewhere: let in with 415',
    'DELETE /things/{id} (boss) for elsewhere: let in with 415',
  ])
})

test('a refusal is one of the dialect', async () => {
  const refuses: AuthMatrix['refuses'] = ({ status, body }) => status === 401 && body.code === 'unknown'
  const { problems } = await authMatrix({ ...matrix, ...(await start()), refuses })
  expect(problems).toContain('GET /me (staff) for eva: refused with 403 outside the dialect')
  expect(problems.filter((problem) => problem.includes('nobody'))).toEqual([])
})

test('a route that the kernel does not know is a problem, wherever it is', async () => {
  const plant = (app: App) => {
    app.get('/things/:id/back-door', () => 'here')
    app.register(async (inner) => void inner.route({ method: ['PUT', 'PATCH'], url: '/ME', handler: () => 'here' }))
  }
  expect((await authMatrix({ ...matrix, ...(await start([], 'checked', plant)) })).problems).toEqual([
    'GET /things/:id/back-door is answered without being served',
    'PUT /me is answered without being served',
    'PATCH /me is answered without being served',
  ])
})
