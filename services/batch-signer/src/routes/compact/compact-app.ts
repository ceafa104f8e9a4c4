import { problemDetails } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { errors } from '../../contract/errors.ts'
import { frameworkErrors } from '../framework-errors.ts'
import { type CompactApp, compactAccess } from './access.ts'
import { type CompactFiles, serveCompactFiles } from './files.ts'
import { type CompactJobs, serveCompactJobs } from './jobs.ts'
import { type CompactOperations, serveCompactOperations } from './operations.ts'

/** What the compact variant needs. */
type CompactParts = CompactFiles & CompactJobs & CompactOperations

/** Options of the compact variant's app for `createSurfaceApp`: one rate limit for every call, only the key. */
export const compactAppOptions = ({ settings }: Pick<Context, 'settings'>) => ({
  dialect: problemDetails,
  vocabulary: errors,
  frameworkErrors,
  // Its table of errors has no 415 (spec 2, Compact).
  frameworkStatuses: { 'unsupported-media-type': 400 },
  refusesUnknownNames: true,
  schemes: { key: compactAccess(settings.Auth) },
  defaultPolicy: 'Compact',
  reference: settings.Environment === 'development' || settings.Swagger.EnabledInProduction,
})

/** Registers the routes of the compact variant (spec 2, Compact): the same jobs under other paths, names and states. */
export function serveCompact(app: CompactApp, context: Context, parts: CompactParts): void {
  serveCompactFiles(app, context, parts)
  serveCompactJobs(app, context, parts)
  serveCompactOperations(app, context, parts)
}
