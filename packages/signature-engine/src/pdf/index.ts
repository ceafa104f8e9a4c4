// What a PDF has, read without drawing or judging it.
//
//   const { pages, fields } = summarizePdf(bytes)
export { type FieldSummary, type PageSummary, type PdfSummary, summarizePdf } from './pdf-summary.ts'
