// Who manages: an application by its key, or an administrator at the console.
import { acting, actorOf, commonEventParts, commonEventTexts } from '@chancela/admin-console'
import type { EventActor, NewEvent } from '@chancela/service-kernel/events'
import type { StoredApiKeyRing } from '@chancela/service-kernel/http'
import { type Db, joinedStore, type Store } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { ACCESS_CHANNEL, type KnownAccess } from '../../parts/access/known-access.ts'
import type { SecurityContexts } from '../../parts/trust/security-contexts.ts'
import { ownEventParts, ownEventTexts } from '../../rules/event-texts.ts'
import type { Caller, RootCaller, Standing } from '../../rules/rights.ts'
import { standingOf } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'

/** What every act of the management needs. */
export interface Management {
  readonly context: Context
  readonly contexts: SecurityContexts
  readonly ring: StoredApiKeyRing
  readonly access: KnownAccess
}

/** Who manages, and what they may give to others. */
export interface Manager {
  /** As the events name them. */
  readonly actor: EventActor
  /** Undefined for an administrator of the instance. */
  readonly applicationId?: string
  standing(db: Db<Tables>): Promise<Standing>
}

/** An application: what it may is read in the transaction of its act, not remembered. */
export const byKey = ({ applicationId, application }: Caller | RootCaller, address: string): Manager => ({
  actor: { name: `application:${application}`, address },
  applicationId,
  standing: (db) => standingOf(db, applicationId),
})

const OWNER: Standing = { subscriptions: [], rootRoles: ['Owner'] }

/** An administrator of the instance, who may everything. */
export const byAdministrator = (caller: Parameters<typeof actorOf>[0]): Manager => ({
  actor: actorOf(caller),
  standing: async () => OWNER,
})

/** Entries of the event log, and how they are told. */
export const { act, said, eventText } = acting(
  { ...commonEventTexts, ...ownEventTexts },
  { ...commonEventParts, ...ownEventParts },
)

/** Makes a change and records its event in one transaction; this instance, and others, apply it at once. */
export async function change<T>(
  { context: { store, events }, ring, access }: Management,
  work: (tx: Db<Tables>, joined: Store<Tables>) => Promise<readonly [T, NewEvent?]>,
): Promise<T> {
  const made = await store.transaction(async (tx) => {
    const [result, event] = await work(tx, joinedStore(store, tx))
    if (event) await events.record(tx, event)
    await store.notify(tx, ACCESS_CHANNEL)
    return result
  })
  // The notification reaches this process, too, but later than its caller.
  access.forget()
  await ring.refresh()
  return made
}
