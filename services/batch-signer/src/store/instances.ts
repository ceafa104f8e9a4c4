import { type Db, moving } from '@chancela/service-kernel/store'
import { instanceMoves } from '../rules/instances.ts'
import type { InstanceRow, Tables } from './tables.ts'

export const listInstances = (db: Db<Tables>): Promise<InstanceRow[]> =>
  db.selectFrom('instance').selectAll().orderBy('started_at').execute()

export async function addInstance(db: Db<Tables>, row: InstanceRow): Promise<void> {
  await db.insertInto('instance').values(row).execute()
}

/** A sign of life; false when the row is gone, as after a restored database. */
export async function beat(db: Db<Tables>, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ last_heartbeat: at.toISOString() })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Moves an instance; `seen` is the last sign of life on which the decision rests. False when it was moved or lives. */
export async function moveInstance(
  db: Db<Tables>,
  id: string,
  move: keyof typeof instanceMoves,
  seen?: string,
): Promise<boolean> {
  const request = { table: 'instance', column: 'state', moves: instanceMoves, move } as const
  let query = moving(db, request).where('id', '=', id)
  if (seen !== undefined) query = query.where('last_heartbeat', '=', seen)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Forgets instances that ended before this time. */
export async function pruneInstances(db: Db<Tables>, before: Date): Promise<void> {
  await db
    .deleteFrom('instance')
    .where('state', '!=', 'Live')
    .where('last_heartbeat', '<', before.toISOString())
    .execute()
}
