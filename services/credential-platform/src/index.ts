// The credential-issuing platform: academic credentials, issued, registered, annulled and told of (spec 3 B).
import { fileURLToPath } from 'node:url'
import { sealedAdministrators } from '@chancela/admin-console'
import { sealedMails } from '@chancela/outbox/mail'
import { watchReadiness } from '@chancela/outbox/notices'
import { sealedEndpoints } from '@chancela/outbox/webhooks'
import { chainedEvents } from '@chancela/service-kernel/events'
import { problemDetails } from '@chancela/service-kernel/http'
import { createSurfaceApp, defineService, isBundle, serveBundle } from '@chancela/service-kernel/service'
import { openContext, openParts, type Parts, startWorking } from './compose.ts'
import type { Context } from './context.ts'
import { errors } from './contract/errors.ts'
import { accessSchemes } from './parts/access/access.ts'
import { platformEventText } from './parts/access/event-text.ts'
import { serveAuxiliary } from './routes/auxiliary.ts'
import { serveBatches } from './routes/batches.ts'
import type { CredentialApp } from './routes/credential-app.ts'
import { serveDegrees, serveEmissions } from './routes/degrees.ts'
import { serveDocumentPlatform } from './routes/document-platform.ts'
import { serveForms } from './routes/forms.ts'
import { frameworkErrors } from './routes/framework-errors.ts'
import { serveCurriculums } from './routes/items.ts'
import { serveOperationsRoutes } from './routes/operations.ts'
import { servePublic } from './routes/public.ts'
import { serveRegistrations } from './routes/registrations.ts'
import { serveRemoteSigning } from './routes/remote-signing.ts'
import { serveRestamps } from './routes/restamps.ts'
import { serveSession } from './routes/session.ts'
import { serveSigner } from './routes/signer.ts'
import { serveSigning } from './routes/signing.ts'
import { serveTemplatePreviews } from './routes/template-previews.ts'
import { serveTenants } from './routes/tenants.ts'
import { serveWallets } from './routes/wallet.ts'
import { serveWalletOffers } from './routes/wallet-offers.ts'
import { serveWebhooks } from './routes/webhooks.ts'
import { credentialPlatformRules, credentialPlatformSettings } from './settings.ts'
import { chainedEntityEvents } from './store/entity-events.ts'
import { sealedInstituteCertificates } from './store/institute-certificates.ts'
import { credentialPlatformSchema } from './store/migrations.ts'
import { sealedPlatformConnections } from './store/platform-connections.ts'
import type { Tables } from './store/tables.ts'
import { sealedWalletKeys } from './store/wallet-keys.ts'
import { sealedWebhookSettings } from './store/webhook-settings.ts'
import { credentialSurface } from './surfaces.ts'

/** The service, as data and one function. */
export const credentialPlatform = defineService<typeof credentialPlatformSettings, Tables>({
  name: 'credential-platform',
  title: 'Credential-issuing platform',
  summary: 'Academic credentials: issue, register, annul, notify.',
  settings: credentialPlatformSettings,
  rules: credentialPlatformRules,
  migrations: credentialPlatformSchema,
  chained: [chainedEvents, chainedEntityEvents],
  eventText: platformEventText,
  sealedTables: [
    sealedAdministrators,
    sealedEndpoints,
    sealedMails,
    sealedWebhookSettings,
    sealedInstituteCertificates,
    sealedWalletKeys,
    sealedPlatformConnections,
  ],
  sharesCommits: true,
  surfaces: [credentialSurface],
  async build(given) {
    const parts = await openParts(await openContext(given))
    const app = await credentialApp(parts)
    startWorking(parts)
    watchReadiness(given, { service: 'credential-platform' })
    return { surfaces: { [credentialSurface.name]: app } }
  },
})

const DESCRIPTION = `Academic credentials of Brazilian institutions: degrees, emissions, registration requests,
transcripts, curriculums, lists of annulled degrees, inspection files and restamps.

Errors are RFC 9457 problems; dispatch on \`code\`. Protected routes take the key of an application in \`X-Api-Key\`, as
\`name|secret\`, or the cookie of a person who signed in; \`X-Subscription\` names the organization where a caller belongs
to several. A field that nobody knows is refused by its name.`

async function credentialApp(parts: Parts): Promise<CredentialApp> {
  const { context, ring, people } = parts
  const app = await createSurfaceApp(context, {
    surface: credentialSurface,
    description: DESCRIPTION,
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    schemes: accessSchemes({ context, ring, people }),
  })
  serveSession(app, parts)
  serveTenants(app, parts)
  serveWebhooks(app, parts)
  serveRegistrations(app, parts)
  serveAuxiliary(app, parts)
  serveRestamps(app, parts)
  servePublic(app, parts)
  serveSigning(app, parts)
  serveSigner(app, parts)
  serveRemoteSigning(app, parts)
  serveDocumentPlatform(app, parts)
  serveCurriculums(app, parts)
  serveDegrees(app, parts)
  serveEmissions(app, parts)
  serveBatches(app, parts)
  serveTemplatePreviews(app, parts)
  serveWallets(app, parts)
  serveWalletOffers(app, parts)
  serveForms(app, parts)
  serveOperationsRoutes(app, context)
  servePages(app, context)
  return app
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../pages/credentials', import.meta.url))

/** Paths of the pages: the browser decides what each shows. */
const pages = [
  '/login',
  '/invitation',
  '/second-factor',
  '/account',
  '/degrees',
  '/degrees/new',
  '/degrees/{id}',
  '/emissions',
  '/emissions/new',
  '/emissions/{id}',
  '/registrations',
  '/registrations/{id}',
  '/academic-transcripts',
  '/academic-transcripts/new',
  '/academic-transcripts/{id}',
  '/curriculums',
  '/curriculums/new',
  '/curriculums/{id}',
  '/batches',
  '/batches/new',
  '/batches/{kind}/{id}',
  '/institutes',
  '/institutes/new',
  '/institutes/{id}',
  '/restamps',
  '/partnerships',
  '/courses',
  '/courses/new',
  '/courses/{id}',
  '/flows',
  '/flows/new',
  '/flows/{id}',
  '/templates',
  '/templates/new',
  '/templates/{id}',
  '/signatures',
  '/organization',
  '/events',
]

function servePages(app: CredentialApp, { logger }: Context): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { pages })
  else logger.warn('the pages are not built: run npm run build')
}
