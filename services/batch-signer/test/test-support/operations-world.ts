// The operations behind HTTP, without watched folders and signing; these tests run on both databases.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { problemDetails } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  defineService,
  type ServiceContext,
  type StatefulService,
} from '@chancela/service-kernel/service'
import { type TestClock, testClock } from '@chancela/testkit/clock'
import {
  callerOf,
  type Database,
  type SettingsFile,
  sharedWorld,
  startServiceWorld,
  withSections,
  worldOfTest,
} from '@chancela/testkit/service-world'
import type { TestStore } from '@chancela/testkit/stores'
import { onTestFinished } from 'vitest'
import { beginServiceLife } from '../../src/actions/begin-service-life.ts'
import { readCustomerLogo } from '../../src/actions/read-customer-logo.ts'
import type { Context } from '../../src/context.ts'
import { errors } from '../../src/contract/errors.ts'
import { openBatchMetrics } from '../../src/metrics.ts'
import { configuredFolders } from '../../src/parts/folders/folder-directory.ts'
import { LiveTopics } from '../../src/parts/live-topics.ts'
import { loggedReadiness } from '../../src/parts/logged-readiness.ts'
import { frameworkErrors } from '../../src/routes/framework-errors.ts'
import { serveAuth } from '../../src/routes/full/auth.ts'
import { serveBackup } from '../../src/routes/full/backup.ts'
import { serveBranding } from '../../src/routes/full/branding.ts'
import { serveCleanup } from '../../src/routes/full/cleanup.ts'
import { serveCulture } from '../../src/routes/full/culture.ts'
import { serveEvents } from '../../src/routes/full/events.ts'
import { serveOperationsRoutes } from '../../src/routes/full/operations.ts'
import { servePipeline } from '../../src/routes/full/pipeline.ts'
import { idpAccess } from '../../src/routes/idp-access.ts'
import { operatorAccess } from '../../src/routes/operator-access.ts'
import { type BatchSignerSettings, batchSignerSettings } from '../../src/settings.ts'
import { chainedRecords } from '../../src/store/chained-records.ts'
import { JobLedger } from '../../src/store/job-ledger.ts'
import { batchSignerSchema } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/tables.ts'
import { fullSurface } from '../../src/surfaces.ts'
import { clear, emptied, rowsAtStart } from '../../src/test-support/as-new.ts'
import { quietHolds } from '../../src/test-support/quiet-holds.ts'
import { createWorkArea } from '../../src/upstream/storage/local/work-area.ts'
import type { WorkArea } from '../../src/upstream/storage/storage.ts'
import { type Backup, createBackup } from '../../src/workers/backup/backup.ts'
import { createRetention, type Retention } from '../../src/workers/retention/retention.ts'

export type { Database } from '@chancela/testkit/service-world'

export const API_KEY = 'operator-key-of-the-tests'

export interface WorldOptions {
  readonly database?: Database
  readonly settings?: SettingsFile
  readonly clock?: TestClock
  /** A stopped world, to be restarted on its data. */
  readonly after?: World
}

/** A running service with what a test needs. */
export interface World {
  readonly baseUrl: string
  readonly clock: TestClock
  readonly context: Context
  readonly work: WorkArea
  readonly retention: Retention
  readonly backup: Backup
  readonly live: LiveTopics
  readonly dataFolder: string
  readonly store: TestStore<Tables>
  /** Calls with the API key unless the headers give another; redirects are not followed. */
  call(method: string, path: string, init?: RequestInit): Promise<Response>
  /** The log, one object per line. */
  log(): readonly Record<string, unknown>[]
  stop(): Promise<void>
}

/** Starts the operations of the service on a database of its own. */
export const startWorld = (options: WorldOptions = {}): Promise<World> => worldOfTest(start(options))

/** One start for the tests of a describe (or file), with rows, folders and time reset for each; without rate limits. */
export function sharedOperations(database: Database = 'SQLite'): () => Promise<World> {
  const shared = sharedWorld(async () => {
    const started = await start({ database, settings: { RateLimiting: { Enabled: false } } })
    const atStart = await rowsAtStart(started.world.store)
    return { world: { ...started, atStart }, close: started.close }
  })
  return async () => {
    const { world, atStart } = shared()
    world.clock.set(NOON)
    await emptied(world.store, atStart)
    for (const folder of ['output', 'processing', 'error']) await clear(join(world.dataFolder, 'batch-signer', folder))
    return world
  }
}

