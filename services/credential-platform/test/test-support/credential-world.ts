// The whole service behind HTTP on one of the databases, with the operator's key and an organization.
import { createApplication, createKey } from '@chancela/service-kernel/http'
import { type TestClock, testClock } from '@chancela/testkit/clock'
import {
  type Caller,
  callerOf,
  type Database,
  type SettingsFile,
  sharedWorld,
  startServiceWorld,
  withSections,
  worldOfTest,
} from '@chancela/testkit/service-world'
import { vi } from 'vitest'
import type { Role } from '../../src/contract/vocabulary.ts'
import { credentialPlatform } from '../../src/index.ts'
import type { CredentialPlatformSettings } from '../../src/settings.ts'
import type { Tables } from '../../src/store/tables.ts'
import { credentialSurface } from '../../src/surfaces.ts'
import { sampleInstitute } from './samples.ts'

export { databases, testOnce } from '@chancela/testkit/service-world'

export const ownSettings: SettingsFile = {
  // Tests sign in often, and their receivers are on this machine.
  Auth: { PasswordCost: 10, RequireSecondFactor: false },
  Webhooks: { AllowedHosts: ['127.0.0.1/32'] },
  // From source, on a machine that does much else, a thread takes long to start.
  Templates: { PreviewSeconds: 120 },
}

/** One service for the tests of a describe. */
export const sharedPlatform = (
  database: Database,
  settings: SettingsFile | (() => SettingsFile) = {},
  clock: TestClock = testClock(),
): (() => CredentialWorld) =>
  sharedWorld(() => start(database, typeof settings === 'function' ? settings() : settings, clock))

/** One of a test alone, at whose end it stops. */
export const startPlatform = (
  database: Database,
  settings: SettingsFile = {},
  clock: TestClock = testClock(),
): Promise<CredentialWorld> => worldOfTest(start(database, settings, clock))

export type CredentialWorld = Awaited<ReturnType<typeof start>>['world']

async function start(database: Database, settings: SettingsFile, clock: TestClock) {
  const { close, ...service } = await startServiceWorld<Tables, CredentialPlatformSettings>(credentialPlatform, {
    database,
    clock,
    settings: withSections(ownSettings, settings),
  })
  const baseUrl = service.urlOf(credentialSurface.name)
  const operator = await createApplication(service.store, 'administration', clock(), { byOperator: true })
  const { key } = await createKey(
    service.store,
    { applicationId: operator.id, description: 'test', form: 'application|secret' },
    clock(),
  )
  const system = callerOf(baseUrl, { 'X-Api-Key': key })
  // The running service learns of keys created in the database after a moment.
  await vi.waitUntil(async () => (await system.call('GET', '/api/subscriptions')).status === 200, { interval: 5 })
  return { world: { ...service, clock, baseUrl, systemKey: key, system }, close }
}

/** An organization with an application that is its Administrador. */
export interface Organization extends Caller {
  readonly subscriptionId: string
  readonly apiKey: string
  /** The operator, in this organization. */
  readonly operator: Caller
  /** Another application of it. */
  application(role: Role): Promise<Caller & { readonly apiKey: string; readonly id: string }>
}

export async function organizationAt({
  system,
  systemKey,
  baseUrl,
}: Pick<CredentialWorld, 'system' | 'systemKey' | 'baseUrl'>): Promise<Organization> {
  const name = `Organization ${crypto.randomUUID()}`
  const { id: subscriptionId } = (await system.json('POST', '/api/subscriptions', { name })).body
  const operator = callerOf(baseUrl, { 'X-Api-Key': systemKey, 'X-Subscription': subscriptionId })
  const application = async (role: Role) => {
    const made = await operator.json('POST', '/api/applications', { name: `app ${crypto.randomUUID()}`, role })
    const { key } = (await operator.json('POST', `/api/applications/${made.body.id}/keys`, { description: 'test' }))
      .body
    return { apiKey: key as string, id: made.body.id as string, ...callerOf(baseUrl, { 'X-Api-Key': key }) }
  }
  const { id: _, ...administrador } = await application('Administrador')
  return { subscriptionId, operator, application, ...administrador }
}

/** An institution of an organization. */
export async function instituteOf({ json }: Caller, more: object = {}): Promise<{ readonly id: string }> {
  const { status, body } = await json('POST', '/api/institutes', sampleInstitute(more))
  if (status !== 201) throw new Error(`no institute: ${status} ${JSON.stringify(body)}`)
  return body
}

export const PASSWORD = 'uma senha bem longa de teste'

/** A person of an organization who accepted the invitation and is signed in. */
export async function personOf(
  world: Pick<CredentialWorld, 'baseUrl'>,
  organization: Organization,
  role: Role,
  email = `${crypto.randomUUID()}@example.com`,
) {
  const { body: user } = await organization.operator.json('POST', '/api/users', { name: 'Ana Souza', email, role })
  const ticket = new URL(user.invitationUrl).searchParams.get('ticket')
  const accepted = await callerOf(world.baseUrl).json('POST', '/api/session/invitation', { ticket, password: PASSWORD })
  const cookie = cookieOf(accepted.headers)
  return { id: user.id as string, email, ticket, cookie, ...callerOf(world.baseUrl, { cookie }) }
}

export const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0]!
