// Workstations, their one-time codes, and the PINs they must forget.
import type { Db } from '@chancela/service-kernel/store'
import type { EnrolmentCodeRow, PinToForgetRow, Tables, WorkstationRow } from './tables.ts'

/** Of enrolments made before the channel was TLS between the keys. */
const FORMER_CHANNEL = 1

export const findWorkstation = (db: Db<Tables>, id: string): Promise<WorkstationRow | undefined> =>
  db.selectFrom('workstation').selectAll().where('id', '=', id).executeTakeFirst()

/** Whoever has this key; one that is not revoked first. */
export const findWorkstationByKey = (db: Db<Tables>, publicKey: string): Promise<WorkstationRow | undefined> =>
  db
    .selectFrom('workstation')
    .selectAll()
    .where('public_key', '=', publicKey)
    .orderBy((row) => row.case().when('revoked_at', 'is', null).then(0).else(1).end())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Marks an enrolment for a channel of before as told of; false when it was, or is for the present one. */
export async function noteOutdated(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workstation')
    .set({ outdated_at: now.toISOString() })
    .where('id', '=', id)
    .where('channel', '=', FORMER_CHANNEL)
    .where('outdated_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** By name; revoked ones last. */
export async function listWorkstations(db: Db<Tables>): Promise<readonly WorkstationRow[]> {
  const rows = await db.selectFrom('workstation').selectAll().orderBy('name').orderBy('id').execute()
  return [...rows.filter((row) => row.revoked_at === null), ...rows.filter((row) => row.revoked_at !== null)]
}

/** How many certificates each workstation offers now. */
export async function countOffered(db: Db<Tables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('certificate')
    .select(['workstation_id', (row) => row.fn.countAll<number | string>().as('count')])
    .where('workstation_id', 'is not', null)
    .where('removed_at', 'is', null)
    .groupBy('workstation_id')
    .execute()
  return new Map(rows.map((row) => [row.workstation_id!, Number(row.count)]))
}

export const insertWorkstation = (db: Db<Tables>, row: WorkstationRow) =>
  db.insertInto('workstation').values(row).execute()

/** Changes a workstation that is not revoked; undefined when there is none. */
export async function changeWorkstation(
  db: Db<Tables>,
  id: string,
  changes: Partial<Omit<WorkstationRow, 'id'>>,
): Promise<WorkstationRow | undefined> {
  return db
    .updateTable('workstation')
    .set(changes)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Records a connection of the workstation with this key; undefined when it was revoked or enrolled again meanwhile. */
export const noteConnection = (
  db: Db<Tables>,
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
  seen: Pick<WorkstationRow, 'platform' | 'agent_version' | 'address' | 'last_seen_at'>,
): Promise<WorkstationRow | undefined> =>
  db
    .updateTable('workstation')
    .set(seen)
    .where('id', '=', id)
    .where('public_key', '=', publicKey)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Records a sign of life of all of them in one statement. */
export async function noteSeen(db: Db<Tables>, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('workstation')
    .set({ last_seen_at: now.toISOString() })
    .where('id', 'in', [...ids])
    .execute()
}

/** Deletes the workstation's codes, so that nobody enrols with them. */
export const dropCodes = (db: Db<Tables>, workstationId: string) =>
  db.deleteFrom('enrolment_code').where('workstation_id', '=', workstationId).execute()

/** Replaces the workstation's code: one is valid at a time. */
export async function replaceCode(db: Db<Tables>, row: EnrolmentCodeRow): Promise<void> {
  await dropCodes(db, row.workstation_id)
  await db.insertInto('enrolment_code').values(row).execute()
}

/** Marks a code as used. The `where` is the lock: of two agents with one code, the second fails. */
export const useCode = (db: Db<Tables>, hash: string, now: Date): Promise<EnrolmentCodeRow | undefined> =>
  db
    .updateTable('enrolment_code')
    .set({ used_at: now.toISOString() })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()

export const pinsToForget = (db: Db<Tables>, workstationId: string): Promise<readonly PinToForgetRow[]> =>
  db.selectFrom('pin_to_forget').selectAll().where('workstation_id', '=', workstationId).execute()

export const keepPinToForget = (db: Db<Tables>, row: PinToForgetRow) =>
  db
    .insertInto('pin_to_forget')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workstation_id', 'fingerprint']).doUpdateSet({ at: row.at }))
    .execute()

/** Deletes requests the agent has confirmed; one that was renewed since stays. */
export async function pinsForgotten(db: Db<Tables>, rows: readonly PinToForgetRow[]): Promise<void> {
  for (const { workstation_id, fingerprint, at } of rows)
    await db
      .deleteFrom('pin_to_forget')
      .where('workstation_id', '=', workstation_id)
      .where('fingerprint', '=', fingerprint)
      .where('at', '=', at)
      .execute()
}
