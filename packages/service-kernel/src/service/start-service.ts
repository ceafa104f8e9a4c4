import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '../clock/index.ts'
import { checkpointMinutesIn, type KernelSettings } from '../config/index.ts'
import { isStoreUnreachable, type StartupProblem } from '../errors/index.ts'
import { createEventLog, type OpenedAudit, openAudit } from '../events/index.ts'
import {
  createCertificateWatch,
  createDiskSpace,
  createHeartbeats,
  createReadiness,
  measureHealth,
  storeCheck,
  storeCheckOptions,
} from '../health/index.ts'
import { type App, certificateOf, createLogger, drain } from '../http/index.ts'
import { createMetrics } from '../metrics/index.ts'
import { openMasterKeys, turnAwayPasswords } from '../secrets/index.ts'
import { sharingTransactions, storeFile } from '../store/index.ts'
import { ClosingList } from './closing-list.ts'
import { sectionOf } from './create-surface-app.ts'
import type {
  BuiltService,
  ServiceContext,
  ServiceDefinition,
  StatefulService,
  StatelessContext,
  SurfaceDefinition,
} from './definition.ts'
import { serveFrontPage, serveIcon } from './front-page.ts'
import { listen } from './listen.ts'
import { openMigratedStore } from './open-migrated-store.ts'
import { type ServedSurface, watchTransport } from './transport.ts'
import { serveUnknownPage } from './unknown-page.ts'
import { refuseWithoutStore, watchForStore } from './without-store.ts'

export interface StartOptions {
  readonly clock: Clock
  readonly version: string
  /** Base folder of relative paths in the settings. */
  readonly dataFolder: string
  /** Log file; standard output when absent. */
  readonly logFile?: string
}

/** One base URL that answers. */
export interface RunningSurface {
  readonly definition: SurfaceDefinition
  readonly baseUrl: string
}

/** A service that answers, until it is stopped. */
export interface RunningService {
  readonly definition: ServiceDefinition
  readonly surfaces: readonly RunningSurface[]
  readonly context: StatelessContext | ServiceContext
  /** Why it answers without doing its work, for the person who started it; undefined when all is well. */
  readonly problem?: string
  /** What is unsafe in how it was started, a sentence each, for the same person. */
  readonly warnings: readonly string[]
  /** Resolves when the service cannot go on, with the reason; never otherwise. */
  readonly gaveUp: Promise<StartupProblem>
  /** Answers running requests, then closes everything in reverse order. A second call waits for the first. */
  stop(): Promise<void>
}

/** The context of a running service, typed by its definition. */
export const contextOf = <Settings, Tables>({ context }: Pick<RunningService, 'context'>) =>
  context as ServiceContext<Settings, Tables>

/**
 * Opens, migrates, builds and listens; a start that fails half-way closes what it had opened. A service that can answer
 * without its database does so, until it is stopped, when the start cannot reach it.
 */
export async function startService(
  definition: ServiceDefinition,
  settings: KernelSettings,
  options: StartOptions,
): Promise<RunningService> {
  const logger = createLogger({ service: definition.name, level: settings.Log.Level, ...fileOf(options) })
  const opening = { ...options, logger }
  try {
    return await open(definition, settings, opening, (context) => build(definition, settings, context))
  } catch (error) {
    const withoutStore = builderWithoutStore(definition, settings, error)
    if (!withoutStore) throw error
    return { ...(await open(definition, settings, opening, withoutStore)), problem: (error as Error).message }
  }
}

/** Builds the apps of a service, and what the context is then. */
type Builder = (context: StatelessContext) => Promise<[BuiltService, StatelessContext]>

