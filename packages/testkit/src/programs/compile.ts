import { hash, randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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

/** Packages of others stay where they are; only our sources are compiled. */
const onlyOurs = {
  name: 'only ours',
  setup: (plugged: Plugged) =>
    plugged.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@chancela/') ? undefined : { path, external: true },
    ),
}

// Below the packages of others, so that a program finds them.
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/chancela/programs/', import.meta.url))

/** Compiles a module text, whose imports are those of the file `from`, into one program; returns its path. */
export async function compile(from: string, moduleText: string): Promise<string> {
  // The compiler inside tsx, which runs every TypeScript program of the repository.
  const { build } = createRequire(import.meta.resolve('tsx'))('esbuild') as Compiler
  // Always the same name, so that nothing is left over where a process of the tests is killed.
  const program = join(cache, `${hash('sha256', `${from}\n${moduleText}`).slice(0, 16)}.mjs`)
  const unfinished = `${program}.${randomUUID()}`
  await build({
    stdin: { contents: moduleText, resolveDir: dirname(fileURLToPath(from)), loader: 'ts' },
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['chancela-source'],
    plugins: [onlyOurs],
  })
  // Several processes may compile the same: none sees half of it.
  await rename(unfinished, program)
  return program
}
