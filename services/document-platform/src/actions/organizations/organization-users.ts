// Users of organizations: added, given roles, removed. What an organization says of a user is its own contact; who
// signs in as that user is an account, which only its owner or the administration of the instance links to it.
import { dialectOf } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { addOwnUser, listOwnUsers, OrganizationUser } from '../../contract/organizations.ts'
import { type Caller, isAdministration, type Rights } from '../../rules/caller.ts'
import { type PlannedPerson, planPerson } from '../../rules/flow-plan.ts'
import { pageOf, textOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { endSessionsOf } from '../../store/account-sessions.ts'
import { accountByEmail, linkAccount, openAccount } from '../../store/accounts.ts'
import { changeContact, knowContacts } from '../../store/contacts.ts'
import { countMembers, findMember, listMembers, type Member } from '../../store/member-reads.ts'
import type { ContactRow, OrganizationRow, Tables } from '../../store/tables.ts'
import { recordRemoved, recordUser } from './user-audit.ts'

type Tx = Transaction<Tables>
type Wanted = Static<typeof addOwnUser.body>
type View = Static<typeof OrganizationUser>

export async function listedUsers(
  { store: { db } }: Context,
  organizationId: string,
  query: Static<typeof listOwnUsers.query>,
) {
  const text = textOf(query)
  const items = await listMembers(db, organizationId, text, pageOf(query))
  return { items: items.map(userView), totalCount: await countMembers(db, organizationId, text), nextCursor: null }
}

/**
 * Adds a user, or changes the data and roles of one. Whether somebody signs in with this address elsewhere makes no
 * difference to the answer: the address gets an invitation, and only who opens it becomes this user.
 */
export async function addUser(
  context: Context,
  caller: Caller,
  organization: OrganizationRow,
  wanted: Wanted,
  now: Date,
): Promise<View> {
  if (organization.owner_id !== null) throw refuse('OperationNotSupportedInPersonalOrganizations')
  const asked = planPerson(wanted, {
    needsCpf: false,
    wrong: (field, reason) => refuse('InvalidRequest', { [field]: reason }),
  })
  if (asked.id === null && asked.email === null) throw refuse('InvalidRequest', { email: 'is required' })
  const passwordHash = await chosenPassword(context, caller, organization, wanted)
  return context.store.transaction(async (tx) => {
    await lockUsers(tx, organization)
    const { known, contact } = await writtenContact(tx, organization, asked, now)
    const former = await findMember(tx, organization.id, contact.id)
    await giveRoles(tx, organization, contact, rightsOf(wanted.accessProfile), now)
    if (isAdministration(caller)) await signsIn(tx, contact, passwordHash, now)
    const member = (await findMember(tx, organization.id, contact.id))!
    const isInvited = member.account_id === null
    if (isInvited) await context.notices.invitation(tx, organization, member, now)
    const before = former && { ...former, name: known.name, email: known.email, phone: known.phone }
    const change = { organizationId: organization.id, former: before, member, isInvited }
    await recordUser(context, tx, caller, change, now)
    return userView(member)
  })
}

/** A password is its owner's secret: the administration of the instance sets one, an organization invites. */
async function chosenPassword(
  { passwords }: Context,
  caller: Caller,
  organization: OrganizationRow,
  { name, email, password }: Wanted,
) {
  if (!password) return undefined
  if (!isAdministration(caller))
    throw refuse('InvalidRequest', { password: 'is chosen by the user, who is invited by e-mail' })
  return passwords.hashNew(password, [name, email, organization.name], caller)
}

/** Two calls that change users run one after the other, so that both see the last administrator. */
const lockUsers = async (tx: Tx, { id }: Pick<OrganizationRow, 'id'>): Promise<void> => {
  if (dialectOf(tx) === 'postgres')
    await tx.selectFrom('organization').select('id').where('id', '=', id).forUpdate().execute()
}

/** The contact of a user as it was known, and with what the administrators of the organization say of it now. */
async function writtenContact(
  tx: Tx,
  { id }: OrganizationRow,
  asked: PlannedPerson,
  now: Date,
): Promise<{ readonly known: ContactRow; readonly contact: ContactRow }> {
  const [known] = await knowContacts(tx, id, [asked], now)
  const { contact } = known!
  const said = {
    name: asked.name || contact.name,
    email: asked.email ?? contact.email,
    phone: asked.phone ?? contact.phone,
  }
  await changeContact(tx, contact, said, now)
  return { known: contact, contact: { ...contact, ...said } }
}

/** The administration vouches for the address: the account of it, made now if a password is given, is linked at once. */
async function signsIn(
  tx: Tx,
  { email, ...contact }: ContactRow,
  passwordHash: string | undefined,
  now: Date,
): Promise<void> {
  if (email === null) return
  const account =
    passwordHash === undefined
      ? await accountByEmail(tx, email)
      : await openAccount(tx, { name: contact.name, email, passwordHash }, now)
  if (account && passwordHash !== undefined) await endSessionsOf(tx, account.id, {}, now)
  if (account) await linkAccount(tx, contact, account.id)
}

/** The default role is operator: a user without given roles creates documents. */
const rightsOf = (profile: Wanted['accessProfile']): Rights => ({
  administrator: profile?.administrator ?? false,
  manager: profile?.manager ?? false,
  operator: profile?.operator ?? true,
})

async function giveRoles(
  tx: Tx,
  organization: OrganizationRow,
  contact: ContactRow,
  rights: Rights,
  now: Date,
): Promise<void> {
  if (!rights.administrator) await keepAdministrator(tx, organization, contact.id)
  const roles = {
    administrator: rights.administrator ? 1 : 0,
    manager: rights.manager ? 1 : 0,
    operator: rights.operator ? 1 : 0,
  }
  await tx
    .insertInto('member')
    .values({
      organization_id: organization.id,
      person_id: contact.id,
      ...roles,
      account_id: null,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doUpdateSet(roles))
    .execute()
}

/** Refused where the contact is the last one who administers the organization. */
async function keepAdministrator(tx: Tx, { id }: OrganizationRow, contactId: string): Promise<void> {
  const administrators = await tx
    .selectFrom('member')
    .select('person_id')
    .where('organization_id', '=', id)
    .where('administrator', '=', 1)
    .execute()
  if (administrators.length === 1 && administrators[0]!.person_id === contactId) throw refuse('LastAdministrator')
}

export const removeUser = (
  context: Context,
  caller: Caller,
  organization: OrganizationRow,
  userId: string,
  now: Date,
): Promise<void> =>
  context.store.transaction(async (tx) => {
    const contactId = userId.toLowerCase()
    const organizationId = organization.id
    await lockUsers(tx, organization)
    await keepAdministrator(tx, organization, contactId)
    const member = await findMember(tx, organizationId, contactId)
    const { numDeletedRows } = await tx
      .deleteFrom('member')
      .where('organization_id', '=', organizationId)
      .where('person_id', '=', contactId)
      .executeTakeFirst()
    if (!member || numDeletedRows === 0n) throw refuse('UserNotFound', { id: userId })
    await recordRemoved(context, tx, caller, { organizationId, member }, now)
  })

const userView = (member: Member): View => ({
  id: member.id,
  name: member.name,
  identifier: member.identifier,
  email: member.email,
  phone: member.phone,
  accessProfile: {
    administrator: member.administrator === 1,
    manager: member.manager === 1,
    operator: member.operator === 1,
  },
  hasAccount: member.account_id !== null,
  creationDate: member.created_at,
})
