import { Refusal } from '@chancela/service-kernel/errors'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import type { DocumentRow, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { placeOf } from '../folders/folders.ts'
import { requiredLiveDocument } from './required-document.ts'

/** Destination of a move. */
export interface Place {
  readonly folderId?: string | null
  readonly newFolderName?: string | null
}

/** Moves documents to a folder, to a new folder, or out of all folders. */
export const moveDocuments = (
  context: Context,
  caller: Caller,
  documents: readonly DocumentRow[],
  place: Place,
  now: Date,
): Promise<void> =>
  context.store.transaction(async (tx) => {
    const folderId = await placeOf(tx, caller, place, now)
    for (const document of documents) await moveTo(tx, caller, document, folderId, now)
  })

/** Moves the documents the caller may see; the result reports success or the error for each id. */
export async function moveEach(
  context: Context,
  caller: Caller,
  ids: readonly string[],
  place: Place,
  now: Date,
): Promise<readonly { readonly id: string; readonly success: boolean; readonly errorMessage: string | null }[]> {
  const found = new Map<string, DocumentRow>()
  const refusals = new Map<string, string>()
  for (const id of ids)
    try {
      found.set(id, await requiredLiveDocument(context, caller, 'documents.change', id))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.set(id, error.message)
    }
  await moveDocuments(context, caller, [...found.values()], place, now)
  return ids.map((id) => ({ id, success: found.has(id), errorMessage: refusals.get(id) ?? null }))
}

async function moveTo(
  tx: Transaction<Tables>,
  caller: Caller,
  { id }: DocumentRow,
  folderId: string | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('document')
    .set({ folder_id: folderId, updated_at: now.toISOString() })
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('timeline')
    .values(timelineRow({ documentId: id, type: 'Moved', agent: caller }, now))
    .execute()
}
