// Who did what with an item, for its organization.
import { type AuditChain, type ChainedKind, type EventChanges, redact } from '@chancela/service-kernel/events'
import { type Db, newRowId, type Store } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'
import { entityEventOf } from './entity-event.ts'
import type { Tables } from './tables.ts'
import type { EntityEventRow } from './tenant-tables.ts'

export interface NewEntityEvent extends Omit<EntityEventRow, 'id' | 'at' | 'data' | 'address' | 'changes'> {
  readonly data?: object | undefined
  /** Of the client, if a request asked for it. */
  readonly address?: string | undefined
  /** Values under the names of secrets are not stored. */
  readonly changes?: EventChanges | undefined
}

/** In the transaction of what it tells of. */
export async function recordEvents(db: Db<Tables>, events: readonly NewEntityEvent[], now: Date): Promise<void> {
  const at = now.toISOString()
  const rows = events.map(({ data, address, changes, ...event }) => ({
    ...event,
    id: newRowId(now),
    at,
    data: data === undefined ? null : JSON.stringify(data),
    address: address ?? null,
    changes: changes === undefined ? null : JSON.stringify(redact(changes)),
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

/** The events of organizations, as the audit chain covers them. */
export const chainedEntityEvents: ChainedKind = {
  kind: 'entity-event',
  table: 'entity_event',
  key: ['id'],
  id: 'id',
  at: 'at',
  covered: [
    'id',
    'subscription_id',
    'at',
    'type',
    'actor_kind',
    'actor_id',
    'actor_name',
    'entity_type',
    'entity_id',
    'data',
  ],
  added: ['address', 'changes'],
  uncovered: [],
  event: (record) => entityEventOf(record as unknown as EntityEventRow),
}

const SWEPT_AT_ONCE = 1000

/** True while there may be more. Their links stay, and say that they are gone. */
export const sweepEvents = (store: Store<Tables>, chain: AuditChain, before: Date): Promise<boolean> =>
  store.transaction(async (tx) => {
    const old = tx
      .selectFrom('entity_event')
      .select('id')
      .where('at', '<', before.toISOString())
      .orderBy('id')
      .limit(SWEPT_AT_ONCE)
    const ids = (await old.execute()).map(({ id }) => id)
    if (ids.length === 0) return false
    await chain.removing(tx, 'retention', { [chainedEntityEvents.kind]: sql<SqlBool>`id in (${sql.join(ids)})` })
    await tx.deleteFrom('entity_event').where('id', 'in', ids).execute()
    return ids.length === SWEPT_AT_ONCE
  })
