// The whole service behind HTTP on one of the databases, with a client application and its key.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { createApplication, createKey, flushLogs } from '@chancela/service-kernel/http'
import { type BuiltService, type StatefulService, startService } from '@chancela/service-kernel/service'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { sessionServer } from '../../src/index.ts'
import { type SessionServerSettings, sessionServerSettings } from '../../src/settings.ts'
import { sessionServerSchema } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clock, rootsFile } from './pki.ts'
import type { SignatureService } from './signature-service.ts'

export type Database = keyof typeof testStores

export const databases = Object.keys(testStores) as readonly Database[]

/** Settings that differ from their defaults, as the settings file has them. */
export type SettingsFile = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface WorldOptions {
  readonly settings?: SettingsFile
  /** Where documents are signed; without one the signature service is an address where nobody answers. */
  readonly signer?: () => Pick<SignatureService, 'baseUrl' | 'apiKey'>
  /** A world that was stopped, to be started again on its data. */
  readonly after?: Left
}

/** What a world leaves behind. */
interface Left {
  readonly store: TestStore<Tables>
  readonly dataFolder: string
  readonly client: Client
}

/** An answer, read. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly body: any
  readonly headers: Headers
}

/** One service for the tests of a describe. */
export function sharedSessionServer(database: Database, options: WorldOptions = {}): () => SessionWorld {
  let world: SessionWorld | undefined
  let close = async () => {}
  beforeAll(async () => {
    const started = await start(database, options)
    world = started.world
    close = started.close
  })
  afterAll(() => close())
  return () => world!
}

/** Starts a service for one test; it stops with it. */
export async function startSessionServer(database: Database, options: WorldOptions = {}): Promise<SessionWorld> {
  const { world, close } = await start(database, options)
  onTestFinished(close)
  return world
}

/** What a test has in its hands. */
export type SessionWorld = Awaited<ReturnType<typeof start>>['world']

async function start(database: Database, { settings = {}, signer, after }: WorldOptions) {
  const store = after?.store ?? (await testStores[database]<Tables>(sessionServerSchema))
  const dataFolder = after?.dataFolder ?? (await mkdtemp(join(tmpdir(), 'chancela-sessions-')))
  let apps: BuiltService['surfaces'] = {}
  const build: StatefulService['build'] = async (context) => {
    const built = await sessionServer.build(context)
    apps = built.surfaces
    return built
  }
  // The name is the PostgreSQL schema, which differs by test.
  const definition: StatefulService = { ...sessionServer, name: store.service, build }
  const logFile = join(dataFolder, 'service.log')
  const loaded = settingsOf(store, settings, signer)
  const running = await startService(definition, loaded as unknown as KernelSettings, {
    clock,
    version: '1.0.0-test',
    dataFolder,
    logFile,
  })
  const url = (name: string) => running.surfaces.find(({ definition: { name: own } }) => own === name)!.baseUrl
  const baseUrl = url('session-server')
  const consoleUrl = url('session-server-console')
  const client = after?.client ?? (await newClient(store))

  const call = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      ...init,
      headers: { 'X-API-Key': client.apiKey, ...(init.headers as Record<string, string> | undefined) },
    })
  const json = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> =>
    readAnswer(
      await call(method, path, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      }),
    )
  const stop = () => running.stop()
  const close = async () => {
    await stop()
    if (!after) await rm(dataFolder, { recursive: true, force: true })
  }
  /** All that was logged so far: loggers collect for a second, and what is not written yet would be missed. */
  const log = () => {
    flushLogs()
    return readFileSync(logFile, 'utf8')
  }
  await vi.waitUntil(async () => (await call('GET', '/v1/sessions/status?sessionId=x')).status !== 401, {
    timeout: 60_000,
    interval: 5,
  })
  const world = { baseUrl, consoleUrl, clock, dataFolder, settings: loaded, apps, store, client, call, json, log, stop }
  return { world, close }
}

export async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers }
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

export function settingsOf(
  store: TestStore<Tables>,
  changes: SettingsFile,
  signer: WorldOptions['signer'],
): SessionServerSettings {
  const external = signer?.()
  const file: SettingsFile = {
    ...changes,
    Http: { Port: 0, ...changes.Http },
    Console: { Port: 0, ...changes.Console },
    Database: { Url: store.url },
    RateLimiting: { Enabled: false, ...changes.RateLimiting },
    Health: { CacheSeconds: 0 },
    Auth: { PasswordCost: 10, ...changes.Auth },
    Certificates: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'], ...changes.Certificates },
    Signer: {
      Endpoint: external?.baseUrl ?? 'http://127.0.0.1:9',
      ApiKey: external?.apiKey ?? 'nobody|nothing',
      ...changes.Signer,
    },
  }
  const name = 'session-server'
  return loadSettings({ schemas: { [name]: sessionServerSettings }, environment: {}, defaults: { [name]: file } })
    .settings[name]! as SessionServerSettings
}
