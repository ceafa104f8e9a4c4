// What applications and people may do, and where.
import type { Db } from '@chancela/service-kernel/store'
import type { Role } from '../contract/vocabulary.ts'
import type { Tables } from './tables.ts'

/** A role in a subscription. */
export interface Standing {
  readonly subscriptionId: string
  readonly role: Role
  readonly isDisabled: boolean
}

interface Found {
  readonly id: string
  readonly role: Role
  readonly disabled_at: string | null
}

const standingOf = ({ id, role, disabled_at }: Found): Standing => ({
  subscriptionId: id,
  role,
  isDisabled: disabled_at !== null,
})

/** `system`: made by the operator at the machine itself. Undefined: deleted, or of nobody. */
export async function applicationStanding(
  db: Db<Tables>,
  applicationId: string,
): Promise<Standing | 'system' | undefined> {
  const found = await db
    .selectFrom('client_application as c')
    .leftJoin('application_role as r', 'r.application_id', 'c.id')
    .leftJoin('subscription as s', 's.id', 'r.subscription_id')
    .select(['c.by_operator', 's.id', 'r.role', 's.disabled_at', 'r.deleted_at'])
    .where('c.id', '=', applicationId)
    .executeTakeFirst()
  if (!found || found.deleted_at !== null) return undefined
  const { id, role, disabled_at } = found
  if (id !== null && role !== null) return standingOf({ id, role, disabled_at })
  return found.by_operator === 1 ? 'system' : undefined
}

/** What the operator is in a subscription; undefined where there is none. */
export async function standingIn(db: Db<Tables>, id: string): Promise<Standing | undefined> {
  const found = await db.selectFrom('subscription').select('disabled_at').where('id', '=', id).executeTakeFirst()
  return found && { subscriptionId: id, role: 'Administrador', isDisabled: found.disabled_at !== null }
}

/** A person's role in a subscription, and who the person is there. */
export interface Membership extends Standing {
  readonly userId: string
  readonly name: string
  readonly subscriptionName: string
}

export async function membershipsOf(db: Db<Tables>, personId: string): Promise<readonly Membership[]> {
  const rows = await db
    .selectFrom('membership as m')
    .innerJoin('subscription as s', 's.id', 'm.subscription_id')
    .select(['m.id as user_id', 'm.name', 'm.role', 's.id', 's.name as subscription_name', 's.disabled_at'])
    .where('m.person_id', '=', personId)
    .orderBy('s.name')
    .execute()
  return rows.map((row) => ({
    ...standingOf(row),
    userId: row.user_id,
    name: row.name,
    subscriptionName: row.subscription_name,
  }))
}
