import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installed, quietly } from './run-command.mjs'
import { fingerprint, sourceFiles } from './source-files.mjs'

/** Sources of the pages: their own and the contracts of their services. */
const places = [
  'apps/web-console',
  'apps/demo/src/home/contract.ts',
  'packages/admin-console/src/contract',
  'services/*/src/contract',
  'package-lock.json',
]

/** @param {string} path */
const isPart = (path) => !/\.test\.tsx?$|^apps\/web-console\/test\/|\.md$/.test(path)

/** @param {string} root */
export const pageSources = (root) => sourceFiles(root, places, isPart)

/** Builds the bundles of the web console, unless they are up to date.
 * @param {string} root */
export async function bundlePages(root) {
  if (arePagesBuilt(root)) return
  // Computed before, so that what changes meanwhile is built the next time.
  const sources = fingerprint(pageSources(root))
  const begun = Date.now()
  const bundles = bundlesOf(root)
  await quietly('Bundling the pages', installed('vite'), ['build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/web-console'),
    // Vitest says `test`, with which the pages would have the development build of React: twice the work for a browser,
    // and kept for `npm start`.
    env: { NODE_ENV: 'production' },
    count: () => [bundles.filter((page) => isSince(page, begun)).length, bundles.length, 'bundles'],
  })
  mkdirSync(dirname(stampOf(root)), { recursive: true })
  writeFileSync(stampOf(root), sources)
}

/** @param {string} root */
export const arePagesBuilt = (root) =>
  existsSync(stampOf(root)) &&
  readFileSync(stampOf(root), 'utf8') === fingerprint(pageSources(root)) &&
  bundlesOf(root).every((page) => existsSync(page))

/** @param {string} root */
const stampOf = (root) => join(root, 'node_modules/.cache/chancela/pages.stamp')

/** The built page of each bundle.
 * @param {string} root */
const bundlesOf = (root) => Object.values(pageFolders(root)).map((folder) => join(folder, 'index.html'))

/** Where each bundle lands: in the package that serves it.
 * @param {string} root @returns {Record<string, string>} */
export function pageFolders(root) {
  const console = join(root, 'apps/web-console')
  const bundles = JSON.parse(readFileSync(join(console, 'bundles.json'), 'utf8'))
  return Object.fromEntries(Object.entries(bundles).map(([name, { into }]) => [name, join(console, into)]))
}

/** @param {string} path @param {number} time */
const isSince = (path, time) => existsSync(path) && statSync(path).mtimeMs >= time
