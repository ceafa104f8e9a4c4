// The institutions of an organization.
import { deleteEndpoint, endpointsOf } from '@chancela/outbox/webhooks'
import { readUrl } from '@chancela/service-kernel/addresses'
import { changesOf, type EventChanges } from '@chancela/service-kernel/events'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { InstituteFields, InstituteView, listInstitutes } from '../../contract/institutes.ts'
import { instituteProblems } from '../../rules/academic-data.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf, soundName } from '../../rules/texts.ts'
import { findOwned, insertOwned, isInUse, listOwned, updateOwned } from '../../store/owned-rows.ts'
import { lockSubscription } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import { deleteSettings } from '../../store/webhook-settings.ts'
import { once } from '../once.ts'
import { gone, made, record } from './acting.ts'

const view = (row: InstituteRow): InstituteView => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  kind: row.kind,
  name: row.name,
  code: row.code,
  cnpj: row.cnpj,
  federalSystem: row.federal_system === 1,
  publicUrl: row.public_url,
  data: JSON.parse(row.data),
  creationDate: row.created_at,
  updateDate: row.updated_at,
})

/** An institution of the caller's organization. */
export async function requiredInstitute(
  db: Db<Tables>,
  { subscriptionId }: Pick<Caller, 'subscriptionId'>,
  id: string,
): Promise<InstituteRow> {
  const found = await findOwned(db, 'institute', subscriptionId, idOf(id))
  if (!found) throw refuse('institute-not-found', { id })
  return found
}

export async function listed({ store }: Context, caller: Caller, query: Static<typeof listInstitutes.query>) {
  const asked = askedOf(query)
  const { items, total } = await listOwned(store.db, 'institute', { ...asked, ...caller })
  return pageOf(asked, items.map(view), total)
}

export const read = async ({ store }: Context, caller: Caller, id: string): Promise<InstituteView> =>
  view(await requiredInstitute(store.db, caller, id))

/** An address that others open in a browser: https, but for this machine; without what a path cannot follow. */
function publicUrlOf(text: string): string {
  const url = readUrl(text.trim())
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname)
  if (!url || (url.protocol !== 'https:' && !isLocal) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw wrongData({ publicUrl: ['must be an https address without query and fragment'] })
  return url.href.replace(/\/+$/, '')
}

function columnsOf(fields: InstituteFields) {
  const { kind, name, code, cnpj, federalSystem = true, publicUrl, data } = fields
  const problems = instituteProblems(fields)
  if (problems) throw wrongData(problems)
  return {
    kind,
    name: soundName(name),
    code,
    cnpj,
    federal_system: Number(federalSystem),
    public_url: publicUrlOf(publicUrl),
    data: JSON.stringify(data),
  }
}

const entityOf = ({ id }: InstituteRow) => ({ type: 'Institute', id })

function told(row: InstituteRow) {
  const { id: _id, subscriptionId: _of, creationDate: _made, updateDate: _changed, ...fields } = view(row)
  return fields
}

const actOf = (type: string, row: InstituteRow, changes: EventChanges | undefined) => ({
  type,
  entity: entityOf(row),
  data: { name: row.name },
  changes,
})

export function create(
  context: Context,
  caller: Caller,
  fields: InstituteFields,
  key: string | undefined,
  now: Date,
): Promise<InstituteView> {
  const columns = columnsOf(fields)
  const asked = { caller, operation: 'createInstitute', key, request: fields }
  const write = async (tx: Db<Tables>) => {
    const at = now.toISOString()
    const own = { id: newRowId(now), subscription_id: caller.subscriptionId, created_at: at, updated_at: at }
    const row: InstituteRow = { ...own, ...columns, deleted_at: null }
    await insertOwned(tx, 'institute', row)
    await record(tx, caller, actOf('InstituteCreated', row, made(told(row))), now)
    return view(row)
  }
  return once(context, asked, write, now)
}

export function change(
  { store }: Context,
  caller: Caller,
  id: string,
  fields: InstituteFields,
  now: Date,
): Promise<InstituteView> {
  const columns = columnsOf(fields)
  return store.transaction(async (tx) => {
    // Whoever changes it second tells of what the first one did.
    await lockSubscription(tx, caller.subscriptionId)
    const former = await requiredInstitute(tx, caller, id)
    const row = await updateOwned(tx, 'institute', former.id, { ...columns, updated_at: now.toISOString() })
    await record(tx, caller, actOf('InstituteChanged', row, changesOf(told(former), told(row))), now)
    return view(row)
  })
}

export function remove({ store }: Context, caller: Caller, id: string, now: Date): Promise<void> {
  return store.transaction(async (tx) => {
    // Whoever changes it second tells of what the first one did.
    await lockSubscription(tx, caller.subscriptionId)
    const former = await requiredInstitute(tx, caller, id)
    if (await isInUse(tx, former.id)) throw refuse('in-use', { id })
    await updateOwned(tx, 'institute', former.id, { deleted_at: now.toISOString() })
    await deleteSettings(tx, former.id)
    for (const { id: endpointId } of await endpointsOf<Tables>(tx, former.id))
      await deleteEndpoint<Tables>(tx, { ownerId: former.id, id: endpointId }, now)
    await record(tx, caller, actOf('InstituteDeleted', former, gone(told(former))), now)
  })
}
