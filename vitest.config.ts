import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { manifestsInKey } from './scripts/steps/module-cache.mjs'
import { scratchFolder } from './scripts/steps/scratch-folder.mjs'

const everywhere = [
  'packages/*/src/**/*.test.ts',
  'services/*/src/**/*.test.ts',
  'services/*/test/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'apps/*/test/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'scripts/**/*.test.ts',
]

/** Files that change what a process has only one of: its modules, its timers, its PKCS#11 module, how V8 compiles patterns. */
const needsItsOwnProcess = [
  'packages/service-kernel/src/http/api-keys/api-keys.test.ts',
  'packages/service-kernel/src/store/sqlite/connection-lock.test.ts',
  'packages/signature-engine/src/keys/pkcs11/*.test.ts',
  'packages/{signature-engine,academic-documents}/src/**/long-runs.test.ts',
  'services/batch-signer/test/signing-token.test.ts',
  'services/session-server/test/{prove-agent,workstation*}.test.ts',
  'services/session-server/test/server-token*.test.ts',
  'apps/cli/src/signatures/token.test.ts',
]

/**
 * Tests that run compilers and linters over the repository: that `npm run check` refuses what it should, and that packages
 * are what their users need. `npm run check` runs them as one more gate; `npm test` passes them over.
 */
const gates = [
  'scripts/gates.test.ts',
  'scripts/import-rule.test.ts',
  'scripts/declare.test.ts',
  'scripts/packed-services.test.ts',
  'packages/client/src/installed.test.ts',
]

/** Tests that need what not every machine gives; each has a command `npm run prove:…` that says what is missing. */
const proofs = [
  'services/{batch-signer,credential-platform,document-platform,pki-core}/test/prove-full-disk.test.ts',
  '{packages,apps}/*/src/**/prove-published.test.ts',
  'packages/academic-documents/src/representations/prove-pdfa.test.ts',
  'services/*/test/prove-published.test.ts',
  'services/session-server/test/prove-agent-package.test.ts',
]

/** One process reads many files and keeps the modules: importing the suite takes longer than most files' tests. */
export const sharingProcess = { include: everywhere, exclude: [...needsItsOwnProcess, ...gates, ...proofs] }

const project = (name: string, files: object) => ({
  extends: true as const,
  test: { name, sequence: { groupOrder: 0 }, ...files },
})

// OpenSSL has an engine `rdrand` where the processor has RDRAND. SoftHSM2 asks for it when it is initialised, and leaves
// errors in the queue it shares with Node where there is none, as on every arm64. With the bit masked OpenSSL finds none
// on x86 either, so that every test with a token sees on every machine what arm64 sees. Read when a process starts.
process.env.OPENSSL_ia32cap ??= '~0x4000000000000000'

process.env.TMPDIR ??= scratchFolder()

// Tests run on the source: the condition makes every workspace import resolve to its TypeScript files.
export default defineConfig({
  plugins: [manifestsInKey],
  resolve: { conditions: ['chancela-source'] },
  ssr: { resolve: { conditions: ['chancela-source'] } },
  environments: { __vitest__: { resolve: { conditions: ['chancela-source'] } } },
  test: {
    projects: [
      project('shared', { ...sharingProcess, isolate: false }),
      project('alone', { include: needsItsOwnProcess }),
      project('proofs', { include: proofs }),
      // Without the databases and keys of the others.
      { test: { name: 'gates', include: gates, pool: 'forks', testTimeout: 600_000, hookTimeout: 180_000 } },
    ],
    globalSetup: [
      'packages/testkit/src/stores/vitest-postgres.ts',
      'packages/testkit/src/demo-pki/vitest-keys.ts',
      'scripts/vitest-pages.ts',
    ],
    setupFiles: ['packages/testkit/src/test-files/vitest-file-hooks.ts'],
    pool: 'forks',
    // Tests wait for each other side, for the disk, for a browser: half as many again as there are cores keeps them busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // What was transformed is kept: by the next run, and by the files that have a process of their own.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/chancela/modules' },
    // What a test stubs is its own.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // A machine ten times slower than ours is still right: what hangs is found all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default'],
  },
})
