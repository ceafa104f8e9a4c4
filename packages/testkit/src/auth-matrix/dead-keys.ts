import { SECOND } from '@chancela/service-kernel/clock'
import { type ApiKeyTables, createKey, disableApplication, revokeKey } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import { expect } from 'vitest'
import type { TestClock } from '../clock/index.ts'

interface World<Tables extends ApiKeyTables> {
  readonly store: Store<Tables>
  readonly clock: TestClock
}

interface Making {
  /** An application of its own, with whatever a caller needs besides a key. */
  application(): Promise<{ readonly applicationId: string }>
  /** Whether a key is let in. */
  isLetIn(apiKey: string): Promise<boolean>
}

/** How a key of an application dies. */
const deaths = {
  'a revoked key': ({ store, clock }, { id }) => revokeKey(store, id, clock()),
  'an expired key': async ({ clock }) => clock.advance(2 * SECOND),
  'a key of a disabled application': ({ store, clock }, { applicationId }) =>
    disableApplication(store, applicationId, clock()),
} as const satisfies Record<string, (world: World<ApiKeyTables>, key: KeyOfApplication) => Promise<unknown>>

interface KeyOfApplication {
  readonly id: string
  readonly applicationId: string
}

/** Keys that opened doors until they were revoked, expired or disabled, and one that never did; by what they are. */
export async function deadKeys<Tables extends ApiKeyTables>(
  world: World<Tables>,
  { application, isLetIn }: Making,
): Promise<Readonly<Record<string, string>>> {
  const { clock } = world
  const store = world.store as unknown as Store<ApiKeyTables>
  const dead: Record<string, string> = { 'a wrong key': `nobody|${'x'.repeat(43)}` }
  for (const [name, die] of Object.entries(deaths)) {
    const { applicationId } = await application()
    const expiresAt = new Date(clock().getTime() + SECOND)
    const { id, key } = await createKey(
      store,
      {
        applicationId,
        description: name,
        form: 'application|secret',
        ...(die === deaths['an expired key'] && { expiresAt }),
      },
      clock(),
    )
    // A running service learns of a key, and of its end, after a moment.
    await expect.poll(() => isLetIn(key)).toBe(true)
    await die({ store, clock }, { id, applicationId })
    await expect.poll(() => isLetIn(key)).toBe(false)
    dead[name] = key
  }
  return dead
}
