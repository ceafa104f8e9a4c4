// The second factor of accounts: codes of an authenticator app.
import { newSecondFactor, stepOf } from '@chancela/admin-console'
import { type Secrets, sealedTable } from '@chancela/service-kernel/secrets'
import type { AccountRow } from '../../store/tables.ts'

const contextOf = (id: string): string => `account/${id}`

/** The sealed columns, so that a rotation of the master key reaches them. */
export const sealedAccounts = sealedTable<AccountRow>({
  table: 'account',
  idColumn: 'id',
  columns: ['sealed_totp', 'sealed_new_totp'],
  context: ({ id }) => contextOf(id),
})

export const newSecret = (secrets: Secrets, { id, email }: AccountRow) => newSecondFactor(secrets, contextOf(id), email)

const APP_CODE = /^\d{6}$/

/** The time step of a code of an app; nothing for another, or for what no app shows. */
export const appStep = (
  secrets: Secrets,
  { id }: AccountRow,
  sealed: string | null,
  code: string,
  now: Date,
): number | undefined =>
  sealed === null || !APP_CODE.test(code) ? undefined : stepOf(secrets, { context: contextOf(id), sealed }, code, now)
