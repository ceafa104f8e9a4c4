import { serveOperations } from '@chancela/service-kernel/service'
import type { Context } from '../context.ts'
import type { PlatformApp } from './platform-app.ts'

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

/** Written to check that uploads work: always the same bytes, so that all checks share one blob. */
const probe = Buffer.from('ready')

/** Liveness, readiness and metrics; details beyond the verdict require monitoring access. */
export function serveOperationsRoutes(app: PlatformApp, context: Context): void {
  const { readiness, blobs, settings } = context
  readiness.add('storage', async () => {
    await blobs.put(probe)
    return { ok: true }
  })
  serveOperations(app, context, paths, { ...settings.Metrics, access: 'monitoring' })
}
