import { containingAnyCase, type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
import { roles as everyRole, type Standing } from '../rules/rights.ts'
import { DEFAULT_SUBSCRIPTION } from '../rules/subscription.ts'
import { type ListAsked, totalOf } from './lists.ts'
import type { SubscriptionRow, Tables } from './tables.ts'

/** What an application may do that the operator made at the machine itself, until somebody gives it roles. */
const OPERATORS: Standing = {
  subscriptions: [{ subscriptionId: DEFAULT_SUBSCRIPTION, roles: everyRole }],
  rootRoles: ['Owner'],
}

const NOTHING: Standing = { subscriptions: [], rootRoles: [] }

/** Everything an application may do. */
export const standingOf = async (db: Db<Tables>, applicationId: string): Promise<Standing> =>
  (await standingsOf(db, [applicationId])).get(applicationId)!

/** The same of several. */
export async function standingsOf(db: Db<Tables>, ids: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
  if (ids.length === 0) return new Map()
  const given = await db
    .selectFrom('application_role')
    .selectAll()
    .where('application_id', 'in', ids)
    .orderBy('subscription_id')
    .execute()
  const applications = await db
    .selectFrom('client_application as c')
    .leftJoin('application_access as a', 'a.application_id', 'c.id')
    .select(['c.id', 'c.by_operator', 'a.root_roles', 'a.deleted_at'])
    .where('c.id', 'in', ids)
    .execute()
  const standings = applications.map(({ id, by_operator, root_roles, deleted_at }): [string, Standing] => {
    const subscriptions = given
      .filter(({ application_id }) => application_id === id)
      .map(({ subscription_id, roles }) => ({ subscriptionId: subscription_id, roles: JSON.parse(roles) }))
    if (deleted_at !== null) return [id, NOTHING]
    const isOperators = by_operator === 1 && root_roles === null && subscriptions.length === 0
    return [id, isOperators ? OPERATORS : { subscriptions, rootRoles: JSON.parse(root_roles ?? '[]') }]
  })
  return new Map([...ids.map((id): [string, Standing] => [id, NOTHING]), ...standings])
}

export const findSubscription = (db: Db<Tables>, id: string): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst()

export async function listSubscriptions(db: Db<Tables>, { q, limit, offset, descending }: ListAsked) {
  const matching = db
    .selectFrom('subscription')
    .$if(q !== undefined, (query) => query.where(containingAnyCase('name', q!)))
  const items = await matching
    .selectAll()
    .orderBy('name', descending ? 'desc' : 'asc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items, totalCount: await totalOf(matching.select((row) => row.fn.countAll<number | string>().as('total'))) }
}

export const insertSubscription = (db: Db<Tables>, row: SubscriptionRow): Promise<void> =>
  named(row.name, async () => void (await db.insertInto('subscription').values(row).execute()))

/** Until the transaction ends: of two who choose and delete a default context one comes second. */
export const lockSubscription = async (db: Db<Tables>, id: string): Promise<void> => {
  await db
    .updateTable('subscription')
    .set((row) => ({ name: row.ref('name') }))
    .where('id', '=', id)
    .execute()
}

/** The row as it is then; undefined where there is none. */
export const updateSubscription = (
  db: Db<Tables>,
  id: string,
  set: Partial<Pick<SubscriptionRow, 'name' | 'disabled_at' | 'default_context_id'>>,
): Promise<SubscriptionRow | undefined> =>
  named(set.name, () => db.updateTable('subscription').set(set).where('id', '=', id).returningAll().executeTakeFirst())

async function named<T>(name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('EntityAlreadyExists', { entity: 'Subscription', name }, error) : error
  }
}
