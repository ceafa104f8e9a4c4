import { changesOf, type EventChanges } from '@chancela/service-kernel/events'
import type { Db } from '@chancela/service-kernel/store'
import type { Caller } from '../../rules/rights.ts'
import { recordEvents } from '../../store/entity-events.ts'
import type { Tables } from '../../store/tables.ts'
import { actorOf } from '../items/item-changes.ts'

/** What was done with an item. */
export interface Act {
  readonly type: string
  readonly entity: { readonly type: string; readonly id: string }
  readonly data?: object
  /** What it changed, as it was and as it is. */
  readonly changes?: EventChanges | undefined
}

/** Records what a caller did, in the transaction of the deed. */
export const recordAll = (db: Db<Tables>, caller: Caller, acts: readonly Act[], now: Date): Promise<void> =>
  recordEvents(
    db,
    acts.map(({ type, entity, data, changes }) => ({
      subscription_id: caller.subscriptionId,
      type,
      ...actorOf(caller),
      entity_type: entity.type,
      entity_id: entity.id,
      data,
      changes,
    })),
    now,
  )

/** What is new, as its event tells of it. */
export const made = (after: EventChanges['after']): EventChanges => ({ before: {}, after })

/** What is no more. */
export const gone = (before: EventChanges['before']): EventChanges => ({ before, after: {} })

/** A state that became another. */
export const statusChange = (before: { readonly status: string }, after: { readonly status: string }) =>
  changesOf({ status: before.status }, { status: after.status })

/** Settings that were given; a secret shows in nothing but that there is another. */
export function settingsChanges(
  before: EventChanges['before'] | undefined,
  after: EventChanges['after'],
  replaced: readonly string[],
): EventChanges | undefined {
  const others = replaced.length > 0 ? { replaced } : {}
  if (!before) return made({ ...after, ...others })
  const changes = changesOf(before, after)
  if (!changes && replaced.length === 0) return undefined
  return { before: changes?.before ?? {}, after: { ...changes?.after, ...others } }
}

export const record = (db: Db<Tables>, caller: Caller, act: Act, now: Date): Promise<void> =>
  recordAll(db, caller, [act], now)
