import type { Worker } from '@chancela/service-kernel/workers'
import { Discovery } from './actions/discover-providers.ts'
import type { Context } from './context.ts'
import { type HubMetrics, openHubMetrics } from './metrics.ts'
import { Signing } from './parts/signing/signing.ts'
import { type IdentifierDigest, openIdentifierDigest } from './store/identifier-digest.ts'
import { sealFormerHolders } from './store/sealed-holders.ts'
import { type OpenProviders, openProviders } from './upstream/open-providers.ts'
import { sweepSessions } from './workers/sweep-sessions.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly metrics: HubMetrics
  readonly providers: OpenProviders
  readonly discovery: Discovery
  readonly signing: Signing
  readonly identifierDigest: IdentifierDigest
  readonly workers: readonly Worker[]
}

export async function openParts(context: Context): Promise<Parts> {
  const { closing, store, secrets } = context
  const identifierDigest = await openIdentifierDigest(context)
  await sealFormerHolders(store, { secrets, identifierDigest })
  const metrics = openHubMetrics(context)
  const providers = await openProviders(context, metrics)
  const discovery = new Discovery(context, providers)
  const signing = new Signing(context, providers, metrics)
  const workers: readonly Worker[] = [sweepSessions(context, metrics)]
  for (const worker of workers) closing.add('a worker', () => worker.stop())
  return { metrics, providers, discovery, signing, identifierDigest, workers }
}

/** Starts the workers; called after the routes are registered. */
export function startWorking({ workers }: Parts): void {
  for (const worker of workers) worker.start()
}
