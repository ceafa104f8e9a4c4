// The routes of jobs behind HTTP over real folders and a real database; the test moves the ledger, as workers would.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { problemDetails } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  defineService,
  type ServiceContext,
  type StatefulService,
} from '@chancela/service-kernel/service'
import { testClock } from '@chancela/testkit/clock'
import {
  callerOf,
  type Database,
  type SettingsFile,
  sharedWorld,
  startServiceWorld,
  worldOfTest,
} from '@chancela/testkit/service-world'
import type { Context } from '../../src/context.ts'
import { errors } from '../../src/contract/errors.ts'
import { openBatchMetrics } from '../../src/metrics.ts'
import { LiveTopics } from '../../src/parts/live-topics.ts'
import type { ProfileDirectory } from '../../src/parts/signing/signing.ts'
import { serveDashboardJobs } from '../../src/routes/dashboard/jobs.ts'
import { frameworkErrors } from '../../src/routes/framework-errors.ts'
import { serveApprovals } from '../../src/routes/full/approvals.ts'
import { serveAuth } from '../../src/routes/full/auth.ts'
import { serveJobs } from '../../src/routes/full/jobs.ts'
import { operatorAccess } from '../../src/routes/operator-access.ts'
import { outputName } from '../../src/rules/output-name.ts'
import { defaultBehaviour, type Profile } from '../../src/rules/profile.ts'
import { type BatchSignerSettings, batchSignerSettings } from '../../src/settings.ts'
import { chainedRecords } from '../../src/store/chained-records.ts'
import { JobLedger, type NewJob } from '../../src/store/job-ledger.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clear, emptied, rowsAtStart } from '../../src/test-support/as-new.ts'
import { migrationSet, newJob, times } from '../../src/test-support/ledger-world.ts'
import { quietHolds } from '../../src/test-support/quiet-holds.ts'
import { createInputFiles } from '../../src/upstream/storage/local/input-files.ts'
import { createWorkArea } from '../../src/upstream/storage/local/work-area.ts'
import type { InputFiles, WorkArea } from '../../src/upstream/storage/storage.ts'

export { type Database, databases } from '@chancela/testkit/service-world'

const API_KEY = 'operator-key-of-the-tests'

const NOON = '2026-11-15T12:00:30.000Z'

interface Built {
  context: Context
  work: WorkArea
  inputs: InputFiles
}

/** Starts the routes of jobs for one test. */
export const startJobs = async (database: Database): Promise<JobsWorld> => worldOfTest(start(database))

/** One start of the routes of jobs for the tests of a describe, reset for each. */
export function sharedJobs(database: Database): () => Promise<JobsWorld> {
  const shared = sharedWorld(() => start(database))
  return async () => {
    const world = shared()
    await world.asNew()
    return world
  }
}

async function start(database: Database) {
  const clock = testClock(NOON)
  const profiles = new TestProfiles()
  const built: Partial<Built> = {}
  const service = definition(profiles, built)
  const running = await startServiceWorld<Tables, BatchSignerSettings>(service, { database, clock, settings })
  const { store, dataFolder, stop, close } = running
  const baseUrl = running.urlOf('full')
  const atStart = await rowsAtStart(store)
  const { work, inputs, context } = built as Built
  await mkdir(join(dataFolder, 'in'))
  const asNew = async () => {
    clock.set(NOON)
    profiles.reset()
    await emptied(store, atStart)
    for (const folder of ['in', ...['output', 'processing', 'error'].map((one) => join('batch-signer', one))])
      await clear(join(dataFolder, folder))
  }
  const calls = callerOf(baseUrl, { 'X-API-Key': API_KEY })
  return { world: { context, work, inputs, baseUrl, clock, dataFolder, profiles, store, ...calls, stop, asNew }, close }
}

// In development answers include the details of a refusal.
const settings = { Environment: 'development', Auth: { ApiKey: API_KEY } } as unknown as SettingsFile

export type JobsWorld = Awaited<ReturnType<typeof start>>['world']

/** Profiles a test can change. */
class TestProfiles implements ProfileDirectory {
  readonly holds = quietHolds()
  readonly #all = new Map<string, Profile>()

  constructor() {
    this.reset()
  }

  reset(): void {
    this.#all.clear()
    this.set('default', {})
  }

  set(name: string, over: Partial<Profile>): void {
    const base = { ...defaultBehaviour, name, enabled: true, inputFolder: name, format: null, method: 'Local' } as const
    this.#all.set(name, { ...base, certificate: null, hasSecret: false, version: 1, ...this.#all.get(name), ...over })
  }

  get(name: string): Profile | undefined {
    return this.#all.get(name.toLowerCase())
  }

  byFolder(folder: string): Profile | undefined {
    return this.list().find(({ inputFolder }) => inputFolder === folder)
  }

