import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pageSources } from './bundle-pages.mjs'
import { difference } from './source-files.mjs'
import { productSources } from './transpile.mjs'

/** An editor, a formatter or a checkout writes many files in a row: they are one change. */
const QUIET_MS = 150

/** Everything whose change the running suite shows.
 * @param {string} root */
const sourcesOf = (root) => new Map([...productSources(root), ...pageSources(root)])

/**
 * What changed, list by list, for as long as one asks; changes made meanwhile are in the next list.
 * @param {string} root
 * @returns {AsyncGenerator<string[], never>}
 */
export async function* changes(root) {
  const nudges = new Nudges()
  for (let before = sourcesOf(root); ; ) {
    nudges.watch(root, foldersOf(before))
    await nudges.next()
    const after = sourcesOf(root)
    const { changed, removed } = difference(before, after)
    before = after
    if (changed.length + removed.length > 0) yield [...changed, ...removed]
  }
}

/** The folders of the sources and those above them, where a new folder would appear.
 * @param {Map<string, string>} sources */
function foldersOf(sources) {
  const folders = new Set([...sources.keys()].map(dirname))
  for (const folder of folders) if (folder !== '.') folders.add(dirname(folder))
  return folders
}

/** Something happened somewhere; what it was is found by looking. Folder by folder, because Node's recursive watch takes a watch per file. */
class Nudges {
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  #watched = new Map()
  #count = 0
  #wake = () => {}

  /** @param {string} root @param {Set<string>} folders */
  watch(root, folders) {
    for (const [folder, watcher] of this.#watched) {
      if (folders.has(folder) && existsSync(join(root, folder))) continue
      watcher.close()
      this.#watched.delete(folder)
    }
    for (const folder of folders)
      if (!this.#watched.has(folder)) this.#watched.set(folder, this.#begin(join(root, folder)))
  }

  /** @param {string} folder */
  #begin(folder) {
    const nudge = () => {
      this.#count += 1
      this.#wake()
    }
    // A folder that goes away nudges by its parent.
    return watch(folder, nudge).on('error', () => undefined)
  }

  /** Resolves when something happened and it has become quiet since. */
  async next() {
    if (this.#count === 0) await new Promise((resolve) => (this.#wake = () => resolve(undefined)))
    do {
      this.#count = 0
      await pause(QUIET_MS)
    } while (this.#count > 0)
  }
}
