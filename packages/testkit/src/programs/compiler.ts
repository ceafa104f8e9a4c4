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

/** Packages of others stay where they are; only our sources are compiled. */
const onlyOurs = {
  name: 'only ours',
  setup: (plugged: Plugged) =>
    plugged.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@chancela/') ? undefined : { path, external: true },
    ),
}

/** Below the packages of others, so that a program finds them. */
export const cache = fileURLToPath(new URL('../../../../node_modules/.cache/chancela/', import.meta.url))

/** Makes one file of each program: what of it is ours, compiled. */
export async function build(options: object): Promise<void> {
  // The compiler inside tsx, which runs every TypeScript program of the repository.
  const { build } = createRequire(import.meta.resolve('tsx'))('esbuild') as Compiler
  await build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['chancela-source'],
    plugins: [onlyOurs],
    ...options,
  })
}
