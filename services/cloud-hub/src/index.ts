// The cloud certificate hub: one API in front of every cloud certificate provider (spec 1 B).
import { sealedAdministrators } from '@chancela/admin-console'
import { watchReadiness } from '@chancela/outbox/notices'
import { chainedEvents } from '@chancela/service-kernel/events'
import type { App, StoredApiKeyRing } from '@chancela/service-kernel/http'
import { sealedInstanceSecrets } from '@chancela/service-kernel/secrets'
import { createSurfaceApp, defineService, openKeys, serveOperations } from '@chancela/service-kernel/service'
import { clientContract } from './client-contract.ts'
import { openParts, type Parts, startWorking } from './compose.ts'
import { consoleApp } from './console-surface.ts'
import type { Context } from './context.ts'
import { eventText } from './parts/console/audit.ts'
import { serveBrowsers, serveChooser } from './routes/browser.ts'
import { serveSessions } from './routes/sessions.ts'
import { serveSigning } from './routes/signing.ts'
import { noticeConditions } from './rules/notice-conditions.ts'
import { cloudHubRules, cloudHubSettings } from './settings.ts'
import { cloudHubSchema } from './store/migrations.ts'
import { sealedSessionTables } from './store/sealed-columns.ts'
import type { Tables } from './store/tables.ts'
import { consoleSurface, hubSurface } from './surfaces.ts'
import { sealedProviders } from './upstream/provider-secrets.ts'

export { clientContract, clientRoutes } from './client-contract.ts'

/** The service, as data and one function. */
export const cloudHub = defineService<typeof cloudHubSettings, Tables>({
  name: 'cloud-hub',
  title: 'Cloud certificate hub',
  summary: 'One API in front of every cloud certificate provider.',
  settings: cloudHubSettings,
  rules: cloudHubRules,
  migrations: cloudHubSchema,
  chained: [chainedEvents],
  eventText,
  sealedTables: [sealedInstanceSecrets('cloud-hub'), sealedAdministrators, sealedProviders, ...sealedSessionTables],
  sharesCommits: true,
  surfaces: [consoleSurface, hubSurface],
  async build(context) {
    const ring = await openKeys(context)
    const parts = await openParts(context)
    const surfaces = {
      [hubSurface.name]: await contractApp(context, parts, ring),
      [consoleSurface.name]: await consoleApp(context, parts, ring),
    }
    startWorking(parts)
    const conditions = async () => noticeConditions(parts.providers.conditions())
    watchReadiness(context, { service: 'cloud-hub', conditions })
    return { surfaces }
  },
})

const paths = { health: '/health', ready: '/ready', readyDetails: '/ready/details', metrics: '/metrics' }

async function contractApp(context: Context, parts: Parts, ring: StoredApiKeyRing): Promise<App> {
  const app = await createSurfaceApp(context, { ...clientContract, ring })
  serveSessions(app, { context, ...parts })
  serveBrowsers(app, { context, ...parts })
  serveChooser(app, context)
  serveSigning(app, { context, ...parts })
  serveOperations(app, context, paths, context.settings.Metrics)
  return app
}
