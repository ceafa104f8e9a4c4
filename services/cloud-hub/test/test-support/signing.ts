// A hub with one provider, and the clients' calls under authorized sessions.
import { createHash, randomBytes, verify, type X509Certificate } from 'node:crypto'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import type { SessionRow } from '../../src/store/tables.ts'
import type { SomeKnobs } from '../../src/upstream/knobs.ts'
import { authorizedSession, type Journey } from './authorized.ts'
import { type Answer, type Database, type HubWorld, newClient, type SettingsFile, sharedHub } from './hub-world.ts'
import { clock, running } from './pki.ts'
import { type AddedProvider, addProvider } from './providers.ts'

/** A document, its hash, and the hash as clients send it. */
export function newDocument(algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512' = 'sha256') {
  const document = randomBytes(100)
  const digest = createHash(algorithm).update(document).digest()
  const hash = digest.toString('base64')
  /** Whether a signature of this document was made with the certificate of this label. */
  const isSignedBy = (signature: string, label: string): boolean =>
    verify(algorithm, document, certificateOf(label).publicKey, Buffer.from(signature, 'base64'))
  return { digest, hash, isSignedBy }
}

/** The certificate of this label in the demo PKI. */
const certificateOf = (label: string): X509Certificate => running.pki.certificate(label).x509

export const derOf = (label: string): string => certificateOf(label).raw.toString('base64')

interface SigningOptions {
  readonly settings?: SettingsFile
  readonly knobs?: SomeKnobs
  /** Default psc. */
  readonly protocol?: 'psc' | 'csc'
}

/** One hub and one provider for the tests of a describe; faults are reset before each test. */
export function signingWorld(database: Database, { settings = {}, ...service }: SigningOptions = {}) {
  // Faults of one test must not open the breaker for the next.
  const Providers = { BreakerFailures: 1000, ...settings.Providers }
  const hub = sharedHub(database, { settings: { ...settings, Providers } })
  let provider: RunningCloudProvider
  let added: AddedProvider
  beforeAll(async () => {
    provider = await startCloudProvider({ pki: running.pki, clock })
    added = await addProvider(hub(), provider, { protocol: 'psc', ...service })
  })
  beforeEach(() => provider.recover())
  afterAll(() => provider.stop())
  return {
    get hub() {
      return hub()
    },
    get provider() {
      return provider
    },
    get service() {
      return added
    },
    session: (journey: Partial<Journey> = {}) =>
      authorizedSession(hub(), provider, { holder: 'ana-souza', serviceName: added.serviceName, ...journey }),
    certificate: (session: string, version = '') =>
      hub().json('GET', `/api${version}/sessions/certificate?session=${session}`),
    sign: (session: string, hash: string, more: object = {}, headers: object = {}) =>
      hub().json('POST', '/api/sessions/sign-hash', { session, hash, digestAlgorithm: 'SHA-256', ...more }, headers),
    signAll: (session: string, hashes: readonly string[], more: object = {}) =>
      hub().json('POST', '/api/sessions/sign-hashes', { session, hashes, digestAlgorithm: 'SHA-256', ...more }),
    /** Counts calls of the provider from now on. */
    counting: () => countingCalls(provider),
    row: (session: string) => rowOf(hub(), session),
  }
}

function countingCalls(provider: RunningCloudProvider) {
  const from = provider.calls.length
  return (operation: string): number => provider.calls.slice(from).filter((call) => call.operation === operation).length
}

/** The database row of a session. */
const rowOf = (world: HubWorld, session: string): Promise<SessionRow> =>
  world.store.db
    .selectFrom('session')
    .selectAll()
    .where('value_hash', '=', createHash('sha256').update(session).digest('base64url'))
    .executeTakeFirstOrThrow()

/** Status and code of an answer, in any error format. */
export const outcomeOf = ({ status, body }: Answer): string =>
  `${status} ${typeof body === 'string' ? body : (body?.code ?? Object.keys(body?.errors ?? {}).join())}`.trim()

/** The headers of another client with a key of its own. */
export async function strangerTo(world: HubWorld): Promise<{ readonly 'X-Api-Key': string }> {
  const headers = { 'X-Api-Key': (await newClient(world.store)).apiKey }
  // A running hub learns of keys created in the database after a moment.
  const isKnown = async () =>
    (await world.call('GET', '/api/sessions/custom-state?session=x', { headers })).status !== 401
  await vi.waitUntil(isKnown, { interval: 5 })
  return headers
}
