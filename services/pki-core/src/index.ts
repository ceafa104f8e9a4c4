// The PKI core service: authentication with certificates (spec 1 C).
import { fileURLToPath } from 'node:url'
import { sealedAdministrators } from '@chancela/admin-console'
import { watchReadiness } from '@chancela/outbox/notices'
import { sealedEndpoints } from '@chancela/outbox/webhooks'
import { chainedEvents } from '@chancela/service-kernel/events'
import type { App } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  defineService,
  isBundle,
  openKeys,
  serveBundle,
  serveOperations,
} from '@chancela/service-kernel/service'
import type { Management } from './actions/management/acting.ts'
import { eventText } from './actions/management/acting.ts'
import { SESSION_PAGE } from './actions/sessions/create-session.ts'
import { openParts, type Parts, startWorking } from './compose.ts'
import { consoleApp } from './console-surface.ts'
import type { Context } from './context.ts'
import { errors } from './contract/errors.ts'
import { CONTRACT_VERSION } from './contract/system.ts'
import { accessSchemes } from './parts/access/access.ts'
import { sessionTokens } from './parts/access/session-tokens.ts'
import { bioSchemes } from './parts/bio/bio-access.ts'
import { serveApplications } from './routes/applications.ts'
import { serveAuthentication, servePendingSignatures } from './routes/authentication.ts'
import { serveBio, serveBioPage } from './routes/bio.ts'
import { serveBioBundle } from './routes/bio-bundle.ts'
import { serveDocuments } from './routes/documents.ts'
import { serveEarlierServices } from './routes/earlier-services.ts'
import { serveEarlierOpening, serveEarlierSignatures } from './routes/earlier-signatures.ts'
import { errorModelV2 } from './routes/error-model-v2.ts'
import { serveFiles } from './routes/files.ts'
import { frameworkErrors } from './routes/framework-errors.ts'
import { serveSecurityContexts } from './routes/security-contexts.ts'
import { serveSessionPage, serveSignatureSessions, serveSigningElsewhere } from './routes/signature-sessions.ts'
import { serveSignatures } from './routes/signatures.ts'
import { serveSubscriptions } from './routes/subscriptions.ts'
import { serveSystem } from './routes/system.ts'
import { answerTextJson } from './routes/text-json.ts'
import { serveVerification } from './routes/verification.ts'
import { serveWebhooks } from './routes/webhooks.ts'
import { cultureOf } from './rules/cultures.ts'
import { pkiCoreRules, pkiCoreSettings } from './settings.ts'
import { sealedBioTables } from './store/bio/sealed.ts'
import { sealedFileRules } from './store/file-rules.ts'
import { pkiCoreSchema } from './store/migrations.ts'
import { sealedEarlier, sealedSessions } from './store/sealed-sessions.ts'
import type { Tables } from './store/tables.ts'
import { consoleSurface, coreSurface } from './surfaces.ts'

/** The service, as data and one function. */
export const pkiCore = defineService<typeof pkiCoreSettings, Tables>({
  name: 'pki-core',
  title: 'PKI core service',
  summary: 'Authenticates people by their certificates, has documents signed, checks faces.',
  settings: pkiCoreSettings,
  rules: pkiCoreRules,
  migrations: pkiCoreSchema,
  chained: [chainedEvents],
  eventText,
  sealedTables: [
    sealedAdministrators,
    ...sealedBioTables,
    sealedEndpoints,
    sealedSessions,
    sealedEarlier,
    sealedFileRules,
  ],
  sharesCommits: true,
  surfaces: [consoleSurface, coreSurface],
  async build(context) {
    const ring = await openKeys(context)
    const parts = await openParts(context)
    const management = { context, contexts: parts.contexts, ring, access: parts.access }
    const surfaces = {
      [coreSurface.name]: await contractApp(management, parts),
      [consoleSurface.name]: await consoleApp(management),
    }
    startWorking(parts)
    watchReadiness(context, { service: 'pki-core' })
    return { surfaces }
  },
})

const description = `Certificate authentication and signatures for both generations of clients, signature and biometric sessions.

Every operation takes an API key in \`X-Api-Key\` (\`<application>|<secret>\`, or the secret alone); clients of the earlier
generation send it as \`Authorization: Bearer\`. An API error is an ErrorModelV2 with status 422; its codes are an open
list. Messages of errors are for logs and always English; those of validation results follow \`Accept-Language\` (en, pt,
es). Answers are application/json, or text/json where \`Accept\` prefers it.`

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

async function contractApp(management: Management, parts: Parts): Promise<App> {
  const { context, ring, access } = management
  const app = await createSurfaceApp(context, {
    surface: coreSurface,
    description,
    contractVersion: CONTRACT_VERSION,
    dialect: parts.problems.watching(errorModelV2),
    vocabulary: errors,
    frameworkErrors,
    schemes: {
      ...accessSchemes(access, ring),
      ...bioSchemes(context, access, ring),
      'session-page': sessionTokens(context),
    },
    ring,
    negotiateLocale: cultureOf,
    // Clients send nulls, and no body at all where every field may be absent (pki-core facts 1, rules 5, 10).
    tolerance: { anyCaseNames: true, nullIsAbsent: true, noBodyIsEmpty: true },
    // Real clients send fields of other versions (pki-core facts 1, rule 6): taken, and told.
    tellsUnknownFields: true,
  })
  answerTextJson(app)
  serveAuthentication(app, parts)
  servePendingSignatures(app, parts)
  serveFiles(app, parts)
  serveDocuments(app, parts)
  serveSignatures(app, parts)
  serveApplications(app, management)
  serveSecurityContexts(app, management)
  serveSubscriptions(app, management)
  serveVerification(app, parts)
  serveBio(app, parts)
  serveBioPage(app, parts)
  serveBioBundle(app, context)
  serveEarlierSignatures(app, parts)
  serveEarlierOpening(app, parts)
  serveEarlierServices(app, parts)
  serveSignatureSessions(app, parts)
  serveSessionPage(app, parts)
  serveSigningElsewhere(app, parts)
  serveWebhooks(app, parts)
  serveSystem(app)
  // What they tell is of the whole instance: a key of one subscription sees nothing of it.
  serveOperations(app, context, paths, { ...context.settings.Metrics, access: 'instance.monitor' })
  servePages(app, context)
  return app
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/signer', import.meta.url))

/** The page of signature sessions; its files stand below its folder, so that another page may have `/`. */
function servePages(app: App, { logger }: Pick<Context, 'logger'>): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages: [SESSION_PAGE], below: '/signature-session' })
  else logger.warn('the pages are not built: run npm run build')
}
