import { MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { API_KEY, startWorld, type World } from './test-support/operations-world.ts'
import { startBatchSigner } from './test-support/running-service.ts'

const ask = (world: World, path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.baseUrl}${path}`, { headers })

for (const database of ['SQLite', 'PostgreSQL'] as const)
  describe(`readiness on ${database}`, () => {
    test('GET /api/health is anonymous liveness', async () => {
      const world = await startWorld({ database })
      const answer = await ask(world, '/api/health')
      expect([answer.status, await answer.json()]).toStrictEqual([200, { healthy: true, status: 'OK' }])
    })

    test('GET /api/ready gives the verdict only; the details take the key', async () => {
      const world = await startWorld({ database })
      world.context.readiness.add('input-folder:default', async () => ({ ok: true, detail: '/data/input' }))
      const answer = await ask(world, '/api/ready')
      expect([answer.status, await answer.json()]).toStrictEqual([
        200,
        {
          ready: true,
          checks: [
            { name: 'database', ok: true },
            { name: 'master-key', ok: true },
            { name: 'audit-chain', ok: true },
            { name: 'signing-key:audit-chain', ok: true },
            { name: 'disk', ok: true },
            { name: 'workers', ok: true },
            { name: 'input-folder:default', ok: true },
          ],
        },
      ])
      expect((await ask(world, '/api/ready/details')).status).toBe(401)
      const details = await (await ask(world, '/api/ready/details', { 'X-API-Key': API_KEY })).json()
      expect(details).toMatchObject({
        checks: [
          { name: 'database' },
          { name: 'master-key' },
          { name: 'audit-chain' },
          { name: 'signing-key:audit-chain' },
          {},
          {},
          { detail: '/data/input' },
        ],
      })
    })

    test('in the details every check has a text, a green one as well; the verdict has none', async () => {
      const { full } = await startBatchSigner({ database })
      const details = await full.json<{ checks: { name: string }[] }>('GET', '/api/ready/details')
      const texts = Object.fromEntries(details.body.checks.map((check) => [check.name, check]))
      expect(texts).toMatchObject({
        database: { ok: true, detail: expect.stringMatching(/^(SQLite|PostgreSQL) [\d.]+ answers\.$/) },
        'cluster-instance': { ok: true, detail: 'No other process works on this database.' },
        'signing-profile:default': { ok: true, detail: expect.stringMatching(/valid until \d{4}-\d\d-\d\dT/) },
        outputs: { ok: true, detail: 'No signed file waits for its name.' },
        'input-folder:default': { ok: true, detail: 'Watched for the profile default.' },
        'work-folders': { ok: true, detail: 'uploads/, processing/, output/ and error/ can be written.' },
      })
      for (const check of details.body.checks) expect(check).toHaveProperty('detail', expect.stringMatching(/\.$/))
      expect(JSON.stringify((await full.json('GET', '/api/ready')).body)).not.toContain('detail')
    })

    test('answers 503 when a check that counts is red, and 200 when one that does not is', async () => {
      const world = await startWorld({ database })
      world.context.readiness.add('signing-profile:a', async () => ({ ok: false }), { gates: false })
      expect((await ask(world, '/api/ready')).status).toBe(200)
      world.context.readiness.add('input-folder:a', async () => ({ ok: false, detail: 'gone' }))
      const red = await ask(world, '/api/ready')
      expect([red.status, await red.json()]).toMatchObject([503, { ready: false }])
      expect((await ask(world, '/api/ready/details', { 'X-API-Key': API_KEY })).status).toBe(503)
    })

    test('is red while the store cannot be reached', async () => {
      const world = await startWorld({ database })
      await world.context.store.close()
      const red = await ask(world, '/api/ready')
      expect([red.status, await red.json()]).toMatchObject([
        503,
        {
          checks: [
            { name: 'database', ok: false },
            { name: 'master-key', ok: false },
            { name: 'audit-chain', ok: false },
            { name: 'signing-key:audit-chain' },
            {},
            {},
          ],
        },
      ])
    })
  })

test('Readiness:RequireApiKey places the verdict behind the key', async () => {
  const world = await startWorld({ settings: { Readiness: { RequireApiKey: true } } })
  expect((await ask(world, '/api/ready')).status).toBe(401)
  const verdict = await ask(world, '/api/ready', { 'X-API-Key': API_KEY })
  expect(await verdict.json()).toMatchObject({
    ready: true,
    checks: [{ name: 'database', ok: true }, { name: 'master-key', ok: true }, { name: 'audit-chain' }, {}, {}, {}],
  })
  expect((await ask(world, '/api/health')).status).toBe(200)
})

test('a change of a check is logged once: red with its detail as warning, recovery as information', async () => {
  const world = await startWorld()
  let ok = true
  world.context.readiness.add('input-folder:a', async () => ({ ok, ...(!ok && { detail: 'the folder is gone' }) }))
  const askTwice = async () => {
    await ask(world, '/api/ready')
    await ask(world, '/api/ready')
  }
  await askTwice()
  ok = false
  await askTwice()
  ok = true
  await askTwice()
  const lines = world.log().filter(({ msg }) => String(msg).startsWith('readiness:'))
  expect(lines.map(({ level, msg, check, detail }) => [level, msg, check, detail])).toStrictEqual([
    ['warn', 'readiness: a check is red', 'input-folder:a', 'the folder is gone'],
    ['info', 'readiness: a check is green again', 'input-folder:a', undefined],
  ])
})

describe('GET /dashboard/api/system', () => {
  const system = async (world: World) => (await world.call('GET', '/dashboard/api/system')).json()

  test('tells what runs where, without a secret', async () => {
    const world = await startWorld({ settings: { Backup: { Path: 'backups' } } })
    world.clock.advance(MINUTE)
    const answer = await system(world)
    expect(answer).toMatchObject({
      version: '1.0.0-test',
      environment: 'production',
      store: expect.stringMatching(/^SQLite /),
      uptimeSeconds: 60,
      lastShutdown: null,
      queueLength: 0,
      paths: {
        dataFolder: world.dataFolder,
        storageRoot: `${world.dataFolder}/batch-signer`,
        inputs: [{ name: 'default', path: `${world.dataFolder}/batch-signer/input` }],
        backups: `${world.dataFolder}/backups`,
      },
      readiness: { ready: true },
      settings: { Auth: { ApiKey: '(set)', CookieName: 'chancela-batch' }, Pipeline: { MaxConcurrency: 128 } },
    })
    expect(JSON.stringify(answer)).not.toContain(API_KEY)
  })

  test('tells how the service last ended', async () => {
    const world = await startWorld()
    world.clock.advance(MINUTE)
    await world.stop()
    const again = await startWorld({ after: world })
    expect(await system(again)).toMatchObject({
      lastShutdown: { startedAt: '2026-03-02T12:00:00.000Z', stoppedAt: '2026-03-02T12:01:00.000Z', clean: true },
    })
    // A second instance on the same store finds a run without an end, as after a crash.
    const crashed = await startWorld({ after: world })
    expect(await system(crashed)).toMatchObject({
      lastShutdown: { startedAt: '2026-03-02T12:01:00.000Z', stoppedAt: null, clean: false },
    })
  })
})

describe('the interactive reference', () => {
  const statusOf = async (world: World) => [
    (await ask(world, '/scalar/v1')).status,
    (await ask(world, '/openapi/v1.json')).status,
  ]

  test('is always served in development, in production only with Swagger:EnabledInProduction', async () => {
    expect(await statusOf(await startWorld())).toStrictEqual([404, 404])
    const development = { Environment: 'development' } as unknown as Record<string, Record<string, unknown>>
    expect(await statusOf(await startWorld({ settings: development }))).toStrictEqual([200, 200])
    expect(await statusOf(await startWorld({ settings: { Swagger: { EnabledInProduction: true } } }))).toStrictEqual([
      200, 200,
    ])
  })

  test('describes both schemes and leaves the routes of the dashboard out', async () => {
    const world = await startWorld({ settings: { Swagger: { EnabledInProduction: true } } })
    const document = (await (await ask(world, '/openapi/v1.json')).json()) as {
      paths: Record<string, unknown>
      components: { securitySchemes: Record<string, unknown> }
    }
    expect(Object.keys(document.components.securitySchemes)).toStrictEqual(['X-API-Key', 'chancela-batch'])
    expect(Object.keys(document.paths)).toContain('/api/backup/cancel')
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/dashboard'))).toStrictEqual([])
  })
})
