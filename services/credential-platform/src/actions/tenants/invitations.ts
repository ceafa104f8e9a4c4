// Invitations: a sealed ticket in a link, which the invited person turns into an account.
import { createAdministrator, findAdministratorByEmail } from '@chancela/admin-console'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { acceptInvitation } from '../../contract/users.ts'
import type { People } from '../../parts/access/people.ts'
import { refuse } from '../../rules/refuse.ts'
import { findMembership, linkPerson } from '../../store/memberships.ts'
import type { MembershipRow } from '../../store/tenant-tables.ts'
import { record } from './acting.ts'

const SEALED_FOR = 'invitation'

/** What a ticket says; the address is in it, so that an invitation is over when the user gets another one. */
type Ticket = readonly [until: string, subscriptionId: string, id: string, email: string]

export function invitationUrl({ secrets, settings, publicUrl }: Context, row: MembershipRow, now: Date): string {
  const until = plus(now, settings.Users.InvitationHours * HOUR).toISOString()
  const ticket: Ticket = [until, row.subscription_id, row.id, row.email]
  const sealed = secrets.seal(JSON.stringify(ticket), SEALED_FOR)
  return `${publicUrl}/invitation?ticket=${encodeURIComponent(sealed)}`
}

function opened({ secrets }: Context, ticket: string): Ticket {
  try {
    return JSON.parse(secrets.openText(ticket, SEALED_FOR)) as Ticket
  } catch (error) {
    if (error instanceof SecretProblem) throw refuse('invitation-invalid', undefined, error)
    throw error
  }
}

async function openInvitation(context: Context, ticket: string, now: Date): Promise<MembershipRow> {
  const [until, subscriptionId, id, email] = opened(context, ticket)
  const row = until > now.toISOString() ? await findMembership(context.store.db, { subscriptionId, id }) : undefined
  if (row?.email !== email || row.person_id !== null) throw refuse('invitation-invalid')
  return row
}

/**
 * Whoever has the link becomes the user. An address that has an account here, through another organization, proves it
 * with its own password: who invites learns nothing of it, and gets no hold of it.
 */
export async function accept(
  context: Context,
  people: People,
  { ticket, password, code, address }: Static<typeof acceptInvitation.body> & { readonly address: string },
  now: Date,
) {
  const row = await openInvitation(context, ticket, now)
  const credentials = { address, email: row.email, password, ...(code !== undefined && { code }) }
  const known = await findAdministratorByEmail(people.context.store.db, row.email)
  const account = known
    ? await people.signIn.signIn(credentials, now)
    : await newAccount(people, row, { password, address }, now)
  await context.store.transaction(async (tx) => {
    if (!(await linkPerson(tx, row.id, account.id, now))) throw refuse('invitation-invalid')
    const caller = {
      kind: 'user',
      id: row.id,
      name: row.name,
      subscriptionId: row.subscription_id,
      role: row.role,
      address,
    } as const
    await record(tx, caller, { type: 'InvitationAccepted', entity: { type: 'User', id: row.id } }, now)
  })
  return account
}

type Given = { readonly password: string; readonly address: string }

/** Made before the invitation is used up: whoever is interrupted in between accepts it again, with the same password. */
const newAccount = ({ context }: People, { name, email }: MembershipRow, given: Given, now: Date) =>
  createAdministrator(
    { store: context.store, events: context.events, passwordCost: context.settings.Auth.PasswordCost },
    { name, email, password: given.password },
    { name: email, address: given.address },
    now,
  )
