// The document platform as the signature service: the real one, over HTTP, with an organization and its key.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentPlatform } from '@chancela/document-platform'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { startService } from '@chancela/service-kernel/service'
import { openStore } from '@chancela/service-kernel/store'
import { afterAll, beforeAll, vi } from 'vitest'
import { clock, rootsFile } from './pki.ts'

/** The signature service of a test file. */
export interface SignatureService {
  readonly baseUrl: string
  /** Of an application of its organization. */
  readonly apiKey: string
  json(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>
}

/** Starts one for the tests of a file or a describe. */
export function sharedSignatureService(): () => SignatureService {
  let service: SignatureService | undefined
  let stop = async () => {}
  beforeAll(async () => {
    const started = await startSignatureService()
    service = started
    stop = started.stop
  })
  afterAll(() => stop())
  return () => service!
}

async function startSignatureService(): Promise<SignatureService & { readonly stop: () => Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'chancela-signature-service-'))
  const { name } = documentPlatform
  const file = {
    Http: { Port: 0 },
    Database: { Url: `sqlite:${join(dataFolder, 'documents.db')}` },
    RateLimiting: { Enabled: false },
    Auth: { PasswordCost: 10 },
    Signing: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'] },
  }
  const { settings } = loadSettings({
    schemas: { [name]: documentPlatform.settings },
    environment: {},
    defaults: { [name]: file },
  })
  const running = await startService(documentPlatform, settings[name] as unknown as KernelSettings, {
    clock,
    version: '1.0.0-test',
    dataFolder,
    logFile: join(dataFolder, 'service.log'),
  })
  const { baseUrl } = running.surfaces[0]!
  const store = await openStore<ApiKeyTables>({ url: file.Database.Url, service: name })
  const administration = await createApplication(store, 'administration', clock())
  const { key } = await createKey(
    store,
    { applicationId: administration.id, description: 'test', form: 'application|secret' },
    clock(),
  )
  await store.close()
  const caller =
    (apiKey: string) =>
    async (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> => {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'X-Api-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    }
  const untilKnown = (call: ReturnType<typeof caller>) =>
    vi.waitUntil(async () => (await call('GET', '/api/documents?limit=0')).status === 200, {
      timeout: 60_000,
      interval: 5,
    })
  const asAdministrator = caller(key)
  await untilKnown(asAdministrator)
  const organization = await asAdministrator('POST', '/api/admin/organizations', { name: 'Hospital Santa Clara' })
  const { id } = organization.body as { id: string }
  const application = await asAdministrator('POST', `/api/organizations/${id}/applications`, { name: 'sessions' })
  const { apiKey } = application.body as { apiKey: string }
  const json = caller(apiKey)
  await untilKnown(json)
  const stop = async () => {
    await running.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { baseUrl, apiKey, json, stop }
}
