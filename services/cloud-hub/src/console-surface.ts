// The admin page: its API and its pages.
import { fileURLToPath } from 'node:url'
import { ApplicationAdmin, createConsoleApp, serveEvents } from '@chancela/admin-console'
import type { App, StoredApiKeyRing } from '@chancela/service-kernel/http'
import { isBundle, serveBundle, serveOperations } from '@chancela/service-kernel/service'
import type { Parts } from './compose.ts'
import type { Context } from './context.ts'
import { consoleErrors } from './contract/console-errors.ts'
import { listEvents } from './contract/console-events.ts'
import { consoleRights } from './contract/console-rights.ts'
import { eventText } from './parts/console/audit.ts'
import { ProviderAdmin } from './parts/console/providers.ts'
import { RedirectUriAdmin } from './parts/console/redirect-uris.ts'
import { SessionAdmin } from './parts/console/sessions.ts'
import { serveApplications } from './routes/console/applications.ts'
import type { ConsoleApp } from './routes/console/console-app.ts'
import { serveOverview } from './routes/console/overview.ts'
import { serveProviders } from './routes/console/providers.ts'
import { serveSessions } from './routes/console/sessions.ts'
import { consoleSurface } from './surfaces.ts'
import { ProviderRegistry } from './upstream/provider-registry.ts'

export async function consoleApp(
  context: Context,
  { providers, identifierDigest }: Pick<Parts, 'providers' | 'identifierDigest'>,
  ring: StoredApiKeyRing,
): Promise<App> {
  const app = await createConsoleApp(context, {
    surface: consoleSurface,
    vocabulary: consoleErrors,
    rights: consoleRights,
  })
  const providerAdmin = new ProviderAdmin(new ProviderRegistry(context), providers)
  serveApplications(app, new ApplicationAdmin(context, ring), new RedirectUriAdmin(context))
  serveProviders(app, providerAdmin)
  serveSessions(app, new SessionAdmin(context, providers, identifierDigest))
  serveOverview(app, context, providerAdmin)
  serveEvents(app, listEvents, context, eventText)
  serveOperations(app, context, { health: '/health', ready: '/ready' }, context.settings.Metrics)
  servePages(app, context)
  return app
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/hub', import.meta.url))

/** Paths of the pages: the browser decides what each shows. */
const pages = [
  '/login',
  '/second-factor',
  '/providers',
  '/providers/new',
  '/providers/{id}',
  '/applications',
  '/sessions',
  '/uses',
  '/administrators',
  '/events',
  '/account',
]

function servePages(app: ConsoleApp, { logger }: Context): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages, images: ['https:'] })
  else logger.warn('the admin pages are not built: run npm run build')
}
