// What a PDF has, read without drawing or judging it.
//
//   const { pages, fields } = summarizePdf(bytes)
//   const plain = canonicalPdf(bytes)   // the same document, which no other reader can understand otherwise
//   const repaired = repairPdf(damaged)   // another file, for whoever signs it to look at
//   const catalog = openPdf(bytes).catalog()   // its objects, read on demand
export { canonicalPdf } from './canonical-pdf.ts'
export { limits as readingLimits, type ReadingLimits } from './limits.ts'
export { type ClaimedLevel, claimedLevel } from './pdf-a-claim.ts'
export { openPdf, type PdfFile } from './pdf-file.ts'
export { isArray, isDict, isStream, nameOf, type PdfDict, type PdfObject, type PdfStream } from './pdf-object.ts'
export { type FieldSummary, type PageSummary, type PdfSummary, summarizePdf } from './pdf-summary.ts'
export { type PdfRepair, repairPdf } from './repair/repair-pdf.ts'
