// The signing session server: sessions bound to a CPF and the certificate that confirms its PIN (spec 1 A).
import { sealedAdministrators } from '@chancela/service-kernel/console'
import type { App, StoredApiKeyRing } from '@chancela/service-kernel/http'
import { sealedInstanceSecrets } from '@chancela/service-kernel/secrets'
import {
  type AnySealedTable,
  createSurfaceApp,
  openKeys,
  type StatefulContext,
  type StatefulService,
  serveOperations,
} from '@chancela/service-kernel/service'
import { clientContract } from './client-contract.ts'
import { groundOf, openParts, type Parts, startWorking } from './compose.ts'
import { consoleApp } from './console-surface.ts'
import type { Context } from './context.ts'
import { sealedVaultFiles } from './parts/vault/vault.ts'
import { serveSessions } from './routes/v1/sessions.ts'
import { serveSignatures } from './routes/v1/signatures.ts'
import { sessionServerRules, sessionServerSettings } from './settings.ts'
import { sessionServerSchema } from './store/migrations.ts'
import { consoleSurface, sessionSurface } from './surfaces.ts'

export { clientContract, clientRoutes } from './client-contract.ts'

/** The service, as data and one function. */
export const sessionServer: StatefulService = {
  name: 'session-server',
  title: 'Signing session server',
  summary: 'A client opens a session with CPF and PIN, then signs PDFs under it.',
  settings: sessionServerSettings,
  rules: sessionServerRules,
  migrations: sessionServerSchema,
  sealedTables: [
    sealedInstanceSecrets('session-server'),
    sealedAdministrators,
    sealedVaultFiles,
  ] as readonly AnySealedTable[],
  // Closed in reverse: what is being signed is finished before the channels of the agents are cut.
  surfaces: [consoleSurface, sessionSurface],
  async build(context) {
    const ground = groundOf(context)
    const ring = await openKeys(context)
    const parts = await openParts(context)
    const surfaces = {
      [sessionSurface.name]: await contractApp(context, ground, parts, ring),
      [consoleSurface.name]: await consoleApp(context, ground, parts, ring),
    }
    startWorking(parts)
    return { surfaces }
  },
}

const paths = { health: '/health', ready: '/ready', readyDetails: '/ready/details', metrics: '/metrics' }

async function contractApp(
  context: StatefulContext,
  ground: Ground,
  parts: Parts,
  ring: StoredApiKeyRing,
): Promise<App> {
  const app = await createSurfaceApp(context, { ...clientContract, ring })
  serveSessions(app, { ground, ...parts, failures: parts.pinFailures })
  serveSignatures(app, ground, parts.signingDesk)
  serveOperations(app, ground, paths, ground.settings.Metrics)
  return app as unknown as App
}
