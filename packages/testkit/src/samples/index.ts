// Files to sign: for tests, for the demo, and as reference data for readers, independent of their code.
export { type AmbiguousPdf, ambiguousPdfs, HIDDEN, SHOWN } from './ambiguous-pdfs.ts'
export { blanksPdf, crowdedPdf, manyPagesPdf } from './costly-pdfs.ts'
export { type BuiltPayment, buildRemittance, exampleBarcodes, remittanceRecords } from './remittance-builder.ts'
export { samplePdf } from './sample-pdf.ts'

/** An invoice in XML. */
export const sampleXml = (item = 'Pão de queijo'): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<invoice><item id="1">${item}</item></invoice>\n`)