async function start({ database = 'SQLite', settings = {}, clock, after }: WorldOptions) {
  const time = clock ?? after?.clock ?? testClock(NOON)
  const parts: { -readonly [Name in keyof Parts]?: Parts[Name] } = {}
  const running = await startServiceWorld<Tables, BatchSignerSettings>(definition(parts), {
    database,
    clock: time,
    settings: withSections({ Auth: { ApiKey: API_KEY }, RateLimiting: { Enabled: true } }, settings),
    after,
  })
  const { store, dataFolder, close, stop } = running
  const baseUrl = running.urlOf('batch-signer')
  const { call } = callerOf(baseUrl, { 'X-API-Key': API_KEY })
  const log = () => linesOf(running.log())
  const world: World = { ...(parts as Parts), baseUrl, clock: time, dataFolder, store, call, log, stop }
  return { world, close }
}

const NOON = '2026-03-02T12:00:00.000Z'

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** A folder that is deleted with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-operations-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Parts {
  readonly context: Context
  readonly work: WorkArea
  readonly retention: Retention
  readonly backup: Backup
  readonly live: LiveTopics
}

const definition = (parts: { -readonly [Name in keyof Parts]?: Parts[Name] }): StatefulService =>
  defineService<typeof batchSignerSettings, Tables>({
    name: 'batch-signer',
    title: 'Batch signer',
    summary: 'The operations of the batch signer.',
    settings: batchSignerSettings,
    metricsPrefix: 'bulk_',
    migrations: batchSignerSchema,
    chained: chainedRecords,
    surfaces: [fullSurface],
    build: (given) => build(given, parts),
  })

async function build(
  given: ServiceContext<BatchSignerSettings, Tables>,
  parts: { -readonly [Name in keyof Parts]?: Parts[Name] },
) {
  const context = contextOf(given)
  const { settings, dataFolder, closing } = context
  const live = new LiveTopics()
  const metrics = openBatchMetrics(context)
  const work = await createWorkArea({ root: resolve(dataFolder, settings.Storage.Root) })
  const retention = createRetention(context, { work, live })
  const backup = await createBackup(context, { metrics, live })
  const logo = await readCustomerLogo(context)
  const life = await beginServiceLife(context)
  closing.add('retention', () => retention.stop())
  closing.add('backup', () => backup.stop())
  const idp = idpAccess(context)
  const access = operatorAccess(context, idp)
  const { Environment, Swagger } = settings
  const app = await createSurfaceApp(given, {
    surface: fullSurface,
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    schemes: { key: access },
    exactCookies: [settings.Auth.CookieName],
    reference: Environment === 'development' || Swagger.EnabledInProduction,
  })
  serveAuth(app, context, { access, idp })
  serveCulture(app)
  serveBranding(app, logo)
  serveEvents(app, context)
  const pipeline = { inFlight: () => inFlight, waitsForStorage: () => undefined }
  servePipeline(app, context, { pipeline, profiles: { holds: quietHolds() }, metrics, live })
  serveOperationsRoutes(app, context, { life, logo, folders: configuredFolders(context), trustAnchors: () => [] })
  serveCleanup(app, retention)
  serveBackup(app, context, backup)
  Object.assign(parts, { context, work, retention, backup, live })
  return { surfaces: { 'batch-signer': app } }
}

const inFlight = { pades: 2, cades: 1, xades: 0, total: 3 }

function contextOf(given: ServiceContext<BatchSignerSettings, Tables>): Context {
  const { settings, store } = given
  const ledger = new JobLedger({
    store,
    owner: 'test/1',
    namesOnce: settings.Pipeline.RejectAlreadyProcessedFileNames,
    onTrouble: (error) => given.logger.error({ err: error }, 'the ledger cannot write'),
    onRecovery: () => undefined,
  })
  given.closing.add('the ledger', () => ledger.close())
  return {
    ...given,
    ledger,
    readiness: loggedReadiness(given.readiness, given.logger),
  }
}
