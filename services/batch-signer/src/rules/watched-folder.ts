import type { InputFolderEntry } from '../settings.ts'
import { type Actor, nameOf } from './actor.ts'
import type { InputFolder } from './input-folders.ts'
import { type Said, said, together } from './sentences.ts'
import type { Trouble } from './trouble.ts'

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
  readonly problem: Trouble | null
  /** Number of its edits; a form opened before another save is refused. 0 of a folder of the settings file. */
  readonly version: number
}

/** The two transitions of a folder's flag. */
export const folderMoves = {
  pause: { from: 0, to: 1, eventType: 'FolderPaused', sentence: 'folder-paused' },
  resume: { from: 1, to: 0, eventType: 'FolderResumed', sentence: 'folder-resumed' },
} as const

export type FolderMove = keyof typeof folderMoves

/** A transition in the event log. */
export const saidFolderMove = (folder: string, move: FolderMove, actor: Actor, reason: string | undefined): Said =>
  together(
    said(folderMoves[move].sentence, { folder, actor: nameOf(actor) }),
    reason !== undefined && said('reason-given', { reason }),
  )

/** Most folders that can be added on the dashboard: each has a watcher of its own. */
export const MOST_ADDED = 64

/** The fields of an entry on the wire: `PollIntervalSeconds` of the settings file is `pollIntervalSeconds`. */
export const wireName = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

export const settingName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The options of an entry on the wire: all but its name. */
export const optionsOf = ({ Name: _, ...options }: InputFolderEntry): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [wireName(name), value]))
