import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quietly, root } from './run-command.mjs'

/**
 * What is installed: for a start what runs and what builds it; everything is that and what tests, gates and benchmarks
 * need besides.
 * @typedef {'start' | 'everything'} Level
 */

/** @typedef {{ version?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package */
/** @typedef {Record<string, Package>} Packages */

/** What can be missing, and the command that installs it. `install`, unlike `ci`, keeps existing modules. */
const installs = {
  start: { what: 'Installing what a start needs', args: ['ci', '--omit=dev'] },
  everything: { what: 'Installing everything', args: ['ci'] },
  rest: { what: 'Installing what a start does not need', args: ['install', '--no-save'] },
}

/** Installs exactly what the lockfile says, unless it is already installed.
 * @param {Level} level */
export async function ensureInstalled(level) {
  const missing = missingFor(level, root)
  if (missing) await install(missing, level)
  stampLevel(level, root)
}

/** @param {keyof typeof installs} missing @param {Level} level */
function install(missing, level) {
  const { what, args } = installs[missing]
  const packages = Object.entries(packagesOf(level, root)).flatMap(([path, one]) => (mayLack(one) ? [] : [path]))
  const placed = () => packages.filter((path) => existsSync(join(root, path, 'package.json'))).length
  const count = () => /** @type {const} */ ([placed(), packages.length, 'packages'])
  const npm = (/** @type {string[]} */ ...more) =>
    quietly(what, 'npm', [...args, '--loglevel=error', ...more], { count })
  // The lockfile contains versions and hashes, so npm's cache need not be revalidated. A cache older than the lockfile
  // lacks some of them: then everything is requested.
  return npm('--prefer-offline').catch(() => npm())
}

/** What of the table above must be installed for a level.
 * @param {Level} level @param {string} tree @returns {keyof typeof installs | undefined} */
export function missingFor(level, tree) {
  if (isStamped(level, tree)) return undefined
  if (level === 'everything' && isStamped('start', tree)) return 'rest'
  return isReceiptNewer(tree) && isIn(packagesOf(level, tree), receiptOf(tree)) ? undefined : level
}

/** Records that a level is installed, so that the next check costs one lookup.
 * @param {Level} level @param {string} tree */
export function stampLevel(level, tree) {
  if (!isStamped(level, tree)) writeFileSync(stampOf(tree), `${level} ${fingerprint(tree)}`)
}

/** The packages of a level on this machine, by path.
 * @param {Level} level @param {string} tree @returns {Packages} */
export function packagesOf(level, tree) {
  const { packages } = JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8'))
  const isForHere = machineFilter()
  const chosen = Object.entries(/** @type {Packages} */ (packages)).filter(
    ([path, one]) => isPlaced(path, one) && isForHere(one) && (level === 'everything' || !one.dev),
  )
  return Object.fromEntries(chosen)
}

/** The packages of this repository are linked, not copied.
 * @param {string} path @param {Package} one */
const isPlaced = (path, one) => /(^|\/)node_modules\//.test(path) && !one.link

function machineFilter() {
  // Node shows its C library only in its report.
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  const libcHere = report.header.glibcVersionRuntime ? 'glibc' : 'musl'
  const isNamed = (/** @type {string[] | undefined} */ names, /** @type {string} */ ours) =>
    names?.includes(ours) ?? true
  return (/** @type {Package} */ { os, cpu, libc }) =>
    isNamed(os, process.platform) && isNamed(cpu, process.arch) && isNamed(libc, libcHere)
}

/** @param {Packages} wanted @param {Packages} found */
const isIn = (wanted, found) =>
  Object.entries(wanted).every(([path, one]) => found[path]?.version === one.version || mayLack(one))

/** What is optional may have failed to build, which is no reason to install again. A binary is there, or of another machine.
 * @param {Package} one */
const mayLack = (one) => Boolean(one.optional || one.devOptional) && !one.cpu

/** @param {string} tree */
const stampOf = (tree) => join(tree, 'node_modules/.chancela-installed')

/** What npm itself writes when an install is complete.
 * @param {string} tree */
const receiptFile = (tree) => join(tree, 'node_modules/.package-lock.json')

/** @param {string} tree @returns {Packages} */
const receiptOf = (tree) => JSON.parse(readFileSync(receiptFile(tree), 'utf8')).packages

/** Whether we have seen this level installed; everything has what a start needs.
 * @param {Level} level @param {string} tree */
function isStamped(level, tree) {
  if (!existsSync(receiptFile(tree)) || !existsSync(stampOf(tree))) return false
  const [stamped, ...rest] = readFileSync(stampOf(tree), 'utf8').split(' ')
  return (stamped === level || stamped === 'everything') && rest.join(' ') === fingerprint(tree)
}

/** A developer's own `npm install` leaves a receipt that is newer than the lockfile it wrote.
 * @param {string} tree */
const isReceiptNewer = (tree) =>
  existsSync(receiptFile(tree)) &&
  statSync(receiptFile(tree)).mtimeMs >= statSync(join(tree, 'package-lock.json')).mtimeMs

/** @param {string} tree */
function fingerprint(tree) {
  const hash = createHash('sha256')
    .update(readFileSync(join(tree, 'package-lock.json')))
    .digest('hex')
  return `${hash} ${process.platform} ${process.arch}`
}
