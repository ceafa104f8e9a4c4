// Users of organizations: add, change roles, remove.

import { hashPassword } from '@chancela/service-kernel/secrets'
import { dialectOf, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { addOwnUser, listOwnUsers, OrganizationUser } from '../../contract/organizations.ts'
import { type Caller, isAdministration, type Rights } from '../../rules/caller.ts'
import { planPerson } from '../../rules/flow-plan.ts'
import { pageOf, textOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { countMembers, findMember, listMembers, type Member, membershipsOf } from '../../store/member-reads.ts'
import { knowPersons } from '../../store/persons.ts'
import type { OrganizationRow, PersonRow, Tables } from '../../store/tables.ts'

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

/** Adds a user, or changes the roles of an existing one. */
export async function addUser(
  { store, settings }: Context,
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
  if (asked.email === null) throw refuse('InvalidRequest', { email: 'is required' })
  const { email } = asked
  const passwordHash = wanted.password ? await hashPassword(wanted.password, settings.Auth.PasswordCost) : undefined
  return store.transaction(async (tx) => {
    await lockUsers(tx, organization)
    const [known] = await knowPersons(tx, [asked], now)
    const { person } = known!
    if (!isAdministration(caller)) await refuseForeign(tx, organization, person)
    await logIn(tx, person, { email, password_hash: passwordHash ?? person.password_hash }, now)
    await giveRoles(tx, organization, person, rightsOf(wanted.accessProfile), now)
    return userView((await findMember(tx, organization.id, person.id))!)
  })
}

/** Serializes concurrent changes of users, so that both see the last administrator. */
const lockUsers = async (tx: Tx, { id }: Pick<OrganizationRow, 'id'>): Promise<void> => {
  if (dialectOf(tx) === 'postgres')
    await tx.selectFrom('organization').select('id').where('id', '=', id).forUpdate().execute()
}

/**
 * Only the administration may add a person who already signs in for another organization: otherwise whoever chose that
 * person's password would gain access, too.
 */
async function refuseForeign(tx: Tx, { id }: OrganizationRow, person: PersonRow): Promise<void> {
  const organizations = await membershipsOf(tx, person.id)
  const isForeign =
    organizations.length > 0 ? organizations.some((each) => each.id !== id) : person.password_hash !== null
  if (isForeign) throw refuse('UserEmailTaken', { email: person.email, reason: 'A user of another organization.' })
}

async function logIn(
  tx: Tx,
  person: PersonRow,
  login: Pick<PersonRow, 'email' | 'password_hash'>,
  now: Date,
): Promise<void> {
  if (person.email === login.email && person.password_hash === login.password_hash) return
  await changePerson(tx, person.id, login, now)
}

/** Changes a person; e-mail addresses of people who sign in are unique. */
export async function changePerson(
  tx: Tx,
  id: string,
  changes: Partial<Pick<PersonRow, 'name' | 'email' | 'phone' | 'password_hash'>>,
  now: Date,
): Promise<void> {
  try {
    await tx
      .updateTable('person')
      .set({ ...changes, updated_at: now.toISOString() })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('UserEmailTaken', { email: changes.email }, error) : error
  }
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
  person: PersonRow,
  rights: Rights,
  now: Date,
): Promise<void> {
  if (!rights.administrator) await keepAdministrator(tx, organization, person.id)
  const roles = {
    administrator: rights.administrator ? 1 : 0,
    manager: rights.manager ? 1 : 0,
    operator: rights.operator ? 1 : 0,
  }
  await tx
    .insertInto('member')
    .values({ organization_id: organization.id, person_id: person.id, ...roles, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doUpdateSet(roles))
    .execute()
}

/** Refuses when the person is the last administrator of the organization. */
async function keepAdministrator(tx: Tx, { id }: OrganizationRow, personId: string): Promise<void> {
  const administrators = await tx
    .selectFrom('member')
    .select('person_id')
    .where('organization_id', '=', id)
    .where('administrator', '=', 1)
    .execute()
  if (administrators.length === 1 && administrators[0]!.person_id === personId) throw refuse('LastAdministrator')
}

export const removeUser = ({ store }: Context, organization: OrganizationRow, userId: string): Promise<void> =>
  store.transaction(async (tx) => {
    const personId = userId.toLowerCase()
    await lockUsers(tx, organization)
    await keepAdministrator(tx, organization, personId)
    const { numDeletedRows } = await tx
      .deleteFrom('member')
      .where('organization_id', '=', organization.id)
      .where('person_id', '=', personId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw refuse('UserNotFound', { id: userId })
  })

const userView = (member: Member): View => ({
  id: member.id,
  name: member.name,
  identifier: member.identifier,
  email: member.email,
  accessProfile: {
    administrator: member.administrator === 1,
    manager: member.manager === 1,
    operator: member.operator === 1,
  },
  creationDate: member.created_at,
})
