import { blobsCheck } from '@chancela/service-kernel/blobs'
import { serveOperations } from '@chancela/service-kernel/service'
import type { Context } from '../context.ts'
import type { CredentialApp } from './credential-app.ts'

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

/** Liveness, readiness and metrics. What they tell is of the whole instance: only the operator sees details. */
export function serveOperationsRoutes(app: CredentialApp, context: Context): void {
  const { readiness, blobs, settings } = context
  readiness.add('storage', blobsCheck(blobs))
  serveOperations(app, context, paths, { ...settings.Metrics, access: 'instance.monitor' })
}
