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
  /** Where documents are signed; without one the signature service is an address where nobody answers. */
  readonly signer?: () => Pick<SignatureService, 'baseUrl' | 'apiKey'>
  /** A world that was stopped, to be started again on its data. */
  readonly after?: Left<Tables> & { readonly client: Client }
}

/** One service for the tests of a describe. */
export const sharedSessionServer = (database: Database, options: WorldOptions = {}): (() => SessionWorld) =>
  sharedWorld(() => start(database, options))

/** Starts a service for one test; it stops with it. */
export const startSessionServer = (database: Database, options: WorldOptions = {}): Promise<SessionWorld> =>
  worldOfTest(start(database, options))

/** What a test has in its hands. */
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
  // Keys made past the running service are known to it after a moment.
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

/** A client application with a key, made past the console: tests of the contract begin with somebody who may call it. */
export async function newClient(store: TestStore<Tables>, name = `app ${crypto.randomUUID()}`): Promise<Client> {
  const application = await createApplication(store, name, clock())
  const { id: keyId, key } = await createKey(store, { applicationId: application.id, description: 'test' }, clock())
  return { id: application.id, name, keyId, apiKey: key }
}

/** What the tests want otherwise than users of the service do. */
export const ownSettings = (signer: Partial<SignatureService> = {}): SettingsFile => ({
  Console: { Port: 0 },
  Auth: { PasswordCost: 10 },
  Certificates: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'] },
  Signer: { Endpoint: signer.baseUrl ?? 'http://127.0.0.1:9', ApiKey: signer.apiKey ?? 'nobody|nothing' },
})
