// Somebody whom the identity provider named, with an address that it verified.
import type { Identity } from '@chancela/admin-console'
import type { Context } from '../../context.ts'
import { type Person, personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { anonymous } from '../../parts/audit/audit-log.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import type { Browser } from '../../store/account-sessions.ts'
import { accountByEmail, linkFirstAccount, verifiedAccount } from '../../store/accounts.ts'
import { invitedAt } from '../../store/member-reads.ts'
import { recordAccepted } from './invitation.ts'
import { begin } from './sign-in.ts'

/** Begins a session of the account of that address, or of a user who was invited there; undefined for anybody else. */
export async function signInWithIdentity(
  context: Context,
  identity: Identity,
  browser: Browser,
  now: Date,
): Promise<SignedIn | undefined> {
  const { store, audit } = context
  const account = await accountByEmail(store.db, identity.email)
  const known = account && (await personOf(store.db, account))
  const person = known ?? (await invited(context, identity, browser.ip, now))
  if (person) return begin(context, person, browser, now, 'oidc')
  const subject = { kind: 'identity', id: identity.id, name: identity.email }
  const refused = { kind: 'SignInRefused', organizationId: SYSTEM_ORGANIZATION, actor: anonymous(browser.ip) } as const
  await store.transaction((tx) => audit.record(tx, { ...refused, subject }, now))
  return undefined
}

/** The first sign-in accepts what the address was invited to: the provider proves it as the link of the mail does. */
async function invited(
  context: Context,
  { name, email }: Identity,
  ip: string,
  now: Date,
): Promise<Person | undefined> {
  const { store } = context
  if ((await invitedAt(store.db, email)).length === 0) return undefined
  const account = await store.transaction(async (tx) => {
    const made = await verifiedAccount(tx, { name, email }, now)
    for (const user of await invitedAt(tx, email))
      if (await linkFirstAccount(tx, user, made.id))
        await recordAccepted(context, tx, { organization: { id: user.organization_id }, user, email }, ip, now)
    return made
  })
  return personOf(store.db, account)
}
