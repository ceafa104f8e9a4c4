import { type Db, move } from '@chancela/service-kernel/store'
import { earlierSignatureMoves } from '../rules/earlier-signature-states.ts'
import type { EarlierSignatureRow } from './earlier-tables.ts'
import type { Tables } from './tables.ts'

export const insertEarlier = async (db: Db<Tables>, row: EarlierSignatureRow): Promise<void> => {
  await db.insertInto('earlier_signature').values(row).execute()
}

/** One that has not expired, whatever its state and whoever began it. */
export const findEarlier = (db: Db<Tables>, id: string, now: Date): Promise<EarlierSignatureRow | undefined> =>
  db
    .selectFrom('earlier_signature')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

/** What a certificate decides. */
export type PreparedColumns = Pick<EarlierSignatureRow, 'plan' | 'certificate' | 'issuers' | 'to_sign_hash'>

/** Moves it on, once: of two who try at the same moment one gets the row. */
export const moveEarlier = (
  db: Db<Tables>,
  id: string,
  step: keyof typeof earlierSignatureMoves,
  set: Partial<PreparedColumns & Pick<EarlierSignatureRow, 'signature'>> = {},
): Promise<EarlierSignatureRow | undefined> =>
  move(db, { table: 'earlier_signature', column: 'state', id, moves: earlierSignatureMoves, move: step, set })

/** Deletes up to `limit` that have expired; returns how many. */
export async function purgeEarlier(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('earlier_signature')
    .select('id')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('earlier_signature').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
