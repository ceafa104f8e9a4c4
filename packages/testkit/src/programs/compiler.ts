import { createRequire } from 'node:module'
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

/** Our sources, and those packages of others whose hundreds of files take a process longer to load than all the rest. */
const compiled = /^(@chancela\/|typebox|kysely)/

/** Other packages stay where they are. */
const onlyThose = {
  name: 'only those',
  setup: (plugged: Plugged) =>
    plugged.onResolve({ filter: /^[^./]/ }, ({ path }) => (compiled.test(path) ? undefined : { path, external: true })),
}

/** Below the packages of others, so that a program finds them. */
export const cache = fileURLToPath(new URL('../../../../node_modules/.cache/chancela/', import.meta.url))

/** Makes one file of each program. */
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
