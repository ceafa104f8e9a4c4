import { serveOperations } from '@chancela/service-kernel/service'
import type { Context } from '../context.ts'
import type { CredentialApp } from './credential-app.ts'

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

/** Written to check that bytes can be stored: always the same, so that all checks share one blob. */
const probe = Buffer.from('ready')

/** Liveness, readiness and metrics. What they tell is of the whole instance: only the operator sees details. */
export function serveOperationsRoutes(app: CredentialApp, context: Context): void {
  const { readiness, blobs, settings } = context
  readiness.add('storage', async () => {
    await blobs.put(probe)
    return { ok: true }
  })
  serveOperations(app, context, paths, { ...settings.Metrics, access: 'instance.monitor' })
}
