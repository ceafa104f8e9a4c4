import { createHash } from 'node:crypto'
import { refuse } from '../../rules/refuse.ts'
import { ShownRefusal } from '../../rules/shown-refusal.ts'
import { errnoOf } from '../../upstream/storage/local/disk-errors.ts'
import { piecesOf } from '../signing/pieces-of-file.ts'

const NOT_READ = 'The file could not be read.'

/** A file of any size that must have this SHA-256; throws ShownRefusal at its end, or where it is not there. */
export async function* exactPieces(
  path: string,
  sha256: string,
  otherwise: 'copy-lost' | 'envelope-lost',
): AsyncGenerator<Uint8Array> {
  const lost = (cause?: unknown) => new ShownRefusal('approval.signature-conflict', otherwise, cause)
  const hash = createHash('sha256')
  const pieces = piecesOf(path)
  try {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw lost(error)
    // The disk, not the file: whoever signs can try again.
    throw errnoOf(error)?.startsWith('E') ? refuse('service.busy', { reason: NOT_READ }, error) : error
  }
  if (hash.digest('hex') !== sha256) throw lost()
}
