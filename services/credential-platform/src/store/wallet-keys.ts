import { sealedTable } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { WalletKeyRow } from './wallet-tables.ts'

/** A key opens for its institution alone. */
export const walletKeyContext = ({ id, institute_id }: Pick<WalletKeyRow, 'id' | 'institute_id'>): string =>
  `wallet_key ${institute_id} ${id}`

/** For the sealed tables of the service, so that a rotation of the master key includes them. */
export const sealedWalletKeys = sealedTable<WalletKeyRow>({
  table: 'wallet_key',
  idColumn: 'id',
  columns: ['sealed_key'],
  context: walletKeyContext,
})

/** The address of an institution's identifier: the one it began with, or this one from now on. */
export async function issuerAddress(
  db: Db<Tables>,
  institute: { readonly id: string; readonly public_url: string },
  now: Date,
): Promise<string> {
  const { id: institute_id, public_url } = institute
  await db
    .insertInto('wallet_issuer')
    .values({ institute_id, address: public_url, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.column('institute_id').doNothing())
    .execute()
  return (await findIssuerAddress(db, institute_id))!
}

export async function findIssuerAddress(db: Db<Tables>, instituteId: string): Promise<string | undefined> {
  const query = db.selectFrom('wallet_issuer').select('address').where('institute_id', '=', instituteId)
  return (await query.executeTakeFirst())?.address
}

export const walletKeysOf = (db: Db<Tables>, instituteId: string): Promise<readonly WalletKeyRow[]> =>
  db
    .selectFrom('wallet_key')
    .selectAll()
    .where('institute_id', '=', instituteId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** The key that signs now. */
export const currentWalletKey = (db: Db<Tables>, instituteId: string): Promise<WalletKeyRow | undefined> =>
  db
    .selectFrom('wallet_key')
    .selectAll()
    .where('institute_id', '=', instituteId)
    .where('retired_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

/** The next keys that sign now, in the order of their institutions. */
export const walletKeysAfter = (
  db: Db<Tables>,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<readonly WalletKeyRow[]> =>
  db
    .selectFrom('wallet_key')
    .selectAll()
    .where('institute_id', '>', after)
    .where('retired_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('institute_id')
    .limit(most)
    .execute()

export async function insertWalletKey(db: Db<Tables>, row: WalletKeyRow): Promise<void> {
  await db.insertInto('wallet_key').values(row).execute()
}

export async function retireWalletKey(db: Db<Tables>, instituteId: string, now: Date): Promise<void> {
  await db
    .updateTable('wallet_key')
    .set({ retired_at: now.toISOString() })
    .where('institute_id', '=', instituteId)
    .where('retired_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

/** False where the institution has no such key; a second revocation changes nothing. */
export async function revokeWalletKey(db: Db<Tables>, instituteId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('wallet_key')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(now.toISOString())) }))
    .where('institute_id', '=', instituteId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
