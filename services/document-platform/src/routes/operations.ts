import { serveOperations } from '@chancela/service-kernel/service'
import type { Ground } from '../context.ts'
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
export function serveOperationsRoutes(app: PlatformApp, ground: Ground): void {
  const { readiness, blobs, settings } = ground
  readiness.add('storage', async () => {
    await blobs.put(probe)
    return { ok: true }
  })
  serveOperations(app, ground, paths, { ...settings.Metrics, access: 'monitoring' })
}