  list(): readonly Profile[] {
    return [...this.#all.values()]
  }

  state() {
    return { state: 'ready' } as const
  }

  plan(): never {
    throw new Error('Nothing is signed here.')
  }

  encryption(): undefined {}

  onChange(): () => void {
    return () => {}
  }
}

const surface = {
  name: 'full',
  title: { 'pt-BR': 'Trabalhos', 'en-US': 'Jobs' },
  summary: { 'pt-BR': 'Os trabalhos do assinador em lote.', 'en-US': 'The jobs of the batch signer.' },
  section: 'Http',
  healthPath: '/api/health',
}

const definition = (profiles: ProfileDirectory, built: Partial<Built>): StatefulService =>
  defineService<typeof batchSignerSettings, Tables>({
    name: 'batch-signer',
    title: 'Jobs',
    summary: 'The jobs of the batch signer.',
    settings: batchSignerSettings,
    migrations: migrationSet,
    chained: chainedRecords,
    surfaces: [surface],
    build: async (given) => {
      const context = contextOf(given)
      const root = resolve(context.dataFolder, context.settings.Storage.Root)
      const work = await createWorkArea({ root })
      const inputs = createInputFiles({ root, inMemoryBytes: context.settings.Pipeline.InMemoryBytes })
      const access = operatorAccess(context)
      const app = await createSurfaceApp(given, {
        surface,
        dialect: problemDetails,
        vocabulary: errors,
        frameworkErrors,
        schemes: { key: access },
      })
      const live = new LiveTopics()
      context.ledger.listen((changes) => live.announceJobs(changes))
      given.closing.add('the live topics', () => live.close())
      const pipeline = { inFlight: () => ({ pades: 0, cades: 0, xades: 0, total: 0 }) }
      serveAuth(app, context, { access })
      serveJobs(app, context, { profiles, work, inputs })
      const destinations = { of: () => ({ folder: null }) }
      serveApprovals(app, context, { profiles, destinations, live, metrics: openBatchMetrics(context) })
      serveDashboardJobs(app, context, { profiles, work, inputs, live, pipeline })
      Object.assign(built, { context, work, inputs })
      return { surfaces: { full: app } }
    },
  })

function contextOf(given: ServiceContext<BatchSignerSettings, Tables>): Context {
  const { store } = given
  const raise = (error: unknown) => {
    throw error
  }
  const ledger = new JobLedger({ store, owner: 'test/1', namesOnce: true, onTrouble: raise, onRecovery: () => {} })
  return { ...given, ledger }
}

/** Queues a job whose input is in a watched folder (or, without one, is an upload that landed there). */
export async function queue(world: JobsWorld, over: Partial<NewJob> & { content?: string } = {}): Promise<NewJob> {
  const { content = 'content', ...given } = over
  const fileName = given.fileName ?? `file-${randomUUID()}.pdf`
  const job = newJob({ originalPath: join(world.dataFolder, 'in', fileName), ...given, fileName })
  await mkdir(join(job.originalPath, '..'), { recursive: true })
  await writeFile(job.originalPath, content)
  const { outcome } = await world.context.ledger.enqueue(job, world.clock(), { named: false })
  if (outcome !== 'Enqueued') throw new Error(`The job was ${outcome}.`)
  return job
}

/** Queues a job and completes it as a worker would: output in its folder, input deleted. */
export async function complete(
  world: JobsWorld,
  over: Parameters<typeof queue>[1] & { output?: string; encrypted?: boolean } = {},
): Promise<NewJob & { readonly outputName: string }> {
  const { output = 'signed content', encrypted = false, ...rest } = over
  const job = await queue(world, rest)
  const { ledger } = world.context
  const { preserveFileExtension, saveAsPem } = world.profiles.get(job.profileName)!
  const name = outputName(job.fileName, { preserveFileExtension, saveAsPem, format: job.format, encrypted })
  await pickUp(world, job.id)
  const content = rest.content ?? 'content'
  await ledger.reachedKey(job.id, { ...fingerprint(content), outputName: name }, world.clock())
  await ledger.signed(job.id, { message: 'Signed.' }, world.clock())
  const written = await world.work.write(job.id, [Buffer.from(output)])
  await ledger.completed(job.id, { ...times, encrypted, outputLength: written.length }, world.clock())
  await world.work.promote(job.id, { folder: null, name })
  await world.work.settle(job.id)
  await rm(job.originalPath)
  await ledger.inputSettled(job.id, 'deleted', world.clock())
  return { ...job, outputName: name }
}

/** Queues a job and fails it before or after the key was used. */
export async function fail(
  world: JobsWorld,
  over: Parameters<typeof queue>[1] & { code?: string; cause?: string; staged?: boolean } = {},
): Promise<NewJob> {
  const { code = 'job.signing-failed', cause: errorCause = code, staged = false, ...rest } = over
  const job = await queue(world, rest)
  const { ledger } = world.context
  await pickUp(world, job.id)
  if (staged)
    await ledger.reachedKey(
      job.id,
      { ...fingerprint(rest.content ?? 'content'), outputName: `${job.fileName}.p7m` },
      world.clock(),
    )
  await world.work.relocate(job.id, { fileName: job.fileName, inputPath: job.originalPath }, world.clock())
  await ledger.failed(job.id, { from: 'Processing', code, errorCause, error: 'It did not work.' }, world.clock())
  return job
}

/** Picks up this job as a worker, and no other. */
export async function pickUp(world: JobsWorld, id: string): Promise<void> {
  const claimed = await world.context.ledger.claim(1, world.clock())
  if (claimed[0]?.id !== id) throw new Error('Another job was queued before this one.')
}

const fingerprint = (content: string) => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  length: Buffer.byteLength(content),
})
