// What a PDF has, read without drawing or judging it.
//
//   const { pages, fields } = summarizePdf(bytes)
//   const plain = canonicalPdf(bytes)   // the same document, which no other reader can understand otherwise
export { canonicalPdf } from './canonical-pdf.ts'
export { limits as readingLimits, type ReadingLimits } from './limits.ts'
export { type FieldSummary, type PageSummary, type PdfSummary, summarizePdf } from './pdf-summary.ts'
