import { type ReadDocument, readDocument } from '@chancela/academic-documents/layouts'

/** A document that was judged when it was taken in. */
export function readKept(bytes: Uint8Array): ReadDocument {
  const { document, verdict } = readDocument(bytes)
  if (!document) throw new Error(`A document that was kept cannot be read: ${verdict.problems[0]?.en}`)
  return document
}
