// The reader of PDF files in a thread of its own; bundled, so that it comes from this site.
import 'pdfjs-dist/build/pdf.worker.mjs'
