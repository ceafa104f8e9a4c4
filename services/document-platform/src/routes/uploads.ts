import type { BlobSource, StoredBlob } from '@chancela/service-kernel/blobs'
import { invalidField } from '@chancela/service-kernel/errors'
import { type Call, type FilePart, readJsonWithBytes, readMultipart, serve } from '@chancela/service-kernel/http'
import { writeAlone } from '@chancela/service-kernel/store'
import { contentLocation } from '../actions/documents/content.ts'
import { type FileNames, keepUpload } from '../actions/uploads/keep-upload.ts'
import { refuseUnreadablePdf } from '../actions/uploads/look-at-pdf.ts'
import {
  addSegment,
  beginUpload,
  expectSegment,
  lengthOf,
  readSegmentRange,
  type SegmentOutcome,
} from '../actions/uploads/segmented-uploads.ts'
import type { Context } from '../context.ts'
import { createUploadTicket, uploadBytes, uploadFile } from '../contract/uploads.ts'
import type { Caller } from '../rules/caller.ts'
import { refuse } from '../rules/refuse.ts'
import type { UploadRow } from '../store/tables.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the upload routes: a form, base64, or segments. */
export function serveUploads(app: PlatformApp, context: Context): void {
  const limit = context.settings.Documents.MaxUploadSizeInBytes
  const fileModel = (upload: UploadRow) => ({
    id: upload.id,
    location: contentLocation(context, { type: 'Upload', id: upload.id }),
    name: upload.name,
    contentType: upload.content_type,
  })

  serve(app, uploadFile, async ({ caller, query, request, reply, now, signal }) => {
    if (query.ticket === undefined) {
      const { blob, names } = await takeFile(context, request, limit, () => refuse('UploadTooLarge', { limit }))
      await refuseUnreadablePdf(context, blob, names, signal)
      return fileModel(await writeAlone(context.store, (db) => keepUpload(context, db, caller, blob, names, now)))
    }
    const outcome = await takeSegment(context, caller, { request, ticket: query.ticket, now, signal })
    if ('upload' in outcome) return fileModel(outcome.upload)
    reply.code(202)
    return outcome
  })

  serve(app, uploadBytes, async ({ caller, request, now }) => {
    const blob = await context.blobs.put(await takeBase64(request, limit))
    const upload = await writeAlone(context.store, (db) => keepUpload(context, db, caller, blob, unnamed, now))
    return { id: upload.id, size: upload.size, digest: upload.md5 }
  })

  serve(app, createUploadTicket, ({ caller, now }) => {
    return beginUpload(context, caller, now)
  })
}

const ANY_TYPE = 'application/octet-stream'

/** Bytes without name and type: whoever uses them supplies both. */
const unnamed: FileNames = { name: '', contentType: ANY_TYPE }

/** The JSON around base64. */
const OTHER_BYTES = 1024

/** Bytes out of base64, decoded as it arrives: of a large file, doing it at once would let everybody wait. */
async function takeBase64(request: Call['request'], limit: number): Promise<BlobSource> {
  let pieces: Buffer[] = []
  await readJsonWithBytes(request, {
    bytesField: 'bytes',
    anyCaseNames: true,
    maxBodyBytes: Math.ceil(limit / 3) * 4 + OTHER_BYTES,
    maxOtherBytes: OTHER_BYTES,
    onBegin: () => {
      pieces = []
    },
    onBytes: (piece) => void pieces.push(piece),
  })
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  if (size === 0) throw invalidField('bytes', 'is required')
  if (size > limit) throw refuse('UploadTooLarge', { limit })
  return pieces.length === 1 ? pieces[0]! : inTurns(pieces)
}

/** Others have their turn between two pieces. */
async function* inTurns(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield piece
    await new Promise(setImmediate)
  }
}

interface Segment {
  readonly request: Call['request']
  readonly ticket: string
  readonly now: Date
  readonly signal: AbortSignal
}

async function takeSegment(
  context: Context,
  caller: Caller,
  { request, ticket, now, signal }: Segment,
): Promise<SegmentOutcome> {
  const range = readSegmentRange(request.headers['content-range'])
  const expected = await expectSegment(context, caller, ticket, range, now)
  const { blob, names } = await takeFile(context, request, lengthOf(range), () =>
    refuse('UploadRangeInvalid', { received: expected.received }),
  )
  return addSegment(context, caller, { expected, range, segment: blob, names, signal }, now)
}

interface TakenFile {
  readonly blob: StoredBlob
  readonly names: FileNames
}

/**
 * Clients call the part of the file `content`, `file`, or as the file itself is called (document-platform facts 1.4).
 */
const isFile = ({ name, fileName }: { readonly name: string; readonly fileName: string | undefined }): boolean =>
  fileName !== undefined || name === 'content' || name === 'file'

async function takeFile(
  { blobs }: Context,
  request: Call['request'],
  maxFileBytes: number,
  tooLarge: () => Error,
): Promise<TakenFile> {
  const form = await readMultipart(request, {
    isFile,
    maxFileBytes,
    onFile: async (part) => ({ part, blob: await blobs.put(part.content) }),
  })
  if (form.outcome === 'read') return { blob: form.file.blob, names: namesOf(form.file.part, form.fields) }
  if (form.outcome === 'too-large') throw tooLarge()
  if (form.outcome === 'several-files') throw refuse('InvalidRequest', { body: 'has several files' })
  throw refuse('UploadEmpty')
}

const namesOf = ({ fileName, mediaType }: FilePart, fields: ReadonlyMap<string, string>): FileNames => ({
  name: fields.get('name') || fileName,
  contentType: fields.get('contentType') || mediaType,
})
