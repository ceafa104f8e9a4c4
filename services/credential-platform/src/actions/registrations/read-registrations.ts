import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listRegistrations } from '../../contract/registrations.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { newestFile } from '../../store/documents.ts'
import { searchItems } from '../../store/item-search.ts'
import { registrationView } from '../items/item-views.ts'
import { requiredRegistration } from './required-registration.ts'

export async function listed({ store }: Context, caller: Caller, query: Static<typeof listRegistrations.query>) {
  const asked = askedOf(query)
  const { status, instituteId, from, to } = query
  const { items, total } = await searchItems(store.db, 'registration', {
    ...asked,
    subscriptionId: caller.subscriptionId,
    statuses: status && [status],
    instituteId: instituteId === undefined ? undefined : idOf(instituteId),
    from,
    to: to === undefined ? undefined : dayAfter(to),
  })
  return pageOf(asked, items.map(registrationView), total)
}

/** The last day of a period is part of it. */
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

export const read = async ({ store }: Context, caller: Caller, id: string) =>
  registrationView(await requiredRegistration(store.db, caller, id))

export async function fileOf({ store }: Context, caller: Caller, id: string, name: string) {
  const { id: itemId } = await requiredRegistration(store.db, caller, id)
  const file = await newestFile(store.db, itemId, name)
  if (!file) throw refuse('file-not-found')
  return file
}
