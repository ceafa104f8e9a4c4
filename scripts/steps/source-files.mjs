import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const generated = new Set(['node_modules', 'dist', 'data'])

/**
 * The files at and below the places of a tree, each with what tells that it changed. A place may have `*` for a folder.
 * @param {string} root
 * @param {readonly string[]} places
 * @param {(path: string) => boolean} [counts]
 * @returns {Map<string, string>}
 */
export function sourceFiles(root, places, counts = () => true) {
  const files = places.flatMap((place) => matching(root, place)).flatMap((place) => filesUnder(root, place))
  return new Map(files.filter(counts).map((path) => [path, state(join(root, path))]))
}

/** One value for all of them, which changes with any of them.
 * @param {Map<string, string>} files */
export const fingerprint = (files) =>
  createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex')

/** What is new or different in the second list, and what it lacks.
 * @param {Map<string, string>} before @param {Map<string, string>} after */
export const difference = (before, after) => ({
  changed: [...after.keys()].filter((path) => before.get(path) !== after.get(path)),
  removed: [...before.keys()].filter((path) => !after.has(path)),
})

/** Size and time, not content: two thousand files are checked before every start.
 * @param {string} path */
function state(path) {
  const { size, mtimeMs } = statSync(path)
  return `${size} ${mtimeMs}`
}

/** @param {string} root @param {string} pattern @returns {string[]} */
function matching(root, pattern) {
  return pattern
    .split('/')
    .reduce(
      (found, part) => found.flatMap((place) => (part === '*' ? foldersOf(root, place) : [join(place, part)])),
      [''],
    )
}

/** @param {string} root @param {string} place @returns {string[]} */
const foldersOf = (root, place) =>
  entriesOf(root, place)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(place, entry.name))

/** @param {string} root @param {string} place @returns {string[]} */
function filesUnder(root, place) {
  const full = join(root, place)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [place]
  return entriesOf(root, place).flatMap((entry) => {
    const path = join(place, entry.name)
    if (entry.isDirectory()) return generated.has(entry.name) ? [] : filesUnder(root, path)
    return entry.isFile() ? [path] : []
  })
}

/** @param {string} root @param {string} place */
function entriesOf(root, place) {
  const full = join(root, place)
  if (!existsSync(full)) return []
  return readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
}
