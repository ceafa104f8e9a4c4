import { randomUUID } from 'node:crypto'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { type Db, insertRows } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Tables, UploadRow } from '../../store/tables.ts'
import type { StoredBlob } from '../../upstream/storage/blob-store.ts'
import { fileFacts } from '../documents/file-content.ts'

/** What a client says of a file besides its bytes. */
export interface FileNames {
  readonly name: string
  readonly contentType: string
}

/** Writes down whose bytes these are; they are durable already. */
export async function keepUpload(
  { settings }: Pick<Context, 'settings'>,
  db: Db<Tables>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  blob: StoredBlob,
  { name, contentType }: FileNames,
  now: Date,
): Promise<UploadRow> {
  if (blob.size === 0) throw refuse('UploadEmpty')
  const row: UploadRow = {
    id: randomUUID(),
    organization_id: organizationId,
    ...fileFacts(blob),
    name: baseName(name),
    content_type: contentType,
    created_at: now.toISOString(),
    expires_at: plus(now, settings.Documents.UploadLifeHours * HOUR).toISOString(),
  }
  await insertRows(db, { upload: [row] })
  return row
}

/** Some clients send the path of the file at their side. */
const baseName = (name: string): string => name.split(/[/\\]/).at(-1)!

const BASE64 = /^[A-Za-z0-9+/\s_-]*={0,2}\s*$/

/** Bytes out of base64; text that is none is refused, where the decoder would skip what it does not know. */
export function decodeBase64(text: string): Buffer {
  if (!BASE64.test(text)) throw refuse('InvalidRequest', { bytes: 'is no base64' })
  return Buffer.from(text, 'base64')
}
