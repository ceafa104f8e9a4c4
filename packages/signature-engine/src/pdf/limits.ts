/** Limits of the reader. They are far above real files and low enough that no input costs more than seconds. */
export const limits = {
  /** Arrays and dictionaries inside each other. */
  nesting: 100,
  /** Elements of one array or dictionary. */
  elements: 1_000_000,
  /** References followed from one value to the next. */
  referenceHops: 32,
  /** Cross-reference sections in one /Prev chain: one per saved revision. */
  sections: 10_000,
  /** Cross-reference subsections that do not ascend, and so cannot be searched by bisection. */
  unorderedRuns: 1000,
  /** Highest object number (ISO 32000-1 annex C). */
  objectNumber: 8_388_607,
  /** Decoded bytes of one stream. */
  decodedStream: 64 * 1024 * 1024,
  /** Decoded bytes of all streams of one file. */
  decodedTotal: 256 * 1024 * 1024,
  /** Filters of one stream. */
  filters: 8,
  /** Pages walked in one page tree. */
  pages: 100_000,
  /** Levels of the page tree, and of the tree of form fields. */
  treeDepth: 64,
  /** Form fields walked in one file. */
  fields: 100_000,
  /** Bytes at the end of the file that must contain `startxref`; readers agree on about one kilobyte. */
  tail: 2048,
} as const

/** Bounds that a caller may draw closer, or wider. */
export interface ReadingLimits {
  /** Pages of the document. */
  readonly pages: number
  /** Decoded bytes of the streams that hold objects. */
  readonly decodedTotal: number
}
