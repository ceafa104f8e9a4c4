import { serveOperations } from '@chancela/service-kernel/service'
import type { Context } from '../context.ts'
import type { PlatformApp } from './platform-app.ts'

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

/** What is put to see that uploads could be: always the same, so that one blob serves every check. */
const probe = Buffer.from('ready')

/** Liveness, readiness and metrics; what tells more than a verdict is for those who watch the instance. */
export function serveOperationsRoutes(app: PlatformApp, context: Context): void {
  const { readiness, blobs, settings } = context
  readiness.add('storage', async () => {
    await blobs.put(probe)
    return { ok: true }
  })
  serveOperations(app, context, paths, { ...settings.Metrics, access: 'monitoring' })
}
