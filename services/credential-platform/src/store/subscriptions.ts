import { containingAnyCase, type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
import type { Tables } from './tables.ts'
import type { SubscriptionRow } from './tenant-tables.ts'

export const findSubscription = (db: Db<Tables>, id: string): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst()

/** Until the transaction ends: of two who change what a subscription has once, one comes second. */
export const lockSubscription = async (db: Db<Tables>, id: string): Promise<void> => {
  await db
    .updateTable('subscription')
    .set((row) => ({ name: row.ref('name') }))
    .where('id', '=', id)
    .execute()
}

export async function listSubscriptions(
  db: Db<Tables>,
  { q, limit, offset }: { readonly q: string | undefined; readonly limit: number; readonly offset: number },
) {
  const matching = db
    .selectFrom('subscription')
    .$if(q !== undefined, (query) => query.where(containingAnyCase('name', q!)))
  const items = await matching.selectAll().orderBy('name').orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await matching
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

export const insertSubscription = (db: Db<Tables>, row: SubscriptionRow): Promise<void> =>
  named(async () => void (await db.insertInto('subscription').values(row).execute()))

/** The row as it is then; undefined where there is none. */
export const updateSubscription = (
  db: Db<Tables>,
  id: string,
  set: Partial<Pick<SubscriptionRow, 'name' | 'disabled_at' | 'updated_at'>>,
): Promise<SubscriptionRow | undefined> =>
  named(() => db.updateTable('subscription').set(set).where('id', '=', id).returningAll().executeTakeFirst())

async function named<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error)
      ? refuse('already-exists', { fields: { name: ['is the name of another subscription'] } }, error)
      : error
  }
}
