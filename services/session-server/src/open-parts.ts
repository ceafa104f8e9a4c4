import type { StatefulContext } from '@chancela/service-kernel/service'
import type { Store } from '@chancela/service-kernel/store'
import type { Worker } from '@chancela/service-kernel/workers'
import type { SessionServerSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'
import type { Ground } from './wiring.ts'

/** The parts of the service that routes speak to. */
export interface Parts {
  readonly workers: readonly Worker[]
}

/** What the parts stand on. */
export const groundOf = (context: StatefulContext): Ground => ({
  ...context,
  settings: context.settings as SessionServerSettings,
  store: context.store as unknown as Store<Tables>,
})

export async function openParts({ closing }: Ground): Promise<Parts> {
  const workers: readonly Worker[] = []
  for (const worker of workers) closing.add('a worker', () => worker.stop())
  return { workers }
}

/** Sets everything in motion; called when the routes stand. */
export function startWorking({ workers }: Parts): void {
  for (const worker of workers) worker.start()
}
