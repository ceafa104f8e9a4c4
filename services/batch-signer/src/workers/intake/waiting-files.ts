import type { WaitReason } from '../../contract/folders.ts'

/** A file that is not taken now. */
export interface WaitingFile {
  readonly fileName: string
  readonly reason: WaitReason
  /** ISO 8601. */
  readonly since: string
}

/** Files remembered per folder: beyond them nobody reads a list. */
const MOST_REMEMBERED = 1_000
/** Milliseconds after which a wait is worth an event. */
const LONG = 10 * 60_000

/** The files of one folder that cannot be taken now, and why. */
export class WaitingFiles {
  readonly #files = new Map<string, WaitingFile & { told: boolean }>()

  /** In the order in which they began to wait. */
  get all(): readonly WaitingFile[] {
    return [...this.#files.values()].map(({ told: _, ...file }) => file)
  }

  /** Notes why a file waits; true when that is news. */
  waits(fileName: string, reason: WaitReason, now: Date): boolean {
    const before = this.#files.get(fileName)
    if (before?.reason === reason || (!before && this.#files.size >= MOST_REMEMBERED)) return false
    this.#files.set(fileName, { fileName, reason, since: before?.since ?? now.toISOString(), told: false })
    return true
  }

  /** The file was taken, or has gone. */
  forget(fileName: string): void {
    this.#files.delete(fileName)
  }

  /** Forgets the files for which the condition does not hold. */
  keep(isThere: (fileName: string) => boolean): void {
    for (const fileName of this.#files.keys()) if (!isThere(fileName)) this.#files.delete(fileName)
  }

  /** Files that have waited long; each is answered once. */
  takeLong(now: Date): readonly WaitingFile[] {
    const long = [...this.#files.values()].filter(
      ({ told, since }) => !told && now.getTime() - Date.parse(since) >= LONG,
    )
    for (const file of long) file.told = true
    return long
  }
}
