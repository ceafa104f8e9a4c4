// That somebody is the owner of an account: by the password, and by a second factor where the account has one.
import { recoveryHash } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import { appStep } from '../../parts/access/second-factors.ts'
import { anonymous } from '../../parts/audit/audit-log.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { accountByEmail, findAccount } from '../../store/accounts.ts'
import { takeStep, useRecoveryCode } from '../../store/second-factors.ts'
import type { AccountRow } from '../../store/tables.ts'
import { beginGuess, type Guess } from './guesses.ts'

export interface Proof {
  readonly password: string
  readonly code?: string | undefined
}

/**
 * The account that address, password and code belong to; a guess that is counted. An address nobody has costs the same
 * work and gets the same answer as a wrong password.
 */
export async function authenticated(
  context: Context,
  { email, ...proof }: Proof & { readonly email: string },
  { ip }: { readonly ip: string },
  now: Date,
): Promise<AccountRow> {
  const guess = await beginGuess(context, email, now)
  const account = await accountByEmail(context.store.db, email)
  if ((await fault(context, account, proof, { guess, ip }, now)) !== undefined) throw refuse('InvalidCredentials')
  return account!
}

/** The account of a caller who proves it anew: a copied cookie changes nothing that protects the account. */
export async function requireOwner(
  context: Context,
  { accountId, ip }: Caller,
  proof: Proof,
  now: Date,
  { withCode = true }: { readonly withCode?: boolean } = {},
): Promise<AccountRow> {
  const account = await findAccount(context.store.db, accountId!)
  if (!account) throw refuse('Unauthorized')
  const guess = await beginGuess(context, account.email, now)
  const asked = withCode ? account : { ...account, sealed_totp: null }
  const wrong = await fault(context, asked, proof, { guess, ip }, now)
  if (wrong !== undefined) throw refuse(wrong === 'password' ? 'PasswordWrong' : 'SecondFactorWrong')
  return account
}

interface Attempt {
  readonly guess: Guess
  readonly ip: string
}

/** What is wrong with a proof; nothing forgets the guesses before, and a wrong one is told to the organizations. */
async function fault(
  context: Context,
  account: AccountRow | undefined,
  { password, code }: Proof,
  { guess, ip }: Attempt,
  now: Date,
): Promise<'password' | 'code' | undefined> {
  const isRight = await isPassword(context, account, password, { guess, ip })
  const needsCode = account !== undefined && account.sealed_totp !== null
  if (isRight && needsCode && code === undefined) {
    await guess.takeBack()
    throw refuse('SecondFactorCodeRequired')
  }
  const wrong = !isRight
    ? 'password'
    : needsCode && !(await isCode(context, account, code!, ip, now))
      ? 'code'
      : undefined
  if (wrong === undefined) await guess.forget()
  else if (account) await recordWrong(context, account, guess, ip, now)
  return wrong
}

/** An attempt that is turned away before its password was looked at is no guess. */
async function isPassword(
  { passwords }: Context,
  account: AccountRow | undefined,
  password: string,
  { guess, ip }: Attempt,
): Promise<boolean> {
  try {
    return await passwords.isRight(password, account?.password_hash, ip)
  } catch (error) {
    await guess.takeBack()
    throw error
  }
}

/** Whether a code is one the app shows now, or a recovery code; either is accepted once. */
async function isCode(
  { store, secrets, audit }: Context,
  account: AccountRow,
  code: string,
  ip: string,
  now: Date,
): Promise<boolean> {
  const step = appStep(secrets, account, account.sealed_totp, code, now)
  if (step !== undefined) return takeStep(store, account, step)
  return store.transaction(async (tx) => {
    const isUsed = await useRecoveryCode(tx, account.id, recoveryHash(code))
    if (isUsed) await audit.recordAccount(tx, account, { kind: 'RecoveryCodeUsed', actor: { owner: true, ip } }, now)
    return isUsed
  })
}

/** Tells the organizations of a wrong guess, and once of the lock that follows; addresses nobody has are no news. */
const recordWrong = (
  { store, audit }: Context,
  account: AccountRow,
  { isLast }: Guess,
  ip: string,
  now: Date,
): Promise<void> =>
  store.transaction(async (tx) => {
    await audit.recordAccount(tx, account, { kind: 'SignInFailed', actor: anonymous(ip) }, now)
    if (isLast) await audit.recordAccount(tx, account, { kind: 'SignInLocked', actor: anonymous(ip) }, now)
  })
