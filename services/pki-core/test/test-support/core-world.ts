// The whole service behind HTTP on one of the databases, with a subscription, an application and its key.
import { createApplication, createKey } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import type { TestClock } from '@chancela/testkit/clock'
import {
  callerOf,
  type Database,
  type SettingsFile,
  sharedWorld,
  startServiceWorld,
  withSections,
  worldOfTest,
} from '@chancela/testkit/service-world'
import { onTestFinished, vi } from 'vitest'
import { pkiCore } from '../../src/index.ts'
import type { PkiCoreSettings } from '../../src/settings.ts'
import type { Tables } from '../../src/store/tables.ts'
import { consoleSurface, coreSurface } from '../../src/surfaces.ts'
import { clock, roots } from './pki.ts'

export { databases, testOnce } from '@chancela/testkit/service-world'

export const ownSettings: SettingsFile = {
  Console: { Port: 0 },
  SecurityContexts: { PkiBrazilAnchorsFile: roots, AuthorityHosts: ['127.0.0.1/32'] },
}

/** One service for the tests of a describe; settings that are known only when it starts are given as a function. */
export const sharedCore = (
  database: Database,
  settings: SettingsFile | (() => SettingsFile) = {},
  time: TestClock = clock,
): (() => CoreWorld) => sharedWorld(() => start(database, typeof settings === 'function' ? settings() : settings, time))

/** One of a test alone, at whose end it stops. */
export const startCore = (
  database: Database,
  settings: SettingsFile = {},
  time: TestClock = clock,
): Promise<CoreWorld> => worldOfTest(start(database, settings, time))

export type CoreWorld = Awaited<ReturnType<typeof start>>['world']

async function start(database: Database, settings: SettingsFile, time: TestClock) {
  const own = withSections(ownSettings, settings)
  const { close, ...service } = await startServiceWorld<Tables, PkiCoreSettings>(pkiCore, {
    database,
    clock: time,
    settings: own,
  })
  const baseUrl = service.urlOf(coreSurface.name)
  const client = await newClient(service.store)
  const consoleUrl = service.urlOf(consoleSurface.name)
  const world = {
    ...service,
    clock: time,
    baseUrl,
    consoleUrl,
    client,
    ...callerOf(baseUrl, { 'X-Api-Key': client.apiKey }),
  }
  await known(baseUrl, client.apiKey)
  return { world, close }
}

/** The same service once more, on the same data, as a second process would be. */
export async function secondCore(world: CoreWorld, database: Database, settings: SettingsFile = {}) {
  const own = withSections(ownSettings, settings)
  const { store, dataFolder } = world
  const service = await startServiceWorld<Tables, PkiCoreSettings>(pkiCore, {
    database,
    clock: world.clock,
    settings: own,
    after: { store, dataFolder },
  })
  onTestFinished(() => service.close())
  const baseUrl = service.urlOf(coreSurface.name)
  await known(baseUrl, world.client.apiKey)
  return { ...service, baseUrl, ...callerOf(baseUrl, { 'X-Api-Key': world.client.apiKey }) }
}

/** A running service learns of keys created in the database after a moment. */
const known = (baseUrl: string, apiKey: string) =>
  vi.waitUntil(
    async () => (await callerOf(baseUrl, { 'X-Api-Key': apiKey }).call('GET', '/Api/Authentication')).status !== 401,
    { interval: 5 },
  )

/** An application of a subscription of its own, or of the given one. */
export async function newClient(
  store: Store<Tables>,
  { roles = ['Worker'], subscriptionId }: { roles?: readonly string[]; subscriptionId?: string } = {},
) {
  const id = subscriptionId ?? crypto.randomUUID()
  if (!subscriptionId)
    await store.db
      .insertInto('subscription')
      .values({
        id,
        name: `subscription ${id}`,
        default_context_id: null,
        created_at: clock().toISOString(),
        disabled_at: null,
      })
      .execute()
  const application = await createApplication(store, `app ${crypto.randomUUID()}`, clock())
  await store.db
    .insertInto('application_role')
    .values({ application_id: application.id, subscription_id: id, roles: JSON.stringify(roles) })
    .execute()
  const { key } = await createKey(
    store,
    { applicationId: application.id, description: 'test', form: 'application|secret' },
    clock(),
  )
  return { subscriptionId: id, applicationId: application.id, apiKey: key }
}

/** Another application, at the same service. */
export async function clientAt(world: CoreWorld, options: Parameters<typeof newClient>[1] = {}) {
  const client = await newClient(world.store, options)
  await known(world.baseUrl, client.apiKey)
  return { ...client, ...callerOf(world.baseUrl, { 'X-Api-Key': client.apiKey }) }
}
