// Subscriptions, for those who have roles in the instance (pki-core facts 4.6).
import { randomUUID } from 'node:crypto'
import { invalidField } from '@chancela/service-kernel/errors'
import type { Db } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { changeSubscription, listSubscriptions, SubscriptionModel } from '../../contract/subscriptions.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  findSubscription,
  insertSubscription,
  listSubscriptions as listRows,
  updateSubscription,
} from '../../store/subscriptions.ts'
import type { SubscriptionRow, Tables } from '../../store/tables.ts'
import { act, change, type Management, type Manager } from './acting.ts'
import { listAsked } from './list-asked.ts'

type View = Static<typeof SubscriptionModel>

const subscriptionView = (row: SubscriptionRow): View => ({
  id: row.id,
  name: row.name,
  disabled: row.disabled_at !== null,
  defaultSecurityContextId: row.default_context_id,
  dateCreated: row.created_at,
})

async function requiredSubscription(db: Db<Tables>, id: string): Promise<SubscriptionRow> {
  const found = await findSubscription(db, id.trim().toLowerCase())
  if (!found) throw refuse('EntityNotFound', { entity: 'Subscription', id })
  return found
}

/** Names are compared as they are read. */
function soundName(name: string): string {
  const sound = name.trim()
  if (sound === '' || /\p{Cc}/u.test(sound)) throw invalidField('name', 'must have letters, and no control characters')
  return sound
}

export async function listedSubscriptions(
  { context: { store } }: Management,
  query: Static<typeof listSubscriptions.query>,
) {
  const { items, totalCount } = await listRows(store.db, listAsked(query))
  return { items: items.map(subscriptionView), totalCount }
}

export const readOne = async ({ context: { store } }: Management, id: string): Promise<View> =>
  subscriptionView(await requiredSubscription(store.db, id))

export function createSubscription(management: Management, manager: Manager, name: string, now: Date): Promise<View> {
  const row: SubscriptionRow = {
    id: randomUUID(),
    name: soundName(name),
    default_context_id: null,
    created_at: now.toISOString(),
    disabled_at: null,
  }
  return change(management, async (tx) => {
    await insertSubscription(tx, row)
    const facts = { name: row.name }
    const changes = { before: {}, after: facts }
    return [subscriptionView(row), act('SubscriptionCreated', manager.actor, ['subscription', row.id], facts, changes)]
  })
}

/** Renames it, and disables or enables it; what is not given stays. */
export async function changeOne(
  management: Management,
  manager: Manager,
  id: string,
  { name, disabled }: Static<typeof changeSubscription.body>,
  now: Date,
): Promise<View> {
  if (name !== undefined) await rename(management, manager, id, soundName(name))
  if (disabled !== undefined) await disable(management, manager, id, disabled, now)
  return readOne(management, id)
}

const rename = (management: Management, manager: Manager, id: string, name: string): Promise<void> =>
  change(management, async (tx) => {
    const former = await requiredSubscription(tx, id)
    if (former.name === name) return [undefined]
    await updateSubscription(tx, former.id, { name })
    const facts = { former: former.name, name }
    const changes = { before: { name: former.name }, after: { name } }
    return [undefined, act('SubscriptionRenamed', manager.actor, ['subscription', former.id], facts, changes)]
  })

const disable = (management: Management, manager: Manager, id: string, disabled: boolean, now: Date): Promise<void> =>
  change(management, async (tx) => {
    const former = await requiredSubscription(tx, id)
    if ((former.disabled_at !== null) === disabled) return [undefined]
    await updateSubscription(tx, former.id, { disabled_at: disabled ? now.toISOString() : null })
    const type = disabled ? 'SubscriptionDisabled' : 'SubscriptionEnabled'
    const changes = { before: { disabled: !disabled }, after: { disabled } }
    return [undefined, act(type, manager.actor, ['subscription', former.id], { name: former.name }, changes)]
  })
