// Applications: found in a subscription, made, given roles, deleted (pki-core facts 4, 4.6).
import { invalidField, Refusal } from '@chancela/service-kernel/errors'
import { changesOf } from '@chancela/service-kernel/events'
import { createApplication as createClient, disableApplication, enableApplication } from '@chancela/service-kernel/http'
import type { Db, Store } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { ApplicationModel, createApplication, listApplications } from '../../contract/applications.ts'
import { refuse } from '../../rules/refuse.ts'
import { parentRolesOf, type Role, type RootRole, requireCovering, type Standing } from '../../rules/rights.ts'
import { DEFAULT_SUBSCRIPTION } from '../../rules/subscription.ts'
import {
  findApplication,
  forgetApplication,
  isNameTaken,
  type KnownApplication,
  listKnownApplications,
  writeAccess,
  writeRoles,
} from '../../store/applications.ts'
import { standingOf, standingsOf } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'
import { act, change, type Management, type Manager, said } from './acting.ts'
import { listAsked } from './list-asked.ts'

/** Where an application is looked for; without a subscription everywhere, for an administrator of the instance. */
export type Place = string | undefined

/** An application of the place; that of another does not exist for it. */
export async function requiredApplication(db: Db<Tables>, place: Place, id: string): Promise<KnownApplication> {
  const found = await findApplication(db, id.trim().toLowerCase(), place)
  if (!found) throw refuse('EntityNotFound', { entity: 'Application', id })
  return found
}

/** The same, for one who may act on it. */
export async function manageable(db: Db<Tables>, manager: Manager, place: Place, id: string) {
  const application = await requiredApplication(db, place, id)
  const standing = await standingOf(db, application.id)
  requireCovering(await manager.standing(db), standing)
  return { application, standing }
}

type View = Static<typeof ApplicationModel>

/** Roles in other subscriptions are shown to whoever may look into every one. */
export function applicationView(application: KnownApplication, standing: Standing, seer: Standing, place: Place): View {
  const { id, name, subscription_id, grant_application_id } = application
  const parentRoles = [...parentRolesOf(standing.rootRoles)]
  const seesAll = seer.rootRoles.length > 0
  const shown = standing.subscriptions.filter(({ subscriptionId }) => seesAll || subscriptionId === place)
  const entries = shown.map(({ subscriptionId, roles }) => ({ subscriptionId, roles: [...roles], parentRoles }))
  const isThere = place === undefined || entries.some(({ subscriptionId }) => subscriptionId === place)
  const only = isThere || parentRoles.length === 0 ? [] : [{ subscriptionId: place!, roles: [], parentRoles }]
  return {
    id,
    name,
    subscriptionId: subscription_id,
    rootRoles: [...standing.rootRoles],
    subscriptions: [...entries, ...only],
    grantAppId: grant_application_id,
  }
}

export async function listedApplications(
  { context: { store } }: Management,
  manager: Manager,
  place: Place,
  query: Static<typeof listApplications.query>,
) {
  const asked = { ...listAsked(query), subscriptionId: place, name: query.name?.trim() || undefined }
  const { items, totalCount } = await listKnownApplications(store.db, asked)
  const seer = await manager.standing(store.db)
  const standings = await standingsOf(
    store.db,
    items.map(({ id }) => id),
  )
  return { items: items.map((one) => applicationView(one, standings.get(one.id)!, seer, place)), totalCount }
}

export async function readApplication(
  { context: { store } }: Management,
  manager: Manager,
  place: Place,
  id: string,
): Promise<View> {
  const application = await requiredApplication(store.db, place, id)
  return viewIn(store.db, manager, place, application)
}

async function viewIn(db: Db<Tables>, manager: Manager, place: Place, application: KnownApplication): Promise<View> {
  return applicationView(application, await standingOf(db, application.id), await manager.standing(db), place)
}

export const isAvailable = async ({ context: { store } }: Management, name: string): Promise<boolean> =>
  !(await isNameTaken(store.db, name.trim()))

/** Makes an application in a subscription. */
export function createIn(
  management: Management,
  manager: Manager,
  subscriptionId: string,
  { name, authorizationData, rootAuthorizationData }: Static<typeof createApplication.body>,
  now: Date,
): Promise<View> {
  const roles = authorizationData?.roles ?? []
  const rootRoles = [...new Set<RootRole>(rootAuthorizationData?.roles ?? [])]
  return change(management, async (tx, joined) => {
    const given = { subscriptions: [{ subscriptionId, roles }], rootRoles }
    requireCovering(await manager.standing(tx), given)
    const granter = await grantedBy(tx, manager, rootRoles, rootAuthorizationData?.grantAppId)
    const client = await named(joined, name, now)
    await writeAccess(tx, client.id, subscriptionId, {
      root_roles: JSON.stringify(rootRoles),
      grant_application_id: granter,
    })
    await writeRoles(tx, client.id, { subscriptionId, roles })
    const view = await viewIn(tx, manager, subscriptionId, (await findApplication(tx, client.id))!)
    const facts = { name: client.name, subscription: subscriptionId, roles: withRoles(roles, rootRoles) }
    const changes = { before: {}, after: { name: client.name, subscriptionId, roles, rootRoles } }
    return [view, act('ApplicationCreated', manager.actor, ['application', client.id], facts, changes)]
  })
}

