import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Starts the thread whose program stands beside a module, which gives its `import.meta.url`; `name` has no extension. */
export const startThread = (beside: string, name: string, resourceLimits: ResourceLimits): Worker =>
  beside.endsWith('.ts')
    ? threadFromSource(new URL(`${name}.ts`, beside), resourceLimits)
    : new Worker(new URL(`${name}.js`, beside), { execArgv: [], resourceLimits })

/** In tests and development: the packages beside this one are taken from their source as well. */
function threadFromSource(source: URL, resourceLimits: ResourceLimits): Worker {
  const options = { execArgv: ['--conditions=chancela-source'], resourceLimits }
  if ((process.features as { typescript?: unknown }).typescript) return new Worker(source, options)
  // Where Node does not read TypeScript itself. The loader of the tools would also go through the libraries, of which the
  // one that draws has hundreds of files: that takes longer than all the work of a test.
  const hooks = `data:text/javascript,${encodeURIComponent(typeStripping(import.meta.resolve('rolldown/utils')))}`
  const script = `require('node:module').register(${JSON.stringify(hooks)}); import(${JSON.stringify(source.href)})`
  return new Worker(script, { ...options, eval: true })
}

const typeStripping = (tool: string): string => `
  import { readFile } from 'node:fs/promises'
  import { transform } from '${tool}'
  const options = { lang: 'ts', tsconfig: false, typescript: { onlyRemoveTypeImports: true } }
  export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context)
    const { code } = await transform(url, await readFile(new URL(url), 'utf8'), options)
    return { format: 'module', source: code, shortCircuit: true }
  }`
