// The tables of an index are its largest allocation. Fresh memory costs a page fault per 4 KB, which for a document of
// 500 KB is a tenth of the scan: a user that is done with an index may return its tables for the next one.

/** The tables that grow while a document is scanned; the columns are described in xml-index.ts. */
export interface IndexTables {
  elements: Int32Array<ArrayBuffer>
  attributes: Int32Array<ArrayBuffer>
  namespaces: Int32Array<ArrayBuffer>
  edits: Int32Array<ArrayBuffer>
  rewrites: Int32Array<ArrayBuffer>
}

/** Cells that are kept for the next scan, at most: 8 MiB, what a document of 2 MB needs. */
const KEPT_CELLS = 2 * 1024 * 1024

let spare: IndexTables | undefined

/** Tables to fill, with arbitrary old content; exclusive until they are returned. */
export function takeTables(documentBytes: number): IndexTables {
  const taken = spare
  spare = undefined
  return taken ?? newTables(documentBytes)
}

/** Keeps the tables for the next scan, unless they are very large or others are kept already. */
export function returnTables(tables: IndexTables): void {
  const { elements, attributes, namespaces, edits, rewrites } = tables
  const cells = elements.length + attributes.length + namespaces.length + edits.length + rewrites.length
  if (cells <= KEPT_CELLS) spare ??= tables
}

/** Sized so that usual documents need no growing. */
function newTables(documentBytes: number): IndexTables {
  return {
    elements: new Int32Array(256 + (documentBytes >> 1)),
    attributes: new Int32Array(128 + (documentBytes >> 2)),
    namespaces: new Int32Array(48),
    edits: new Int32Array(192),
    rewrites: new Int32Array(64),
  }
}