function withRoles(...lists: readonly (readonly string[])[]) {
  const all = lists.flat()
  return all.length === 0 ? said('without-roles') : said('as-roles', { roles: all.join(', ') })
}

/** Roles in the instance are given in the name of an application that has them, too. */
async function grantedBy(
  db: Db<Tables>,
  manager: Manager,
  rootRoles: readonly RootRole[],
  asked: string | null | undefined,
): Promise<string | null> {
  if (!asked) return rootRoles.length === 0 ? null : (manager.applicationId ?? null)
  if (rootRoles.length === 0) throw invalidField('grantAppId', 'is for roles in the instance')
  const { id } = await requiredApplication(db, undefined, asked)
  requireCovering(await standingOf(db, id), { subscriptions: [], rootRoles })
  return id
}

/** The codes of this contract for what the kernel refuses. */
async function named(store: Store<Tables>, name: string, now: Date) {
  try {
    return await createClient(store, name, now)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw error.code === 'application.name-taken'
      ? refuse('EntityAlreadyExists', { entity: 'Application', name: name.trim() }, error)
      : invalidField('name', error.message)
  }
}

export function deleteApplication(
  management: Management,
  manager: Manager,
  place: Place,
  id: string,
  now: Date,
): Promise<void> {
  return change(management, async (tx) => {
    const { application } = await manageable(tx, manager, place, id)
    await writeAccess(tx, application.id, application.subscription_id ?? place ?? DEFAULT_SUBSCRIPTION, {})
    if (!(await forgetApplication(tx, application.id, now))) return [undefined]
    const changes = { before: { name: application.name }, after: {} }
    const facts = { name: application.name }
    return [undefined, act('ApplicationDeleted', manager.actor, ['application', application.id], facts, changes)]
  })
}

/** Other roles in one subscription. Whoever sees every subscription may bring an application into another one. */
export function changeRoles(
  management: Management,
  manager: Manager,
  subscriptionId: string,
  id: string,
  roles: readonly Role[],
): Promise<View> {
  return change(management, async (tx) => {
    const own = await manager.standing(tx)
    const lookedIn = own.rootRoles.length > 0 ? undefined : subscriptionId
    const { application } = await manageable(tx, manager, lookedIn, id)
    requireCovering(own, { subscriptions: [{ subscriptionId, roles }], rootRoles: [] })
    const former = (await standingOf(tx, application.id)).subscriptions
    const changes = changesOf({ roles: former.find((one) => one.subscriptionId === subscriptionId)?.roles }, { roles })
    await keepOperatorsRoles(tx, application)
    await writeRoles(tx, application.id, { subscriptionId, roles })
    const place = said('in-subscription', { subscription: subscriptionId })
    const facts = { name: application.name, place, roles: withRoles(roles) }
    const view = await viewIn(tx, manager, subscriptionId, (await findApplication(tx, application.id))!)
    return [view, act('ApplicationRolesChanged', manager.actor, ['application', application.id], facts, changes)]
  })
}

/** An application of the operator has roles without a row of its own; the first change writes the others down. */
export async function keepOperatorsRoles(db: Db<Tables>, { id, subscription_id }: KnownApplication): Promise<void> {
  if (subscription_id !== null) return
  const { subscriptions, rootRoles } = await standingOf(db, id)
  const home = subscriptions[0]?.subscriptionId ?? DEFAULT_SUBSCRIPTION
  for (const given of subscriptions) await writeRoles(db, id, given)
  await writeAccess(db, id, home, { root_roles: JSON.stringify(rootRoles) })
}

export function changeRootRoles(
  management: Management,
  manager: Manager,
  id: string,
  { roles, grantAppId }: { readonly roles: readonly RootRole[]; readonly grantAppId?: string | null | undefined },
): Promise<View> {
  const given = [...new Set(roles)]
  return change(management, async (tx) => {
    const { application } = await manageable(tx, manager, undefined, id)
    requireCovering(await manager.standing(tx), { subscriptions: [], rootRoles: given })
    const granter = await grantedBy(tx, manager, given, grantAppId)
    const { rootRoles: former } = await standingOf(tx, application.id)
    await keepOperatorsRoles(tx, application)
    const written = { root_roles: JSON.stringify(given), grant_application_id: granter }
    await writeAccess(tx, application.id, application.subscription_id ?? DEFAULT_SUBSCRIPTION, written)
    const facts = { name: application.name, place: said('in-instance'), roles: withRoles(given) }
    const view = await viewIn(tx, manager, undefined, (await findApplication(tx, application.id))!)
    const changes = changesOf({ rootRoles: former }, { rootRoles: given })
    return [view, act('ApplicationRolesChanged', manager.actor, ['application', application.id], facts, changes)]
  })
}

/** Refuses every key of an application until it is enabled again. */
export function switchApplication(
  management: Management,
  manager: Manager,
  id: string,
  disabled: boolean,
  now: Date,
): Promise<void> {
  return change(management, async (tx, joined) => {
    const { application } = await manageable(tx, manager, undefined, id)
    await (disabled ? disableApplication(joined, application.id, now) : enableApplication(joined, application.id))
    const type = disabled ? 'ApplicationDisabled' : 'ApplicationEnabled'
    const changes = { before: { disabled: !disabled }, after: { disabled } }
    return [undefined, act(type, manager.actor, ['application', application.id], { name: application.name }, changes)]
  })
}
