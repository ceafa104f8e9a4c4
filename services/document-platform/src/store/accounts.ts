import { randomUUID } from 'node:crypto'
import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { refuse } from '../rules/refuse.ts'
import type { AccountRow, ContactRow, Tables } from './tables.ts'

type Tx = Transaction<Tables>

/** The account that signs in with an address; addresses are compared in lower case. */
export const accountByEmail = (db: Db<Tables>, email: string): Promise<AccountRow | undefined> =>
  db.selectFrom('account').selectAll().where('email', '=', email.trim().toLowerCase()).executeTakeFirst()

export const findAccount = (db: Db<Tables>, id: string): Promise<AccountRow | undefined> =>
  db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()

interface Login {
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

/** The account of an address with this password: a new one, or the one there is. */
export async function openAccount(tx: Tx, { name, email, passwordHash }: Login, now: Date): Promise<AccountRow> {
  const at = now.toISOString()
  return tx
    .insertInto('account')
    .values({ ...newAccount(name, email, at), password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ password_hash: passwordHash, updated_at: at }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A new account of an address; undefined when the address has one, whose password stays its owner's. */
export const firstAccount = (
  tx: Tx,
  { name, email, passwordHash }: Login,
  now: Date,
): Promise<AccountRow | undefined> =>
  tx
    .insertInto('account')
    .values({ ...newAccount(name, email, now.toISOString()), password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()

/** The account of an address that an identity provider verified: a new one without a password, or the one there is. */
export async function verifiedAccount(
  tx: Tx,
  { name, email }: Pick<Login, 'name' | 'email'>,
  now: Date,
): Promise<AccountRow> {
  const at = now.toISOString()
  await tx
    .insertInto('account')
    .values({ ...newAccount(name, email, at), password_hash: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
  return (await accountByEmail(tx, email))!
}

const newAccount = (name: string, email: string, at: string) => ({
  id: randomUUID(),
  name,
  email,
  phone: null,
  sealed_totp: null,
  sealed_new_totp: null,
  totp_step: null,
  language: null,
  created_at: at,
  updated_at: at,
})

type User = Pick<ContactRow, 'organization_id' | 'id'>

const linking = (tx: Tx, { organization_id, id }: User, accountId: string) =>
  tx
    .updateTable('member')
    .set({ account_id: accountId })
    .where('organization_id', '=', organization_id)
    .where('person_id', '=', id)

/** From now on the account signs in as this user of the organization, whoever did before. */
export const linkAccount = async (tx: Tx, user: User, accountId: string): Promise<void> => {
  await linking(tx, user, accountId).execute()
}

/** The same for a user whom nobody signs in as yet; false otherwise, also for the second of two who do it at once. */
export async function linkFirstAccount(tx: Tx, user: User, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await linking(tx, user, accountId).where('account_id', 'is', null).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives an account another password; nothing when it has not the one it is known with any more. */
export const replacePassword = (
  tx: Tx,
  { id, password_hash }: Pick<AccountRow, 'id' | 'password_hash'>,
  newHash: string,
  now: Date,
): Promise<AccountRow | undefined> =>
  tx
    .updateTable('account')
    .set({ password_hash: newHash, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('password_hash', password_hash === null ? 'is' : '=', password_hash)
    .returningAll()
    .executeTakeFirst()

/** Changes an account; no two have one address. */
export async function changeAccount(
  tx: Tx,
  id: string,
  changes: Partial<Pick<AccountRow, 'name' | 'email' | 'phone' | 'password_hash' | 'language'>>,
  now: Date,
): Promise<void> {
  try {
    await tx
      .updateTable('account')
      .set({ ...changes, updated_at: now.toISOString() })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('UserEmailTaken', { email: changes.email }, error) : error
  }
}
