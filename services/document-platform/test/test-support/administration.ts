import { vi } from 'vitest'
import { administrationKey, type PlatformWorld } from './platform-world.ts'

/** Calls of the instance's administration, by a key as an operator makes it. */
export async function administration(world: PlatformWorld) {
  const headers = { 'X-Api-Key': await administrationKey(world.store, world.clock()) }
  const call = (method: string, path: string, body?: unknown) => world.json(method, path, body, headers)
  // A key that was made a moment ago is known to the service a moment later.
  await vi.waitUntil(async () => (await call('GET', '/api/users?limit=0')).status === 200, {
    timeout: 10_000,
    interval: 5,
  })
  return call
}
