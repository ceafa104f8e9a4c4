// The document platform as the signature service: the real one, over HTTP, with an organization and its key.
import { documentPlatform } from '@chancela/document-platform'
import type { JobTables } from '@chancela/outbox/queue'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { type Caller, callerOf, sharedWorld, startServiceWorld } from '@chancela/testkit/service-world'
import { vi } from 'vitest'
import { clock, rootsFile } from './pki.ts'

/** The signature service of a test file. */
export interface SignatureService extends Pick<Caller, 'json'> {
  readonly baseUrl: string
  /** How many mails it wrote to an address, sent or not. */
  mailsTo(address: string): Promise<number>
  /** Of an application of its organization. */
  readonly apiKey: string
}

/** Starts one for the tests of a file or a describe. */
export const sharedSignatureService = (): (() => SignatureService) => sharedWorld(start)

const settings = {
  // Mails are written, and nobody takes them.
  Email: { Enabled: true, Host: '127.0.0.1', Port: 9, Security: 'None', From: 'plataforma@example.com' },
  Auth: { PasswordCost: 10 },
  Signing: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'] },
}

async function start(): Promise<{ readonly world: SignatureService; readonly close: () => Promise<void> }> {
  const { store, urlOf, close } = await startServiceWorld<ApiKeyTables & JobTables, unknown>(documentPlatform, {
    database: 'SQLite',
    clock,
    settings,
  })
  const baseUrl = urlOf('document-platform')
  const { id: applicationId } = await createApplication(store, 'administration', clock(), { byOperator: true })
  const wanted = { applicationId, description: 'test', form: 'application|secret' } as const
  const administrator = await knownCaller(baseUrl, (await createKey(store, wanted, clock())).key)
  const organization = await administrator.json('POST', '/api/admin/organizations', { name: 'Hospital Santa Clara' })
  const path = `/api/organizations/${organization.body.id}/applications`
  const { apiKey } = (await administrator.json('POST', path, { name: 'sessions' })).body
  const { json } = await knownCaller(baseUrl, apiKey)
  const mailsTo = async (address: string): Promise<number> => {
    const jobs = await store.db.selectFrom('durable_job').select('payload').where('queue', '=', 'mail').execute()
    return jobs.filter(({ payload }) => payload.includes(address)).length
  }
  return { world: { baseUrl, apiKey, json, mailsTo }, close }
}

/** A running service learns of new keys after a moment. */
async function knownCaller(baseUrl: string, apiKey: string): Promise<Caller> {
  const caller = callerOf(baseUrl, { 'X-Api-Key': apiKey })
  await vi.waitUntil(async () => (await caller.call('GET', '/api/documents?limit=0')).status === 200, {
    interval: 5,
  })
  return caller
}
