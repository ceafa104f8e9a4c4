import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What of the compiler is used here; its own types are not on this package's path. */
interface Compiler {
  build(options: object): Promise<unknown>
}

interface Plugged {
  onResolve(
    options: { readonly filter: RegExp },
    resolve: (asked: { readonly path: string }) => { readonly path: string; readonly external: true } | undefined,
  ): void
}

// The compiler inside tsx, which runs every TypeScript program of the repository.
const { build } = createRequire(import.meta.resolve('tsx'))('esbuild') as Compiler

const source = fileURLToPath(new URL('./life.ts', import.meta.url))
const cache = fileURLToPath(new URL('../../../../../../node_modules/.cache/chancela/', import.meta.url))

/** Packages of others stay where they are; only our sources are compiled. */
const onlyOurs = {
  name: 'only ours',
  setup: (plugged: Plugged) =>
    plugged.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@chancela/') ? undefined : { path, external: true },
    ),
}

/**
 * Compiles the life into one program, once: compiling it in every process would take ten times as long as most of them
 * live. Returns its folder, to be removed afterwards, and the program.
 */
export async function bundleLife(): Promise<{ readonly folder: string; readonly program: string }> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'prove-'))
  await build({
    entryPoints: { life: source },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['chancela-source'],
    plugins: [onlyOurs],
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return { folder, program: join(folder, 'life.js') }
}
