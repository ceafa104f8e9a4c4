// Documents on their way to the document platform and back.
import { type Db, move } from '@chancela/service-kernel/store'
import { platformDocumentMoves } from '../rules/moves.ts'
import type { PlatformDocumentRow } from './platform-tables.ts'
import type { Tables } from './tables.ts'

/** Under way: nobody signs such a document here. */
export const LIVE = ['Sending', 'Sent'] as const

export async function insertSending(db: Db<Tables>, row: PlatformDocumentRow): Promise<void> {
  await db.insertInto('platform_document').values(row).execute()
}

export const findSending = (db: Db<Tables>, id: string): Promise<PlatformDocumentRow | undefined> =>
  db.selectFrom('platform_document').selectAll().where('id', '=', id).executeTakeFirst()

/** The one that is under way for a document. */
export const liveSending = (db: Db<Tables>, documentId: string): Promise<PlatformDocumentRow | undefined> =>
  db
    .selectFrom('platform_document')
    .selectAll()
    .where('xml_document_id', '=', documentId)
    .where('status', 'in', LIVE)
    .executeTakeFirst()

/** The newest of a document, however it ended. */
export const newestSending = (db: Db<Tables>, documentId: string): Promise<PlatformDocumentRow | undefined> =>
  db
    .selectFrom('platform_document')
    .selectAll()
    .where('xml_document_id', '=', documentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Whether anything of an organization is there, or on its way. */
export async function hasLiveSending(db: Db<Tables>, subscriptionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('platform_document')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('status', 'in', LIVE)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Those of an organization that wait for these documents of the platform. */
export async function sentAs(
  db: Db<Tables>,
  subscriptionId: string,
  signerIds: readonly string[],
): Promise<readonly string[]> {
  if (signerIds.length === 0) return []
  const rows = await db
    .selectFrom('platform_document')
    .select('id')
    .where('signer_document_id', 'in', signerIds)
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'Sent')
    .execute()
  return rows.map(({ id }) => id)
}

/** Those that nobody has heard of since then, the oldest first. */
export async function silentSendings(db: Db<Tables>, before: Date, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('platform_document')
    .select('id')
    .where('status', 'in', LIVE)
    .where('looked_at', '<', before.toISOString())
    .orderBy('looked_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const moveSending = (
  db: Db<Tables>,
  id: string,
  name: keyof typeof platformDocumentMoves,
  set: Partial<Pick<PlatformDocumentRow, 'signer_document_id' | 'signer_document_url' | 'error'>>,
  now: Date,
): Promise<PlatformDocumentRow | undefined> =>
  move(db, {
    table: 'platform_document',
    column: 'status',
    moves: platformDocumentMoves,
    move: name,
    id,
    set: { ...set, updated_at: now.toISOString() },
  })

/** Before the creation is asked for: whoever comes after a crash looks for it first. */
export async function noteTry(db: Db<Tables>, id: string): Promise<void> {
  await db
    .updateTable('platform_document')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** The platform was asked; what is wrong with it, if something is. Not given: what was said of it stays. */
export async function noteLook(db: Db<Tables>, id: string, now: Date, error?: string | null): Promise<void> {
  const set = { looked_at: now.toISOString(), ...(error !== undefined && { error }) }
  await db.updateTable('platform_document').set(set).where('id', '=', id).execute()
}
