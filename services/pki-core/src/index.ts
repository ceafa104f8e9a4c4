// The PKI core service: authentication with certificates (spec 1 C).
import type { App, StoredApiKeyRing } from '@chancela/service-kernel/http'
import { createSurfaceApp, defineService, openKeys, serveOperations } from '@chancela/service-kernel/service'
import { openParts, type Parts, startWorking } from './compose.ts'
import type { Context } from './context.ts'
import { errors } from './contract/errors.ts'
import { CONTRACT_VERSION } from './contract/system.ts'
import { accessSchemes } from './parts/access/access.ts'
import { serveAuthentication, servePendingSignatures } from './routes/authentication.ts'
import { serveDocuments } from './routes/documents.ts'
import { errorModelV2 } from './routes/error-model-v2.ts'
import { serveFiles } from './routes/files.ts'
import { frameworkErrors } from './routes/framework-errors.ts'
import { serveSignatures } from './routes/signatures.ts'
import { serveSystem } from './routes/system.ts'
import { cultureOf } from './rules/cultures.ts'
import { pkiCoreSettings } from './settings.ts'
import { pkiCoreSchema } from './store/migrations.ts'
import type { Tables } from './store/tables.ts'
import { coreSurface } from './surfaces.ts'

/** The service, as data and one function. */
export const pkiCore = defineService<typeof pkiCoreSettings, Tables>({
  name: 'pki-core',
  title: 'PKI core service',
  summary: 'Authenticates people by their certificates.',
  settings: pkiCoreSettings,
  migrations: pkiCoreSchema,
  sealedTables: [],
  sharesCommits: true,
  surfaces: [coreSurface],
  async build(context) {
    const ring = await openKeys(context)
    const parts = await openParts(context)
    const app = await contractApp(context, parts, ring)
    startWorking(parts)
    return { surfaces: { [coreSurface.name]: app } }
  },
})

const description = `Certificate authentication for both generations of clients.

Every operation takes an API key in \`X-Api-Key\` (\`<application>|<secret>\`, or the secret alone); clients of the earlier
generation send it as \`Authorization: Bearer\`. An API error is an ErrorModelV2 with status 422; its codes are an open
list. Messages of errors are for logs and always English; those of validation results follow \`Accept-Language\` (en, pt,
es).`

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

async function contractApp(context: Context, parts: Parts, ring: StoredApiKeyRing): Promise<App> {
  const app = await createSurfaceApp(context, {
    surface: coreSurface,
    description,
    contractVersion: CONTRACT_VERSION,
    dialect: errorModelV2,
    vocabulary: errors,
    frameworkErrors,
    schemes: accessSchemes(context, ring),
    ring,
    negotiateLocale: cultureOf,
    // Clients send nulls, and no body at all where every field may be absent (pki-core facts 1, rules 5, 10).
    tolerance: { anyCaseNames: true, nullIsAbsent: true, noBodyIsEmpty: true },
    // Real clients send fields of other versions (pki-core facts 1, rule 6): taken, and told.
    tellsUnknownFields: true,
  })
  serveAuthentication(app, parts)
  servePendingSignatures(app, parts)
  serveFiles(app, parts)
  serveDocuments(app, parts)
  serveSignatures(app, parts)
  serveSystem(app)
  serveOperations(app, context, paths, context.settings.Metrics)
  return app
}
