import type { StatefulContext } from '@chancela/service-kernel/service'
import { type Store, sharingTransactions } from '@chancela/service-kernel/store'
import type { Worker } from '@chancela/service-kernel/workers'
import { Discovery } from './actions/discover-providers.ts'
import type { Context } from './context.ts'
import { type HubMetrics, openHubMetrics } from './metrics.ts'
import { Signing } from './parts/signing/signing.ts'
import type { CloudHubSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'
import { type OpenProviders, openProviders } from './upstream/open-providers.ts'
import { sweepSessions } from './workers/sweep-sessions.ts'

/** The parts of the service that routes speak to. */
export interface Parts {
  readonly metrics: HubMetrics
  readonly providers: OpenProviders
  readonly discovery: Discovery
  readonly signing: Signing
  readonly workers: readonly Worker[]
}

/** What the parts stand on. */
export const groundOf = (context: StatefulContext): Ground => ({
  ...context,
  settings: context.settings as CloudHubSettings,
  store: sharingTransactions(context.store as unknown as Store<Tables>),
})

export async function openParts(ground: Ground): Promise<Parts> {
  const { closing } = ground
  const metrics = openHubMetrics(ground)
  const providers = await openProviders(ground, metrics)
  const discovery = new Discovery(ground, providers)
  const signing = new Signing(ground, providers, metrics)
  const workers: readonly Worker[] = [sweepSessions(ground, metrics)]
  for (const worker of workers) closing.add('a worker', () => worker.stop())
  return { metrics, providers, discovery, signing, workers }
}

/** Sets everything in motion; called when the routes stand. */
export function startWorking({ workers }: Parts): void {
  for (const worker of workers) worker.start()
}
