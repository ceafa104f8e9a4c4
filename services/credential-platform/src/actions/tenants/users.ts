// The users of an organization.
import { randomUUID } from 'node:crypto'
import type { Mail, Mailer } from '@chancela/outbox/mail'
import { changesOf } from '@chancela/service-kernel/events'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Db } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { changeUser, createUser, InvitedUser, listUsers, UserView } from '../../contract/users.ts'
import { invitationMail } from '../../parts/mail/invitation-mail.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf, soundName } from '../../rules/texts.ts'
import {
  deleteMembership,
  findMembership,
  hasOtherAdministrador,
  insertMembership,
  listMemberships,
  updateMembership,
} from '../../store/memberships.ts'
import { findSubscription, lockSubscription } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'
import type { MembershipRow } from '../../store/tenant-tables.ts'
import { gone, made, record } from './acting.ts'
import { invitationUrl } from './invitations.ts'

const view = (row: MembershipRow): UserView => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  accepted: row.person_id !== null,
  creationDate: row.created_at,
  updateDate: row.updated_at,
})

/** Who invites, and how the person learns of it. */
export interface Inviting {
  readonly context: Context
  readonly mailer: Mailer
  readonly language: InterfaceLanguage
}

/** Mailed where mails are sent; else whoever invites hands the link over. */
async function invited(
  inviting: Inviting,
  tx: Transaction<Tables>,
  row: MembershipRow,
  now: Date,
): Promise<InvitedUser> {
  const { context, mailer } = inviting
  if (row.person_id !== null) return { ...view(row), invitationUrl: null, invitationMailed: false }
  const url = invitationUrl(context, row, now)
  if (!context.settings.Email.Enabled) return { ...view(row), invitationUrl: url, invitationMailed: false }
  await mailer.enqueue(tx, [await mailOf(inviting, tx, row, url, now)], now)
  // Who invites must not be able to enter in the place of whoever has the address.
  return { ...view(row), invitationUrl: null, invitationMailed: true }
}

async function mailOf(
  { context, language }: Inviting,
  tx: Transaction<Tables>,
  { name, email, subscription_id }: MembershipRow,
  url: string,
  now: Date,
): Promise<Mail> {
  const organization = (await findSubscription(tx, subscription_id))?.name ?? ''
  const validHours = context.settings.Users.InvitationHours
  return invitationMail({ name, email, organization, url, validHours, language }, now)
}

async function required(db: Db<Tables>, { subscriptionId }: Caller, id: string): Promise<MembershipRow> {
  const found = await findMembership(db, { subscriptionId, id: idOf(id) })
  if (!found) throw refuse('user-not-found', { id })
  return found
}

export async function listed({ store }: Context, caller: Caller, query: Static<typeof listUsers.query>) {
  const asked = askedOf(query)
  const { items, total } = await listMemberships(store.db, caller.subscriptionId, asked)
  return pageOf(asked, items.map(view), total)
}

export const read = async ({ store }: Context, caller: Caller, id: string): Promise<UserView> =>
  view(await required(store.db, caller, id))

const entityOf = ({ id }: MembershipRow) => ({ type: 'User', id })

const told = ({ name, email, role }: MembershipRow) => ({ name, email, role })

export function create(
  inviting: Inviting,
  caller: Caller,
  { name, email, role }: Static<typeof createUser.body>,
  now: Date,
): Promise<InvitedUser> {
  const at = now.toISOString()
  const row: MembershipRow = {
    id: randomUUID(),
    subscription_id: caller.subscriptionId,
    person_id: null,
    name: soundName(name),
    email: email.trim().toLowerCase(),
    role,
    created_at: at,
    updated_at: at,
  }
  return inviting.context.store.transaction(async (tx) => {
    await insertMembership(tx, row)
    const data = { email: row.email, role }
    await record(tx, caller, { type: 'UserInvited', entity: entityOf(row), data, changes: made(told(row)) }, now)
    return invited(inviting, tx, row, now)
  })
}

export const inviteAgain = (inviting: Inviting, caller: Caller, id: string, now: Date): Promise<InvitedUser> =>
  inviting.context.store.transaction(async (tx) => {
    const row = await required(tx, caller, id)
    const data = { email: row.email }
    if (row.person_id === null) await record(tx, caller, { type: 'UserInvited', entity: entityOf(row), data }, now)
    return invited(inviting, tx, row, now)
  })

/** One Administrador who can sign in always stays; the operator may leave an organization without any. */
async function requireAnother(db: Db<Tables>, caller: Caller, { id, role, person_id }: MembershipRow): Promise<void> {
  if (caller.kind === 'system' || role !== 'Administrador' || person_id === null) return
  if (!(await hasOtherAdministrador(db, { subscriptionId: caller.subscriptionId, id })))
    throw refuse('last-administrador')
}

export function change(
  { store }: Context,
  caller: Caller,
  id: string,
  { name, role }: Static<typeof changeUser.body>,
  now: Date,
): Promise<UserView> {
  return store.transaction(async (tx) => {
    // Two who take the role from each other come one after the other.
    await lockSubscription(tx, caller.subscriptionId)
    const former = await required(tx, caller, id)
    if (role === 'Gerente') await requireAnother(tx, caller, former)
    const set = { ...(name !== undefined && { name: soundName(name) }), ...(role !== undefined && { role }) }
    const row = (await updateMembership(tx, former.id, { ...set, updated_at: now.toISOString() }))!
    const changes = changesOf(told(former), told(row))
    await record(tx, caller, { type: 'UserChanged', entity: entityOf(row), data: set, changes }, now)
    return view(row)
  })
}

export function remove({ store }: Context, caller: Caller, id: string, now: Date): Promise<void> {
  return store.transaction(async (tx) => {
    await lockSubscription(tx, caller.subscriptionId)
    const former = await required(tx, caller, id)
    await requireAnother(tx, caller, former)
    await deleteMembership(tx, former.id)
    const data = { email: former.email }
    await record(tx, caller, { type: 'UserRemoved', entity: entityOf(former), data, changes: gone(told(former)) }, now)
  })
}
