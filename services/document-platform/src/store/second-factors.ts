import { type Db, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { AccountRow, Tables } from './tables.ts'

type Tx = Transaction<Tables>

/**
 * Takes a time step, so that no code of it is accepted again. The `where` is the lock: of two that give one code at once,
 * one is too late; so is a code of an app that was replaced meanwhile.
 */
export async function takeStep(
  store: Store<Tables>,
  { id, sealed_totp }: Pick<AccountRow, 'id' | 'sealed_totp'>,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await writeAlone(store, (db) =>
    db
      .updateTable('account')
      .set({ totp_step: step })
      .where('id', '=', id)
      .where('sealed_totp', '=', sealed_totp)
      .where((row) => row.or([row('totp_step', 'is', null), row('totp_step', '<', step)]))
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

/** Uses a recovery code up; false when the account has no such code. */
export async function useRecoveryCode(tx: Tx, accountId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(tx: Tx, accountId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  if (hashes.length > 0)
    await tx
      .insertInto('recovery_code')
      .values(hashes.map((hash) => ({ account_id: accountId, hash })))
      .execute()
}

export const beginTotp = async (db: Db<Tables>, id: string, sealed: string): Promise<void> => {
  await db.updateTable('account').set({ sealed_new_totp: sealed }).where('id', '=', id).execute()
}

/** Puts the new secret in force; the code that confirmed it is not accepted for a sign-in. */
export const confirmTotp = (
  tx: Tx,
  { id, sealed_new_totp }: Pick<AccountRow, 'id' | 'sealed_new_totp'>,
  step: number,
): Promise<AccountRow | undefined> =>
  tx
    .updateTable('account')
    .set({ sealed_totp: sealed_new_totp, sealed_new_totp: null, totp_step: step })
    .where('id', '=', id)
    .where('sealed_new_totp', '=', sealed_new_totp)
    .returningAll()
    .executeTakeFirst()

/** Forgets app and recovery codes; the account, if there is one. */
export async function forgetTotp(tx: Tx, id: string): Promise<AccountRow | undefined> {
  await replaceRecoveryCodes(tx, id, [])
  return tx
    .updateTable('account')
    .set({ sealed_totp: null, sealed_new_totp: null, totp_step: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
