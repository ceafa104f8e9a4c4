// The whole service behind HTTP on one of the databases, with an organization and its key.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { createApplication, createKey } from '@chancela/service-kernel/http'
import { type StatefulService, startService } from '@chancela/service-kernel/service'
import { type TestClock, testClock } from '@chancela/testkit/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { documentPlatform } from '../../src/index.ts'
import { type DocumentPlatformSettings, documentPlatformSettings } from '../../src/settings.ts'
import { documentPlatformSchema } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/tables.ts'

export type Database = keyof typeof testStores

export const databases = Object.keys(testStores) as readonly Database[]

/** Settings that differ from their defaults, as the settings file has them. */
type SettingsFile = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface WorldOptions {
  readonly settings?: SettingsFile
  readonly clock?: TestClock
  /** A world that was stopped, to be started again on its data. */
  readonly after?: Left
}

/** What a world leaves behind. */
interface Left {
  readonly store: TestStore<Tables>
  readonly clock: TestClock
  readonly dataFolder: string
  readonly organization: Organization
}

/** An answer, read. */
interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly body: any
  readonly headers: Headers
}

/**
 * One service for the tests of a describe; each call gives a test an organization of its own. The clock is everybody's:
 * a test that moves it makes what it needs afterwards.
 */
export function sharedPlatform(
  database: Database,
  options: WorldOptions | (() => WorldOptions) = {},
): () => Promise<PlatformWorld> {
  let running: Running | undefined
  beforeAll(async () => {
    running = await start(database, typeof options === 'function' ? options() : options)
  })
  afterAll(() => running?.close())
  return () => worldOf(running!)
}

/** Starts a service for one test; it stops with it. */
export async function startPlatform(database: Database, options: WorldOptions = {}): Promise<PlatformWorld> {
  const running = await start(database, options)
  onTestFinished(running.close)
  return worldOf(running, options.after?.organization)
}

type Running = Awaited<ReturnType<typeof start>>

async function start(database: Database, { settings = {}, clock, after }: WorldOptions) {
  const store = after?.store ?? (await testStores[database]<Tables>(documentPlatformSchema))
  const time = clock ?? after?.clock ?? testClock('2026-11-15T12:00:00.000Z')
  const dataFolder = after?.dataFolder ?? (await mkdtemp(join(tmpdir(), 'chancela-documents-')))
  // The name is the PostgreSQL schema, which differs by test.
  const definition: StatefulService = { ...documentPlatform, name: store.service }
  const running = await startService(definition, settingsOf(store, settings) as unknown as KernelSettings, {
    clock: time,
    version: '1.0.0-test',
    dataFolder,
    logFile: join(dataFolder, 'service.log'),
  })
  const { baseUrl } = running.surfaces[0]!
  const stop = () => running.stop()
  const close = async () => {
    await stop()
    if (!after) await rm(dataFolder, { recursive: true, force: true })
  }
  return { baseUrl, clock: time, dataFolder, store, stop, close }
}

/** What a test has in its hands. */
export type PlatformWorld = Awaited<ReturnType<typeof worldOf>>

async function worldOf({ close: _, ...running }: Running, known?: Organization) {
  const organization = known ?? (await newOrganization(running.store, running.clock(), 'Hospital Santa Clara'))

  /** Calls with the organization's key unless the headers say otherwise. */
  const call = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${running.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      ...init,
      headers: { 'X-Api-Key': organization.apiKey, ...(init.headers as Record<string, string> | undefined) },
    })
  const json = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> => {
    const sent =
      body === undefined
        ? { headers: headers as Record<string, string> }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
    const answer = await call(method, path, sent)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
  }
  await untilKnown(() => call('GET', '/api/documents?limit=0'))
  return { ...running, organization, call, json }
}

/** A key that was made a moment ago is known to the service a moment later: waits until a call with it is answered. */
export const untilKnown = (call: () => Promise<{ readonly status: number }>): Promise<unknown> =>
  vi.waitUntil(async () => (await call()).status === 200, { timeout: 60_000, interval: 5 })

type Organization = Awaited<ReturnType<typeof newOrganization>>

/** Makes an organization with an application, past the API: tests of the API begin with somebody who may call it. */
export async function newOrganization(
  store: TestStore<Tables>,
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
      created_at: now.toISOString(),
      deleted_at: null,
    })
    .execute()
  const application = await createApplication(store, `app ${id}`, now)
  await store.db
    .insertInto('application_scope')
    .values({ application_id: application.id, organization_id: id, role, folder_ids: null })
    .execute()
  const { key } = await createKey(
    store,
    { applicationId: application.id, description: 'test', form: 'application|secret' },
    now,
  )
  return { id, name, application: application.name, applicationId: application.id, apiKey: key }
}

/** A key of the instance's administration, as an operator makes it at the machine. */
export async function administrationKey(store: TestStore<Tables>, now: Date): Promise<string> {
  const application = await createApplication(store, `administration ${crypto.randomUUID()}`, now)
  return (
    await createKey(store, { applicationId: application.id, description: 'test', form: 'application|secret' }, now)
  ).key
}

function settingsOf(store: TestStore<Tables>, changes: SettingsFile): DocumentPlatformSettings {
  const file: SettingsFile = {
    ...changes,
    Http: { Port: 0, ...changes.Http },
    Database: { Url: store.url },
    RateLimiting: { Enabled: false, ...changes.RateLimiting },
    Health: { CacheSeconds: 0 },
    Auth: { PasswordCost: 10, ...changes.Auth },
    Webhooks: { AllowedHosts: ['127.0.0.1/32', 'localhost'], ...changes.Webhooks },
  }
  const name = 'document-platform'
  return loadSettings({ schemas: { [name]: documentPlatformSettings }, environment: {}, defaults: { [name]: file } })
    .settings[name]! as DocumentPlatformSettings
}

/** People of the tests: names, valid CPFs and addresses. */
export const people = {
  ana: { name: 'Ana Souza', identifier: '529.982.247-25', email: 'ana@example.com' },
  bruno: { name: 'Bruno Lima', identifier: '111.444.777-35', email: 'bruno@example.com' },
  carla: { name: 'Carla Dias', identifier: '935.411.347-80', email: 'carla@example.com' },
} as const

export const signer = (user: object, over: object = {}) => ({ type: 'Signer', step: 1, user, ...over })
export const approver = (user: object, over: object = {}) => ({ type: 'Approver', step: 1, user, ...over })

/** Uploads a file as base64; the id of the upload. */
export async function upload(
  { json }: Pick<PlatformWorld, 'json'>,
  bytes: Uint8Array = samplePdf('Contrato'),
): Promise<string> {
  const { body } = await json('POST', '/api/uploads/bytes', { bytes: Buffer.from(bytes).toString('base64') })
  return body.id as string
}

/** Creates one document; its id. */
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

/** Key and ticket of a participant's action, cut out of the address as clients do it. */
export async function ticketOf(world: Pick<PlatformWorld, 'json'>, documentId: string, identifier: string) {
  const { status, body } = await world.json('POST', `/api/documents/${documentId}/action-url`, { identifier })
  if (status !== 200) throw new Error(`No ticket: ${JSON.stringify(body)}`)
  const url = new URL(body.url as string)
  return { key: url.pathname.split('/')[3]!, ticket: url.searchParams.get('ticket')!, url: body.url as string }
}
