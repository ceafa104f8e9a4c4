import type { Readiness } from '@chancela/service-kernel/health'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { compactRoutes } from '../../contract/compact.ts'
import type { FolderDirectory } from '../../parts/folders/folder-directory.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { compactMetrics } from '../../store/compact-reads.ts'
import type { Retention } from '../../workers/retention/retention.ts'
import { actorOf } from '../operator-access.ts'
import { type CompactApp, keyReader } from './access.ts'
import { compactReadiness, compactVerdict } from './readiness.ts'

/** What the operations of the compact variant need. */
export interface CompactOperations {
  readonly profiles: ProfileDirectory
  readonly folders: Pick<FolderDirectory, 'list' | 'onChange'>
  readonly retention: Pick<Retention, 'run'>
}

/** Cleanup, liveness, readiness and the metrics of the compact variant. */
export function serveCompactOperations(app: CompactApp, context: Context, parts: CompactOperations): void {
  const { settings, store } = context
  serve(app, compactRoutes.cleanUp, ({ caller }) => parts.retention.run(actorOf(caller)))

  serveCompactHealth(app, settings, compactReadiness(context, parts.profiles, parts.folders))

  const access = settings.Metrics.RequireApiKey ? 'key' : 'anonymous'
  if (settings.Metrics.Enabled) serve(app, { ...compactRoutes.metrics, access }, () => compactMetrics(store.db))
}

/** Liveness and readiness, which a proxy may keep as long as we do. */
export function serveCompactHealth(
  app: CompactApp,
  { Health, Auth }: Pick<Context['settings'], 'Health' | 'Auth'>,
  readiness: Pick<Readiness, 'verdict'>,
): void {
  const hasKey = keyReader(Auth)
  const kept = `private, max-age=${Health.CacheSeconds}`
  serve(app, compactRoutes.health, ({ reply }) => {
    reply.header('cache-control', kept)
    return { healthy: true, status: 'OK' }
  })
  serve(app, compactRoutes.ready, async ({ request, reply }) => {
    const verdict = await readiness.verdict()
    reply
      .header('cache-control', kept)
      .header('vary', Auth.ApiKeyHeader)
      .code(verdict.ready ? 200 : 503)
    return compactVerdict(verdict, { hasKey: hasKey(request) })
  })
}
