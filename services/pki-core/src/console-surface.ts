// The admin page: its API and its pages.
import { fileURLToPath } from 'node:url'
import { createConsoleApp, serveEvents } from '@chancela/admin-console'
import type { App } from '@chancela/service-kernel/http'
import { isBundle, serveBundle, serveOperations } from '@chancela/service-kernel/service'
import { eventText, type Management } from './actions/management/acting.ts'
import { consoleErrors } from './contract/console-errors.ts'
import { listEvents } from './contract/console-events.ts'
import { consoleRights } from './contract/console-rights.ts'
import { serveActivity } from './routes/console/activity.ts'
import type { ConsoleApp } from './routes/console/console-app.ts'
import { serveApplications, serveSecurityContexts, serveSubscriptions } from './routes/console/management.ts'
import { serveSessions, serveSubjects } from './routes/console/sessions.ts'
import { consoleSurface } from './surfaces.ts'

export async function consoleApp(management: Management): Promise<App> {
  const { context } = management
  const app = await createConsoleApp(context, {
    surface: consoleSurface,
    vocabulary: consoleErrors,
    rights: consoleRights,
  })
  serveSubscriptions(app, management)
  serveApplications(app, management)
  serveSecurityContexts(app, management)
  serveSessions(app, management)
  serveSubjects(app, management)
  serveActivity(app, management)
  serveEvents(app, listEvents, context, eventText)
  serveOperations(app, context, { health: '/health', ready: '/ready' }, context.settings.Metrics)
  servePages(app, management)
  return app
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/core', import.meta.url))

/** Paths of the pages: the browser decides what each shows. */
const pages = [
  '/login',
  '/second-factor',
  '/subscriptions',
  '/applications',
  '/applications/{id}',
  '/security-contexts',
  '/signature-sessions',
  '/signature-sessions/{id}',
  '/bio-subjects',
  '/authentications',
  '/problems',
  '/administrators',
  '/events',
  '/account',
]

function servePages(app: ConsoleApp, { context: { logger } }: Management): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages })
  else logger.warn('the admin pages are not built: run npm run build')
}
