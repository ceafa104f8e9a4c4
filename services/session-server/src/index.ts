// The signing session server: sessions bound to a CPF and the certificate that confirms its PIN (spec 1 A).
import { type App, sessionEnvelope } from '@chancela/service-kernel/http'
import { sealedInstanceSecrets } from '@chancela/service-kernel/secrets'
import {
  type AnySealedTable,
  createSurfaceApp,
  openKeys,
  type StatefulContext,
  type StatefulService,
  serveOperations,
} from '@chancela/service-kernel/service'
import { consoleErrors } from './contract/console-errors.ts'
import { errors } from './contract/errors.ts'
import { groundOf, openParts, type Parts, startWorking } from './open-parts.ts'
import { consoleFrameworkErrors, frameworkErrors } from './routes/framework-errors.ts'
import { sessionServerSettings } from './settings.ts'
import { sessionServerSchema } from './store/migrations.ts'
import { consoleSurface, sessionSurface } from './surfaces.ts'
import type { Ground } from './wiring.ts'

/** The service, as data and one function. */
export const sessionServer: StatefulService = {
  name: 'session-server',
  title: 'Signing session server',
  summary: 'A client opens a session with CPF and PIN, then signs PDFs under it.',
  settings: sessionServerSettings,
  migrations: sessionServerSchema,
  sealedTables: [sealedInstanceSecrets('session-server')] as readonly AnySealedTable[],
  surfaces: [sessionSurface, consoleSurface],
  async build(context) {
    const ground = groundOf(context)
    const parts = await openParts(ground)
    const surfaces = {
      [sessionSurface.name]: await contractApp(context, ground, parts),
      [consoleSurface.name]: await consoleApp(context, ground, parts),
    }
    startWorking(parts)
    return { surfaces }
  },
}

const DESCRIPTION = `A client application opens a session with the CPF and the PIN of a holder's certificate, signs PDFs
under it, and fetches each signed PDF by its signature id.

Every operation takes an API key in \`X-API-Key\`. Errors are \`{ error: { code, message, details } }\`; dispatch on
\`code\`. Every answer carries \`X-Correlation-Id\`.`

const paths = { health: '/health', ready: '/ready', readyDetails: '/ready/details', metrics: '/metrics' }

async function contractApp(context: StatefulContext, ground: Ground, _parts: Parts): Promise<App> {
  const ring = await openKeys(context)
  const app = await createSurfaceApp(context, {
    surface: sessionSurface,
    description: DESCRIPTION,
    dialect: sessionEnvelope,
    vocabulary: errors,
    frameworkErrors,
    ring,
  })
  serveOperations(app, ground, paths, ground.settings.Metrics)
  return app as unknown as App
}

async function consoleApp(context: StatefulContext, ground: Ground, _parts: Parts): Promise<App> {
  const app = await createSurfaceApp(context, {
    surface: consoleSurface,
    dialect: sessionEnvelope,
    vocabulary: consoleErrors,
    frameworkErrors: consoleFrameworkErrors,
  })
  serveOperations(app as unknown as App, ground, { health: '/health', ready: '/ready' }, ground.settings.Metrics)
  return app as unknown as App
}
