// The applications of an organization, and their keys: shown once, kept as hashes.
import { Refusal } from '@chancela/service-kernel/errors'
import { changesOf, type EventChanges } from '@chancela/service-kernel/events'
import {
  type ApiKey,
  createApplication as createClient,
  createKey,
  disableApplication,
  enableApplication,
  listKeys,
  revokeKey,
  type StoredApiKeyRing,
} from '@chancela/service-kernel/http'
import { type Db, joinedStore, type Store } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type {
  ApplicationView,
  changeApplication,
  createApplication,
  createApplicationKey,
  KeyView,
  listApplications,
} from '../../contract/applications.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import {
  findApplication,
  forgetApplication,
  giveRole,
  type KnownApplication,
  listApplications as listRows,
} from '../../store/applications.ts'
import type { Tables } from '../../store/tables.ts'
import { type Act, gone, made, record } from './acting.ts'

export interface Dependencies {
  readonly context: Context
  readonly ring: StoredApiKeyRing
}

const view = ({ id, name, role, disabled_at, created_at }: KnownApplication): ApplicationView => ({
  id,
  name,
  role,
  disabled: disabled_at !== null,
  creationDate: created_at,
})

const keyView = (key: ApiKey): KeyView => ({
  id: key.id,
  description: key.description,
  creationDate: key.created_at,
  expirationDate: key.expires_at,
  revocationDate: key.revoked_at,
  lastUseDate: key.last_used_at,
})

async function required(db: Db<Tables>, { subscriptionId }: Caller, id: string): Promise<KnownApplication> {
  const found = await findApplication(db, subscriptionId, idOf(id))
  if (!found) throw refuse('application-not-found', { id })
  return found
}

/** Makes a change and records it in one transaction; keys are known here at once. */
async function change<T>(
  { context: { store }, ring }: Dependencies,
  caller: Caller,
  now: Date,
  work: (tx: Db<Tables>, joined: Store<Tables>) => Promise<readonly [T, Act]>,
): Promise<T> {
  const done = await store.transaction(async (tx) => {
    const [result, act] = await work(tx, joinedStore(store, tx))
    await record(tx, caller, act, now)
    return result
  })
  await ring.refresh()
  return done
}

const act = (type: string, { id }: { readonly id: string }, data: object, changes: EventChanges | undefined): Act => ({
  type,
  entity: { type: 'Application', id },
  data,
  changes,
})

const told = ({ name, role, disabled_at }: KnownApplication) => ({ name, role, disabled: disabled_at !== null })

const toldKey = ({ id, description, expirationDate, revocationDate }: KeyView) => ({
  keyId: id,
  description,
  expirationDate,
  revocationDate,
})

export async function listed(
  { context: { store } }: Dependencies,
  caller: Caller,
  query: Static<typeof listApplications.query>,
) {
  const asked = askedOf(query)
  const { items, total } = await listRows(store.db, caller.subscriptionId, asked)
  return pageOf(asked, items.map(view), total)
}

export const read = async ({ context: { store } }: Dependencies, caller: Caller, id: string) =>
  view(await required(store.db, caller, id))

export const create = (
  dependencies: Dependencies,
  caller: Caller,
  { name, role }: Static<typeof createApplication.body>,
  now: Date,
): Promise<ApplicationView> =>
  change(dependencies, caller, now, async (tx, joined) => {
    const client = await named(joined, name, now)
    await giveRole(tx, { applicationId: client.id, subscriptionId: caller.subscriptionId, role }, now)
    const row = await required(tx, caller, client.id)
    return [view(row), act('ApplicationCreated', row, { name: row.name, role }, made(told(row)))]
  })

/** The codes of this contract for what the kernel refuses. */
async function named(store: Store<Tables>, name: string, now: Date) {
  try {
    return await createClient(store, name, now)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw error.code === 'application.name-taken'
      ? refuse('already-exists', { fields: { name: ['is the name of another application'] } }, error)
      : wrongData({ name: [error.message] })
  }
}

/** What is not given stays. */
export const changeOne = (
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  { role, disabled }: Static<typeof changeApplication.body>,
  now: Date,
): Promise<ApplicationView> =>
  change(dependencies, caller, now, async (tx, joined) => {
    const former = await required(tx, caller, id)
    const { subscriptionId } = caller
    if (role !== undefined) await giveRole(tx, { applicationId: former.id, subscriptionId, role }, now)
    if (disabled === true) await disableApplication(joined, former.id, now)
    if (disabled === false) await enableApplication(joined, former.id)
    const row = await required(tx, caller, id)
    return [view(row), act('ApplicationChanged', former, { role, disabled }, changesOf(told(former), told(row)))]
  })

export const remove = (dependencies: Dependencies, caller: Caller, id: string, now: Date): Promise<void> =>
  change(dependencies, caller, now, async (tx) => {
    const former = await required(tx, caller, id)
    await forgetApplication(tx, former.id, now)
    return [undefined, act('ApplicationDeleted', former, { name: former.name }, gone(told(former)))]
  })

export async function keysOf({ context: { store } }: Dependencies, caller: Caller, id: string) {
  const { id: applicationId } = await required(store.db, caller, id)
  return (await listKeys(store, applicationId)).map(keyView)
}

export function newKey(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  { description, expirationDate }: Static<typeof createApplicationKey.body>,
  now: Date,
) {
  if (description.trim() === '') throw wrongData({ description: ['must have letters'] })
  const expiresAt = expirationDate ? new Date(expirationDate) : undefined
  if (expiresAt && !(expiresAt > now)) throw wrongData({ expirationDate: ['must be a time to come'] })
  return change(dependencies, caller, now, async (tx, joined) => {
    const application = await required(tx, caller, id)
    const asked = { applicationId: application.id, description, ...(expiresAt && { expiresAt }) }
    const { id: keyId, key } = await createKey(joined, { ...asked, form: 'application|secret' }, now)
    const info = keyView((await listKeys(joined, application.id)).find((one) => one.id === keyId)!)
    return [{ key, info }, act('ApplicationKeyCreated', application, { keyId }, made(toldKey(info)))] as const
  })
}

export const endKey = (
  dependencies: Dependencies,
  caller: Caller,
  { id, keyId }: { readonly id: string; readonly keyId: string },
  now: Date,
): Promise<void> =>
  change(dependencies, caller, now, async (tx, joined) => {
    const application = await required(tx, caller, id)
    const found = (await listKeys(joined, application.id)).find((one) => one.id === idOf(keyId))
    if (!found) throw refuse('application-key-not-found', { keyId })
    await revokeKey(joined, found.id, now)
    const ended = (await listKeys(joined, application.id)).find((one) => one.id === found.id)!
    const changes = changesOf(toldKey(keyView(found)), toldKey(keyView(ended)))
    return [undefined, act('ApplicationKeyRevoked', application, { keyId: found.id }, changes)]
  })
