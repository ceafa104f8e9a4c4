import { Worker } from 'node:worker_threads'

const runsFromSource = import.meta.url.endsWith('.ts')

/** Starts a thread whose program is next to the module at `from`; `name` has no extension. */
export const startThread = (name: string, from: string): Worker =>
  runsFromSource ? threadFromSource(new URL(`${name}.ts`, from)) : compiledThread(new URL(`${name}.js`, from))

/** Without the options of the process: with those of `node --input-type=module --eval` no thread starts. */
const compiledThread = (program: URL): Worker => new Worker(program, { execArgv: [] })

/** In tests and development. Where Node does not read TypeScript itself, the thread needs the loader of the tools. */
function threadFromSource(source: URL): Worker {
  if ((process.features as { typescript?: unknown }).typescript) return new Worker(source)
  // Node 20 does not apply hooks of `--import` to a thread's first file: it is imported from a line of script.
  const loader = import.meta.resolve('tsx/esm/api')
  const script = `import('${loader}').then(({ tsImport }) => tsImport('${source.href}', '${source.href}'))`
  return new Worker(script, { eval: true, execArgv: [] })
}
