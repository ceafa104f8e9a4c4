// Organizations, for the operator.
import { randomUUID } from 'node:crypto'
import { changesOf } from '@chancela/service-kernel/events'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { changeSubscription, listSubscriptions, SubscriptionView } from '../../contract/subscriptions.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Caller, requireOwn, type SystemCaller } from '../../rules/rights.ts'
import { idOf, soundName } from '../../rules/texts.ts'
import {
  findSubscription,
  insertSubscription,
  listSubscriptions as listRows,
  lockSubscription,
  updateSubscription,
} from '../../store/subscriptions.ts'
import type { SubscriptionRow } from '../../store/tenant-tables.ts'
import { made, record } from './acting.ts'

const view = ({ id, name, disabled_at, created_at, updated_at }: SubscriptionRow): SubscriptionView => ({
  id,
  name,
  disabled: disabled_at !== null,
  creationDate: created_at,
  updateDate: updated_at,
})

const told = ({ name, disabled_at }: SubscriptionRow) => ({ name, disabled: disabled_at !== null })

/** Whoever manages organizations acts in each as its Administrador. */
const actingIn = (caller: SystemCaller, subscriptionId: string): Caller => ({
  ...caller,
  kind: 'system',
  subscriptionId,
  role: 'Administrador',
})

export async function listed({ store }: Context, query: Static<typeof listSubscriptions.query>) {
  const asked = askedOf(query)
  const { items, total } = await listRows(store.db, asked)
  return pageOf(asked, items.map(view), total)
}

export async function readOwn({ store }: Context, caller: Caller, id: string): Promise<SubscriptionView> {
  const found = await findSubscription(store.db, requireOwn(caller, id))
  if (!found) throw refuse('subscription-not-found', { id })
  return view(found)
}

export function create({ store }: Context, caller: SystemCaller, name: string, now: Date): Promise<SubscriptionView> {
  const at = now.toISOString()
  const row: SubscriptionRow = {
    id: randomUUID(),
    name: soundName(name),
    disabled_at: null,
    created_at: at,
    updated_at: at,
  }
  return store.transaction(async (tx) => {
    await insertSubscription(tx, row)
    const entity = { type: 'Subscription', id: row.id }
    const act = { type: 'SubscriptionCreated', entity, data: { name: row.name }, changes: made(told(row)) }
    await record(tx, actingIn(caller, row.id), act, now)
    return view(row)
  })
}

/** What is not given stays. */
export function change(
  { store }: Context,
  caller: SystemCaller,
  id: string,
  { name, disabled }: Static<typeof changeSubscription.body>,
  now: Date,
): Promise<SubscriptionView> {
  const at = now.toISOString()
  const set = {
    ...(name !== undefined && { name: soundName(name) }),
    ...(disabled !== undefined && { disabled_at: disabled ? at : null }),
    updated_at: at,
  }
  return store.transaction(async (tx) => {
    // Whoever changes it second tells of what the first one did.
    await lockSubscription(tx, idOf(id))
    const former = await findSubscription(tx, idOf(id))
    if (!former) throw refuse('subscription-not-found', { id })
    const row = (await updateSubscription(tx, former.id, set))!
    const entity = { type: 'Subscription', id: row.id }
    const changes = changesOf(told(former), told(row))
    const act = { type: 'SubscriptionChanged', entity, data: { name, disabled }, changes }
    await record(tx, actingIn(caller, row.id), act, now)
    return view(row)
  })
}
