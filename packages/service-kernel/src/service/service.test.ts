import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testClock } from '@chancela/testkit/clock'
import { sampleService } from '@chancela/testkit/sample-service'
import { doorTo, type TestStore, testStores } from '@chancela/testkit/stores'
import Type from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type KernelSettings, loadSettings } from '../config/index.ts'
import { type FrameworkFailure, frameworkFailures } from '../errors/index.ts'
import {
  type ApiKeyTables,
  type App,
  createApplication,
  createKey,
  problemDetails,
  route,
  serve,
} from '../http/index.ts'
import {
  type BundleOptions,
  contextOf,
  createSurfaceApp,
  type RunningService,
  type ServiceContext,
  type ServiceDefinition,
  type StatefulService,
  serveBundle,
  serveOperations,
  startService,
  startSuite,
} from './index.ts'

for (const [name, open] of Object.entries(testStores)) {
  describe(`a service on ${name}`, () => {
    test('answers its contract, keeps what it is told and comes back with it', async () => {
      const store = await open()
      const first = await startOn(store)
      const key = await keyFor(first)
      const kept = await call(first, 'POST', '/api/notes', { key, body: { text: 'remember' } })
      expect(kept.status).toBe(201)
      await first.stop()

      const second = await startOn(store, {}, first.context.dataFolder)
      const read = await call(second, 'GET', `/api/notes/${kept.json.id}`, { key })
      expect(read.json).toEqual({ id: kept.json.id, text: 'remember' })
    })

    test('tells its readiness to anybody, and the reasons to holders of a key only', async () => {
      const service = await startOn(await open(), { Health: { CacheSeconds: 0 } })
      const key = await keyFor(service)
      service.context.readiness.add('printer', async () => ({ ok: false, detail: 'out of paper' }))

      const anybody = await call(service, 'GET', '/api/ready')
      expect(anybody.status).toBe(503)
      expect(anybody.json).toEqual({
        ready: false,
        checks: [
          { name: 'database', ok: true },
          { name: 'master-key', ok: true },
          { name: 'disk', ok: true },
          { name: 'workers', ok: true },
          { name: 'printer', ok: false },
        ],
      })
      expect((await call(service, 'GET', '/api/ready/details')).status).toBe(401)
      const details = await call(service, 'GET', '/api/ready/details', { key })
      expect(details.json.checks.at(-1)).toEqual({ name: 'printer', ok: false, detail: 'out of paper' })
    })
  })
}

