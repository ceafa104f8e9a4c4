import { isPassword } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import { type Person, personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Browser, beginSession } from '../../store/account-sessions.ts'
import { accountByEmail } from '../../store/accounts.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Begins a session of whoever gives address and password of one account. */
export async function signIn(
  context: Context,
  { email, password }: Credentials,
  browser: Browser,
  now: Date,
): Promise<SignedIn> {
  const { store, settings } = context
  const account = await accountByEmail(store.db, email)
  const isRight = await isPassword(password, account?.password_hash, settings.Auth.PasswordCost)
  const person = isRight ? await personOf(store.db, account!) : undefined
  if (!person) throw refuse('InvalidCredentials')
  return begin(context, person, browser, now)
}

/** Begins a session of somebody who just proved who they are. */
export async function begin({ store }: Context, person: Person, browser: Browser, now: Date): Promise<SignedIn> {
  const { account, current } = person
  const session = { ...browser, accountId: account.id, organizationId: current.id }
  return { ...person, sessionId: await store.transaction((tx) => beginSession(tx, session, now)) }
}
