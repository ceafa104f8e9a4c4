import type { Db } from '@chancela/service-kernel/store'
import type { Role } from '../rules/rights.ts'
import { DEFAULT_SUBSCRIPTION } from '../rules/subscription.ts'
import type { SubscriptionRow, Tables } from './tables.ts'

/** What an application may do, by subscription. */
export interface ApplicationRoles {
  readonly subscriptionId: string
  readonly roles: readonly Role[]
}

/**
 * Every subscription an application works for. One that the operator made at the machine itself, and to which nobody gave
 * roles, has all of them in the default subscription.
 */
export async function rolesOf(db: Db<Tables>, applicationId: string): Promise<readonly ApplicationRoles[]> {
  const rows = await db
    .selectFrom('application_role')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('subscription_id')
    .execute()
  if (rows.length > 0)
    return rows.map(({ subscription_id, roles }) => ({ subscriptionId: subscription_id, roles: JSON.parse(roles) }))
  const own = await db
    .selectFrom('client_application')
    .select('id')
    .where('id', '=', applicationId)
    .where('by_operator', '=', 1)
    .executeTakeFirst()
  return own ? [{ subscriptionId: DEFAULT_SUBSCRIPTION, roles: ['Admin', 'Manager', 'Worker', 'Monitor'] }] : []
}

export const findSubscription = (db: Db<Tables>, id: string): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst()
