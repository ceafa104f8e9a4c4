import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The part of the compiler that is used here; its own types are not on this package's path. */
interface Compiler {
  build(options: object): Promise<unknown>
}

interface Plugged {
  onResolve(
    options: { readonly filter: RegExp },
    resolve: (asked: { readonly path: string }) => { readonly path: string; readonly external: true } | undefined,
  ): void
}

/** Our sources, and third-party packages whose hundreds of files take a process longer to load than all the rest. */
const compiled = /^(@chancela\/|typebox|kysely)/

/** Other packages stay external. */
const onlyThose = {
  name: 'only those',
  setup: (plugged: Plugged) =>
    plugged.onResolve({ filter: /^[^./]/ }, ({ path }) => (compiled.test(path) ? undefined : { path, external: true })),
}

/** Below node_modules, so that a program finds third-party packages. */
export const cache = fileURLToPath(new URL('../../../../node_modules/.cache/chancela/', import.meta.url))

/** Bundles each program into one file. */
export async function build(options: object): Promise<void> {
  // The compiler inside tsx, which runs every TypeScript program of the repository.
  const { build } = createRequire(import.meta.resolve('tsx'))('esbuild') as Compiler
  await build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['chancela-source'],
    plugins: [onlyThose],
    ...options,
  })
}
