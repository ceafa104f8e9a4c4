import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** A state value of the instance. */
export const readState = async (db: Db<Tables>, name: string): Promise<string | undefined> =>
  (await db.selectFrom('instance_state').select('value').where('name', '=', name).executeTakeFirst())?.value

/** Compare-and-set: false when another instance changed the value first. `from` is undefined for a new value. */
export async function moveState(
  db: Db<Tables>,
  name: string,
  from: string | undefined,
  value: string,
): Promise<boolean> {
  if (from === undefined) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('instance_state')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('instance_state')
    .set({ value })
    .where('name', '=', name)
    .where('value', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
