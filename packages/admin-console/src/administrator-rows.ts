// Local administrators of the console.
import type { Db } from '@chancela/service-kernel/store'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'

export const findAdministrator = (db: Db<AdministratorTables>, id: string): Promise<AdministratorRow | undefined> =>
  db.selectFrom('administrator').selectAll().where('id', '=', id).executeTakeFirst()

export const findAdministratorByEmail = (
  db: Db<AdministratorTables>,
  email: string,
): Promise<AdministratorRow | undefined> =>
  db.selectFrom('administrator').selectAll().where('email', '=', email).executeTakeFirst()

export const listAdministrators = (db: Db<AdministratorTables>): Promise<readonly AdministratorRow[]> =>
  db.selectFrom('administrator').selectAll().orderBy('email').execute()

export const noteSignIn = (db: Db<AdministratorTables>, id: string, now: Date) =>
  db.updateTable('administrator').set({ last_sign_in_at: now.toISOString() }).where('id', '=', id).execute()

/**
 * Marks a time step as used, so that no code of it is accepted again. The `where` is the lock: of two concurrent
 * requests with one code, only one succeeds; so a code of an app that was replaced meanwhile is refused.
 */
export async function takeStep(
  db: Db<AdministratorTables>,
  { id, sealed_totp }: Pick<AdministratorRow, 'id' | 'sealed_totp'>,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('administrator')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where('sealed_totp', '=', sealed_totp)
    .where((row) => row.or([row('totp_step', 'is', null), row('totp_step', '<', step)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Activates the pending secret; the code that confirmed it can no longer be used for a sign-in. */
export const confirmTotp = (
  db: Db<AdministratorTables>,
  { id, sealed_new_totp }: Pick<AdministratorRow, 'id' | 'sealed_new_totp'>,
  step: number,
): Promise<AdministratorRow | undefined> =>
  db
    .updateTable('administrator')
    .set({ sealed_totp: sealed_new_totp, sealed_new_totp: null, totp_step: step })
    .where('id', '=', id)
    .where('sealed_new_totp', '=', sealed_new_totp)
    .returningAll()
    .executeTakeFirst()

export const forgetRecoveryCodes = (db: Db<AdministratorTables>, id: string) =>
  db.deleteFrom('administrator_recovery_code').where('administrator_id', '=', id).execute()

/** Locks every row until the transaction ends, so that two administrators who remove each other do not both succeed. */
export const lockAdministrators = (db: Db<AdministratorTables>) =>
  db
    .updateTable('administrator')
    .set((row) => ({ name: row.ref('name') }))
    .execute()
