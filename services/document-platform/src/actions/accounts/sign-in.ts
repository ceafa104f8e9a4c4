import type { Context } from '../../context.ts'
import { type Person, personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Browser, beginSession } from '../../store/account-sessions.ts'
import type { SignInWay } from '../../store/tables.ts'
import { authenticated, type Proof } from './prove-owner.ts'

/** Begins a session of whoever gives address, password and code of one account. */
export async function signIn(
  context: Context,
  credentials: Proof & { readonly email: string },
  browser: Browser,
  now: Date,
): Promise<SignedIn> {
  const account = await authenticated(context, credentials, browser, now)
  const person = await personOf(context.store.db, account)
  if (!person) throw refuse('InvalidCredentials')
  return begin(context, person, browser, now)
}

/** An act of a user in the organization that the session is for: others are not told where somebody works. */
export const byUser = ({ current }: Pick<Person, 'current'>, ip: string) => {
  const user = { id: current.contact_id, name: current.contact_name }
  return {
    organizationId: current.id,
    actor: { type: 'User', ...user, ip },
    subject: { kind: 'user', ...user },
  } as const
}

/** Begins a session of somebody who just proved who they are, or whom an identity provider let pass. */
export function begin(
  { store, audit }: Context,
  person: Person,
  browser: Browser,
  now: Date,
  { way, isProof }: { readonly way: SignInWay; readonly isProof: boolean } = { way: 'password', isProof: true },
): Promise<SignedIn> {
  const { account, current } = person
  const session = { ...browser, accountId: account.id, organizationId: current.id, way, isProof }
  return store.transaction(async (tx) => {
    const sessionId = await beginSession(tx, session, now)
    await audit.record(tx, { kind: 'SignedIn', ...byUser(person, browser.ip), after: { way } }, now)
    return { ...person, sessionId, way, provedAt: isProof ? now.toISOString() : null }
  })
}
