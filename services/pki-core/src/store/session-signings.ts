import type { Db } from '@chancela/service-kernel/store'
import type { SessionSigningRow } from './session-tables.ts'
import type { Tables } from './tables.ts'

type Outcome = NonNullable<SessionSigningRow['outcome']>

export const keepSigning = async (db: Db<Tables>, row: SessionSigningRow): Promise<void> => {
  await db.insertInto('signature_session_signing').values(row).execute()
}

/** That of a session; those of others are not there. */
export const findTokenSigning = (
  db: Db<Tables>,
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
): Promise<SessionSigningRow | undefined> =>
  db
    .selectFrom('signature_session_signing')
    .selectAll()
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'token')
    .executeTakeFirst()

/** That of a browser which has the nonce. */
export const findCloudSigning = (
  db: Db<Tables>,
  { id, nonceHash }: { readonly id: string; readonly nonceHash: string },
): Promise<SessionSigningRow | undefined> =>
  db
    .selectFrom('signature_session_signing')
    .selectAll()
    .where('id', '=', id)
    .where('reference', '=', nonceHash)
    .where('kind', '=', 'cloud')
    .executeTakeFirst()

/** Withdraws tokens that were asked for and have not signed; returns what is to be canceled at the session server. */
export const withdrawTokenSignings = (db: Db<Tables>, sessionId: string): Promise<SessionSigningRow[]> =>
  db
    .updateTable('signature_session_signing')
    .set({ outcome: 'canceled' })
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'token')
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .returningAll()
    .execute()

/** Marks a signing as taken; true for the first call only. */
export async function takeSigning(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signature_session_signing')
    .set({ taken_at: now.toISOString() })
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes how it ended; of two ends the first one counts. */
export const endSigning = async (db: Db<Tables>, id: string, outcome: Outcome): Promise<void> => {
  await db
    .updateTable('signature_session_signing')
    .set({ outcome })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Deletes up to `limit` of those that nobody asks about any more; returns how many. */
export async function purgeSignings(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('signature_session_signing')
    .select('id')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('signature_session_signing')
    .where('id', 'in', old)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
