import { blobsCheck } from '@chancela/service-kernel/blobs'
import { serveOperations } from '@chancela/service-kernel/service'
import type { Context } from '../context.ts'
import type { PlatformApp } from './platform-app.ts'

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

/** Liveness, readiness and metrics; details beyond the verdict require monitoring access. */
export function serveOperationsRoutes(app: PlatformApp, context: Context): void {
  const { readiness, blobs, settings } = context
  readiness.add('storage', blobsCheck(blobs))
  serveOperations(app, context, paths, { ...settings.Metrics, access: 'monitoring' })
}
