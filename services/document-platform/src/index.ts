// The document-signature platform: documents with signing flows, folders, organizations and webhooks (spec 3 A).
import { fileURLToPath } from 'node:url'
import { sealedMails } from '@chancela/outbox/mail'
import { watchReadiness } from '@chancela/outbox/notices'
import { sealedEndpoints } from '@chancela/outbox/webhooks'
import { chainedEvents } from '@chancela/service-kernel/events'
import { sealedInstanceSecrets } from '@chancela/service-kernel/secrets'
import { createSurfaceApp, defineService, isBundle, openKeys, serveBundle } from '@chancela/service-kernel/service'
import { Webhooks } from './actions/organizations/webhooks.ts'
import { openContext, openParts, type Parts, startWorking } from './compose.ts'
import type { Context } from './context.ts'
import { errors } from './contract/errors.ts'
import { accessSchemes } from './parts/access/access.ts'
import { sealedAccounts } from './parts/access/second-factors.ts'
import { userSessions } from './parts/access/user-sessions.ts'
import { openCloudSigning } from './parts/signing/cloud/open-cloud-signing.ts'
import { openSigning } from './parts/signing/open-signing.ts'
import { openTokenSigning } from './parts/signing/token/open-token-signing.ts'
import { serveApplications } from './routes/applications.ts'
import { serveAudit } from './routes/audit.ts'
import { serveCloudSigning } from './routes/cloud-signing.ts'
import { serveContent } from './routes/content.ts'
import { serveDocuments } from './routes/documents.ts'
import { errorModel } from './routes/error-model.ts'
import { serveFlows } from './routes/flows.ts'
import { serveFolders } from './routes/folders.ts'
import { frameworkErrors } from './routes/framework-errors.ts'
import { serveInvoices } from './routes/invoices.ts'
import { serveMarks } from './routes/marks.ts'
import { serveNotifications } from './routes/notifications.ts'
import { serveOidc } from './routes/oidc.ts'
import { serveOperationsRoutes } from './routes/operations.ts'
import { serveOrganizations } from './routes/organizations.ts'
import type { PlatformApp } from './routes/platform-app.ts'
import { serveReports } from './routes/reports.ts'
import { serveSecurityContexts } from './routes/security-contexts.ts'
import { serveSession } from './routes/session.ts'
import { serveSignatures } from './routes/signatures.ts'
import { serveTemplates } from './routes/templates.ts'
import { serveTokenSigning } from './routes/token-signing.ts'
import { serveUploads } from './routes/uploads.ts'
import { serveUsers } from './routes/users.ts'
import { serveWebhooks } from './routes/webhooks.ts'
import { documentPlatformRules, documentPlatformSettings } from './settings.ts'
import { chainedAuditEntries } from './store/audit-entries.ts'
import { auditEventText } from './store/audit-event.ts'
import { documentPlatformSchema } from './store/migrations.ts'
import type { Tables } from './store/tables.ts'
import { platformSurface } from './surfaces.ts'

/** The service, as data and one function. */
export const documentPlatform = defineService<typeof documentPlatformSettings, Tables>({
  name: 'document-platform',
  title: 'Document-signature platform',
  summary: 'Documents with signing flows, folders, organizations and webhooks.',
  settings: documentPlatformSettings,
  rules: documentPlatformRules,
  migrations: documentPlatformSchema,
  chained: [chainedEvents, chainedAuditEntries],
  eventText: auditEventText,
  sealedTables: [sealedEndpoints, sealedMails, sealedAccounts, sealedInstanceSecrets('document-platform')],
  sharesCommits: true,
  surfaces: [platformSurface],
  async build(given) {
    const context = await openContext(given)
    const parts = openParts(context)
    const app = await platformApp(context, parts)
    startWorking(parts)
    watchReadiness(context, { service: 'document-platform' })
    return { surfaces: { [platformSurface.name]: app } }
  },
})

const DESCRIPTION = `Documents with signing flows: uploads, flows of signers and approvers, signatures, folders,
organizations and webhooks.

Errors are \`{ code, message, details }\`; dispatch on \`code\`. Fields of a body that nobody knows are named in
\`Warning\` headers (\`299 - "unknown field: x"\`). Protected routes take the key of an application in
\`X-Api-Key\`, as \`name|secret\`, or the cookie of a user who signed in.`

async function platformApp(context: Context, parts: Parts): Promise<PlatformApp> {
  const ring = await openKeys(context)
  const sessions = userSessions(context)
  const app = await createSurfaceApp(context, {
    surface: platformSurface,
    description: DESCRIPTION,
    dialect: errorModel,
    vocabulary: errors,
    frameworkErrors,
    schemes: accessSchemes(context, ring, sessions),
    tolerance: { anyCaseNames: true, emptyStringIsAbsent: true },
    tellsUnknownFields: true,
  })
  serveSession(app, context, sessions)
  serveOidc(app, context, sessions)
  serveUploads(app, context)
  serveFolders(app, context)
  serveFlows(app, context)
  serveNotifications(app, context)
  serveMarks(app, context)
  serveSecurityContexts(app, context)
  serveTemplates(app, context)
  serveOrganizations(app, context)
  serveApplications(app, context, ring)
  serveUsers(app, context)
  serveAudit(app, context)
  serveInvoices(app, context, parts.webhookPolicy)
  serveReports(app, context)
  serveDocuments(app, context)
  const signing = await openSigning(context)
  serveSignatures(app, signing)
  serveCloudSigning(app, openCloudSigning(signing))
  serveTokenSigning(app, openTokenSigning(signing))
  serveContent(app, context)
  serveWebhooks(app, new Webhooks(context, parts.webhookPolicy))
  serveOperationsRoutes(app, context)
  // Before the surface drains, which would wait for them.
  app.addHook('preClose', async () => context.renditions.stop())
  servePages(app, context)
  return app
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/documents', import.meta.url))

/** Paths of the pages: the browser decides what each shows. */
const pages = [
  '/login',
  '/invitation',
  '/account',
  '/forgot-password',
  '/reset-password',
  '/documents',
  '/documents/new',
  '/documents/{id}',
  '/document/key/{key}/sign',
  '/cloud-elsewhere',
  '/test-my-computer',
  '/validate',
  '/validate/{key}',
  '/webhooks',
  '/webhooks/{id}',
  '/organization',
]

/** Pages that applications embed in their own (document-platform facts 3). */
const embeddedPages = ['/document/key/{key}/sign-embedded', '/position-marks/{id}']

function servePages(app: PlatformApp, { settings, logger }: Context): void {
  const embedded = { pages: embeddedPages, by: settings.Documents.FrameAncestors }
  if (isBundle(bundle)) serveBundle(app, bundle, { pages, embedded })
  else logger.warn('the pages are not built: run npm run build')
}