async function open(
  definition: ServiceDefinition,
  settings: KernelSettings,
  opening: Omit<Opening, 'closing' | 'giveUp'>,
  builder: Builder,
): Promise<RunningService> {
  const { logger } = opening
  const closing = new ClosingList((what, error) => logger.error({ err: error }, `${what} did not close`))
  try {
    const { promise: gaveUp, resolve: giveUp } = promised<StartupProblem>()
    const context = baseContext(definition, settings, { ...opening, closing, giveUp })
    const [built, complete] = await builder(context)
    const warnings = watchTransport(context, servedSurfaces(definition, settings, built))
    const surfaces = await listenAll(definition, settings, built, context)
    logger.info({ surfaces: surfaces.map((one) => one.baseUrl) }, 'listening')
    const stop = once(() => closing.closeAll(stopSeconds(definition, settings)))
    return { definition, surfaces, context: complete, warnings, gaveUp, stop }
  } catch (error) {
    await closing.closeAll(stopSeconds(definition, settings))
    throw error
  }
}

/** How much longer than its requests may take, in seconds, a service is given for all else that is under way. */
const BEYOND_DRAIN_SECONDS = 10

/** Longest time of a stop. What the drain leaves of its own is for work that no request waits for. */
const stopSeconds = ({ surfaces }: ServiceDefinition, settings: KernelSettings): number =>
  Math.max(0, ...surfaces.map((surface) => sectionOf(settings, surface).DrainSeconds)) + BEYOND_DRAIN_SECONDS

/** Undefined where the service ends instead, or where the error is another one. */
function builderWithoutStore(
  definition: ServiceDefinition,
  { Database }: KernelSettings,
  error: unknown,
): Builder | undefined {
  if (!definition.migrations || !definition.buildWithoutStore || !isStoreUnreachable(error)) return undefined
  const { name } = definition
  const build = definition.buildWithoutStore
  return async (context) => {
    const { dataFolder } = context
    context.logger.error(
      { err: error },
      'the database cannot be reached: this instance does no work until it is restarted',
    )
    watchForStore(context, { url: Database.Url, service: name, dataFolder })
    const built = await build(context)
    for (const app of Object.values(built.surfaces)) refuseWithoutStore(app)
    return [built, context]
  }
}

const fileOf = ({ logFile }: StartOptions) => (logFile === undefined ? {} : { file: logFile })

type Opening = StartOptions &
  Pick<StatelessContext, 'giveUp'> & { readonly logger: Logger; readonly closing: ClosingList }

function baseContext(definition: ServiceDefinition, settings: KernelSettings, opening: Opening): StatelessContext {
  const { clock, version, dataFolder, logFile, logger, closing, giveUp } = opening
  const service = definition.name
  const metrics = createMetrics({ service, version, ...prefixOf(definition) })
  const readiness = createReadiness({ cacheSeconds: settings.Health.CacheSeconds, clock })
  const disks = createDiskSpace({ leastBytes: settings.Health.MinFreeBytes })
  disks.watch('data', dataFolder)
  if (logFile !== undefined) disks.watch('log', folderOf(logFile))
  measureHealth(metrics, { readiness, disks })
  const heartbeats = createHeartbeats()
  const { CertificateWarningDays: warningDays, CertificateCriticalDays: criticalDays } = settings.Health
  const certificates = createCertificateWatch({ readiness, metrics, clock, warningDays, criticalDays })
  const parts = { metrics, readiness, heartbeats, disks, certificates, closing, giveUp }
  return { service, settings, version, clock, logger, dataFolder, ...parts }
}

/** Where a file really is: a log is often a link to another disk. */
function folderOf(file: string): string {
  try {
    return dirname(realpathSync(file))
  } catch {
    // It is not there yet, and will be where it is named.
    return dirname(file)
  }
}

const prefixOf = ({ metricsPrefix }: ServiceDefinition) =>
  metricsPrefix === undefined ? {} : { prefix: metricsPrefix }

