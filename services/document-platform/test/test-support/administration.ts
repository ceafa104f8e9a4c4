import type { PlatformWorld } from './platform-world.ts'

/** Calls of the instance's administration, with a key as an operator creates it. */
export const administration =
  ({ json, administrationKey }: Pick<PlatformWorld, 'json' | 'administrationKey'>) =>
  (method: string, path: string, body?: unknown) =>
    json(method, path, body, { 'X-Api-Key': administrationKey })
