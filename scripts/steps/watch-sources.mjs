import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pageSources } from './bundle-pages.mjs'
import { difference } from './source-files.mjs'
import { productSources } from './transpile.mjs'

/** An editor, a formatter or a checkout writes many files in a row: they count as one change. */
const QUIET_MS = 150

/** All sources of the running suite.
 * @param {string} root */
const sourcesOf = (root) => new Map([...productSources(root), ...pageSources(root)])

/**
 * Yields lists of changed files; changes made meanwhile are in the next list.
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

/**
 * Reports that something happened; comparing files shows what. One watch per folder: Node's recursive one takes one per
 * file.
 */
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
    // The parent folder reports a folder that was removed.
    return watch(folder, nudge).on('error', () => undefined)
  }

  /** Resolves when something happened and nothing has followed for a while. */
  async next() {
    if (this.#count === 0) await new Promise((resolve) => (this.#wake = () => resolve(undefined)))
    do {
      this.#count = 0
      await pause(QUIET_MS)
    } while (this.#count > 0)
  }
}
