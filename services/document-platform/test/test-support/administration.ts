import { administrationKey, type PlatformWorld, untilKnown } from './platform-world.ts'

/** Calls of the instance's administration, by a key as an operator makes it. */
export async function administration(world: PlatformWorld) {
  const headers = { 'X-Api-Key': await administrationKey(world.store, world.clock()) }
  const call = (method: string, path: string, body?: unknown) => world.json(method, path, body, headers)
  await untilKnown(() => call('GET', '/api/users?limit=0'))
  return call
}
