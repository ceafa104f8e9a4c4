// The batch signing service: watched folders and uploads become signed files (spec 2).
import { fileURLToPath } from 'node:url'
import { sealedMails } from '@chancela/outbox/mail'
import { watchReadiness } from '@chancela/outbox/notices'
import { sealedEndpoints } from '@chancela/outbox/webhooks'
import { createSurfaceApp, defineService, isBundle, serveBundle } from '@chancela/service-kernel/service'
import type { Certificate } from '@chancela/signature-engine/x509'
import { readCustomerLogo } from './actions/read-customer-logo.ts'
import { checkStart } from './check-start.ts'
import { openContext, openParts, type Parts, startWorking } from './compose.ts'
import type { Context } from './context.ts'
import { warnOfEmptyPools } from './parts/approvals/approver-links.ts'
import { serveApprover } from './routes/approvals/approver.ts'
import { servePortalDecisions } from './routes/approvals/decisions.ts'
import { serveApproverLinks } from './routes/approvals/links.ts'
import { servePortal } from './routes/approvals/portal.ts'
import { servePortalExport } from './routes/approvals/portal-export.ts'
import { serveSecondFactor } from './routes/approvals/second-factor.ts'
import { serveOwnSessions } from './routes/approvals/sessions.ts'
import { servePortalSignatures } from './routes/approvals/signatures.ts'
import { servePortalSignings } from './routes/approvals/signings.ts'
import { approverAccess } from './routes/approver-access.ts'
import { compactAppOptions, serveCompact } from './routes/compact/compact-app.ts'
import { serveDashboardApprovals } from './routes/dashboard/approvals.ts'
import { serveDashboardApprovers } from './routes/dashboard/approvers.ts'
import { serveAudit } from './routes/dashboard/audit.ts'
import { serveConditions } from './routes/dashboard/conditions.ts'
import { serveDashboardFolders } from './routes/dashboard/folders.ts'
import { serveDashboardJobs } from './routes/dashboard/jobs.ts'
import { serveDashboardProfiles } from './routes/dashboard/profiles.ts'
import { serveSessions } from './routes/dashboard/sessions.ts'
import { serveDashboardWebhooks } from './routes/dashboard/webhooks.ts'
import { serveApprovals } from './routes/full/approvals.ts'
import { serveAuth } from './routes/full/auth.ts'
import { serveBackup } from './routes/full/backup.ts'
import { serveBranding } from './routes/full/branding.ts'
import { serveCleanup } from './routes/full/cleanup.ts'
import { serveCulture } from './routes/full/culture.ts'
import { serveEvents } from './routes/full/events.ts'
import { serveFiles } from './routes/full/files.ts'
import { serveFolders } from './routes/full/folders.ts'
import { type FullApp, fullAppOptions, type PortalApp } from './routes/full/full-app.ts'
import { serveJobs } from './routes/full/jobs.ts'
import { serveOperationsRoutes } from './routes/full/operations.ts'
import { servePipeline } from './routes/full/pipeline.ts'
import { serveProfiles } from './routes/full/profiles.ts'
import { serveRescan } from './routes/full/rescan.ts'
import { idpAccess } from './routes/idp-access.ts'
import { operatorAccess } from './routes/operator-access.ts'
import { buildWithoutStore } from './routes/without-store.ts'
import { eventIn } from './rules/sentences.ts'
import { batchSignerRules, batchSignerSettings } from './settings.ts'
import { chainedRecords } from './store/chained-records.ts'
import { batchSignerSchema } from './store/migrations.ts'
import { sealedProfiles } from './store/profiles.ts'
import type { Tables } from './store/tables.ts'
import { compactSurface, fullSurface } from './surfaces.ts'

