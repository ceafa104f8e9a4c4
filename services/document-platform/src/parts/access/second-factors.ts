// The second factor of accounts: codes of an authenticator app, and recovery codes for whoever lost it.
import { createHash, randomBytes } from 'node:crypto'
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

const RECOVERY_CODES = 10

/** Letters and digits that are not taken for one another, 32 of them: five bits each. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** New recovery codes of 80 random bits, as people write them down: `k3mp-…`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomBytes(16), (byte) => LETTERS[byte % LETTERS.length]!).join('')
    return letters.match(/.{4}/g)!.join('-')
  })

/** What is kept of a recovery code. It is random, so that a fast hash suffices. */
export const recoveryHash = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest('base64url')
