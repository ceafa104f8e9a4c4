// How services of the demo reach the session server, which starts after them because it signs at one of them.
import type { Clock } from '@chancela/service-kernel/clock'
import type { KernelSettings } from '@chancela/service-kernel/config'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { migrate, openStore } from '@chancela/service-kernel/store'
import { type CallingService, demoKey } from './demo-keys.ts'

interface TokenPlan {
  readonly caller: CallingService
  readonly chosen: readonly ServiceDefinition[]
  /** Of all services of the demo, by name. */
  readonly settings: Readonly<Record<string, KernelSettings>>
  readonly dataFolder: string
  /** The key of an earlier start. */
  readonly former: string | undefined
  readonly clock: Clock
}

/** A service's key for the session server, made in its database, as an operator does while it is stopped. */
export async function tokenKey({
  caller,
  chosen,
  settings,
  dataFolder,
  former,
  clock,
}: TokenPlan): Promise<string | undefined> {
  const sessions = chosen.find(({ name }) => name === 'session-server')
  if (!sessions?.migrations) return undefined
  const { Database } = settings[sessions.name]!
  const store = await openStore<ApiKeyTables>({ url: Database.Url, service: sessions.name, dataFolder })
  try {
    await migrate(store, sessions.migrations, clock)
    return await demoKey(store, caller, former, 'secret', clock())
  } finally {
    await store.close()
  }
}
