import { containingAnyCase, type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
import type { Tables } from './tables.ts'
import type { MembershipRow } from './tenant-tables.ts'

interface Name {
  readonly subscriptionId: string
  readonly id: string
}

export const findMembership = (db: Db<Tables>, { subscriptionId, id }: Name): Promise<MembershipRow | undefined> =>
  db
    .selectFrom('membership')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

export async function listMemberships(
  db: Db<Tables>,
  subscriptionId: string,
  { q, limit, offset }: { readonly q: string | undefined; readonly limit: number; readonly offset: number },
) {
  const matching = db
    .selectFrom('membership')
    .where('subscription_id', '=', subscriptionId)
    .$if(q !== undefined, (query) =>
      query.where((row) => row.or([containingAnyCase('name', q!), containingAnyCase('email', q!)])),
    )
  const items = await matching.selectAll().orderBy('name').orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await matching
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

export async function insertMembership(db: Db<Tables>, row: MembershipRow): Promise<void> {
  try {
    await db.insertInto('membership').values(row).execute()
  } catch (error) {
    throw isUniqueViolation(error)
      ? refuse('already-exists', { fields: { email: ['is the address of another user'] } }, error)
      : error
  }
}

export const updateMembership = (
  db: Db<Tables>,
  id: string,
  set: Partial<Pick<MembershipRow, 'name' | 'role' | 'updated_at'>>,
): Promise<MembershipRow | undefined> =>
  db.updateTable('membership').set(set).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteMembership = async (db: Db<Tables>, id: string): Promise<void> => {
  await db.deleteFrom('membership').where('id', '=', id).execute()
}

/** Whether somebody else, who can sign in, is Administrador. */
export const hasOtherAdministrador = async (db: Db<Tables>, { subscriptionId, id }: Name): Promise<boolean> =>
  (await db
    .selectFrom('membership')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('role', '=', 'Administrador')
    .where('person_id', 'is not', null)
    .where('id', '!=', id)
    .executeTakeFirst()) !== undefined

/** The person whose invitation this was; false when it was accepted before. */
export async function linkPerson(db: Db<Tables>, id: string, personId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('membership')
    .set({ person_id: personId, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('person_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
