import type { Db } from '@chancela/service-kernel/store'
import type { TokenOutcome } from '../contract/token-signing.ts'
import type { Tables, TokenSigningRow } from './tables.ts'

export const keepTokenSigning = async (db: Db<Tables>, row: TokenSigningRow): Promise<void> => {
  await db.insertInto('token_signing').values(row).execute()
}

/** That of a participant; those of others are not there. */
export const findTokenSigning = (
  db: Db<Tables>,
  { id, participantId }: { readonly id: string; readonly participantId: string },
): Promise<TokenSigningRow | undefined> =>
  db
    .selectFrom('token_signing')
    .selectAll()
    .where('id', '=', id)
    .where('participant_id', '=', participantId)
    .executeTakeFirst()

/** Withdraws what a participant has begun and not signed; returns what is to be canceled at the session server. */
export const withdrawTokenSignings = (db: Db<Tables>, participantId: string): Promise<TokenSigningRow[]> =>
  db
    .updateTable('token_signing')
    .set({ outcome: 'canceled' })
    .where('participant_id', '=', participantId)
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .returningAll()
    .execute()

/** Marks a signing as taken; true for the first call only. */
export async function takeTokenSigning(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('token_signing')
    .set({ taken_at: now.toISOString() })
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes how it ended; of two ends the first one counts. */
export const endTokenSigning = async (db: Db<Tables>, id: string, outcome: TokenOutcome): Promise<void> => {
  await db.updateTable('token_signing').set({ outcome }).where('id', '=', id).where('outcome', 'is', null).execute()
}
