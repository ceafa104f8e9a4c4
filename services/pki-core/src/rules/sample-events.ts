// Samples of what webhooks are told, for whoever writes a receiver.
import { DocumentModel, type DocumentView } from '../contract/documents.ts'

const file = (name: string, mimeType: string): DocumentView['originalFile'] => ({
  mimeType,
  content: null,
  blobToken: null,
  url: `https://example.com/api/files?sample=${encodeURIComponent(name)}`,
  name,
  length: 1024,
  contentType: mimeType,
  location: `https://example.com/api/files?sample=${encodeURIComponent(name)}`,
})

const sample: DocumentView = {
  id: '00000000-0000-4000-8000-000000000000',
  key: 'SAMPLE0000000000',
  formattedKey: 'SAMP-LE00-0000-0000',
  originalFile: file('sample.pdf', 'application/pdf'),
  markedFile: null,
  signedFile: file('sample-signed.pdf', 'application/pdf'),
  signatureType: 'Pdf',
  availableUntil: null,
  signers: [],
  metadata: {},
}

export const sampleEvents = {
  DocumentSignatureCompleted: {
    description: 'A document was signed, in a session or without one.',
    schema: DocumentModel,
    sample,
  },
}
