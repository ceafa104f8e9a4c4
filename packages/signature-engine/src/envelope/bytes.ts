import { failingLater } from '../streams/failing-later.ts'

/** Bytes in pieces: a stream, a file being read, or all of them at once. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array

/** The same, always in pieces; a stream may fail before its first piece is requested. */
export const inPieces = (bytes: Bytes): AsyncIterable<Uint8Array> => pieces(failingLater(bytes))

async function* pieces(bytes: Bytes): AsyncGenerator<Uint8Array> {
  if (bytes instanceof Uint8Array) yield bytes
  else yield* bytes
}
