// The PDF parser in a worker; bundled, so that it is served from this site.
import 'pdfjs-dist/build/pdf.worker.mjs'
