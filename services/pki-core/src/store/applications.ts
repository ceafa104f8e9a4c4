// Applications as the management sees them: the kernel's rows, and what this service knows besides.
import { containingAnyCase, type Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { Role, SubscriptionRoles } from '../rules/rights.ts'
import { DEFAULT_SUBSCRIPTION } from '../rules/subscription.ts'
import { type ListAsked, totalOf } from './lists.ts'
import type { ApplicationAccessRow, Tables } from './tables.ts'

/** An application that was not deleted, with its access where it has some. */
const known = (db: Db<Tables>) =>
  db
    .selectFrom('client_application as c')
    .leftJoin('application_access as a', 'a.application_id', 'c.id')
    .select([
      'c.id',
      'c.name',
      'c.created_at',
      'c.disabled_at',
      'a.subscription_id',
      'a.grant_application_id',
      'a.default_metadata',
    ])
    .where('a.deleted_at', 'is', null)

export type KnownApplication = Awaited<ReturnType<typeof findApplication>> & object

/** Whether an application was made in a subscription or has roles in it; the operator's own are in the default one. */
const isIn = (subscriptionId: string) => sql<boolean>`(
  a.subscription_id = ${subscriptionId}
  or exists (select 1 from application_role r where r.application_id = c.id and r.subscription_id = ${subscriptionId})
  or (${subscriptionId === DEFAULT_SUBSCRIPTION ? 1 : 0} = 1 and c.by_operator = 1 and a.application_id is null
    and not exists (select 1 from application_role r where r.application_id = c.id))
)`

/** Without a subscription: wherever it is. */
export const findApplication = (db: Db<Tables>, id: string, subscriptionId?: string) =>
  known(db)
    .where('c.id', '=', id)
    .$if(subscriptionId !== undefined, (query) => query.where(isIn(subscriptionId!)))
    .executeTakeFirst()

interface ApplicationsAsked extends ListAsked {
  readonly subscriptionId?: string | undefined
  /** The whole name. */
  readonly name?: string | undefined
}

export async function listKnownApplications(
  db: Db<Tables>,
  { subscriptionId, q, name, limit, offset, descending }: ApplicationsAsked,
) {
  const matching = known(db)
    .$if(subscriptionId !== undefined, (query) => query.where(isIn(subscriptionId!)))
    .$if(q !== undefined, (query) => query.where(containingAnyCase('c.name', q!)))
    .$if(name !== undefined, (query) => query.where('c.name', '=', name!))
  const items = await matching
    .orderBy('c.name', descending ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = matching.clearSelect().select((row) => row.fn.countAll<number | string>().as('total'))
  return { items, totalCount: await totalOf(counted) }
}

export const isNameTaken = async (db: Db<Tables>, name: string): Promise<boolean> =>
  (await db.selectFrom('client_application').select('id').where('name', '=', name).executeTakeFirst()) !== undefined

/** Writes what is known of an application; what is not given stays, or is nothing. */
export async function writeAccess(
  db: Db<Tables>,
  applicationId: string,
  subscriptionId: string,
  set: Partial<Pick<ApplicationAccessRow, 'root_roles' | 'grant_application_id' | 'default_metadata'>>,
): Promise<void> {
  const nothing = { root_roles: '[]', grant_application_id: null, default_metadata: '{}', deleted_at: null }
  await db
    .insertInto('application_access')
    .values({ ...nothing, application_id: applicationId, subscription_id: subscriptionId, ...set })
    .onConflict((conflict) =>
      Object.keys(set).length === 0
        ? conflict.column('application_id').doNothing()
        : conflict.column('application_id').doUpdateSet(set),
    )
    .execute()
}

export async function writeRoles(
  db: Db<Tables>,
  applicationId: string,
  { subscriptionId, roles }: SubscriptionRoles,
): Promise<void> {
  const given = JSON.stringify([...new Set<Role>(roles)])
  if (roles.length === 0)
    await db
      .deleteFrom('application_role')
      .where('application_id', '=', applicationId)
      .where('subscription_id', '=', subscriptionId)
      .execute()
  else
    await db
      .insertInto('application_role')
      .values({ application_id: applicationId, subscription_id: subscriptionId, roles: given })
      .onConflict((conflict) => conflict.columns(['application_id', 'subscription_id']).doUpdateSet({ roles: given }))
      .execute()
}

/** False when it was deleted before. The row stays, without its name and its roles. */
export async function forgetApplication(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const { numUpdatedRows } = await db
    .updateTable('application_access')
    .set({ deleted_at: at, root_roles: '[]' })
    .where('application_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db.deleteFrom('application_role').where('application_id', '=', id).execute()
  const name = `deleted ${id}`
  await db.updateTable('client_application').set({ name, disabled_at: at }).where('id', '=', id).execute()
  await db
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('application_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  return true
}
