import { EngineError } from '../errors/engine-error.ts'
import { type EmbeddedSignature, embeddedSignatures } from '../pades/embedded-signatures.ts'
import { readEncryption } from '../pdf/encryption/encryption-dictionary.ts'
import { operations } from '../pdf/encryption/permissions.ts'
import { pageCount } from '../pdf/page-tree.ts'
import { openPdf, type PdfFile, type PdfRevision } from '../pdf/pdf-file.ts'
import { isArray, isDict, isString, nameOf } from '../pdf/pdf-object.ts'
import { decodeText } from '../pdf/text-string.ts'
import { inspectSignedData } from './inspect-cms.ts'
import { type Inspected, inspected } from './inspected.ts'

/** A PDF: its revisions and its signatures; one that is encrypted is opened with its password, else only named. */
export function inspectPdf(bytes: Uint8Array, password?: string): Inspected {
  try {
    return inspectOpened(bytes, openPdf(bytes, { password }))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'pdf.encrypted') throw error
    return inspected('pdf', 'PDF document (encrypted, closed without its password)', { bytes: bytes.length })
  }
}

function inspectOpened(bytes: Uint8Array, file: PdfFile): Inspected {
  const signatures = embeddedSignatures(file)
  return inspected(
    'pdf',
    'PDF document',
    {
      version: file.version(),
      bytes: bytes.length,
      pages: pageCount(file),
      revisions: file.revisions.length,
      signatures: signatures.length,
      crossReference: file.section.hybrid ? 'hybrid' : file.section.style,
      validationData: file.resolve(file.catalog().get('DSS')) !== null || undefined,
      ...encryptionOf(file),
      certified: file.resolve(file.catalog().get('Perms')) !== null || undefined,
    },
    [...file.revisions.map(inspectRevision), ...signatures.map((signature) => inspectSignature(file, signature))],
  )
}

/** How it is encrypted, and what its author does not let those do who opened it with this password. */
function encryptionOf(file: PdfFile) {
  const { encryption } = file
  const dict = file.resolve(file.trailer.get('Encrypt'))
  if (!encryption || !isDict(dict)) return {}
  const { streams, revision } = readEncryption(dict, (value) => file.resolve(value))
  return {
    encryption: `${streams.toUpperCase()}, revision ${revision}`,
    notPermitted: operations.filter((operation) => !encryption.permits(operation)),
  }
}

const inspectRevision = (revision: PdfRevision): Inspected =>
  inspected('pdf-revision', `Revision ${revision.index + 1}`, {
    bytes: `${revision.start} to ${revision.end}`,
    objects: revision.ownNumbers().size,
    signatures: embeddedSignatures(revision).length,
  })

function inspectSignature(file: PdfFile, { fieldName, kind, dict, cms }: EmbeddedSignature): Inspected {
  const text = (key: string) => {
    const value = file.resolve(dict.get(key))
    return isString(value) ? decodeText(value) : undefined
  }
  const range = file.resolve(dict.get('ByteRange'))
  return inspected(
    'pdf-signature',
    `${kind === 'signature' ? 'Signature' : 'Document timestamp'} in field ${fieldName}`,
    {
      filter: nameOf(file.resolve(dict.get('Filter'))),
      subFilter: nameOf(file.resolve(dict.get('SubFilter'))),
      byteRange: isArray(range) ? range.join(' ') : undefined,
      claimedTime: text('M'),
      name: text('Name'),
      reason: text('Reason'),
      location: text('Location'),
    },
    [inspectSignedData(cms)],
  )
}
