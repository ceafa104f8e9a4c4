import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { withProgress } from './progress.mjs'
import { Hindrance } from './say.mjs'
import { difference, sourceFiles } from './source-files.mjs'

/** What runs on Node; pages are bundled instead. */
const places = ['packages/*/src', 'services/*/src', 'apps/*/src', 'bench/src']
const outputs = ['packages/*/dist', 'services/*/dist', 'apps/*/dist', 'bench/dist']
const pages = 'apps/web-console/'

/** @param {string} path */
const isProduct = (path) =>
  path.endsWith('.ts') && !/\.(test|d)\.ts$|\/test-support\//.test(path) && !path.startsWith(pages)

/** The sources of everything that runs on Node.
 * @param {string} root */
export const productSources = (root) => sourceFiles(root, places, isProduct)

/**
 * Brings `dist` up to date with `src`: what changed is written, what lost its source is removed, nothing else is touched.
 * Types are dropped, not checked: that is the work of `npm run check`.
 * @param {string} root
 */
export async function transpile(root) {
  const sources = productSources(root)
  const { changed, removed } = difference(remembered(root), sources)
  const missing = [...sources.keys()].filter((source) => !existsSync(join(root, outputOf(source))))
  const written = [...new Set([...changed, ...missing])]
  if (written.length > 0) await withProgress('Transpiling', (reached) => write(root, written, reached))
  if (written.length > 0 || removed.length > 0) settle(root, sources)
  return { written, removed }
}

/** @param {string} source */
const outputOf = (source) => source.replace('/src/', '/dist/').replace(/\.ts$/, '.js')

/** Large enough to keep every core busy, small enough to report progress. */
const BATCH = 100

/** @param {string} root @param {readonly string[]} sources @param {import('./progress.mjs').Reached} reached */
async function write(root, sources, reached) {
  for (let done = 0; done < sources.length; done += BATCH) {
    reached(done, sources.length, 'files')
    const results = await Promise.allSettled(sources.slice(done, done + BATCH).map((source) => writeOne(root, source)))
    const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    if (failed.length > 0) throw problemOf(failed)
  }
  reached(sources.length, sources.length, 'files')
}

/** @param {string} root @param {string} source */
async function writeOne(root, source) {
  // From the bundler of the pages, so that a start installs one tool for both; not available before the install.
  const { transform } = await import('rolldown/utils')
  const output = outputOf(source)
  const name = relative(dirname(output), source)
  const { code, map, errors } = await transform(name, await readFile(join(root, source), 'utf8'), options)
  if (errors.length > 0) throw new Hindrance(`${source}: ${errors.map(({ message }) => message).join('; ')}`)
  await mkdir(join(root, dirname(output)), { recursive: true })
  await writeFile(join(root, `${output}.map`), JSON.stringify({ ...map, sourcesContent: undefined }))
  await writeFile(join(root, output), `${code}//# sourceMappingURL=${basename(output)}.map\n`)
}

/** The output options of tsconfig.base.json for these sources.
 * @type {import('rolldown/utils').TransformOptions} */
const options = {
  lang: 'ts',
  target: 'es2023',
  sourcemap: true,
  tsconfig: false,
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
}

/** @param {readonly unknown[]} failed */
function problemOf(failed) {
  const bug = failed.find((error) => !(error instanceof Hindrance))
  return bug ?? new Hindrance(failed.map((error) => /** @type {Hindrance} */ (error).message).join('\n'))
}

/** @param {string} root @param {Map<string, string>} sources */
function settle(root, sources) {
  removeOrphans(root, sources)
  mkdirSync(dirname(memory(root)), { recursive: true })
  writeFileSync(memory(root), JSON.stringify({ made: way(), sources: [...sources] }))
}

/** Removes outputs of deleted sources, declarations of the type check included.
 * @param {string} root @param {Map<string, string>} sources */
function removeOrphans(root, sources) {
  const made = sourceFiles(root, outputs, (path) => !path.startsWith(pages) && madeOf(path) !== undefined)
  for (const path of made.keys()) {
    if (!sources.has(/** @type {string} */ (madeOf(path)))) rmSync(join(root, path), { force: true })
  }
}

/** @param {string} path */
const madeOf = (path) =>
  /\.(js|js\.map|d\.ts)$/.test(path)
    ? path.replace('/dist/', '/src/').replace(/\.(js|js\.map|d\.ts)$/, '.ts')
    : undefined

/** @param {string} root */
const memory = (root) => join(root, 'node_modules/.cache/chancela/transpiled.json')

/** The sources as they were transpiled last; none when the version or the options differ.
 * @param {string} root @returns {Map<string, string>} */
function remembered(root) {
  if (!existsSync(memory(root))) return new Map()
  const { made, sources } = JSON.parse(readFileSync(memory(root), 'utf8'))
  return new Map(made === way() ? sources : [])
}

/** With another version or other options everything is transpiled again. */
const way = () =>
  `rolldown ${createRequire(import.meta.url)('rolldown/package.json').version} ${JSON.stringify(options)}`
