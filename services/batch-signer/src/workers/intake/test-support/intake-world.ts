// The intake over a real store and real folders, with its routes; only the test picks jobs up.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp, createLogger, problemDetails } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import { temporaryFolder } from '@chancela/testkit/tools'
import { onTestFinished } from 'vitest'
import type { Context } from '../../../context.ts'
import { errors } from '../../../contract/errors.ts'
import { configuredFolders } from '../../../parts/folders/folder-directory.ts'
import { FolderHolds } from '../../../parts/folders/folder-holds.ts'
import { StuckFiles } from '../../../parts/stuck-files.ts'
import { frameworkErrors } from '../../../routes/framework-errors.ts'
import { serveFiles } from '../../../routes/full/files.ts'
import { serveFolders } from '../../../routes/full/folders.ts'
import { serveRescan } from '../../../routes/full/rescan.ts'
import { operatorAccess } from '../../../routes/operator-access.ts'
import { PLACE_MARKER } from '../../../rules/ignore-rules.ts'
import type { BatchSignerSettings } from '../../../settings.ts'
import type { Tables } from '../../../store/tables.ts'
import { createWorkArea } from '../../../upstream/storage/local/work-area.ts'
import { openContext } from '../../test-support/open-context.ts'
import { createIntake, type IntakeParts } from '../intake.ts'
import { MemoryProfiles } from './memory-profiles.ts'

const API_KEY = 'a key of sixteen letters and more'

interface WorldOptions {
  readonly store: Store<Tables>
  /** Names of the configured folders. Default: `default`. */
  readonly inputs?: readonly string[]
  /** The data folder of an earlier world. */
  readonly dataFolder?: string
  readonly watched?: Partial<BatchSignerSettings['WatchedFolder']>
  readonly upload?: Partial<BatchSignerSettings['Upload']>
  readonly pipeline?: Partial<BatchSignerSettings['Pipeline']>
  readonly work?: Partial<IntakeParts['work']>
  readonly profiles?: MemoryProfiles
  readonly mostCandidates?: number
  readonly clock?: () => Date
  readonly writersOf?: IntakeParts['writersOf']
  /** Folders can be held; a hold is tried by itself after a minute. */
  readonly holdsFolders?: boolean
  /** Further settings of every folder. */
  readonly folder?: Readonly<Record<string, unknown>>
}

/** Opens an intake that is not started yet; all is stopped when the test ends. */
export async function intakeWorld({ store, inputs = ['default'], ...options }: WorldOptions) {
  const dataFolder = options.dataFolder ?? temporaryFolder()
  const lines: Record<string, unknown>[] = []
  const opened = await openContext({
    store,
    clock: options.clock ?? (() => new Date()),
    dataFolder,
    settings: {
      Auth: { ApiKey: API_KEY },
      Storage: { Inputs: inputs.map((Name) => ({ Name, Path: join('in', Name), ...options.folder })) },
    },
    logger: createLogger({
      service: 'batch-signer',
      level: 'info',
      destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
    }),
  })
  // Faster than the settings allow: tests wait for polls and for stable files.
  const context: Context = { ...opened, settings: { ...opened.settings, ...fastSettings(opened.settings, options) } }
  const profiles = options.profiles ?? new MemoryProfiles()
  if (!options.profiles) profiles.put({ name: 'default', inputFolder: 'default' })
  for (const name of inputs) await mkdir(join(dataFolder, 'in', name), { recursive: true })
  const work = await createWorkArea({ root: join(dataFolder, 'batch-signer') })
  const stuck = new StuckFiles(context)
  const folderHolds = new FolderHolds(context, { watched: configuredFolders(context), work, firstRetryMs: 60_000 })
  const intake = await createIntake(context, {
    profiles: profiles.directory,
    work: { ...work, ...options.work },
    mostCandidates: options.mostCandidates,
    stuck,
    writersOf: options.writersOf,
    ...(options.holdsFolders && { folderHolds }),
  })
  onTestFinished(() => opened.close())
  onTestFinished(() => folderHolds.close())
  const app = await appOf(context, intake)
  onTestFinished(() => app.close())
  let url: Promise<string> | undefined
  const input = (name: string, folder = 'default') => join(dataFolder, 'in', folder, name)
  const uploaded = (name: string) => join(dataFolder, 'batch-signer', 'uploads', name)
  return {
    context,
    intake,
    stuck,
    folderHolds,
    profiles,
    work,
    dataFolder,
    lines,
    app,
    input,
    uploaded,
    uploads: () => filesIn(uploaded('')),
    /** Makes a complete file appear in a folder. */
    drop: (name: string, content: string | Buffer = name, folder?: string) => writeFile(input(name, folder), content),
    left: (folder = 'default') => filesIn(join(dataFolder, 'in', folder)),
    jobs: () => store.db.selectFrom('job').selectAll().orderBy('created_at').orderBy('id').execute(),
    names: async () => {
      const rows = await store.db.selectFrom('job').select(['file_name', 'status']).execute()
      return rows.map(({ file_name, status }) => `${file_name} ${status}`).sort()
    },
    call: async (method: 'GET' | 'POST', url: string) => {
      const answer = await app.inject({ method, url, headers: { 'x-api-key': API_KEY } })
      return { status: answer.statusCode, body: answer.json() }
    },
    /** The URL of the app, and the header with the key. */
    listen: async () => {
      url ??= app.listen({ port: 0, host: '127.0.0.1' })
      return { url: await url, headers: { 'x-api-key': API_KEY } }
    },
  }
}

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith(PLACE_MARKER)).sort()

function fastSettings(settings: BatchSignerSettings, { watched, upload, pipeline }: Omit<WorldOptions, 'store'>) {
  return {
    WatchedFolder: {
      ...settings.WatchedFolder,
      StabilityPollIntervalMs: 40,
      StabilityRequiredSamples: 2,
      PollIntervalSeconds: 0.2,
      TakeExisting: true,
      ...watched,
    },
    Upload: { ...settings.Upload, ...upload },
    Pipeline: { ...settings.Pipeline, ...pipeline },
  }
}

async function appOf(context: Context, intake: Awaited<ReturnType<typeof createIntake>>) {
  const app = await createApp({
    service: { name: 'batch-signer', title: 'Batch signer', version: context.version },
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    environment: 'development',
    logger: context.logger,
    schemes: { key: operatorAccess(context) },
    rateLimits: {
      Upload: { PermitsPerWindow: 1000, WindowSeconds: 60 },
      Actions: { PermitsPerWindow: 1000, WindowSeconds: 60 },
    },
  })
  serveFiles(app, context, intake)
  serveFolders(app, intake)
  serveRescan(app, intake)
  return app
}
