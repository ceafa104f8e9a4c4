import type { Db } from '@chancela/service-kernel/store'
import type { SecurityContextRow, Tables } from './tables.ts'

/** A context of the subscription; those of others do not exist for it. */
export const findContext = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
): Promise<SecurityContextRow | undefined> =>
  db
    .selectFrom('security_context')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