/** The service, as data and one function. */
export const batchSigner = defineService<typeof batchSignerSettings, Tables>({
  name: 'batch-signer',
  title: 'Batch signer',
  summary: 'Watched folders and uploads become signed files, and none is ever lost.',
  settings: batchSignerSettings,
  rules: batchSignerRules,
  migrations: batchSignerSchema,
  chained: chainedRecords,
  eventText: eventIn,
  sealedTables: [sealedProfiles, sealedMails, sealedEndpoints],
  surfaces: [fullSurface, compactSurface],
  metricsPrefix: 'bulk_',
  check: checkStart,
  async build(given) {
    const { context, troubles } = openContext(given)
    const parts = await openParts(context, troubles)
    const full = await fullApp(context, parts)
    const compact = await createSurfaceApp(context, { surface: compactSurface, ...compactAppOptions(context) })
    serveCompact(compact, context, parts)
    startWorking(parts)
    watchOtherChecks(context)
    return { surfaces: { [fullSurface.name]: full, [compactSurface.name]: compact } }
  },
  buildWithoutStore,
})

/** Profiles and folders are told from the outbox, with the files that wait for them. */
function watchOtherChecks(context: Context): void {
  const { Notices, Email } = context.settings
  const settings = { Email, Notices: { ...Notices, AfterMinutes: Notices.HeldMinutes } }
  const except = ['signing-profile', 'certificate-expiring', 'input-folder', 'profile-input-folder']
  watchReadiness({ ...context, settings }, { service: 'batch-signer', except })
}

async function fullApp(context: Context, parts: Parts): Promise<FullApp> {
  const { settings } = context
  const idp = idpAccess(context)
  const access = operatorAccess(context, idp)
  const approvers = approverAccess(context, idp ? [(request) => idp.findApprover(request)] : [])
  const logo = await readCustomerLogo(context)
  await warnOfEmptyPools(context)
  const reference = settings.Environment === 'development' || settings.Swagger.EnabledInProduction
  const schemes = fullAppOptions({ key: access, approver: approvers })
  const app: PortalApp = await createSurfaceApp(context, {
    surface: fullSurface,
    ...schemes,
    reference,
    // The name of the setting is the name of the cookie (spec 2, Authentication).
    exactCookies: [settings.Auth.CookieName],
  })
  serveAuth(app, context, { access, idp, approvers })
  serveCulture(app)
  serveBranding(app, logo)
  serveFiles(app, context, parts.intake)
  serveFolders(app, parts.intake)
  serveRescan(app, parts.intake)
  serveJobs(app, context, parts)
  serveApprovals(app, context, parts)
  serveProfiles(app, parts.profiles)
  servePipeline(app, context, parts)
  serveEvents(app, context)
  serveCleanup(app, parts.retention)
  serveBackup(app, context, parts.backup)
  const trustAnchors = () => parts.profiles.trustAnchors().map(anchorView)
  serveOperationsRoutes(app, context, { life: parts.life, folders: parts.folders, trustAnchors, logo })
  serveDashboardJobs(app, context, parts)
  serveDashboardFolders(app, context, parts)
  serveConditions(app, context, parts)
  serveDashboardProfiles(app, parts.profiles, parts.live)
  serveApproverLinks(app, context, approvers)
  serveApprover(app, context, parts)
  serveSecondFactor(app, parts)
  servePortal(app, context, parts)
  servePortalExport(app, context)
  servePortalDecisions(app, context, parts)
  servePortalSignatures(app, context, parts)
  servePortalSignings(app, parts.elsewhere, approvers)
  serveOwnSessions(app, context)
  serveDashboardApprovers(app, context, parts)
  serveSessions(app, context)
  serveAudit(app, context)
  serveDashboardApprovals(app, context, parts)
  serveDashboardWebhooks(app, context)
  serveDashboard(app, context)
  return app
}

const anchorView = ({ subject, notAfter }: Certificate) => ({ subject: subject.toString(), notAfter })

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/batch', import.meta.url))

/** Paths of the dashboard and of the approver portal: the browser decides what each shows. */
const pages = [
  '/login',
  '/access-denied',
  '/approvals',
  '/approvals/link-required',
  '/approvals/sessions',
  '/approve/{id}',
  '/jobs',
  '/jobs/{id}',
  '/folders',
  '/profiles',
  '/profiles/new',
  '/profiles/{name}',
  '/events',
  '/statistics',
  '/system',
]

function serveDashboard(app: FullApp, { logger }: Context): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages })
  else logger.warn('the dashboard is not built: run npm run build')
}
