// The console: its API, its pages, and beside them the channel of workstation agents.
import { fileURLToPath } from 'node:url'
import { type App, type StoredApiKeyRing, sessionEnvelope } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  isBundle,
  type StatefulContext,
  serveBundle,
  serveOperations,
} from '@chancela/service-kernel/service'
import { Activity } from './console/activity.ts'
import { Applications } from './console/applications.ts'
import { CertificateDesk } from './console/certificates.ts'
import { ConsoleSessions, consoleSchemes } from './console/console-sessions.ts'
import { consoleErrors } from './contract/console-errors.ts'
import type { Parts } from './open-parts.ts'
import { serveAgents } from './routes/agents.ts'
import { serveActivity } from './routes/console/activity.ts'
import { serveAdministrators } from './routes/console/administrators.ts'
import { serveApplications } from './routes/console/applications.ts'
import { serveCertificates } from './routes/console/certificates.ts'
import type { ConsoleApp } from './routes/console/console-app.ts'
import { serveEvents } from './routes/console/events.ts'
import { serveOverview } from './routes/console/overview.ts'
import { serveSession } from './routes/console/session.ts'
import { serveWorkstations } from './routes/console/workstations.ts'
import { consoleFrameworkErrors } from './routes/framework-errors.ts'
import { consoleSurface } from './surfaces.ts'
import type { Ground } from './wiring.ts'

export async function consoleApp(
  context: StatefulContext,
  ground: Ground,
  parts: Parts,
  ring: StoredApiKeyRing,
): Promise<App> {
  const sessions = new ConsoleSessions(ground)
  const app: ConsoleApp = await createSurfaceApp(context, {
    surface: consoleSurface,
    dialect: sessionEnvelope,
    vocabulary: consoleErrors,
    frameworkErrors: consoleFrameworkErrors,
    schemes: consoleSchemes(sessions, ground.settings.Auth.CookieName),
  })
  serveSession(app, ground, sessions)
  serveAdministrators(app, ground)
  serveApplications(app, new Applications(ground, ring))
  serveCertificates(app, new CertificateDesk(ground, parts))
  serveActivity(app, new Activity(ground, parts))
  serveWorkstations(app, parts.workstationDesk)
  serveOverview(app, ground, parts)
  serveEvents(app, ground)
  serveAgents(app, parts)
  serveOperations(app, ground, { health: '/health', ready: '/ready' }, ground.settings.Metrics)
  servePages(app, ground)
  return app
}

// Depth is the same under src and dist, so that one relative address serves both.
const bundle = fileURLToPath(new URL('../../../apps/web-console/dist/sessions', import.meta.url))

/** Paths of the pages: what they show is decided in the browser. */
const pages = [
  '/login',
  '/second-factor',
  '/applications',
  '/certificates',
  '/workstations',
  '/sessions',
  '/signatures',
  '/lockouts',
  '/administrators',
  '/events',
  '/account',
]

function servePages(app: ConsoleApp, { logger }: Ground): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages })
  else logger.warn('the pages are not built: run npm run build')
}
