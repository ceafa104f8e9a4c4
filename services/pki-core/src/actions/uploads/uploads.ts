// Bytes that a client brings before it uses them, at once or in parts (pki-core facts 4.5).
import { randomBytes } from 'node:crypto'
import type { BlobSource, StoredBlob } from '@chancela/service-kernel/blobs'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import type { FileView } from '../../contract/files.ts'
import { type Files, uploadedFile } from '../../parts/files/files.ts'
import { fileName, mediaType, typeByName } from '../../rules/file-names.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../store/authentications.ts'
import type { UploadRow } from '../../store/document-tables.ts'
import { completeUpload, deleteParts, findUpload, insertUpload, keepPart, partsOf } from '../../store/uploads.ts'

interface Dependencies {
  readonly context: Context
  readonly files: Files
}

const TOKEN_BYTES = 32

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Bytes, and what their sender says of them. */
export interface Arriving {
  readonly bytes: BlobSource
  /** Content-MD5. */
  readonly md5: string | undefined
  readonly name: string | undefined
  readonly contentType: string | undefined
}

export async function uploadWhole(
  dependencies: Dependencies,
  caller: Caller,
  arriving: Arriving,
  base: string,
  now: Date,
): Promise<FileView> {
  const blob = await taken(dependencies.files, arriving.bytes, arriving.md5)
  return keptUpload(dependencies, caller, blob, arriving, base, now)
}

/** Bytes that this service found, as a file like one that was uploaded. */
export const keepContent = async (
  dependencies: Dependencies,
  caller: Caller,
  bytes: Uint8Array,
  name: string,
  base: string,
  now: Date,
): Promise<FileView> =>
  keptUpload(dependencies, caller, await dependencies.files.put(bytes), { name, contentType: undefined }, base, now)

async function keptUpload(
  { context, files }: Dependencies,
  { subscriptionId }: Caller,
  blob: Pick<StoredBlob, 'digest' | 'size'>,
  { name = '', contentType }: Pick<Arriving, 'name' | 'contentType'>,
  base: string,
  now: Date,
): Promise<FileView> {
  const token = newToken()
  const row: UploadRow = {
    id: idOf(token),
    subscription_id: subscriptionId,
    state: 'Complete',
    digest: blob.digest,
    size: blob.size,
    name: fileName(name) || null,
    content_type: mediaType(contentType) ?? typeByName(name),
    ...lifeOf(context, now),
  }
  await insertUpload(context.store.db, row)
  return files.view(uploadedFile(row), { kind: 'upload', id: row.id }, base, token)
}

const lifeOf = ({ settings }: Context, now: Date) => ({
  created_at: now.toISOString(),
  expires_at: plus(now, settings.Files.UploadLifeHours * HOUR).toISOString(),
})

async function taken(files: Files, bytes: BlobSource, md5: string | undefined): Promise<StoredBlob> {
  const blob = await files.put(bytes)
  if (blob.size === 0) throw refuse('UploadEmpty')
  requireMd5(blob.md5, md5)
  return blob
}

/** Announced in base64, as the header has it, or in hexadecimal. */
function requireMd5(hex: string, announced: string | null | undefined): void {
  const given = announced?.trim()
  if (!given || given.toLowerCase() === hex || given === Buffer.from(hex, 'hex').toString('base64')) return
  throw refuse('BadDigest', { algorithm: 'MD5' })
}

export async function beginParts({ context }: Dependencies, { subscriptionId }: Caller, now: Date) {
  const blobToken = newToken()
  await insertUpload(context.store.db, {
    id: idOf(blobToken),
    subscription_id: subscriptionId,
    state: 'Open',
    digest: null,
    size: null,
    name: null,
    content_type: null,
    ...lifeOf(context, now),
  })
  return { blobToken, partSize: context.settings.Files.PartBytes }
}

async function requiredUpload({ context }: Dependencies, caller: Caller, token: string, now: Date): Promise<UploadRow> {
  const row = await findUpload(context.store.db, caller.subscriptionId, idOf(token), now)
  if (!row) throw refuse('InvalidToken')
  return row
}

const etagOf = ({ md5 }: { readonly md5: string }): string => `"${md5}"`

/** Keeps a part and returns its ETag. */
export async function takePart(
  dependencies: Dependencies,
  caller: Caller,
  { token, partNumber }: { readonly token: string; readonly partNumber: number },
  { bytes, md5 }: Pick<Arriving, 'bytes' | 'md5'>,
  now: Date,
): Promise<string> {
  const upload = await requiredUpload(dependencies, caller, token, now)
  if (upload.state !== 'Open') throw refuse('InvalidToken', { reason: 'The upload is complete.' })
  const { digest, size, md5: own } = await taken(dependencies.files, bytes, md5)
  await requireRoom(dependencies, upload.id, partNumber, size)
  await keepPart(dependencies.context.store.db, { upload_id: upload.id, position: partNumber, digest, size, md5: own })
  return etagOf({ md5: own })
}

/** All parts together are one file: many of them must not fill the storage. */
async function requireRoom({ context }: Dependencies, id: string, position: number, size: number): Promise<void> {
  const others = (await partsOf(context.store.db, id)).filter((part) => part.position !== position)
  const limit = context.settings.Files.MaxFileBytes
  if (others.reduce((sum, part) => sum + part.size, size) > limit) throw refuse('FileTooLarge', { limit })
}

export interface EndRequest {
  readonly partETags: readonly string[]
  readonly completeMD5?: string | null
}

/** Joins the parts. Asked again, it answers the same: the client may have missed the first answer. */
export async function endParts(
  dependencies: Dependencies,
  caller: Caller,
  token: string,
  request: EndRequest,
  base: string,
  now: Date,
): Promise<FileView> {
  const upload = await requiredUpload(dependencies, caller, token, now)
  const ended = upload.state === 'Complete' ? upload : await joined(dependencies, caller, upload, request, now)
  return dependencies.files.view(uploadedFile(ended), { kind: 'upload', id: ended.id }, base, token)
}

const bare = (etag: string): string => etag.trim().replace(/^W\//, '').replaceAll('"', '').toLowerCase()

async function joined(
  { context, files }: Dependencies,
  caller: Caller,
  upload: UploadRow,
  { partETags, completeMD5 }: EndRequest,
  now: Date,
): Promise<UploadRow> {
  const parts = await partsOf(context.store.db, upload.id)
  const isWhole = parts.every(({ position }, index) => position === index)
  if (!isWhole || parts.map(({ md5 }) => md5).join() !== partETags.map(bare).join()) {
    // The same call may have come twice and been quicker the other time: then the parts are gone.
    const other = await findUpload(context.store.db, caller.subscriptionId, upload.id, now)
    if (other?.state === 'Complete') return other
    throw refuse('UploadPartsMismatch', { received: parts.length, named: partETags.length })
  }
  const blob = await taken(files, inTurn(files, parts), completeMD5 ?? undefined)
  const done = await context.store.transaction(async (tx) => {
    const completed = await completeUpload(tx, upload.id, { digest: blob.digest, size: blob.size })
    if (completed) await deleteParts(tx, upload.id)
    return completed
  })
  const row = done ?? (await findUpload(context.store.db, caller.subscriptionId, upload.id, now))
  if (!row) throw refuse('InvalidToken')
  return row
}

async function* inTurn(files: Files, parts: readonly { readonly digest: string }[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* await files.stream(part)
}
