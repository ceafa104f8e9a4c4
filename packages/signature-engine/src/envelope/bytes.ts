/** Bytes in pieces: a stream, a file being read, or all of them at once. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array

/** The same, always in pieces. */
export async function* inPieces(bytes: Bytes): AsyncGenerator<Uint8Array> {
  if (bytes instanceof Uint8Array) yield bytes
  else yield* bytes
}