describe('a service', () => {
  test('is alive for anybody, while metrics take a key unless the setting says otherwise', async () => {
    const service = await start({})
    expect((await call(service, 'GET', '/api/health')).json).toEqual({ healthy: true, status: 'OK' })
    expect((await call(service, 'GET', '/api/metrics')).status).toBe(401)
    const open = await start({ Metrics: { RequireApiKey: false } })
    const metrics = await call(open, 'GET', '/api/metrics')
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=/)
    expect(metrics.text).toContain('# TYPE process_cpu_user_seconds_total counter')
    const without = await start({ Metrics: { Enabled: false } })
    expect((await call(without, 'GET', '/api/metrics')).status).toBe(404)
  })

  test('has an icon for browsers, which ask for one beside every answer that is no page', async () => {
    const service = await start({})
    const icon = await call(service, 'GET', '/favicon.ico')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(icon.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
  })

  test('says which setting to change when its port is taken, and leaves nothing open', async () => {
    const port = await takenPort()
    const dataFolder = temporaryFolder()
    await expect(start({ Http: { Port: port } }, dataFolder)).rejects.toMatchObject({
      name: 'StartupProblem',
      setting: 'sample Http:Port',
    })
    const second = await start({}, dataFolder)
    expect((await call(second, 'GET', '/api/ready')).status).toBe(200)
  })

  test('says which setting to change when this machine has no such address', async () => {
    await expect(start({ Http: { Host: '203.0.113.7' } })).rejects.toMatchObject({ setting: 'sample Http:Host' })
  })

  test('stops once however often it is asked, and then no longer answers', async () => {
    const service = await start({})
    await Promise.all([service.stop(), service.stop()])
    await expect(fetch(`${service.surfaces[0]!.baseUrl}/api/health`)).rejects.toThrow()
  })

  test('watches the disk that its log is on, behind whatever link', async () => {
    const [dataFolder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(join(elsewhere, 'service.log'), join(dataFolder, 'service.log'))
    const service = await start({ Health: { MinFreeBytes: 2 ** 52 } }, dataFolder)
    const { checks } = (await call(service, 'GET', '/api/ready/details', { key: await keyFor(service) })).json
    const disk = checks.find(({ name }: { name: string }) => name === 'disk')
    expect(disk.detail).toContain(`${realpathSync(elsewhere)} (log)`)
  })

  test('stops although something in it never ends, and closes the rest', async () => {
    const closed: string[] = []
    const build = async (context: ServiceContext) => {
      context.closing.add('a part', () => void closed.push('a part'))
      context.closing.add('what waits forever', () => new Promise(() => undefined))
      return sampleService.build(context)
    }
    const dataFolder = temporaryFolder()
    const service = await start({ Http: { DrainSeconds: 0 } }, dataFolder, { ...sampleService, build })
    await service.stop()
    expect(closed).toEqual(['a part'])
    await expect(fetch(`${service.surfaces[0]!.baseUrl}/api/health`)).rejects.toThrow()
    await expect
      .poll(() => readFileSync(join(dataFolder, 'service.log'), 'utf8'))
      .toContain('what waits forever did not')
  })
})

describe('a start that cannot reach its database', () => {
  /** The sample service behind a door; its readiness is all that it has without its store. */
  async function behindDoor() {
    const store = await testStores.PostgreSQL(sampleService.migrations)
    const door = await doorTo(store.url)
    onTestFinished(() => door.shut())
    const [surface] = sampleService.surfaces
    const definition: StatefulService = {
      ...sampleService,
      name: store.service,
      buildWithoutStore: async (context) => {
        const frameworkErrors = everyFailure('busy')
        const app = await createSurfaceApp(context, {
          surface: surface!,
          dialect: problemDetails,
          vocabulary: { busy: { status: 503, message: 'Busy.' } },
          frameworkErrors,
        })
        serveOperations(
          app,
          context,
          { health: '/api/health', ready: '/api/ready' },
          { Enabled: false, RequireApiKey: true },
        )
        return { surfaces: { sample: app } }
      },
    }
    return { door, definition, changes: { Database: { Url: door.url }, Health: { CacheSeconds: 0 } } }
  }
  const everyFailure = <Code extends string>(code: Code) =>
    Object.fromEntries(Object.keys(frameworkFailures).map((kind) => [kind, code])) as Record<FrameworkFailure, Code>

  test('ends with its sentence, unless the service can answer without it', async () => {
    const { door, definition, changes } = await behindDoor()
    await door.shut()
    const { buildWithoutStore: _, ...ending } = definition
    await expect(start(changes, temporaryFolder(), ending)).rejects.toMatchObject({ name: 'StartupProblem' })
    const service = await start(changes, temporaryFolder(), definition)
    expect(service.problem).toContain('nothing answers at')
    expect((await call(service, 'GET', '/api/health')).status).toBe(200)
    expect((await call(service, 'GET', '/api/ready')).json).toEqual({
      ready: false,
      checks: [{ name: 'database', ok: false }],
    })
    expect((await call(service, 'GET', '/api/notes/1')).headers.get('retry-after')).toBe('5')
  })

  test('or that loses it half-way, which closes what it had opened', async () => {
    const { door, definition, changes } = await behindDoor()
    const closed: string[] = []
    const build: StatefulService['build'] = async (context) => {
      context.closing.add('a part', () => void closed.push('a part'))
      await door.shut()
      return sampleService.build(context)
    }
    const service = await start(changes, temporaryFolder(), { ...definition, build })
    expect([closed, (await call(service, 'GET', '/api/ready')).status]).toEqual([['a part'], 503])
  })
})

describe('a suite', () => {
  test('stops those that started when one of them cannot', async () => {
    const broken: ServiceDefinition = { ...sampleService, name: 'broken', build: () => Promise.reject(new Error('no')) }
    const started: RunningService[] = []
    const dataFolder = temporaryFolder()
    const all = { sample: settingsFor(sampleService, {}), broken: settingsFor(sampleService, {}) }
    await expect(
      startSuite([sampleService, broken], all, { ...around(dataFolder), onStarted: (one) => started.push(one) }),
    ).rejects.toThrow('no')
    expect(started.map((one) => one.definition.name)).toEqual(['sample'])
    await expect(fetch(`${started[0]!.surfaces[0]!.baseUrl}/api/health`)).rejects.toThrow()
  })

  test('stops in reverse order, and one that takes long does not hold up the others', async () => {
    const stopped: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const named = (name: string, close: () => Promise<void>): ServiceDefinition => ({
      ...sampleService,
      name,
      build: async (context: ServiceContext) => {
        context.closing.add(name, () => close().then(() => void stopped.push(name)))
        return sampleService.build(context)
      },
    })
    const [first, second, last] = [
      named('first', async () => undefined),
      named('second', () => held),
      named('last', async () => undefined),
    ]
    const apart = (definition: ServiceDefinition) =>
      settingsFor(definition, { Database: { Url: `sqlite:${definition.name}.db` } })
    const all = { first: apart(first), second: apart(second), last: apart(last) }
    const suite = await startSuite([first, second, last], all, around(temporaryFolder()))
    const over = suite.stop()
    // Less than a part may take before it is given up.
    await expect.poll(() => stopped, { timeout: 9000 }).toEqual(['last', 'first'])
    release()
    await over
    expect(stopped).toEqual(['last', 'first', 'second'])
  })
})

describe('a bundle of pages', () => {
  test('is served whole: the page asked anew, its files kept, both under the policy of pages', async () => {
    const service = await startWithBundle({ 'index.html': '<h1>Hi</h1>', 'assets/a-1.js': 'export {}' })
    const page = await call(service, 'GET', '/')
    expect([page.status, page.text]).toEqual([200, '<h1>Hi</h1>'])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const file = await call(service, 'GET', '/assets/a-1.js')
    expect(file.headers.get('cache-control')).toContain('immutable')
    expect(file.headers.get('content-encoding')).toBe('gzip')
  })

  test('is not sent again to a browser that has it', async () => {
    const service = await startWithBundle({ 'index.html': '<h1>Hi</h1>' })
    const etag = (await call(service, 'GET', '/')).headers.get('etag')!
    const again = await call(service, 'GET', '/', { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('answers its page under every path the browser decides on', async () => {
    const service = await startWithBundle({ 'index.html': '<h1>Hi</h1>' }, { pages: ['/jobs', '/jobs/{id}'] })
    for (const path of ['/jobs', '/jobs/7']) expect((await call(service, 'GET', path)).text).toBe('<h1>Hi</h1>')
    expect((await call(service, 'GET', '/other')).status).toBe(404)
  })

  test('stands below a path beside an API where it is told so, and images of other sites are let in', async () => {
    const files = { 'index.html': '<h1>Hi</h1>', 'assets/a-1.js': 'export {}' }
    const service = await startWithBundle(files, { below: '/choose', pages: ['/choose/{ticket}'], images: ['https:'] })
    const page = await call(service, 'GET', '/choose/7')
    expect(page.text).toBe('<h1>Hi</h1>')
    expect(page.headers.get('content-security-policy')).toContain("img-src https: 'self'")
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await call(service, 'GET', '/choose/assets/a-1.js')).text).toBe('export {}')
    for (const path of ['/', '/choose', '/assets/a-1.js']) expect((await call(service, 'GET', path)).status).toBe(404)
  })

  test('leads nowhere else on the disk', async () => {
    const service = await startWithBundle({ 'index.html': '<h1>Hi</h1>' })
    for (const path of ['/assets/..%2f..%2fetc/passwd', '/%2e%2e/package.json', '/assets/']) {
      expect((await call(service, 'GET', path)).status).toBe(404)
    }
  })

  test('that was never built is a problem of the start, not of the first visitor', async () => {
    await expect(startWithBundle({})).rejects.toMatchObject({ name: 'StartupProblem' })
  })
})

describe('a browser at the base URL', () => {
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
  const visit = (service: RunningService, path = '/', headers: Record<string, string> = {}) =>
    call(service, 'GET', path, { headers: { accept, ...headers } })

  test('is told what answers there, in its language or in the one it chooses', async () => {
    const service = await start({})
    const english = await visit(service)
    expect([english.status, english.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const text of ['<html lang="en-US">', 'Sample', 'Keeps notes.', service.surfaces[0]!.baseUrl, '0.0.0-test'])
      expect(english.text).toContain(text)
    const links = [...english.text.matchAll(/<dd><a href="([^"]*)"/g)].map(([, address]) => address)
    expect(links).toEqual(['reference', 'openapi/v1.json', 'api/health', 'api/ready'])
    for (const [path, header] of [
      ['/', 'pt-PT,en;q=0.5'],
      ['/?lang=pt-BR', 'en-US'],
    ] as const) {
      const { text } = await visit(service, path, { 'accept-language': header })
      expect(text).toContain('<html lang="pt-BR">')
      expect(text).toContain('Guarda notas.')
    }
  })

  test('may load nothing and run nothing, and what it wrote into the address cannot either', async () => {
    const service = await start({})
    const { headers } = await visit(service)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/,
    )
    const asked = request(service.surfaces[0]!.baseUrl, { headers: { accept, host: 'a"><script>alert(1)</script>' } })
    const [said] = (await once(asked.end(), 'response')) as [IncomingMessage]
    const text = Buffer.concat(await said.toArray()).toString()
    expect(text).toContain('alert(1)')
    expect(text).not.toContain('<script')
  })

  test('learns no more than everybody may', async () => {
    const changes: Changes = { Environment: 'production', OpenApi: { Enabled: false } }
    const withConsole = { ...sampleService.surfaces[0]!, console: 'sample' }
    const definition = { ...sampleService, surfaces: [withConsole] }
    const closed = await visit(await start(changes, temporaryFolder(), definition))
    expect(closed.status).toBe(200)
    for (const text of ['0.0.0-test', 'reference', 'openapi', 'Console']) expect(closed.text).not.toContain(text)
    const open = await visit(await start({ Environment: 'development' }, temporaryFolder(), definition))
    expect(open.text).toContain('Console')
  })

  test('is told apart from a program, which is answered as on any unknown path', async () => {
    const service = await start({})
    for (const [method, path, wanted] of [
      ['GET', '/', '*/*'],
      ['GET', '/', 'application/json'],
      ['GET', '/', 'text/html;q=0, application/json'],
      ['HEAD', '/', '*/*'],
      ['POST', '/', 'text/html'],
      ['GET', '/api/other', 'text/html'],
      ['GET', '/other', 'application/json'],
      ['POST', '/other', 'text/html'],
    ] as const) {
      const { status, headers } = await call(service, method, path, { headers: { accept: wanted } })
      expect([method, path, wanted, status, headers.get('content-type')]).toEqual([
        method,
        path,
        wanted,
        404,
        'application/problem+json; charset=utf-8',
      ])
    }
  })

  test('is shown a page where nothing is, in its language and with a way back', async () => {
    const service = await start({})
    for (const [path, language, back, title] of [
      ['/other', 'pt-BR', './', 'Esta página não existe'],
      ['/deep/er/other?lang=en-US', 'pt-BR', '../../', 'There is no such page'],
    ] as const) {
      const { status, headers, text } = await visit(service, path, { 'accept-language': language })
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(headers.get('x-correlation-id')).not.toBeNull()
      expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).toContain(`<a href="${back}">`)
    }
    const { text } = await visit(service, '/%22%3E%3Cscript%3E"><script>alert(1)</script>')
    expect(text).not.toContain('<script')
  })

  test('is shown a page beside an API that is below the pages', async () => {
    const desk = route({ method: 'GET', path: '/desk/api/notes', summary: 'Notes.', answer: Type.String() })
    const beside = (app: App) => serve(app, desk, () => 'nothing yet')
    const service = await startWithBundle({ 'index.html': '<h1>Hi</h1>' }, { pages: ['/desk'], beside })
    for (const [path, type] of [
      ['/desk/nothing', 'text/html'],
      ['/desk/api', 'application/problem+json'],
      ['/desk/api/nothing', 'application/problem+json'],
      ['/desk/apis', 'text/html'],
    ] as const)
      expect([path, (await visit(service, path)).headers.get('content-type')]).toEqual([path, `${type}; charset=utf-8`])
  })

  test('asks for the head alone, too', async () => {
    const { status, text } = await call(await start({}), 'HEAD', '/', { headers: { accept } })
    expect([status, text]).toEqual([200, ''])
  })
})

type Changes = { [Section in keyof KernelSettings]?: Partial<KernelSettings[Section]> | KernelSettings[Section] }

async function start(changes: Changes, dataFolder = temporaryFolder(), definition: ServiceDefinition = sampleService) {
  const service = await startService(definition, settingsFor(definition, changes), around(dataFolder))
  onTestFinished(() => service.stop())
  return service
}

/** On PostgreSQL a service's rows are in the schema of its name, and each test has its own. */
const startOn = (store: TestStore<unknown>, changes: Changes = {}, dataFolder = temporaryFolder()) =>
  start({ ...changes, Database: { Url: store.url } }, dataFolder, { ...sampleService, name: store.service })

function settingsFor(definition: ServiceDefinition, changes: Changes): KernelSettings {
  const file = join(temporaryFolder(), 'settings.json')
  writeFileSync(file, JSON.stringify({ [definition.name]: changes }))
  const { settings } = loadSettings({ schemas: { [definition.name]: definition.settings }, file, environment: {} })
  return settings[definition.name] as unknown as KernelSettings
}

const around = (dataFolder: string) => ({
  clock: testClock(),
  version: '0.0.0-test',
  dataFolder,
  logFile: join(dataFolder, 'service.log'),
})

function startWithBundle(
  files: Record<string, string>,
  { beside, ...options }: BundleOptions & { readonly beside?: (app: App) => void } = {},
) {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const definition: ServiceDefinition = {
    ...sampleService,
    build: async (context: ServiceContext) => {
      const built = await sampleService.build(context)
      beside?.(built.surfaces.sample!)
      serveBundle(built.surfaces.sample!, folder, options)
      return built
    },
  }
  return start({}, temporaryFolder(), definition)
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-service-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function takenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

/** The ring of a running service follows its store, so that a key made now is accepted at once. */
async function keyFor(service: RunningService): Promise<string> {
  const { store } = contextOf<KernelSettings, ApiKeyTables>(service)
  const application = await createApplication(store, 'tester', new Date())
  const { key } = await createKey(store, { applicationId: application.id, description: 'a test' }, new Date())
  await expect.poll(() => call(service, 'GET', '/api/notes/none', { key }).then((one) => one.status)).toBe(404)
  return key
}

interface CallOptions {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

async function call(
  service: RunningService,
  method: string,
  path: string,
  { key, body, headers = {} }: CallOptions = {},
) {
  const response = await fetch(`${service.surfaces[0]!.baseUrl}${path}`, {
    method,
    headers: {
      ...headers,
      ...(key && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  }
}
