import type { Context } from '../../context.ts'
import { type Person, personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { anonymous } from '../../parts/audit/audit-log.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Browser, beginSession } from '../../store/account-sessions.ts'
import { accountByEmail } from '../../store/accounts.ts'
import type { AccountRow } from '../../store/tables.ts'
import { beginGuess, type Guess } from './guesses.ts'

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
  const account = await authenticated(context, { email, password }, browser, now)
  const person = await personOf(context.store.db, account)
  if (!person) throw refuse('InvalidCredentials')
  return begin(context, person, browser, now)
}

/** The account that address and password belong to; a guess that is counted. */
export async function authenticated(
  context: Context,
  { email, password }: Credentials,
  { ip }: Pick<Browser, 'ip'>,
  now: Date,
): Promise<AccountRow> {
  const guess = await beginGuess(context, email, now)
  const account = await accountByEmail(context.store.db, email)
  if (!(await context.passwords.isRight(password, account?.password_hash))) {
    if (account) await recordWrong(context, account, guess, ip, now)
    throw refuse('InvalidCredentials')
  }
  await guess.forget()
  return account!
}

/** Tells the organizations of a wrong guess, and once of the lock that follows; addresses nobody has are no news. */
export const recordWrong = (
  { store, audit }: Context,
  account: AccountRow,
  { isLast }: Pick<Guess, 'isLast'>,
  ip: string,
  now: Date,
): Promise<void> =>
  store.transaction(async (tx) => {
    await audit.recordAccount(tx, account, { kind: 'SignInFailed', actor: anonymous(ip) }, now)
    if (isLast) await audit.recordAccount(tx, account, { kind: 'SignInLocked', actor: anonymous(ip) }, now)
  })

/** An act of a user in the organization that the session is for: others are not told where somebody works. */
export const byUser = ({ current }: Pick<Person, 'current'>, ip: string) => {
  const user = { id: current.contact_id, name: current.contact_name }
  return {
    organizationId: current.id,
    actor: { type: 'User', ...user, ip },
    subject: { kind: 'user', ...user },
  } as const
}

/** Begins a session of somebody who just proved who they are. */
export function begin({ store, audit }: Context, person: Person, browser: Browser, now: Date): Promise<SignedIn> {
  const { account, current } = person
  const session = { ...browser, accountId: account.id, organizationId: current.id }
  return store.transaction(async (tx) => {
    const sessionId = await beginSession(tx, session, now)
    await audit.record(tx, { kind: 'SignedIn', ...byUser(person, browser.ip) }, now)
    return { ...person, sessionId }
  })
}
