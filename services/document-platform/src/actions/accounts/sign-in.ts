import type { Context } from '../../context.ts'
import { type Person, personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Browser, beginSession } from '../../store/account-sessions.ts'
import { accountByEmail } from '../../store/accounts.ts'
import type { AccountRow } from '../../store/tables.ts'
import { beginGuess } from './guesses.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/**
 * Begins a session of whoever gives address and password of one account. An address nobody has costs the same work and
 * gets the same answer as a wrong password.
 */
export async function signIn(
  context: Context,
  { email, password }: Credentials,
  browser: Browser,
  now: Date,
): Promise<SignedIn> {
  const account = await authenticated(context, { email, password }, now)
  const person = await personOf(context.store.db, account)
  if (!person) throw refuse('InvalidCredentials')
  return begin(context, person, browser, now)
}

/** The account that address and password belong to; a guess that is counted. */
export async function authenticated(
  context: Context,
  { email, password }: Credentials,
  now: Date,
): Promise<AccountRow> {
  const guess = await beginGuess(context, email, now)
  const account = await accountByEmail(context.store.db, email)
  if (!(await context.passwords.isRight(password, account?.password_hash))) throw refuse('InvalidCredentials')
  await guess.forget()
  return account!
}

/** Begins a session of somebody who just proved who they are. */
export async function begin({ store }: Context, person: Person, browser: Browser, now: Date): Promise<SignedIn> {
  const { account, current } = person
  const session = { ...browser, accountId: account.id, organizationId: current.id }
  return { ...person, sessionId: await store.transaction((tx) => beginSession(tx, session, now)) }
}
