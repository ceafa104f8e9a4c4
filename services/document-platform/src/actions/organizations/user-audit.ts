import { changesOf } from '@chancela/service-kernel/events'
// What the audit tells of the users of an organization.
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { AuditKind } from '../../contract/audit.ts'
import type { Caller } from '../../rules/caller.ts'
import type { Member } from '../../store/member-reads.ts'
import type { Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>

const dataOf = ({ name, identifier, email, phone }: Member) => ({ name, identifier, email, phone })

const rolesOf = ({ administrator, manager, operator }: Member) => ({
  administrator: administrator === 1,
  manager: manager === 1,
  operator: operator === 1,
})

const subjectOf = ({ id, name }: Member) => ({ kind: 'user', id, name })

interface UserChange {
  readonly organizationId: string
  /** The user as it was; nothing when it was added now. */
  readonly former: Member | undefined
  readonly member: Member
  readonly isInvited: boolean
}

/** A user was added, or given other data or roles; and invited, where nobody signs in as it. */
export async function recordUser(
  { audit }: Context,
  tx: Tx,
  caller: Caller,
  { organizationId, former, member, isInvited }: UserChange,
  now: Date,
): Promise<void> {
  const record = (kind: AuditKind, more: { before?: object; after?: object } | undefined) =>
    more && audit.record(tx, { kind, organizationId, actor: caller, subject: subjectOf(member), ...more }, now)
  if (former) {
    await record('UserChanged', changesOf(dataOf(former), dataOf(member)))
    await record('UserRolesChanged', changesOf(rolesOf(former), rolesOf(member)))
  } else await record('UserAdded', { after: { ...dataOf(member), ...rolesOf(member) } })
  if (isInvited) await record('InvitationSent', { after: { email: member.email } })
}

export const recordRemoved = (
  { audit }: Context,
  tx: Tx,
  caller: Caller,
  { organizationId, member }: { readonly organizationId: string; readonly member: Member },
  now: Date,
): Promise<void> => {
  const before = { ...dataOf(member), ...rolesOf(member) }
  const removed = { kind: 'UserRemoved', organizationId, actor: caller } as const
  return audit.record(tx, { ...removed, subject: subjectOf(member), before }, now)
}