async function build(
  definition: ServiceDefinition,
  settings: KernelSettings,
  context: StatelessContext,
): Promise<[BuiltService, StatelessContext]> {
  const [complete, audit] = definition.migrations ? await withState(definition, settings, context) : [context]
  const built = await definition.build(complete as ServiceContext)
  audit?.start()
  watchTheProcess(context)
  return [built, complete]
}

/** Told, and not counted: what is short or stuck may still serve, and the checks that write tell when it does not. */
function watchTheProcess({ readiness, disks, heartbeats }: StatelessContext): void {
  readiness.add('disk', () => disks.check(), { gates: false })
  readiness.add('workers', async () => heartbeats.check(), { gates: false })
}

async function withState(
  definition: StatefulService,
  settings: KernelSettings,
  context: StatelessContext,
): Promise<[ServiceContext, Pick<OpenedAudit, 'start'>]> {
  const { dataFolder, clock, closing } = context
  const opened = await openMigratedStore(definition, settings, context)
  const store = definition.sharesCommits ? sharingTransactions(opened) : opened
  closing.add('the store', () => store.close())
  const file = storeFile({ url: settings.Database.Url, dataFolder })
  if (file !== undefined) context.disks.watch('database', folderOf(file))
  context.readiness.add('database', storeCheck(store, { clock, file }), storeCheckOptions)
  const { secrets, check } = await openMasterKeys(store, {
    service: definition.name,
    masterKey: settings.Secrets.MasterKey,
    masterKeyFile: resolve(dataFolder, settings.Secrets.MasterKeyFile),
    tables: definition.sealedTables ?? [],
  })
  context.readiness.add('master-key', check)
  const checkpointMinutes = checkpointMinutesIn(settings)
  const audit = openAudit({ ...context, store, secrets }, { kinds: definition.chained ?? [], checkpointMinutes })
  return [{ ...context, store, secrets, events: createEventLog(store, clock), chain: audit.chain }, audit]
}

const servedSurfaces = (
  { surfaces }: ServiceDefinition,
  settings: KernelSettings,
  built: BuiltService,
): readonly ServedSurface[] =>
  surfaces.map((surface) => ({
    surface,
    section: sectionOf(settings, surface),
    certificate: certificateOf(appOf(built, surface)),
  }))

function appOf(built: BuiltService, { name }: SurfaceDefinition): App {
  const app = built.surfaces[name]
  if (!app) throw new Error(`The service built no surface named ${name}.`)
  return app
}

async function listenAll(
  definition: ServiceDefinition,
  settings: KernelSettings,
  built: BuiltService,
  { version, closing }: StatelessContext,
): Promise<RunningSurface[]> {
  const running: RunningSurface[] = []
  const drains: (() => Promise<unknown>)[] = []
  // At once: the time for stopping is that of one.
  closing.add('the surfaces', async () => {
    turnAwayPasswords()
    await Promise.all(drains.map((one) => one()))
  })
  for (const surface of definition.surfaces) {
    const app = appOf(built, surface)
    const section = sectionOf(settings, surface)
    const consoleUrl = () => consoleOf(surface, settings, running)
    serveFrontPage(app, { surface, version, publicUrl: section.PublicUrl, consoleUrl })
    serveUnknownPage(app, surface)
    serveIcon(app)
    drains.push(() => drain(app, section.DrainSeconds))
    const address = { service: definition.name, section: surface.section, host: section.Host, port: section.Port }
    running.push({ definition: surface, baseUrl: await listen(app, address) })
  }
  return running
}

/** Address of a surface's console. In production it is not shown to anybody. */
function consoleOf(
  { console }: SurfaceDefinition,
  settings: KernelSettings,
  running: readonly RunningSurface[],
): string | undefined {
  if (settings.Environment !== 'development') return undefined
  const found = running.find(({ definition }) => definition.name === console)
  return found && (sectionOf(settings, found.definition).PublicUrl ?? found.baseUrl)
}

/** A promise, and who keeps it. */
function promised<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((keep) => {
    resolve = keep
  })
  return { promise, resolve }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
