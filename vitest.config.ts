import { defineConfig } from 'vitest/config'

// Tests run on the source: the condition makes every workspace import resolve to its TypeScript files.
export default defineConfig({
  resolve: { conditions: ['chancela-source'] },
  ssr: { resolve: { conditions: ['chancela-source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'services/*/src/**/*.test.ts',
      'services/*/test/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'bench/src/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['packages/testkit/src/stores/vitest-postgres.ts', 'packages/testkit/src/demo-pki/vitest-keys.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A machine ten times slower than ours is still right: what hangs is found all the same.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
})
