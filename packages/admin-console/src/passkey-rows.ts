import { randomUUID } from 'node:crypto'
import type { Db } from '@chancela/service-kernel/store'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'
import type { PasskeyRow } from './passkey-table.ts'

type Tables = Db<AdministratorTables>

export const passkeysOf = (db: Tables, administratorId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('administrator_passkey')
    .selectAll()
    .where('administrator_id', '=', administratorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findPasskey = (db: Tables, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('administrator_passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

/**
 * Notes a use. The `where` is the lock: of two answers with one count, only one is taken; a passkey that counts nothing
 * has its question alone, which is taken once.
 */
export async function notePasskeyUse(
  db: Tables,
  { id, counter: before }: PasskeyRow,
  counter: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('administrator_passkey')
    .set({ counter, last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where('counter', '=', before)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/**
 * Ends the sessions of the factors from before, by their stamp, and locks the administrator's row: of changes at the
 * same time, each sees what the other left.
 */
export const stampPasskeys = (tx: Tables, administratorId: string): Promise<AdministratorRow | undefined> =>
  stamp(tx, administratorId, randomUUID())

/** The same where no passkey is left. */
export const forgetStamp = (tx: Tables, administratorId: string): Promise<AdministratorRow | undefined> =>
  stamp(tx, administratorId, null)

const stamp = (tx: Tables, id: string, passkey_stamp: string | null) =>
  tx.updateTable('administrator').set({ passkey_stamp }).where('id', '=', id).returningAll().executeTakeFirst()

export const forgetPasskeys = (tx: Tables, administratorId: string) =>
  tx.deleteFrom('administrator_passkey').where('administrator_id', '=', administratorId).execute()
