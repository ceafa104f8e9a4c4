import { containingAnyCase, type Db } from '@chancela/service-kernel/store'
import type { Role } from '../contract/vocabulary.ts'
import type { Tables } from './tables.ts'

const known = (db: Db<Tables>, subscriptionId: string) =>
  db
    .selectFrom('client_application as c')
    .innerJoin('application_role as r', 'r.application_id', 'c.id')
    .select(['c.id', 'c.name', 'c.created_at', 'c.disabled_at', 'r.role'])
    .where('r.subscription_id', '=', subscriptionId)
    .where('r.deleted_at', 'is', null)

export type KnownApplication = NonNullable<Awaited<ReturnType<typeof findApplication>>>

export const findApplication = (db: Db<Tables>, subscriptionId: string, id: string) =>
  known(db, subscriptionId).where('c.id', '=', id).executeTakeFirst()

export async function listApplications(
  db: Db<Tables>,
  subscriptionId: string,
  { q, limit, offset }: { readonly q: string | undefined; readonly limit: number; readonly offset: number },
) {
  const matching = known(db, subscriptionId).$if(q !== undefined, (query) =>
    query.where(containingAnyCase('c.name', q!)),
  )
  const items = await matching.orderBy('c.name').orderBy('c.id').limit(limit).offset(offset).execute()
  const { total } = await matching
    .clearSelect()
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

export const giveRole = async (
  db: Db<Tables>,
  { applicationId, subscriptionId, role }: { applicationId: string; subscriptionId: string; role: Role },
  now: Date,
): Promise<void> => {
  await db
    .insertInto('application_role')
    .values({
      application_id: applicationId,
      subscription_id: subscriptionId,
      role,
      created_at: now.toISOString(),
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.column('application_id').doUpdateSet({ role }))
    .execute()
}

/** The row stays, without its name; its keys are revoked. */
export async function forgetApplication(db: Db<Tables>, id: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.updateTable('application_role').set({ deleted_at: at }).where('application_id', '=', id).execute()
  await db
    .updateTable('client_application')
    .set({ name: `deleted ${id}`, disabled_at: at })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('application_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}
