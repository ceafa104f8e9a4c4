import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { flushLogs } from '@chancela/service-kernel/http'
import {
  type BuiltService,
  contextOf,
  type RunningService,
  type ServiceContext,
  type StatefulService,
  startService,
} from '@chancela/service-kernel/service'
import { type TestStore, testStores } from '../stores/index.ts'
import { showErrorsOf } from '../test-files/open-logs.ts'
import { toldByLog } from './told-by-log.ts'

export type Database = keyof typeof testStores

export const databases = Object.keys(testStores) as readonly Database[]

/** Settings that differ from their defaults, in the form of the settings file. */
export type SettingsFile = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The data of a stopped world, for another to start on. */
export interface Left<Tables> {
  readonly store: TestStore<Tables>
  readonly dataFolder: string
}

export interface ServiceWorldOptions<Tables> {
  readonly database: Database
  readonly clock: Clock
  readonly settings?: SettingsFile
  /** A world that was stopped, to be started again on its data. */
  readonly after?: Left<Tables> | undefined
  /** Writes the files that the settings name and the rows that the service reads once, before it starts. */
  prepare?(dataFolder: string, store: TestStore<Tables>): Promise<void>
}

/** A running service with its parts, for tests. */
export interface ServiceWorld<Tables, Settings> extends Left<Tables> {
  readonly settings: Settings
  readonly context: ServiceContext<Settings, Tables>
  /** What was built for each surface. */
  readonly apps: BuiltService['surfaces']
  /** The base URL of a surface, by its name; empty for a disabled one. */
  urlOf(surface: string): string
  /** All that was logged so far. */
  log(): string
  stop(): Promise<void>
  /** Resolves when the service cannot go on, with the reason. */
  readonly gaveUp: RunningService['gaveUp']
  /** Stops, and removes the data unless it belongs to another world; throws what the log told and must not have. */
  close(): Promise<void>
}

/**
 * Starts a service as production does: the whole definition, its settings read as from a file, its own database. Only
 * the ports, the clock and the name (that of the test store's schema) come from the test.
 */
export async function startServiceWorld<Tables, Settings>(
  service: StatefulService,
  { database, clock, settings = {}, after, prepare }: ServiceWorldOptions<Tables>,
): Promise<ServiceWorld<Tables, Settings>> {
  const store = after?.store ?? (await testStores[database]<Tables>(service.migrations))
  const dataFolder = after?.dataFolder ?? (await mkdtemp(join(tmpdir(), `chancela-${service.name}-`)))
  await prepare?.(dataFolder, store)
  const logFile = join(dataFolder, 'service.log')
  let apps: BuiltService['surfaces'] = {}
  const build: StatefulService['build'] = async (context) => {
    const built = await service.build(context)
    apps = built.surfaces
    return built
  }
  const loaded = settingsOf(service, store, settings)
  const running = await startService({ ...service, name: store.service, build }, loaded as KernelSettings, {
    clock,
    version: '1.0.0-test',
    dataFolder,
    logFile,
  })
  const log = () => readLog(logFile)
  const forgetLog = showErrorsOf(log)
  const stop = () => running.stop()
  return {
    store,
    dataFolder,
    settings: loaded as Settings,
    context: contextOf<Settings, Tables>(running),
    apps,
    urlOf: (surface) => running.surfaces.find(({ definition }) => definition.name === surface)?.baseUrl ?? '',
    log,
    stop,
    gaveUp: running.gaveUp,
    close: async () => {
      await stop()
      const told = toldByLog(log())
      forgetLog()
      if (!after) await rm(dataFolder, { recursive: true, force: true })
      if (told.length > 0) throw new Error(`The log tells what it must not: ${told.join('; ')}`)
    },
  }
}

/**
 * The settings of a service as a file with these sections gives them, with the defaults of all tests. Wrong ones fail
 * the test as they fail a start.
 */
export const settingsOf = (
  service: Pick<StatefulService, 'name' | 'settings'>,
  { url }: Pick<TestStore<unknown>, 'url'>,
  settings: SettingsFile,
): unknown =>
  loadSettings({
    schemas: { [service.name]: service.settings },
    environment: {},
    defaults: { [service.name]: withSections(quiet(url), settings) },
  }).settings[service.name]

const quiet = (url: string): SettingsFile => ({
  Http: { Port: 0 },
  Database: { Url: url },
  RateLimiting: { Enabled: false },
  Health: { CacheSeconds: 0 },
})

/** Merges sections: a setting that is not given stays. */
export function withSections(base: SettingsFile, over: SettingsFile): SettingsFile {
  const changed = Object.entries(over).map(([name, section]) => [name, overlaid(base[name], section)])
  return { ...base, ...Object.fromEntries(changed) }
}

/** Not every entry of a settings file is a section. */
const overlaid = (base: unknown, over: unknown): unknown =>
  isSection(base) && isSection(over) ? { ...base, ...over } : over

const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Loggers buffer for a second, so unwritten lines must be flushed first. */
function readLog(file: string): string {
  flushLogs()
  return readFileSync(file, 'utf8')
}
