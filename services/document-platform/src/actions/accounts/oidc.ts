// Somebody whom the identity provider named, with an address that it verified.
import type { Identity } from '@chancela/admin-console'
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { type Person, personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { anonymous } from '../../parts/audit/audit-log.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import { type Browser, liveSession } from '../../store/account-sessions.ts'
import { accountByEmail, linkFirstAccount, verifiedAccount } from '../../store/accounts.ts'
import { invitedAt } from '../../store/member-reads.ts'
import type { AccountRow, Tables } from '../../store/tables.ts'
import { recordAccepted } from './invitation.ts'
import { begin } from './sign-in.ts'

/** Whether the provider asked again who it is, and for which session. */
interface Fresh {
  readonly isFresh: boolean
  readonly sessionId?: string | undefined
}

/** Begins a session of the account of that address, or of a user who was invited there; undefined for anybody else. */
export async function signInWithIdentity(
  context: Context,
  identity: Identity,
  browser: Browser,
  { isFresh, sessionId }: Fresh,
  now: Date,
): Promise<SignedIn | undefined> {
  const { store, audit } = context
  const account = await accountByEmail(store.db, identity.email)
  const before = account && (await earlierSession(store.db, account, sessionId))
  const known = account && (await personAt(store.db, account, before?.organizationId))
  const person = known ?? (await invited(context, identity, browser.ip, now))
  const own = { ...browser, sessionId: before?.sessionId ?? browser.sessionId }
  if (person) return begin(context, person, own, now, { way: 'oidc', isProof: isFresh })
  const subject = { kind: 'identity', id: identity.id, name: identity.email }
  const refused = { kind: 'SignInRefused', organizationId: SYSTEM_ORGANIZATION, actor: anonymous(browser.ip) } as const
  await store.transaction((tx) => audit.record(tx, { ...refused, subject }, now))
  return undefined
}

/** The session that is proved again goes on in its organization; one of somebody else is left as it is. */
async function earlierSession(db: Db<Tables>, account: AccountRow, sessionId: string | undefined) {
  const live = sessionId === undefined ? undefined : await liveSession(db, sessionId)
  return live?.account.id === account.id ? live : undefined
}

const personAt = async (db: Db<Tables>, account: AccountRow, organizationId: string | undefined) =>
  (await personOf(db, account, organizationId)) ?? personOf(db, account)

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
