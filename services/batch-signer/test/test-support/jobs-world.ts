// The routes of jobs behind HTTP over real folders and a real database; the ledger is moved by the test, as workers would.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { problemDetails } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  type StatefulContext,
  type StatefulService,
  startService,
} from '@chancela/service-kernel/service'
import type { Store } from '@chancela/service-kernel/store'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { onTestFinished } from 'vitest'
import { errors } from '../../src/contract/errors.ts'
import { LiveTopics } from '../../src/domain/live.ts'
import { outputName } from '../../src/domain/output-name.ts'
import { defaultBehaviour, type Profile } from '../../src/domain/profile.ts'
import { operatorAccess } from '../../src/domain/session.ts'
import { serveDashboardJobs } from '../../src/routes/dashboard/jobs.ts'
import { frameworkErrors } from '../../src/routes/framework-errors.ts'
import { serveAuth } from '../../src/routes/full/auth.ts'
import { serveJobs } from '../../src/routes/full/jobs.ts'
import { type BatchSignerSettings, batchSignerSettings } from '../../src/settings.ts'
import type { ProfileDirectory } from '../../src/signing/signing.ts'
import { JobLedger, type NewJob } from '../../src/store/job-ledger.ts'
import type { Tables } from '../../src/store/tables.ts'
import { migrationSet, newJob, times } from '../../src/test-support/ledger-world.ts'
import { createInputFiles } from '../../src/upstream/storage/local/input-files.ts'
import { createWorkArea } from '../../src/upstream/storage/local/work-area.ts'
import type { InputFiles, WorkArea } from '../../src/upstream/storage/storage.ts'
import type { Ground } from '../../src/wiring.ts'

export type Database = keyof typeof testStores

const API_KEY = 'operator-key-of-the-tests'

interface Built {
  ground: Ground
  work: WorkArea
  inputs: InputFiles
}

