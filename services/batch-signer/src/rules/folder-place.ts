// Whether the database knows the folder it is about to take files from. A hidden file in the folder names the place and
// counts starts, verdicts and, every few seconds, that files were taken; the database keeps the same: one that is new, or was
// restored to an earlier state, does not know what was signed, refused or canceled there meanwhile.

/** What the hidden file in a folder says, or the database about it. */
export interface Place {
  /** GUID. */
  readonly id: string
  /** Raised with every verdict on a file of the folder, and while files are taken from it. */
  readonly sequence: number
}

/** Why files that lie in a folder are held. */
export type HoldReason = 'folder-new' | 'database-new' | 'database-older'

/** What is known before a folder's files are taken. */
export interface Knowledge {
  /** Undefined when the folder has no hidden file. */
  readonly marker: Place | undefined
  /** The same place in the database. */
  readonly known: Place | undefined
  /** Whether the database has ever taken files from the folder. */
  readonly hasSeenFolder: boolean
  /** WatchedFolder:TakeExisting. */
  readonly takeExisting: boolean
}

/** Why the files that lie there now must wait for an operator's word; undefined when they may be taken. */
export function whyHold({ marker, known, hasSeenFolder, takeExisting }: Knowledge): HoldReason | undefined {
  if (marker && !known) return 'database-new'
  if (marker && known) return marker.sequence > known.sequence ? 'database-older' : undefined
  // Without its hidden file the folder is a fresh one, or somebody tidied up; the database still has its verdicts.
  return hasSeenFolder || takeExisting ? undefined : 'folder-new'
}
