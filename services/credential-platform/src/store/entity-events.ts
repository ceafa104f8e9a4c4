// Who did what with an item, for its organization.
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { EntityEventRow } from './tenant-tables.ts'

export type NewEntityEvent = Omit<EntityEventRow, 'id' | 'at' | 'data'> & { readonly data?: object | undefined }

/** In the transaction of what it tells of. */
export async function recordEvents(db: Db<Tables>, events: readonly NewEntityEvent[], now: Date): Promise<void> {
  const at = now.toISOString()
  const rows = events.map(({ data, ...event }) => ({
    ...event,
    id: newRowId(now),
    at,
    data: data === undefined ? null : JSON.stringify(data),
  }))
  if (rows.length > 0) await db.insertInto('entity_event').values(rows).execute()
}

interface EventsAsked {
  readonly subscriptionId: string
  readonly entityId?: string | undefined
  readonly entityTypes?: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

const matching = (db: Db<Tables>, { subscriptionId, entityId, entityTypes }: EventsAsked) =>
  db
    .selectFrom('entity_event')
    .where('subscription_id', '=', subscriptionId)
    .$if(entityId !== undefined, (query) => query.where('entity_id', '=', entityId!))
    .$if(entityTypes !== undefined, (query) => query.where('entity_type', 'in', entityTypes!))

/** The newest first. */
export const listEvents = (db: Db<Tables>, asked: EventsAsked): Promise<readonly EntityEventRow[]> =>
  matching(db, asked).selectAll().orderBy('id', 'desc').limit(asked.limit).offset(asked.offset).execute()

const SWEPT_AT_ONCE = 1000

/** True while there may be more. */
export async function sweepEvents(db: Db<Tables>, before: Date): Promise<boolean> {
  const old = db
    .selectFrom('entity_event')
    .select('id')
    .where('at', '<', before.toISOString())
    .orderBy('id')
    .limit(SWEPT_AT_ONCE)
  const { numDeletedRows } = await db.deleteFrom('entity_event').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows) === SWEPT_AT_ONCE
}