/** Starts the routes of jobs. */
export async function startJobs(database: Database) {
  const store = await testStores[database]<Tables>(migrationSet)
  const clock = testClock('2026-11-15T12:00:30.000Z')
  const dataFolder = await mkdtemp(join(tmpdir(), 'chancela-jobs-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const profiles = new TestProfiles()
  const built: Partial<Built> = {}
  const running = await startService(
    definition(store.service, profiles, built),
    settingsOf(store.url) as unknown as KernelSettings,
    { clock, version: '2.16.0-test', dataFolder, logFile: join(dataFolder, 'service.log') },
  )
  onTestFinished(() => running.stop())
  const { baseUrl } = running.surfaces[0]!
  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}${path}`, { method, ...init, headers: { 'X-API-Key': API_KEY, ...(init.headers as object) } })
  const json = async (method: string, path: string, body?: unknown) => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await call(method, path, sent)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
    return { status: answer.status, body: (await answer.json()) as any }
  }
  await mkdir(join(dataFolder, 'in'))
  return { ...(built as Built), baseUrl, clock, dataFolder, profiles, store, call, json, stop: () => running.stop() }
}

export type JobsWorld = Awaited<ReturnType<typeof startJobs>>

/** Profiles a test changes at will. */
class TestProfiles implements ProfileDirectory {
  readonly #all = new Map<string, Profile>()

  constructor() {
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

  onChange(): () => void {
    return () => {}
  }
}

const surface = { name: 'full', title: 'Jobs', section: 'Http', healthPath: '/api/health' }

/** The name is the PostgreSQL schema, which differs by test. */
const definition = (name: string, profiles: ProfileDirectory, built: Partial<Built>): StatefulService => ({
  name,
  title: 'Jobs',
  summary: 'The jobs of the batch signer.',
  settings: batchSignerSettings,
  migrations: migrationSet,
  surfaces: [surface],
  build: async (context) => {
    const ground = groundOf(context)
    const root = resolve(ground.dataFolder, ground.settings.Storage.Root)
    const work = await createWorkArea({ root })
    const inputs = createInputFiles({ root, inMemoryBytes: ground.settings.Pipeline.InMemoryBytes })
    const access = operatorAccess(ground)
    const app = await createSurfaceApp(context, {
      surface,
      dialect: problemDetails,
      vocabulary: errors,
      frameworkErrors,
      schemes: { key: access },
    })
    const live = new LiveTopics()
    ground.ledger.listen((changes) => live.announceJobs(changes))
    context.closing.add('the live topics', () => live.close())
    const pipeline = { inFlight: () => ({ pades: 0, cades: 0, xades: 0, total: 0 }) }
    serveAuth(app, ground, { access })
    serveJobs(app, ground, { profiles, work, inputs })
    serveDashboardJobs(app, ground, { profiles, work, inputs, live, pipeline })
    Object.assign(built, { ground, work, inputs })
    return { surfaces: { full: app } }
  },
})

function groundOf(context: StatefulContext): Ground {
  const settings = context.settings as BatchSignerSettings
  const store = context.store as unknown as Store<Tables>
  const raise = (error: unknown) => {
    throw error
  }
  const ledger = new JobLedger({ store, owner: 'test/1', namesOnce: true, onTrouble: raise, onRecovery: () => {} })
  return { ...context, settings, store, ledger }
}

function settingsOf(url: string): BatchSignerSettings {
  const file = {
    Environment: 'development',
    Http: { Port: 0 },
    Auth: { ApiKey: API_KEY },
    Database: { Url: url },
    RateLimiting: { Enabled: false },
    Health: { CacheSeconds: 0 },
  }
  const name = 'batch-signer'
  return loadSettings({ schemas: { [name]: batchSignerSettings }, environment: {}, defaults: { [name]: file } })
    .settings[name]!
}

/** Queues a job whose input stands in a watched folder (or, without one, is an upload that landed there). */
export async function queue(world: JobsWorld, over: Partial<NewJob> & { content?: string } = {}): Promise<NewJob> {
  const { content = 'content', ...given } = over
  const fileName = given.fileName ?? `file-${randomUUID()}.pdf`
  const job = newJob({ originalPath: join(world.dataFolder, 'in', fileName), ...given, fileName })
  await mkdir(join(job.originalPath, '..'), { recursive: true })
  await writeFile(job.originalPath, content)
  const { outcome } = await world.ground.ledger.enqueue(job, world.clock(), { named: false })
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
  const { ledger } = world.ground
  const { preserveFileExtension, saveAsPem } = world.profiles.get(job.profileName)!
  const name = outputName(job.fileName, { preserveFileExtension, saveAsPem, format: job.format, encrypted })
  await pickUp(world, job.id)
  const content = rest.content ?? 'content'
  await ledger.reachedKey(job.id, { ...fingerprint(content), outputName: name }, world.clock())
  await ledger.signed(job.id, { message: 'Signed.' }, world.clock())
  const written = await world.work.write(job.id, [Buffer.from(output)])
  await world.work.promote(job.id, written, name)
  await ledger.completed(job.id, { ...times, encrypted, outputLength: written.length }, world.clock())
  await world.work.settle(job.id)
  await rm(job.originalPath)
  await ledger.inputSettled(job.id, 'deleted', world.clock())
  return { ...job, outputName: name }
}

/** Queues a job and fails it before or after the key was asked. */
export async function fail(
  world: JobsWorld,
  over: Parameters<typeof queue>[1] & { code?: string; staged?: boolean } = {},
): Promise<NewJob> {
  const { code = 'job.signing-failed', staged = false, ...rest } = over
  const job = await queue(world, rest)
  const { ledger } = world.ground
  await pickUp(world, job.id)
  if (staged)
    await ledger.reachedKey(
      job.id,
      { ...fingerprint(rest.content ?? 'content'), outputName: `${job.fileName}.p7m` },
      world.clock(),
    )
  await world.work.relocate(job.id, { fileName: job.fileName, inputPath: job.originalPath }, world.clock())
  await ledger.failed(job.id, { from: 'Processing', code, error: 'It did not work.' }, world.clock())
  return job
}

/** Lets a worker have the job, and nobody else's. */
export async function pickUp(world: JobsWorld, id: string): Promise<void> {
  const claimed = await world.ground.ledger.claim(1, world.clock())
  if (claimed[0]?.id !== id) throw new Error('Another job was queued before this one.')
}

const fingerprint = (content: string) => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  length: Buffer.byteLength(content),
})
