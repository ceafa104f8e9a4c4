// Which file a verdict was about: a path alone would condemn every later file of that name, and an identity alone would
// forget the verdict at the first `touch`.

/** What the kernel tells two files apart by, as text: `device:inode:length:modified`, the last in nanoseconds. */
export type FileIdentity = string

/** A file that must not be taken again by itself. */
export interface Judged {
  /** Null when an older version did not record it. */
  readonly identity: FileIdentity | null
  /** Lower-case hex, where the content was read. */
  readonly sha256: string | null
  /** Held without having been judged: its content was not read. */
  readonly isHeld?: boolean
}

interface Parts {
  readonly inode: string
  readonly length: string
  readonly modified: string
}

function partsOf(identity: FileIdentity): Parts {
  const [, inode = '', length = '', modified = ''] = identity.split(':')
  return { inode, length, modified }
}

/**
 * Whether a file in a folder is the one a verdict was about; `unsure` when only its content can tell. The device is not
 * compared: its number may change with every mount.
 */
export function isJudged(
  { identity, sha256, isHeld = false }: Judged,
  found: FileIdentity,
): 'same' | 'other' | 'unsure' {
  if (identity === null || identity === found) return 'same'
  const [before, now] = [partsOf(identity), partsOf(found)]
  if (before.length !== now.length) return 'other'
  if (before.inode === now.inode && (isHeld || before.modified === now.modified)) return 'same'
  return sha256 === null ? 'other' : 'unsure'
}
