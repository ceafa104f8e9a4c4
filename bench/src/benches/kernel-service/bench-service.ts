import { jobMigrations, startWorker } from '@chancela/outbox/queue'
import { serviceSettings } from '@chancela/service-kernel/config'
import { eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import {
  type ApiKeyTables,
  apiKeyMigrations,
  createApplication,
  createKey,
  problemDetails,
  serve,
} from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import {
  createSurfaceApp,
  defineService,
  openKeys,
  type ServiceContext,
  type StatefulService,
  type SurfaceDefinition,
  serveOperations,
} from '@chancela/service-kernel/service'
import type { Static } from 'typebox'
import { acceptJob } from '../http/contract.ts'
import { acceptJobRoute, errors, frameworkErrors } from './job-route.ts'
import { openPaths } from './open-paths.ts'

const surface: SurfaceDefinition = {
  name: 'bench',
  title: { 'pt-BR': 'Medição', 'en-US': 'Bench' },
  summary: { 'pt-BR': 'Para medir o núcleo.', 'en-US': 'To measure the kernel.' },
  section: 'Http',
  healthPath: openPaths.health,
  readyPath: openPaths.ready,
  openApiPath: openPaths.openApi,
  referencePath: openPaths.reference,
}

const benchSettings = serviceSettings(
  { Http: { Port: 0 }, Database: { Url: 'sqlite:bench.db' }, Secrets: { MasterKeyFile: 'master.key' } },
  {},
)

type Context = ServiceContext<Static<typeof benchSettings>, ApiKeyTables>

/**
 * A service with every part of the kernel and no domain: the base cost of the suite's services. `onKey` gets the key of
 * its route when it is created.
 */
export const benchService = (onKey: (key: string) => void): StatefulService =>
  defineService<typeof benchSettings, ApiKeyTables>({
    name: 'bench',
    title: 'Bench',
    summary: 'Every part of the kernel, and no domain.',
    settings: benchSettings,
    surfaces: [surface],
    migrations: {
      'api-keys': apiKeyMigrations,
      events: eventMigrations,
      'master-keys': masterKeyMigrations,
      health: healthMigrations,
      jobs: jobMigrations,
    },
    build: async (context) => {
      startIdleWorker(context)
      onKey(await makeKey(context))
      return { surfaces: { bench: await createBenchApp(context) } }
    },
  })

function startIdleWorker({ store, clock, logger, closing }: Context): void {
  const worker = startWorker(store, {
    queue: 'bench',
    instance: 'bench-1',
    clock,
    retry: { waitSeconds: [1, 10, 60] },
    handle: async () => {},
    onError: (error) => logger.error({ err: error }, 'a job failed'),
  })
  closing.add('the worker', () => worker.stop())
}

async function makeKey({ store, clock }: Context): Promise<string> {
  const application = await createApplication(store, 'bench', clock())
  const { key } = await createKey(store, { applicationId: application.id, description: 'bench' }, clock())
  return key
}

async function createBenchApp(context: Context) {
  const ring = await openKeys(context)
  const app = await createSurfaceApp(context, {
    surface,
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    ring,
  })
  serve(app, acceptJobRoute, ({ body }) => acceptJob(body))
  serveOperations(app, context, { ...openPaths, metrics: '/api/metrics' }, { Enabled: true, RequireApiKey: true })
  return app
}
