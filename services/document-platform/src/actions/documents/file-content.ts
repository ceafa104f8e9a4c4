// Turns the files of a request into documents: the bytes decide the kind, not the name alone.
import { summarizePdf } from '@chancela/signature-engine/pdf'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createDocuments } from '../../contract/documents.ts'
import type { Caller } from '../../rules/caller.ts'
import type { PagesBefore } from '../../rules/placed-marks.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import type { UploadRow } from '../../store/tables.ts'
import type { StoredBlob } from '../../upstream/storage/blob-store.ts'
import { requiredUploads } from '../uploads/uploads.ts'

/** The file of a document that will be created. */
export interface PreparedFile {
  /** The uploads it was made of: several for an envelope. */
  readonly uploadIds: readonly string[]
  readonly pagesBefore: PagesBefore
  readonly name: string
  readonly displayName: string
  readonly contentType: string
  readonly format: SignatureFormat
  readonly digest: string
  readonly size: number
  readonly md5: string
}

/** The part of a request that describes its files. */
export type FileRequest = Pick<
  Static<typeof createDocuments.body>,
  'files' | 'isEnvelope' | 'envelopeName' | 'forceCadesSignature' | 'additionalInfo'
>

const PDF = 'application/pdf'

/** Inspects the bytes of every file, and builds the envelope or fills the form where the request asks for it. */
export async function prepareFiles(
  context: Pick<Context, 'store' | 'blobs' | 'clock'>,
  caller: Pick<Caller, 'organizationId'>,
  request: FileRequest,
): Promise<readonly PreparedFile[]> {
  const uploads = await requiredUploads(
    context,
    caller,
    request.files.map(({ id }) => id),
  )
  const files = await Promise.all(
    request.files.map((file, index) => inspected(context, file, uploads[index]!, request)),
  )
  const filled = await filledIn(context, files, request)
  return request.isEnvelope ? [await envelopeOf(context, filled, request)] : filled
}

type FileReference = FileRequest['files'][number]

async function inspected(
  { blobs }: Pick<Context, 'blobs'>,
  file: FileReference,
  upload: UploadRow,
  { forceCadesSignature, isEnvelope }: FileRequest,
): Promise<PreparedFile> {
  const contentType = (file.contentType || upload.content_type).toLowerCase().split(';')[0]!.trim()
  const kind = kindOf(file.name, contentType)
  const wrong = (reason: string) => refuse('InvalidDocumentContent', { name: file.name, reason })
  if (isEnvelope && kind !== 'pdf') throw refuse('EnvelopeRequiresPdf', { name: file.name })
  if (kind === 'pdf') {
    const { readPdf } = await import('../../parts/renditions/read-pdf.ts')
    const reason = readPdf(await blobs.read(upload.digest))?.reason
    if (reason !== undefined) throw wrong(reason)
  }
  if (kind === 'xml' && !forceCadesSignature) {
    const { readXml } = await import('../../parts/signing/read-xml.ts')
    const reason = readXml(await blobs.read(upload.digest))
    if (reason !== undefined) throw wrong(reason)
  }
  return {
    uploadIds: [upload.id],
    pagesBefore: new Map(),
    name: file.name,
    displayName: file.displayName ?? '',
    contentType: kind === 'pdf' ? PDF : contentType,
    format: forceCadesSignature ? 'Cades' : formats[kind],
    digest: upload.digest,
    size: upload.size,
    md5: upload.md5,
  }
}

/** Columns of a document that describe its bytes: clients expect MD5 in base64. */
export const fileFacts = ({ digest, size, md5 }: StoredBlob) => ({
  digest,
  size,
  md5: Buffer.from(md5, 'hex').toString('base64'),
})

type FileKind = 'pdf' | 'xml' | 'other'

const formats: Readonly<Record<FileKind, SignatureFormat>> = { pdf: 'Pades', xml: 'Xades', other: 'Cades' }

const XML = /^(?:application|text)\/(?:[\w.+-]+\+)?xml$/

function kindOf(name: string, contentType: string): FileKind {
  const lower = name.toLowerCase()
  if (contentType === PDF || lower.endsWith('.pdf')) return 'pdf'
  return XML.test(contentType) || lower.endsWith('.xml') ? 'xml' : 'other'
}

/** PDF forms filled with the fields of the request. */
async function filledIn(
  { blobs }: Pick<Context, 'blobs'>,
  files: readonly PreparedFile[],
  { additionalInfo }: FileRequest,
): Promise<readonly PreparedFile[]> {
  const { fields, metadata } = additionalInfo ?? {}
  if (!fields && !metadata) return files
  const { fillForm } = await import('../../parts/renditions/fill-form.ts')
  return Promise.all(
    files.map(async (file) => {
      if (file.contentType !== PDF) return file
      const pdf = await blobs.read(file.digest)
      const stored = await blobs.put(await made(() => fillForm(pdf, fields ?? {}, metadata ?? {}), file.name))
      return { ...file, ...fileFacts(stored) }
    }),
  )
}

/** Processes an uploaded PDF; some damage is only detected at this point. */
export async function made(make: () => Promise<Uint8Array>, name: string): Promise<Uint8Array> {
  const { UnreadablePdf } = await import('../../parts/renditions/pdf-library.ts')
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof UnreadablePdf)) throw error
    throw refuse('InvalidDocumentContent', { name, reason: error.message }, error)
  }
}

async function envelopeOf(
  { blobs }: Pick<Context, 'blobs'>,
  files: readonly PreparedFile[],
  { envelopeName, forceCadesSignature }: FileRequest,
): Promise<PreparedFile> {
  const { mergeEnvelope } = await import('../../parts/renditions/merge-envelope.ts')
  const name = envelopeName!.trim()
  const pdfs = await Promise.all(files.map(({ digest }) => blobs.read(digest)))
  const merged = await made(() => mergeEnvelope(pdfs), name)
  const uploadIds = files.flatMap(({ uploadIds }) => uploadIds)
  return {
    uploadIds,
    pagesBefore: pagesBefore(uploadIds, pdfs),
    name: name.toLowerCase().endsWith('.pdf') ? name : `${name}.pdf`,
    displayName: name,
    contentType: PDF,
    format: forceCadesSignature ? 'Cades' : 'Pades',
    ...fileFacts(await blobs.put(merged)),
  }
}

function pagesBefore(uploadIds: readonly string[], pdfs: readonly Uint8Array[]): PagesBefore {
  let pages = 0
  return new Map(
    uploadIds.map((id, index) => {
      const before = pages
      pages += summarizePdf(pdfs[index]!).pages.length
      return [id, before]
    }),
  )
}
