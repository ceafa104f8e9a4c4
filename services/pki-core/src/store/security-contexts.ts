import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
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

export const listContexts = (db: Db<Tables>, subscriptionId: string): Promise<readonly SecurityContextRow[]> =>
  db
    .selectFrom('security_context')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .orderBy('name')
    .orderBy('id')
    .execute()

export const insertContext = (db: Db<Tables>, row: SecurityContextRow): Promise<void> =>
  named(row.name, async () => void (await db.insertInto('security_context').values(row).execute()))

type Changed = Pick<SecurityContextRow, 'name' | 'roots' | 'intermediates' | 'revocation' | 'policies' | 'updated_at'>

/** Its version grows, so that every process judges anew. */
export const updateContext = (db: Db<Tables>, id: string, set: Changed): Promise<SecurityContextRow | undefined> =>
  named(set.name, () =>
    db
      .updateTable('security_context')
      .set((row) => ({ ...set, version: row('version', '+', 1) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
  )

export const deleteContext = async (db: Db<Tables>, id: string): Promise<void> => {
  await db.deleteFrom('security_context').where('id', '=', id).execute()
}

async function named<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('EntityAlreadyExists', { entity: 'SecurityContext', name }, error) : error
  }
}
