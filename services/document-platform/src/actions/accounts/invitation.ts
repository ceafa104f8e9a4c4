// Who opens the link of an invitation proved the address: from then on it signs in as that user of the organization.
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { personOf, type SignedIn } from '../../parts/access/signed-in.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Browser } from '../../store/account-sessions.ts'
import { accountByEmail, firstAccount, linkFirstAccount } from '../../store/accounts.ts'
import { findMember, type Member } from '../../store/member-reads.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { Tables } from '../../store/tables.ts'
import { authenticated, type Proof } from './prove-owner.ts'
import { begin } from './sign-in.ts'

/** A user whom nobody signs in as yet, and the address that was invited. */
interface Invitation {
  readonly organization: { readonly id: string; readonly name: string }
  readonly user: Member
  readonly email: string
}

/** What the audit tells of an invitation. */
interface Accepted {
  readonly organization: { readonly id: string }
  readonly user: { readonly id: string; readonly name: string }
  readonly email: string
}

/** Refused when the user was removed, has another address by now, or somebody accepted before. */
async function openInvitation({ store, tickets }: Context, ticket: string): Promise<Invitation> {
  const { organizationId, contactId, email } = tickets.read('invitation', ticket, 'InvitationInvalidOrExpired')
  const organization = await findOrganization(store.db, organizationId)
  const user = organization && (await findMember(store.db, organizationId, contactId))
  if (!user || user.account_id !== null || user.email !== email) throw refuse('InvitationInvalidOrExpired')
  return { organization: organization!, user, email }
}

export async function readInvitation(context: Context, ticket: string) {
  const { organization, user, email } = await openInvitation(context, ticket)
  const account = await accountByEmail(context.store.db, email)
  return { organization: organization.name, name: user.name, email, hasAccount: account !== undefined }
}

/** An address that has an account keeps its password, which must be given; another one chooses it now. */
export async function acceptInvitation(
  context: Context,
  { ticket, ...proof }: Proof & { readonly ticket: string },
  browser: Browser,
  now: Date,
): Promise<SignedIn> {
  const invitation = await openInvitation(context, ticket)
  const { organization, user, email } = invitation
  const { store } = context
  const isKnown = (await accountByEmail(store.db, email)) !== undefined
  const known = isKnown ? await authenticated(context, { email, ...proof }, browser, now) : undefined
  const passwordHash = known?.password_hash ?? (await newPassword(context, invitation, proof.password, browser))
  const account = await store.transaction(async (tx) => {
    // Of two that accept at once the second finds the account of the first, and has to give its password.
    const account = known ?? (await firstAccount(tx, { name: user.name, email, passwordHash }, now))
    if (!account) throw refuse('InvalidCredentials')
    if (!(await linkFirstAccount(tx, { organization_id: organization.id, id: user.id }, account.id)))
      throw refuse('InvitationInvalidOrExpired')
    await recordAccepted(context, tx, invitation, browser.ip, now)
    return account
  })
  return begin(context, (await personOf(store.db, account, organization.id))!, browser, now)
}

export function recordAccepted(
  { audit }: Context,
  tx: Transaction<Tables>,
  { organization, user, email }: Accepted,
  ip: string,
  now: Date,
): Promise<void> {
  const { id, name } = user
  const actor = { type: 'User', id, name, ip } as const
  const accepted = { kind: 'InvitationAccepted', organizationId: organization.id, actor } as const
  return audit.record(tx, { ...accepted, subject: { kind: 'user', id, name }, after: { email } }, now)
}

const newPassword = (
  { passwords }: Context,
  { organization, user, email }: Invitation,
  password: string,
  { ip }: Pick<Browser, 'ip'>,
) => passwords.hashNew(password, [user.name, email, organization.name], { ip })
