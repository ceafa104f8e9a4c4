import type { FileIdentity } from '../../../rules/tombstone.ts'
import { localFiles, openings } from '../local/file-operations.ts'
import { hashPieces, withFile } from '../local/whole-files.ts'
import { identityAt } from './sample.ts'

/** A file with the digest of its content. */
export interface Digested {
  readonly identity: FileIdentity
  /** Lower-case hex. */
  readonly sha256: string
}

/** Reads a file whole; undefined when it is gone, cannot be read or changes meanwhile. */
export async function digestAt(path: string): Promise<Digested | undefined> {
  const before = identityAt(path)
  if (before === undefined) return undefined
  try {
    const { sha256 } = await withFile(localFiles, path, openings.read, (fd) => hashPieces(localFiles, fd))
    return identityAt(path) === before ? { identity: before, sha256 } : undefined
  } catch {
    // Whoever asks knows no more than before, and asks again when the file is found the next time.
    return undefined
  }
}
