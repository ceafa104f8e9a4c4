import { type Call, type FilePart, readMultipart, serve } from '@chancela/service-kernel/http'
import { writeAlone } from '@chancela/service-kernel/store'
import { contentLocation } from '../actions/documents/content.ts'
import { decodeBase64, type FileNames, keepUpload } from '../actions/uploads/keep-upload.ts'
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
import type { StoredBlob } from '../upstream/storage/blob-store.ts'
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

  serve(app, uploadFile, async ({ caller, query, request, reply, now }) => {
    if (query.ticket === undefined) {
      const { blob, names } = await takeFile(context, request, limit, () => refuse('UploadTooLarge', { limit }))
      return fileModel(await writeAlone(context.store, (db) => keepUpload(context, db, caller, blob, names, now)))
    }
    const outcome = await takeSegment(context, caller, { request, ticket: query.ticket, now })
    if ('upload' in outcome) return fileModel(outcome.upload)
    reply.code(202)
    return outcome
  })

  serve(app, { ...uploadBytes, bodyLimitBytes: base64Limit(limit) }, async ({ caller, body, now }) => {
    const bytes = decodeBase64(body.bytes)
    if (bytes.length > limit) throw refuse('UploadTooLarge', { limit })
    const blob = await context.blobs.put(bytes)
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

/** Longest body as text: the runtime cannot hold a longer string. */
const LONGEST_TEXT = 500_000_000

/** Room for a file of `bytes` in base64 and the JSON around it. */
const base64Limit = (bytes: number): number => Math.min(Math.ceil(bytes / 3) * 4 + 1024, LONGEST_TEXT)

interface Segment {
  readonly request: Call['request']
  readonly ticket: string
  readonly now: Date
}

async function takeSegment(
  context: Context,
  caller: Caller,
  { request, ticket, now }: Segment,
): Promise<SegmentOutcome> {
  const range = readSegmentRange(request.headers['content-range'])
  const expected = await expectSegment(context, caller, ticket, range, now)
  const { blob, names } = await takeFile(context, request, lengthOf(range), () =>
    refuse('UploadRangeInvalid', { received: expected.received }),
  )
  return addSegment(context, caller, { expected, range, segment: blob, names }, now)
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
