import { createHash } from 'node:crypto'
import { ShownRefusal } from '../../rules/shown-refusal.ts'
import { piecesOf } from '../signing/pieces-of-file.ts'

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
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? lost(error) : error
  }
  if (hash.digest('hex') !== sha256) throw lost()
}
