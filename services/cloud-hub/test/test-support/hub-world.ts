// The whole hub behind HTTP on one of the databases, with a client application and its key.
import { createApplication, createKey } from '@chancela/service-kernel/http'
import {
  callerOf,
  type Database,
  type Left,
  type SettingsFile,
  sharedWorld,
  startServiceWorld,
  withSections,
  worldOfTest,
} from '@chancela/testkit/service-world'
import type { TestStore } from '@chancela/testkit/stores'
import { freePort } from '@chancela/testkit/tools'
import { vi } from 'vitest'
import { cloudHub } from '../../src/index.ts'
import type { CloudHubSettings } from '../../src/settings.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clock } from './pki.ts'

export {
  type Answer,
  type Database,
  databases,
  readAnswer,
  type SettingsFile,
  testOnce,
} from '@chancela/testkit/service-world'

interface WorldOptions {
  readonly settings?: SettingsFile
  /** A stopped world, to be restarted on its data. */
  readonly after?: Left<Tables> & { readonly client: Client }
}

/** One hub for the tests of a describe. */
export const sharedHub = (database: Database, options: WorldOptions = {}): (() => HubWorld) =>
  sharedWorld(() => start(database, options))

/** Starts a hub for one test, at whose end it stops. */
export const startHub = (database: Database, options: WorldOptions = {}): Promise<HubWorld> =>
  worldOfTest(start(database, options))

/** What a test gets. */
export type HubWorld = Awaited<ReturnType<typeof start>>['world']

async function start(database: Database, { settings = {}, after }: WorldOptions) {
  // Its callbacks are registered at providers, so its address must be known before it listens.
  const own = withSections(ownSettings(await freePort()), settings)
  const running = await startServiceWorld<Tables, CloudHubSettings>(cloudHub, { database, clock, settings: own, after })
  const { close, ...service } = running
  const baseUrl = service.urlOf('cloud-hub')
  const client = after?.client ?? (await newClient(service.store))
  const { call, json } = callerOf(baseUrl, { 'X-Api-Key': client.apiKey })
  // A running hub learns of keys created in the database after a moment.
  await vi.waitUntil(async () => (await call('GET', '/api/sessions/custom-state?session=x')).status !== 401, {
    interval: 5,
  })
  const consoleUrl = service.urlOf('cloud-hub-console')
  return { world: { ...service, clock, baseUrl, consoleUrl, client, call, json }, close }
}

interface Client {
  readonly id: string
  readonly name: string
  readonly keyId: string
  readonly apiKey: string
}

/** A client application with a key, created directly in the database: tests of the contract need a caller. */
export async function newClient(store: TestStore<Tables>, name = `app ${crypto.randomUUID()}`): Promise<Client> {
  const application = await createApplication(store, name, clock())
  const { id: keyId, key } = await createKey(store, { applicationId: application.id, description: 'test' }, clock())
  return { id: application.id, name, keyId, apiKey: key }
}

const ownSettings = (port: number): SettingsFile => ({
  Http: { Port: port, PublicUrl: `http://127.0.0.1:${port}` },
  Console: { Port: 0 },
  Providers: { AllowedHosts: ['127.0.0.1', 'localhost'] },
})
