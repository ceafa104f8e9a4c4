// The console: its API, its pages, and beside them the channel of workstation agents.
import { fileURLToPath } from 'node:url'
import {
  ApplicationAdmin,
  createConsoleApp,
  serveApplications,
  serveEvents,
  serveKeyCreation,
} from '@chancela/admin-console'
import type { App, StoredApiKeyRing } from '@chancela/service-kernel/http'
import { isBundle, serveBundle, serveOperations } from '@chancela/service-kernel/service'
import type { Parts } from './compose.ts'
import type { Context } from './context.ts'
import { consoleErrors } from './contract/console-errors.ts'
import { listEvents } from './contract/console-events.ts'
import { consoleRights } from './contract/console-rights.ts'
import { Activity } from './parts/console/activity.ts'
import { eventText } from './parts/console/audit.ts'
import { CertificateAdmin } from './parts/console/certificates.ts'
import { serveAgents } from './routes/agents.ts'
import { serveActivity } from './routes/console/activity.ts'
import { serveCertificates } from './routes/console/certificates.ts'
import type { ConsoleApp } from './routes/console/console-app.ts'
import { serveOverview } from './routes/console/overview.ts'
import { serveWorkstations } from './routes/console/workstations.ts'
import { consoleSurface } from './surfaces.ts'

export async function consoleApp(context: Context, parts: Parts, ring: StoredApiKeyRing): Promise<App> {
  const app = await createConsoleApp(context, {
    surface: consoleSurface,
    vocabulary: consoleErrors,
    rights: consoleRights,
  })
  const applications = new ApplicationAdmin(context, ring)
  serveApplications(app, applications)
  serveKeyCreation(app, applications)
  serveCertificates(app, new CertificateAdmin(context, parts))
  serveActivity(app, new Activity(context, parts))
  serveWorkstations(app, parts.workstationAdmin)
  serveOverview(app, context, parts)
  serveEvents(app, listEvents, context, eventText)
  serveAgents(app, parts)
  serveOperations(app, context, { health: '/health', ready: '/ready' }, context.settings.Metrics)
  servePages(app, context)
  return app
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/sessions', import.meta.url))

/** Paths of the pages: the browser decides what each shows. */
const pages = [
  '/login',
  '/second-factor',
  '/applications',
  '/certificates',
  '/workstations',
  '/sessions',
  '/history',
  '/signatures',
  '/lockouts',
  '/administrators',
  '/events',
  '/account',
]

function servePages(app: ConsoleApp, { logger }: Context): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages })
  else logger.warn('the pages are not built: run npm run build')
}
