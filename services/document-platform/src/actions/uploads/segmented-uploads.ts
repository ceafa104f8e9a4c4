// Large files in segments (document-platform facts 1.4): each is stored on arrival, the last one assembles the file.
import { randomUUID } from 'node:crypto'
import type { StoredBlob } from '@chancela/service-kernel/blobs'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SegmentedUploadRow, UploadRow } from '../../store/tables.ts'
import { type FileNames, keepUpload } from './keep-upload.ts'
import { refuseUnreadablePdf } from './look-at-pdf.ts'

/** Which bytes of the file a segment holds, both ends included. */
export interface SegmentRange {
  readonly first: number
  readonly last: number
  readonly total: number
}

const RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i

/** Reads a Content-Range header. */
export function readSegmentRange(header: string | undefined): SegmentRange {
  const [, first, last, total] = RANGE.exec(header?.trim() ?? '') ?? []
  const range = { first: Number(first), last: Number(last), total: Number(total) }
  if (range.first <= range.last && range.last < range.total) return range
  throw refuse('UploadRangeInvalid', { contentRange: header ?? 'is required' })
}

export const lengthOf = ({ first, last }: SegmentRange): number => last - first + 1

/** Starts a segmented upload and returns its ticket. */
export async function beginUpload(context: Context, { organizationId }: Caller, now: Date): Promise<string> {
  const id = randomUUID()
  await context.store.db
    .insertInto('segmented_upload')
    .values({
      id,
      organization_id: organizationId,
      segments: '[]',
      received: 0,
      total: null,
      upload_id: null,
      created_at: now.toISOString(),
      expires_at: plus(now, context.settings.Documents.UploadLifeHours * HOUR).toISOString(),
    })
    .execute()
  return id
}

/** The upload of a ticket, when a segment of this range is acceptable: the next one, or one already received. */
export async function expectSegment(
  { store, settings }: Context,
  { organizationId }: Caller,
  ticket: string,
  range: SegmentRange,
  now: Date,
): Promise<SegmentedUploadRow> {
  const upload = await store.db
    .selectFrom('segmented_upload')
    .selectAll()
    .where('id', '=', ticket.toLowerCase())
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (!upload) throw refuse('UploadTicketInvalidOrExpired')
  const limit = settings.Documents.MaxUploadSizeInBytes
  if (range.total > limit) throw refuse('UploadTooLarge', { limit })
  const isSameFile = upload.total === null || upload.total === range.total
  const isNext = range.first === upload.received
  const isRepeated = range.last < upload.received
  if (!isSameFile || !(isNext || isRepeated)) throw refuse('UploadRangeInvalid', { received: upload.received })
  return upload
}

/** Result of a segment: the file, or the number of bytes received. */
export type SegmentOutcome = { readonly upload: UploadRow } | { readonly received: number; readonly total: number }

/** Adds the expected segment; the last one completes the file. */
export async function addSegment(
  context: Context,
  caller: Caller,
  { expected, range, segment, names, signal }: ArrivedSegment,
  now: Date,
): Promise<SegmentOutcome> {
  if (segment.size !== lengthOf(range)) throw refuse('UploadRangeInvalid', { received: expected.received })
  if (range.last < expected.received) return repeated(context, expected)
  const segments = [...(JSON.parse(expected.segments) as string[]), segment.digest]
  const received = range.last + 1
  const isLast = received === range.total
  const file = isLast ? await context.blobs.put(joined(context, segments)) : undefined
  if (file) await refuseUnreadablePdf(context, file, names, signal)
  return context.store.transaction(async (tx) => {
    const upload = file && (await keepUpload(context, tx, caller, file, names, now))
    const { numUpdatedRows } = await tx
      .updateTable('segmented_upload')
      .set({
        received,
        total: range.total,
        segments: JSON.stringify(upload ? [] : segments),
        upload_id: upload?.id ?? null,
      })
      .where('id', '=', expected.id)
      // Of two concurrent copies of a segment, only one is accepted.
      .where('received', '=', expected.received)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw refuse('UploadRangeInvalid', { received })
    return upload ? { upload } : { received, total: range.total }
  })
}

interface ArrivedSegment {
  readonly expected: SegmentedUploadRow
  readonly range: SegmentRange
  readonly segment: StoredBlob
  readonly names: FileNames
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

/** Repeats the answer for a client that missed it. */
async function repeated(
  { store }: Context,
  { upload_id, received, total }: SegmentedUploadRow,
): Promise<SegmentOutcome> {
  if (upload_id === null) return { received, total: total! }
  const upload = await store.db.selectFrom('upload').selectAll().where('id', '=', upload_id).executeTakeFirst()
  if (!upload) throw refuse('UploadTicketInvalidOrExpired')
  return { upload }
}

async function* joined({ blobs }: Context, segments: readonly string[]): AsyncGenerator<Buffer> {
  for (const digest of segments) yield* await blobs.stream(digest)
}
