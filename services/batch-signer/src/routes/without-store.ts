import {
  type BuiltService,
  createSurfaceApp,
  type StatelessContext,
  serveOperations,
} from '@chancela/service-kernel/service'
import type { BatchSignerSettings } from '../settings.ts'
import { compactSurface, fullSurface } from '../surfaces.ts'
import { compactAccess } from './compact/access.ts'
import { compactAppOptions } from './compact/compact-app.ts'
import { serveCompactHealth } from './compact/operations.ts'
import { fullAppOptions } from './full/full-app.ts'
import { operationPaths } from './full/operations.ts'
import { requireWritableNames } from './operator-access.ts'

/**
 * Both surfaces of an instance whose start found no database (spec 2, Readiness): liveness, and a readiness whose check
 * `database` stays red. It takes the key alone, because sessions that ended are known to the database.
 */
export async function buildWithoutStore(context: StatelessContext<BatchSignerSettings>): Promise<BuiltService> {
  const { settings } = context
  requireWritableNames(settings.Auth)
  const own = { surface: fullSurface, ...fullAppOptions({ key: compactAccess(settings.Auth) }), reference: false }
  const full = await createSurfaceApp(context, own)
  const { health, ready, readyDetails } = operationPaths
  const options = { ...settings.Metrics, readyRequiresKey: settings.Readiness.RequireApiKey }
  serveOperations(full, context, { health, ready, readyDetails }, options)
  const lesser = { surface: compactSurface, ...compactAppOptions(context), reference: false }
  const compact = await createSurfaceApp(context, lesser)
  serveCompactHealth(compact, settings, context.readiness)
  return { surfaces: { [fullSurface.name]: full, [compactSurface.name]: compact } }
}
