import { randomUUID } from 'node:crypto'
import type { StoredBlob } from '@chancela/service-kernel/blobs'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { mediaTypeOrAny } from '@chancela/service-kernel/http'
import { type Db, insertRows } from '@chancela/service-kernel/store'
import { fileNameOf } from '@chancela/service-kernel/text'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Tables, UploadRow } from '../../store/tables.ts'
import { fileFacts } from '../documents/file-content.ts'

/** What a client states about a file besides its bytes. */
export interface FileNames {
  readonly name: string
  readonly contentType: string
}

/** Inserts the upload row for bytes that are already durable. */
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
    name: fileNameOf(name, ''),
    content_type: mediaTypeOrAny(contentType),
    created_at: now.toISOString(),
    expires_at: plus(now, settings.Documents.UploadLifeHours * HOUR).toISOString(),
  }
  await insertRows(db, { upload: [row] })
  return row
}
