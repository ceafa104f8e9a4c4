import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { WalletOfferRow } from './wallet-tables.ts'

export async function insertOffer(db: Db<Tables>, row: WalletOfferRow): Promise<void> {
  await db.insertInto('wallet_offer').values(row).execute()
}

/** The offer that a ticket opens, while it is neither used nor over. */
export const findOffer = (db: Db<Tables>, ticketHash: string, now: Date): Promise<WalletOfferRow | undefined> =>
  db
    .selectFrom('wallet_offer')
    .selectAll()
    .where('ticket_hash', '=', ticketHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

/** Of two at once one uses it up. */
export async function useOffer(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('wallet_offer')
    .set({ used_at: now.toISOString() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const SWEPT_AT_ONCE = 1000

/** True while there may be more. What was made of them is in the events. */
export async function sweepOffers(db: Db<Tables>, before: Date): Promise<boolean> {
  const old = db.selectFrom('wallet_offer').select('id').where('expires_at', '<', before.toISOString())
  const { numDeletedRows } = await db
    .deleteFrom('wallet_offer')
    .where('id', 'in', old.limit(SWEPT_AT_ONCE))
    .executeTakeFirst()
  return numDeletedRows === BigInt(SWEPT_AT_ONCE)
}
