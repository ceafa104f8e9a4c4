// The whole service behind HTTP on one of the databases, with an organization and its key.
import { createApplication, createKey } from '@chancela/service-kernel/http'
import { joinedStore, type Store } from '@chancela/service-kernel/store'
import { type TestClock, testClock } from '@chancela/testkit/clock'
import { samplePdf } from '@chancela/testkit/samples'
import {
  callerOf,
  type Database,
  databases,
  type Left,
  type SettingsFile,
  startServiceWorld,
  withSections,
} from '@chancela/testkit/service-world'
import { afterAll, beforeAll, onTestFinished, test, vi } from 'vitest'
import { documentPlatform } from '../../src/index.ts'
import type { DocumentPlatformSettings } from '../../src/settings.ts'
import type { Tables } from '../../src/store/tables.ts'
import { platformSurface } from '../../src/surfaces.ts'

export { type Database, databases } from '@chancela/testkit/service-world'

interface WorldOptions {
  readonly settings?: SettingsFile
  readonly clock?: TestClock
  /** A stopped world, to be restarted on its data. */
  readonly after?: LeftPlatform
}

/** What a world leaves behind. */
interface LeftPlatform extends Left<Tables> {
  readonly clock: TestClock
  readonly organization: Organization
  readonly administrationKey: string
}

/** `test` on the first database and nothing on the others: for tests in which no database statement takes part. */
export const testOnce = (database: Database): Pick<typeof test, 'each'> & typeof test =>
  database === databases[0] ? test : noTest

const noTest = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof test

/**
 * One service for the tests of a describe; each call gives a test its own organization. All tests share the clock: a
 * test that moves it creates its data afterwards.
 */
export function sharedPlatform(
  database: Database,
  options: WorldOptions | (() => WorldOptions) = {},
): () => Promise<PlatformWorld> {
  let running: Running | undefined
  beforeAll(async () => {
    running = await start(database, typeof options === 'function' ? options() : options, AT_ONCE)
  })
  afterAll(() => running?.close())
  return async () => worldOf(running!, await nextOrganization(running!))
}

/** Starts a service for one test, at whose end it stops. */
export async function startPlatform(database: Database, options: WorldOptions = {}): Promise<PlatformWorld> {
  const running = await start(database, options, 1)
  onTestFinished(running.close)
  return worldOf(running, running.organizations[0]!)
}

type Running = Awaited<ReturnType<typeof start>>

/** Organizations created together: a service knows the keys that exist at its start, and later ones after a moment. */
const AT_ONCE = 8

async function start(database: Database, { settings = {}, clock, after }: WorldOptions, count: number) {
  const time = clock ?? after?.clock ?? testClock('2026-11-15T12:00:00.000Z')
  const organizations: Organization[] = after ? [after.organization] : []
  let administrator = after?.administrationKey
  const service = await startServiceWorld<Tables, DocumentPlatformSettings>(documentPlatform, {
    database,
    clock: time,
    settings: withSections(ownSettings, settings),
    after,
    prepare: async (_, store) => {
      if (after) return
      organizations.push(...(await newOrganizations(store, time(), count)))
      administrator = await administrationKey(store, time())
    },
  })
  const baseUrl = service.urlOf(platformSurface.name)
  return { ...service, baseUrl, clock: time, organizations, administrationKey: administrator! }
}

async function nextOrganization({ organizations, store, clock, baseUrl }: Running): Promise<Organization> {
  if (organizations.length === 0) {
    organizations.push(...(await newOrganizations(store, clock(), AT_ONCE)))
    await untilKnown(baseUrl, organizations[0]!.apiKey)
  }
  return organizations.pop()!
}

/** What a test gets. */
export type PlatformWorld = ReturnType<typeof worldOf>

function worldOf({ close: _, organizations: __, ...running }: Running, organization: Organization) {
  // Uses the organization's key unless the headers give another.
  const { call, json } = callerOf(running.baseUrl, { 'X-Api-Key': organization.apiKey })
  return { ...running, organization, call, json }
}

/** The service learns of a new key after a moment: waits until a call with it is accepted. */
export const untilKnown = (baseUrl: string, apiKey: string): Promise<unknown> =>
  vi.waitUntil(
    async () => (await callerOf(baseUrl, { 'X-Api-Key': apiKey }).call('GET', '/api/documents?limit=0')).status !== 401,
    { interval: 5 },
  )

type Organization = Awaited<ReturnType<typeof newOrganization>>

