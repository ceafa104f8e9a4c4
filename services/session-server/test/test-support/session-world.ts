// The whole service behind HTTP on one of the databases, with a client application and its key.
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
import { vi } from 'vitest'
import { sessionServer } from '../../src/index.ts'
import type { SessionServerSettings } from '../../src/settings.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clock, rootsFile } from './pki.ts'
import type { SignatureService } from './signature-service.ts'

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
  /** The signature service; without one its address does not answer. */
  readonly signer?: () => Pick<SignatureService, 'baseUrl' | 'apiKey'>
  /** A stopped world, to be restarted on its data. */
  readonly after?: Left<Tables> & { readonly client: Client }
}

/** One service for the tests of a describe. */
export const sharedSessionServer = (database: Database, options: WorldOptions = {}): (() => SessionWorld) =>
  sharedWorld(() => start(database, options))

/** Starts a service for one test, at whose end it stops. */
export const startSessionServer = (database: Database, options: WorldOptions = {}): Promise<SessionWorld> =>
  worldOfTest(start(database, options))

/** What a test gets. */
export type SessionWorld = Awaited<ReturnType<typeof start>>['world']

async function start(database: Database, { settings = {}, signer, after }: WorldOptions) {
  const { close, ...service } = await startServiceWorld<Tables, SessionServerSettings>(sessionServer, {
    database,
    clock,
    settings: withSections(ownSettings(signer?.()), settings),
    after,
  })
  const baseUrl = service.urlOf('session-server')
  const client = after?.client ?? (await newClient(service.store))
  const { call, json } = callerOf(baseUrl, { 'X-API-Key': client.apiKey })
  // A running service learns of keys created in the database after a moment.
  await vi.waitUntil(async () => (await call('GET', '/v1/sessions/status?sessionId=x')).status !== 401, {
    interval: 5,
  })
  const consoleUrl = service.urlOf('session-server-console')
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

/** Settings in which tests differ from users of the service. */
export const ownSettings = (signer: Partial<SignatureService> = {}): SettingsFile => ({
  Console: { Port: 0 },
  Auth: { PasswordCost: 10 },
  Certificates: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'] },
  Signer: { Endpoint: signer.baseUrl ?? 'http://127.0.0.1:9', ApiKey: signer.apiKey ?? 'nobody|nothing' },
})
