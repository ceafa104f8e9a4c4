// The password of an account: changed by its owner, or reset by whoever reads the mail to its address.
import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { AuditKind } from '../../contract/audit.ts'
import { anonymous } from '../../parts/audit/audit-log.ts'
import type { Caller } from '../../rules/caller.ts'
import { MOST_RESETS, RESET_MINUTES } from '../../rules/password-reset.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Browser, endSessionsOf } from '../../store/account-sessions.ts'
import { accountByEmail, findAccount, replacePassword } from '../../store/accounts.ts'
import { membershipsOf } from '../../store/member-reads.ts'
import { countGuess, type GuessLimit } from '../../store/sign-in-guesses.ts'
import type { AccountRow, Tables } from '../../store/tables.ts'
import { forgetGuessesAt } from './guesses.ts'
import { requireOwner } from './prove-owner.ts'

interface PasswordChange {
  readonly password: string
  readonly newPassword: string
}

/** Another password for whoever is signed in and gives the present one; every other session ends. */
export async function changePassword(
  context: Context,
  caller: Caller,
  { password, newPassword }: PasswordChange,
  now: Date,
): Promise<AccountRow> {
  const { store } = context
  const account = await requireOwner(context, caller, { password }, now, { withCode: false })
  const asked = { ip: caller.ip, field: 'newPassword' }
  const hash = await context.passwords.hashNew(newPassword, await knownOf(context, account), asked)
  const changed = await store.transaction((tx) => {
    const own = { but: caller.sessionId!, kind: 'PasswordChanged', ip: caller.ip } as const
    return setPassword(context, tx, account, hash, own, now)
  })
  if (!changed) throw refuse('PasswordWrong')
  return changed
}

/** What guessers know of the owner of an account. */
async function knownOf({ store }: Context, { id, name, email }: AccountRow): Promise<readonly string[]> {
  const memberships = await membershipsOf(store.db, id)
  return [name, email, ...memberships.flatMap((each) => [each.name, each.contact_name])]
}

/** Nothing when the password is another one by now. */
async function setPassword(
  { audit }: Context,
  tx: Transaction<Tables>,
  account: AccountRow,
  hash: string,
  { but, kind, ip }: { readonly but?: string; readonly kind: AuditKind; readonly ip: string },
  now: Date,
): Promise<AccountRow | undefined> {
  const changed = await replacePassword(tx, account, hash, now)
  if (!changed) return undefined
  await endSessionsOf(tx, account.id, { but }, now)
  await audit.recordAccount(tx, account, { kind, actor: { owner: true, ip } }, now)
  return changed
}

const resets: GuessLimit = { kind: 'reset', most: MOST_RESETS, minutes: RESET_MINUTES }

/** Sends the link to an address that signs in. Whether it does is not told: each address costs the same count. */
export async function requestReset(
  context: Context,
  email: string,
  { ip }: Pick<Browser, 'ip'>,
  now: Date,
): Promise<void> {
  const { store, notices, audit } = context
  if (!notices.enabled) throw refuse('EmailNotAvailable')
  const { guesses } = await countGuess(store, resets, email, now)
  const account = await accountByEmail(store.db, email)
  if (!account || guesses > MOST_RESETS) return
  const stamp = stampOf(account)
  await store.transaction(async (tx) => {
    await notices.passwordReset(tx, account, stamp, now)
    await audit.recordAccount(tx, account, { kind: 'PasswordResetRequested', actor: anonymous(ip) }, now)
  })
}

/** A new password for whoever opened the link. It is of the password that was forgotten, so that it works once. */
export async function resetPassword(
  context: Context,
  { ticket, password }: { readonly ticket: string; readonly password: string },
  { ip }: Pick<Browser, 'ip'>,
  now: Date,
): Promise<void> {
  const { accountId, stamp } = context.tickets.read('passwordReset', ticket, 'PasswordResetInvalidOrExpired')
  const account = await findAccount(context.store.db, accountId)
  if (!account || stampOf(account) !== stamp) throw refuse('PasswordResetInvalidOrExpired')
  const hash = await context.passwords.hashNew(password, await knownOf(context, account), { ip })
  await context.store.transaction(async (tx) => {
    // Whoever reads the mail of the address need not wait for the end of a lock that a guesser caused.
    await forgetGuessesAt(context, tx, account.email)
    const changed = await setPassword(context, tx, account, hash, { kind: 'PasswordReset', ip }, now)
    if (!changed) throw refuse('PasswordResetInvalidOrExpired')
  })
}

const stampOf = ({ email, password_hash }: AccountRow): string =>
  createHash('sha256')
    .update(JSON.stringify([email, password_hash]))
    .digest('base64url')