const newOrganizations = (store: Store<Tables>, now: Date, count: number): Promise<readonly Organization[]> =>
  store.transaction(async (tx) => {
    const made: Organization[] = []
    while (made.length < count) made.push(await newOrganization(joinedStore(store, tx), now, 'Hospital Santa Clara'))
    return made
  })

/** Creates an organization with an application directly in the database: tests of the API need a caller. */
export async function newOrganization(
  store: Store<Tables>,
  now: Date,
  name: string,
  {
    ownerId = null,
    role = 'Organization',
  }: { ownerId?: string | null; role?: 'Organization' | 'Billing' | 'Monitor' } = {},
) {
  const id = crypto.randomUUID()
  await store.db
    .insertInto('organization')
    .values({
      id,
      name,
      identifier: null,
      owner_id: ownerId,
      time_zone: 'America/Sao_Paulo',
      billing: null,
      require_second_factor: 0,
      public_documents: 0,
      verification_stamp: null,
      created_at: now.toISOString(),
      deleted_at: null,
    })
    .execute()
  const application = await createApplication(store, `app ${id}`, now)
  await store.db
    .insertInto('application_scope')
    .values({ application_id: application.id, organization_id: id, name: application.name, role, folder_ids: null })
    .execute()
  const { key } = await createKey(
    store,
    { applicationId: application.id, description: 'test', form: 'application|secret' },
    now,
  )
  return { id, name, application: application.name, applicationId: application.id, apiKey: key }
}

/** A key of the instance's administration, as an operator creates it on the machine. */
export async function administrationKey(store: Store<Tables>, now: Date): Promise<string> {
  const application = await createApplication(store, `administration ${crypto.randomUUID()}`, now, { byOperator: true })
  return (
    await createKey(store, { applicationId: application.id, description: 'test', form: 'application|secret' }, now)
  ).key
}

const ownSettings: SettingsFile = {
  // Most tests compare a file with what was uploaded; verification-stamp.test.ts has the default.
  Documents: { VerificationStamp: 'None' },
  Auth: { PasswordCost: 10 },
  Webhooks: { AllowedHosts: ['127.0.0.1/32', 'localhost'] },
}

/** People of the tests: names, valid CPFs and addresses. */
export const people = {
  ana: { name: 'Ana Souza', identifier: '529.982.247-25', email: 'ana@example.com' },
  bruno: { name: 'Bruno Lima', identifier: '111.444.777-35', email: 'bruno@example.com' },
  carla: { name: 'Carla Dias', identifier: '935.411.347-80', email: 'carla@example.com' },
} as const

export const signer = (user: object, over: object = {}) => ({ type: 'Signer', step: 1, user, ...over })
export const approver = (user: object, over: object = {}) => ({ type: 'Approver', step: 1, user, ...over })

/** Uploads a file as base64; returns the id of the upload. */
export async function upload(
  { json }: Pick<PlatformWorld, 'json'>,
  bytes: Uint8Array = samplePdf('Contrato'),
): Promise<string> {
  const { body } = await json('POST', '/api/uploads/bytes', { bytes: Buffer.from(bytes).toString('base64') })
  return body.id as string
}

/** Creates one document; returns its id. */
export async function createDocument(
  world: Pick<PlatformWorld, 'json'>,
  flowActions: readonly object[],
  over: { readonly file?: Uint8Array; readonly name?: string; readonly [field: string]: unknown } = {},
): Promise<string> {
  const { file, name = 'contrato.pdf', ...fields } = over
  const id = await upload(world, file)
  const contentType = name.endsWith('.pdf')
    ? 'application/pdf'
    : name.endsWith('.xml')
      ? 'text/xml'
      : 'application/octet-stream'
  const files = [{ id, name, displayName: name, contentType }]
  const { status, body } = await world.json('POST', '/api/documents', { files, flowActions, ...fields })
  if (status !== 200) throw new Error(`Not created: ${JSON.stringify(body)}`)
  return body[0].documentId as string
}

/** Key and ticket of a participant's action, cut out of the URL as clients do it. */
export async function ticketOf(world: Pick<PlatformWorld, 'json'>, documentId: string, identifier: string) {
  const { status, body } = await world.json('POST', `/api/documents/${documentId}/action-url`, { identifier })
  if (status !== 200) throw new Error(`No ticket: ${JSON.stringify(body)}`)
  const url = new URL(body.url as string)
  return { key: url.pathname.split('/')[3]!, ticket: url.searchParams.get('ticket')!, url: body.url as string }
}
