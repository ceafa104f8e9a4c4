import type { Db } from '@chancela/service-kernel/store'
import type { Caller } from '../../rules/rights.ts'
import { recordEvents } from '../../store/entity-events.ts'
import type { Tables } from '../../store/tables.ts'

/** What was done with an item. */
export interface Act {
  readonly type: string
  readonly entity: { readonly type: string; readonly id: string }
  readonly data?: object
}

/** Records what a caller did, in the transaction of the deed. */
export const recordAll = (db: Db<Tables>, caller: Caller, acts: readonly Act[], now: Date): Promise<void> =>
  recordEvents(
    db,
    acts.map(({ type, entity, data }) => ({
      subscription_id: caller.subscriptionId,
      type,
      actor_kind: caller.kind,
      actor_id: caller.id,
      actor_name: caller.name,
      entity_type: entity.type,
      entity_id: entity.id,
      data,
    })),
    now,
  )

export const record = (db: Db<Tables>, caller: Caller, act: Act, now: Date): Promise<void> =>
  recordAll(db, caller, [act], now)
