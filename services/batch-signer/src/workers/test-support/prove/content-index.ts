import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256, type Version } from './site-files.ts'

/** The contents of all files below some folders; a file that has not changed is not read again. */
export class ContentIndex {
  readonly #folders: readonly string[]
  #hashes = new Map<string, string>()
  #known = new Set<string>()

  constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  /** Whether the content was there at the last reading. */
  has(version: Version): boolean {
    return this.#known.has(version.sha256)
  }

  read(): void {
    const hashes = new Map<string, string>()
    for (const path of this.#folders.flatMap(filesBelow)) {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      if (!stats?.isFile()) continue
      const key = `${path} ${stats.ino} ${stats.size} ${stats.ctimeNs}`
      const hash = this.#hashes.get(key) ?? hashOf(path)
      if (hash !== undefined) hashes.set(key, hash)
    }
    this.#hashes = hashes
    this.#known = new Set(hashes.values())
  }
}

function filesBelow(folder: string): readonly string[] {
  const entries = orGone(() => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

const hashOf = (path: string): string | undefined => orGone(() => sha256(readFileSync(path)))

/** Undefined for what is gone meanwhile: writers, and at the end the service, go on while a world is looked at. */
function orGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
