import { type Db, move, moving } from '@chancela/service-kernel/store'
import { sessionDocumentMoves, sessionMoves } from '../rules/session-states.ts'
import type { SessionDocumentRow, SessionRow } from './session-tables.ts'
import type { Tables } from './tables.ts'

/** The notification channel of a session: it has ended. */
export const sessionChannel = (id: string): string => `signature_session ${id}`

export async function insertSession(
  db: Db<Tables>,
  row: SessionRow,
  documents: readonly SessionDocumentRow[],
): Promise<void> {
  await db.insertInto('signature_session').values(row).execute()
  for (const document of documents) await insertSessionDocument(db, document)
}

export const insertSessionDocument = async (db: Db<Tables>, row: SessionDocumentRow): Promise<void> => {
  await db.insertInto('signature_session_document').values(row).execute()
}

/** Whose session it is: for others it does not exist. */
export interface SessionOwner {
  readonly subscriptionId: string
  readonly applicationId: string
}

export const findSession = (
  db: Db<Tables>,
  { subscriptionId, applicationId }: SessionOwner,
  id: string,
): Promise<SessionRow | undefined> =>
  db
    .selectFrom('signature_session')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()

export const sessionById = (db: Db<Tables>, id: string): Promise<SessionRow | undefined> =>
  db.selectFrom('signature_session').selectAll().where('id', '=', id).executeTakeFirst()

export const sessionByToken = (db: Db<Tables>, tokenId: string): Promise<SessionRow | undefined> =>
  db.selectFrom('signature_session').selectAll().where('token_id', '=', tokenId).executeTakeFirst()

export const sessionDocuments = (db: Db<Tables>, sessionId: string): Promise<SessionDocumentRow[]> =>
  db
    .selectFrom('signature_session_document')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute()

/** Those among these sessions that nobody processes any more. */
export async function endedSessions(db: Db<Tables>, ids: readonly string[]): Promise<readonly string[]> {
  const going = await db
    .selectFrom('signature_session')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'Processing')
    .execute()
  const open = new Set(going.map(({ id }) => id))
  return ids.filter((id) => !open.has(id))
}

type Changed = Partial<Pick<SessionRow, 'certificate' | 'issuers'>>

/**
 * Writes a new revision while nobody has signed; its row is the lock of whatever changes with it. With `expected`, only
 * where nothing has changed since that revision.
 */
export async function reviseSession(
  db: Db<Tables>,
  id: string,
  revision: string,
  { expected, ...set }: Changed & { readonly expected?: string },
): Promise<boolean> {
  let query = db
    .updateTable('signature_session')
    .set({ revision, ...set })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
  if (expected !== undefined) query = query.where('revision', '=', expected)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Moves a session on, once; with a revision, only where nothing has changed since. */
export async function moveSession(
  db: Db<Tables>,
  id: string,
  step: keyof typeof sessionMoves,
  set: Partial<Pick<SessionRow, 'error_code' | 'ended_at'>>,
  revision?: string,
): Promise<boolean> {
  let query = moving(db, { table: 'signature_session', column: 'status', moves: sessionMoves, move: step, set }).where(
    'id',
    '=',
    id,
  )
  if (revision !== undefined) query = query.where('revision', '=', revision)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

export const moveSessionDocument = (
  db: Db<Tables>,
  id: string,
  step: keyof typeof sessionDocumentMoves,
  set: Partial<Pick<SessionDocumentRow, 'file_digest' | 'extra_digest' | 'signature' | 'signed_at' | 'error_code'>>,
): Promise<SessionDocumentRow | undefined> =>
  move(db, {
    table: 'signature_session_document',
    column: 'status',
    id,
    moves: sessionDocumentMoves,
    move: step,
    set,
  })

export const keepPlan = async (
  db: Db<Tables>,
  id: string,
  set: Pick<SessionDocumentRow, 'plan' | 'to_sign'>,
): Promise<void> => {
  await db.updateTable('signature_session_document').set(set).where('id', '=', id).execute()
}

/** Whether there was one that the person brought. */
export async function removeUploaded(db: Db<Tables>, sessionId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('signature_session_document')
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .where('is_uploaded', '=', 1)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes a session, unless it is being processed. Returns whether it did. */
export async function removeSession(db: Db<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('signature_session')
    .where('id', '=', id)
    .where('status', '!=', 'Processing')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends up to `limit` sessions whose time is over; returns their ids. */
export async function expireSessions(db: Db<Tables>, now: Date, limit: number): Promise<readonly string[]> {
  const old = db
    .selectFrom('signature_session')
    .select('id')
    .where('status', '=', 'Pending')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const set = { ended_at: now.toISOString() }
  const rows = await moving(db, {
    table: 'signature_session',
    column: 'status',
    moves: sessionMoves,
    move: 'expire',
    set,
  })
    .where('id', 'in', old)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to `limit` sessions that ended before this; returns how many. */
export async function purgeSessions(db: Db<Tables>, endedBefore: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('signature_session')
    .select('id')
    .where('ended_at', '<=', endedBefore.toISOString())
    .orderBy('ended_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('signature_session').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Whether a document of the subscription is being processed in the background. */
export async function isProcessed(db: Db<Tables>, subscriptionId: string, documentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('signature_session_document as d')
    .innerJoin('signature_session as s', 's.id', 'd.session_id')
    .select('d.id')
    .where('d.id', '=', documentId)
    .where('d.status', '=', 'Processing')
    .where('s.subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  return row !== undefined
}

/** The file of a session's document that a link is for. */
export async function linkedSessionFile(db: Db<Tables>, id: string) {
  const row = await db
    .selectFrom('signature_session_document as d')
    .innerJoin('signature_session as s', 's.id', 'd.session_id')
    .select(['d.file_digest', 'd.file_size', 'd.file_name', 'd.file_type', 's.subscription_id'])
    .where('d.id', '=', id)
    .executeTakeFirst()
  if (!row?.file_digest) return undefined
  const { file_digest: digest, file_size: size, file_name: name, file_type: contentType } = row
  return { digest, size, name, contentType, subscriptionId: row.subscription_id }
}
