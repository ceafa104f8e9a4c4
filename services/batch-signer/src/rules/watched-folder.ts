import type { InputFolderEntry } from '../settings.ts'
import type { InputFolder } from './input-folders.ts'

/** Who stopped taking files from a folder, when and why. */
export interface FolderPause {
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  readonly reason: string | null
}

/** A folder with what operators decided about it. */
export interface WatchedFolder {
  readonly folder: InputFolder
  /** As the settings file has it, or would have it. */
  readonly entry: InputFolderEntry
  /** A folder of the settings file is changed there; here it is only paused. */
  readonly source: 'Settings' | 'Dashboard'
  readonly paused: FolderPause | null
  /** Why it cannot be watched although it is stored: the disk has changed since. */
  readonly problem: string | null
  /** Number of its edits; a form opened before another save is refused. 0 of a folder of the settings file. */
  readonly version: number
}
