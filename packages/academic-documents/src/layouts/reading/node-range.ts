import { ELEMENT, scanXml } from '@chancela/signature-engine/xml'

/** Bytes [start, end) of a document. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Where the node with this id is, so that its bytes can be carried into another document as they are. Refused by the
 * engine's errors when the XML cannot be read, no node has the id, or more than one has it. `undefined` for documents
 * that are not in UTF-8: their nodes have no bytes that could be carried.
 */
export function nodeRange(bytes: Uint8Array, id: string): ByteRange | undefined {
  const index = scanXml(bytes)
  try {
    const node = index.elementById(id)
    if (index.tables.transcoded) return undefined
    return { start: index.cell(node, ELEMENT.start), end: index.cell(node, ELEMENT.end) }
  } finally {
    index.release()
  }
}
