import { join } from 'node:path'
import { createBuilder } from 'vite'
import { vi } from 'vitest'

/** Builds one bundle as it ships, into `folder`. */
export async function buildBundle(name: string, folder: string): Promise<void> {
  // Vitest sets NODE_ENV to `test`, for which Vite would take React's development build.
  vi.stubEnv('NODE_ENV', 'production')
  const builder = await createBuilder({
    root: join(import.meta.dirname, '..'),
    logLevel: 'warn',
    environments: { [name]: { build: { outDir: folder } } },
  })
  await builder.build(builder.environments[name]!)
  vi.unstubAllEnvs()
}
