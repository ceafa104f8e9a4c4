// The signing session server: sessions bound to a CPF and the certificate that confirms its PIN (spec 1 A).
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
import { conditionsOf } from './parts/console/conditions.ts'
import { sealedHolderPins, sealedTokenLogins } from './parts/tokens/kept-pins.ts'
import { sealedVaultFiles } from './parts/vault/vault.ts'
import { refuseUnlessOnly } from './routes/only-process.ts'
import { serveApprovals } from './routes/v1/approvals.ts'
import { serveSessions } from './routes/v1/sessions.ts'
import { serveSignatures } from './routes/v1/signatures.ts'
import { sessionServerRules, sessionServerSettings } from './settings.ts'
import { sessionServerSchema } from './store/migrations.ts'
import type { Tables } from './store/tables.ts'
import { consoleSurface, sessionSurface } from './surfaces.ts'

export { clientContract, clientRoutes } from './client-contract.ts'

/** The service, as data and one function. */
export const sessionServer = defineService<typeof sessionServerSettings, Tables>({
  name: 'session-server',
  title: 'Signing session server',
  summary: 'A client opens a session with CPF and PIN, then signs PDFs under it.',
  settings: sessionServerSettings,
  rules: sessionServerRules,
  migrations: sessionServerSchema,
  chained: [chainedEvents],
  eventText,
  sealedTables: [
    sealedInstanceSecrets('session-server'),
    sealedAdministrators,
    sealedVaultFiles,
    sealedHolderPins,
    sealedTokenLogins,
  ],
  sharesCommits: true,
  // Closed in reverse: running signatures finish before the agents' channels are cut.
  surfaces: [consoleSurface, sessionSurface],
  async build(context) {
    const ring = await openKeys(context)
    const parts = await openParts(context)
    const surfaces = {
      [sessionSurface.name]: await contractApp(context, parts, ring),
      [consoleSurface.name]: await consoleApp(context, parts, ring),
    }
    for (const app of Object.values(surfaces)) refuseUnlessOnly(app, parts.lease, Object.values(paths))
    startWorking(parts)
    watchReadiness(context, { service: 'session-server', conditions: () => conditionsOf(context, parts) })
    return { surfaces }
  },
})

const paths = { health: '/health', ready: '/ready', readyDetails: '/ready/details', metrics: '/metrics' }

async function contractApp(context: Context, parts: Parts, ring: StoredApiKeyRing): Promise<App> {
  const app = await createSurfaceApp(context, { ...clientContract, ring })
  serveSessions(app, { context, ...parts, failures: parts.pinFailures })
  serveSignatures(app, context, parts.signing)
  serveApprovals(app, parts.approvals)
  serveOperations(app, context, paths, context.settings.Metrics)
  return app
}
