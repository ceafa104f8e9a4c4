// The second factor of an account: set up, replaced and removed by its owner, forgotten by the administration.
import { newRecoveryCodes, recoveryHash } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import type { AuditKind } from '../../contract/audit.ts'
import { appStep, newSecret } from '../../parts/access/second-factors.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { endSessionsOf } from '../../store/account-sessions.ts'
import { findAccount } from '../../store/accounts.ts'
import { beginTotp, confirmTotp, forgetTotp, replaceRecoveryCodes } from '../../store/second-factors.ts'
import type { AccountRow } from '../../store/tables.ts'
import { beginGuess } from './guesses.ts'
import { type Proof, requireOwner } from './prove-owner.ts'

/** A new secret for an app; the one before stays in force until a code of the new one was given. */
export async function beginSecondFactor(context: Context, caller: Caller, proof: Proof, now: Date) {
  const account = await requireOwner(context, caller, proof, now)
  const { secret, uri, sealed } = newSecret(context.secrets, account)
  await context.store.transaction((tx) => beginTotp(tx, account.id, sealed))
  return { secret, uri }
}

interface Confirmed {
  readonly account: AccountRow
  readonly recoveryCodes: readonly string[]
}

/** Puts the new secret in force, with its own recovery codes; every other session ends. */
export async function confirmSecondFactor(
  context: Context,
  { accountId, sessionId, ip }: Caller,
  code: string,
  now: Date,
): Promise<Confirmed> {
  const { store, secrets, audit } = context
  const account = await findAccount(store.db, accountId!)
  if (!account) throw refuse('SecondFactorWrong')
  // Counted with the guesses at password and code, which the database keeps for every process.
  const guess = await beginGuess(context, account.email, now)
  const step = appStep(secrets, account, account.sealed_new_totp, code, now)
  if (step === undefined) throw refuse('SecondFactorWrong')
  await guess.takeBack()
  const recoveryCodes = newRecoveryCodes()
  return store.transaction(async (tx) => {
    const confirmed = await confirmTotp(tx, account, step)
    if (!confirmed) throw refuse('SecondFactorWrong')
    await replaceRecoveryCodes(tx, account.id, recoveryCodes.map(recoveryHash))
    await endSessionsOf(tx, account.id, { but: sessionId! }, now)
    await audit.recordAccount(tx, account, { kind: 'SecondFactorSet', actor: { owner: true, ip } }, now)
    return { account: confirmed, recoveryCodes }
  })
}

export async function makeRecoveryCodes(context: Context, caller: Caller, proof: Proof, now: Date) {
  const { store, audit } = context
  const account = await requireOwner(context, caller, proof, now)
  const recoveryCodes = newRecoveryCodes()
  await store.transaction(async (tx) => {
    await replaceRecoveryCodes(tx, account.id, recoveryCodes.map(recoveryHash))
    await audit.recordAccount(tx, account, { kind: 'RecoveryCodesMade', actor: { owner: true, ip: caller.ip } }, now)
  })
  return { recoveryCodes }
}

/** Forgets the app; the account as it is then, whose sessions go on with another stamp. */
export async function removeSecondFactor(
  context: Context,
  caller: Caller,
  proof: Proof,
  now: Date,
): Promise<AccountRow> {
  const account = await requireOwner(context, caller, proof, now)
  if (account.sealed_totp === null) return account
  return forget(context, account.id, { owner: true, ip: caller.ip }, { but: caller.sessionId! }, now)
}

/** Somebody lost app and recovery codes: the administration vouches for them. */
export async function resetSecondFactor(context: Context, caller: Caller, subject: string, now: Date): Promise<void> {
  const id = subject.toLowerCase()
  if (!(await findAccount(context.store.db, id))) throw refuse('UserNotFound', { id: subject })
  await forget(context, id, caller, {}, now)
}

const KIND: AuditKind = 'SecondFactorRemoved'

const forget = (
  { store, audit }: Context,
  id: string,
  actor: Parameters<Context['audit']['recordAccount']>[2]['actor'],
  { but }: { readonly but?: string },
  now: Date,
): Promise<AccountRow> =>
  store.transaction(async (tx) => {
    const account = await forgetTotp(tx, id)
    if (!account) throw refuse('UserNotFound', { id })
    await endSessionsOf(tx, id, { but }, now)
    await audit.recordAccount(tx, account, { kind: KIND, actor }, now)
    return account
  })
