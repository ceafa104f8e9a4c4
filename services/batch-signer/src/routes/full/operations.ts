import { resolve } from 'node:path'
import { noticesOf } from '@chancela/outbox/notices'
import { SECOND } from '@chancela/service-kernel/clock'
import { withoutSecrets } from '@chancela/service-kernel/config'
import type { ReadinessVerdict } from '@chancela/service-kernel/health'
import { serve } from '@chancela/service-kernel/http'
import { serveOperations } from '@chancela/service-kernel/service'
import { storeFile } from '@chancela/service-kernel/store'
import type { ServiceLife } from '../../actions/begin-service-life.ts'
import type { CustomerLogo } from '../../actions/read-customer-logo.ts'
import type { Context } from '../../context.ts'
import { systemView } from '../../contract/operations.ts'
import type { FolderDirectory } from '../../parts/folders/folder-directory.ts'
import { batchSignerSettings } from '../../settings.ts'
import { logoUrl } from './branding.ts'
import { displayLanguage } from './culture.ts'
import type { FullApp } from './full-app.ts'

export interface OperationsParts {
  readonly life: ServiceLife
  readonly folders: Pick<FolderDirectory, 'list'>
  /** The trusted roots. */
  trustAnchors(): readonly { readonly subject: string; readonly notAfter: Date }[]
  readonly logo: CustomerLogo | undefined
}

/** Where liveness, readiness and metrics are. */
export const operationPaths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

/** Registers liveness, readiness, metrics and the System page's data. */
export function serveOperationsRoutes(app: FullApp, context: Context, parts: OperationsParts): void {
  const { settings } = context
  const { Metrics, Readiness } = settings
  serveOperations(app, context, operationPaths, { ...Metrics, readyRequiresKey: Readiness.RequireApiKey })
  serve(app, systemView, (call) => system(context, parts, call.now, displayLanguage(call)))
}

async function system(
  context: Context,
  { life, folders, trustAnchors, logo }: OperationsParts,
  now: Date,
  language: ReturnType<typeof displayLanguage>,
) {
  const { settings, version, store, readiness } = context
  return {
    version,
    environment: settings.Environment,
    store: await store.version(),
    startedAt: life.startedAt.toISOString(),
    uptimeSeconds: Math.floor((now.getTime() - life.startedAt.getTime()) / SECOND),
    lastShutdown: lastShutdown(life),
    queueLength: await queueLength(context),
    paths: pathsOf(context, folders),
    readiness: readinessIn(language, await readiness.verdict()),
    trustAnchors: trustAnchors().map(({ subject, notAfter }) => ({ subject, notAfter: notAfter.toISOString() })),
    customerLogo: logoUrl(logo),
    settings: withoutSecrets(batchSignerSettings, settings),
  }
}

/** What a red check means is told as it is by mail. */
const readinessIn = (language: ReturnType<typeof displayLanguage>, { ready, checks }: ReadinessVerdict) => ({
  ready,
  checks: checks.map((check) => ({ ...check, told: noticesOf([check])[0]?.title[language] ?? null })),
})

function lastShutdown({ previous }: ServiceLife) {
  if (!previous) return null
  const { startedAt, stoppedAt } = previous
  return {
    startedAt: startedAt.toISOString(),
    stoppedAt: stoppedAt?.toISOString() ?? null,
    clean: stoppedAt !== undefined,
  }
}

/** From the tally, which is updated with the jobs. */
async function queueLength({ store }: Context): Promise<number> {
  const { n } = await store.db
    .selectFrom('job_tally')
    .select((row) => row.fn.sum<number | string | null>('n').as('n'))
    .where('status', '=', 'Queued')
    .executeTakeFirstOrThrow()
  return Number(n ?? 0)
}

function pathsOf({ settings, dataFolder }: Context, folders: OperationsParts['folders']) {
  const { Storage, Database, Secrets, Backup } = settings
  const absolute = (path: string | undefined) => (path === undefined ? null : resolve(dataFolder, path))
  return {
    dataFolder,
    storageRoot: resolve(dataFolder, Storage.Root),
    inputs: folders.list().map(({ folder: { name, path } }) => ({ name, path })),
    database: storeFile({ url: Database.Url, dataFolder }) ?? null,
    masterKeyFile: Secrets.MasterKey === undefined ? absolute(Secrets.MasterKeyFile) : null,
    backups: absolute(Backup.Path),
  }
}
