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
 * Takes a time step, so that no code of it is taken again. The `where` is the lock: of two who give one code at once,
 * one is too late; so is whoever gives a code of an app that was replaced meanwhile.
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

/** Puts the secret that was begun in force; the code that confirmed it is not good for a sign-in any more. */
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

/** Locks every row until the transaction ends, so that two who remove one another do not both see the other stay. */
export const lockAdministrators = (db: Db<AdministratorTables>) =>
  db
    .updateTable('administrator')
    .set((row) => ({ name: row.ref('name') }))
    .execute()
