import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installed, quietly, root } from './run-command.mjs'

/** What is compiled, what it is made from, and with which command. */
const products = [
  {
    what: 'Compiling the services',
    from: ['packages', 'services', 'apps', 'bench', 'tsconfig.json', 'tsconfig.base.json', 'package-lock.json'],
    extensions: ['.ts', '.tsx', '.json'],
    to: 'apps/demo/dist/main.js',
    command: [installed('tsc'), '-b'],
    cwd: '.',
  },
  {
    what: 'Building the web console',
    from: ['apps/web-console', 'apps/demo/src/home', 'package-lock.json'],
    extensions: ['.ts', '.tsx', '.css', '.html', '.svg', '.json'],
    to: 'apps/web-console/dist/home/index.html',
    command: [installed('vite'), 'build', '--logLevel', 'warn'],
    cwd: 'apps/web-console',
  },
]

/** Brings every product up to date; does nothing at all when no source changed since the last build. */
export async function ensureBuilt() {
  for (const product of products) {
    const stamp = join(root, 'node_modules/.cache/chancela', `${product.what.replaceAll(' ', '-')}.stamp`)
    const wanted = fingerprint(product)
    const upToDate = existsSync(stamp) && existsSync(join(root, product.to)) && readFileSync(stamp, 'utf8') === wanted
    if (upToDate) continue
    if (!existsSync(join(root, product.to))) forgetIncrementalState(product)
    const [command, ...args] = product.command
    await quietly(product.what, /** @type {string} */ (command), args, { cwd: join(root, product.cwd) })
    mkdirSync(join(stamp, '..'), { recursive: true })
    writeFileSync(stamp, wanted)
  }
}

/** A deleted output with its build information left behind would make the compiler believe that all is well.
 * @param {typeof products[number]} product */
function forgetIncrementalState(product) {
  if (product.cwd !== '.') return
  for (const folder of ['packages', 'services', 'apps'].flatMap(children).concat('bench')) {
    rmSync(join(root, folder, 'dist/.tsbuildinfo'), { force: true })
  }
}

/** @param {string} folder @returns {string[]} */
function children(folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))
}

/** @param {typeof products[number]} product */
function fingerprint(product) {
  const hash = createHash('sha256')
  for (const path of product.from.flatMap((path) => sourcesUnder(path, product.extensions))) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

const generated = new Set(['node_modules', 'dist', 'data'])

/** @param {string} path @param {readonly string[]} extensions @returns {string[]} */
function sourcesUnder(path, extensions) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name)
      if (entry.isDirectory()) return generated.has(entry.name) ? [] : sourcesUnder(child, extensions)
      return extensions.some((extension) => entry.name.endsWith(extension)) ? [child] : []
    })
}
