// Turns the files of a request into documents: the bytes decide the kind, not the name alone.

import type { StoredBlob } from '@chancela/service-kernel/blobs'
import { mediaTypeOrAny } from '@chancela/service-kernel/http'
import { summarizePdf } from '@chancela/signature-engine/pdf'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createDocuments } from '../../contract/documents.ts'
import { refuseTrouble } from '../../parts/renditions/open-renditions.ts'
import type { Caller } from '../../rules/caller.ts'
import type { PagesBefore } from '../../rules/placed-marks.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import type { UploadRow } from '../../store/tables.ts'
import { requiredUploads } from '../uploads/uploads.ts'
import { formats, kindOf, mediaTypeOf, PDF } from './file-kind.ts'

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

type Preparing = Pick<Context, 'store' | 'blobs' | 'clock' | 'renditions'> & {
  /** Aborted when the client goes away. */
  readonly signal?: AbortSignal
}

/** Inspects the bytes of every file, and builds the envelope or fills the form where the request asks for it. */
export async function prepareFiles(
  context: Preparing,
  caller: Pick<Caller, 'organizationId'>,
  request: FileRequest,
): Promise<readonly PreparedFile[]> {
  const uploads = await requiredUploads(
    context,
    caller,
    request.files.map(({ id }) => id),
  )
  const files: PreparedFile[] = []
  // One after the other: a call with a thousand files is one of many that wait for a thread.
  for (const [index, file] of request.files.entries())
    files.push(await filledIn(context, await inspected(context, file, uploads[index]!, request), request))
  return request.isEnvelope ? [await envelopeOf(context, files, request)] : files
}

type FileReference = FileRequest['files'][number]

/** Bytes that were stored. */
type StoredFile = Pick<UploadRow, 'digest' | 'size' | 'md5' | 'content_type'> & Partial<Pick<UploadRow, 'id'>>

/** What a file is, by its bytes as well; refused where no document can be made of it. */
export async function inspected(
  { blobs, renditions, signal }: Pick<Preparing, 'blobs' | 'renditions' | 'signal'>,
  file: Omit<FileReference, 'id'>,
  upload: StoredFile,
  { forceCadesSignature, isEnvelope }: Pick<FileRequest, 'forceCadesSignature' | 'isEnvelope'>,
): Promise<PreparedFile> {
  const contentType = mediaTypeOf(mediaTypeOrAny(file.contentType || upload.content_type))
  const kind = kindOf(file.name, contentType)
  if (isEnvelope && kind !== 'pdf') throw refuse('EnvelopeRequiresPdf', { name: file.name })
  if (kind === 'pdf') {
    const trouble = await renditions.trouble(upload.digest, { signal })
    if (trouble) throw refuseTrouble(trouble, file.name)
  }
  if (kind === 'xml' && !forceCadesSignature) {
    const { readXml } = await import('../../parts/signing/read-xml.ts')
    const reason = readXml(await blobs.read(upload.digest))
    if (reason !== undefined) throw refuse('InvalidDocumentContent', { name: file.name, reason })
  }
  return {
    uploadIds: upload.id === undefined ? [] : [upload.id],
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

/** A PDF form is filled with the fields of the request. */
async function filledIn(
  { blobs, renditions, signal }: Preparing,
  file: PreparedFile,
  { additionalInfo }: FileRequest,
): Promise<PreparedFile> {
  const { fields, metadata } = additionalInfo ?? {}
  if ((!fields && !metadata) || file.contentType !== PDF) return file
  const values = { fields: fields ?? {}, metadata: metadata ?? {} }
  const filled = await renditions.make('fillForm', [file.digest], values, { signal, name: file.name })
  return { ...file, ...fileFacts(await blobs.put(filled)) }
}

async function envelopeOf(
  { blobs, renditions, signal }: Preparing,
  files: readonly PreparedFile[],
  { envelopeName, forceCadesSignature }: FileRequest,
): Promise<PreparedFile> {
  const name = envelopeName!.trim()
  const digests = files.map(({ digest }) => digest)
  const merged = await renditions.make('mergeEnvelope', digests, undefined, { signal, name })
  const pdfs = await Promise.all(digests.map((digest) => blobs.read(digest)))
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
