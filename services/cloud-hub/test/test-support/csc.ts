// A hub whose provider speaks every version of CSC, and the clients' calls.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import type { SomeKnobs } from '../../src/upstream/knobs.ts'
import { authorizedSession, begunAuthorization, followedUser, type Journey, returnedUser } from './authorized.ts'
import { type Database, type SettingsFile, sharedHub } from './hub-world.ts'
import { clock, running } from './pki.ts'
import { type AddedProvider, addProvider } from './providers.ts'

export const versions = ['1.0.4', '2.0', '2.2'] as const

/** Differences between protocol versions do not depend on the database. */
export const versionsOn = (database: Database): readonly Version[] => (database === 'SQLite' ? versions : ['2.0'])

type Version = (typeof versions)[number]

/** The path of a user at one of the versions, or at an added service. */
interface CscJourney extends Partial<Journey> {
  readonly version?: Version
}

/** One hub and one provider for the tests of a describe; faults are reset before each test. */
export function cscWorld(database: Database, settings: SettingsFile = {}) {
  const hub = sharedHub(database, { settings })
  const services = new Map<Version, AddedProvider>()
  let provider: RunningCloudProvider
  beforeAll(async () => {
    provider = await startCloudProvider({ pki: running.pki, clock })
    for (const version of versions)
      services.set(version, await addProvider(hub(), provider, { protocol: 'csc', version }))
  })
  beforeEach(() => provider.recover())
  afterAll(() => provider.stop())
  const journey = ({ version = '2.0', ...asked }: CscJourney): Journey => ({
    holder: 'ana-souza',
    serviceName: services.get(version)!.serviceName,
    ...asked,
  })
  return {
    get hub() {
      return hub()
    },
    get provider() {
      return provider
    },
    service: (version: Version) => services.get(version)!,
    /** Adds another service with its own knobs. */
    add: (version: Version, knobs: SomeKnobs) => addProvider(hub(), provider, { protocol: 'csc', version, knobs }),
    /** The value of an authorized session. */
    session: (asked: CscJourney = {}) => authorizedSession(hub(), provider, journey(asked)),
    /** The final URL of the user. */
    returned: (asked: CscJourney = {}) => returnedUser(hub(), provider, journey(asked)),
    begun: (asked: CscJourney = {}) => begunAuthorization(hub(), provider, journey(asked)),
    follow: (location: string, asked: CscJourney = {}) => followedUser(hub(), provider, location, journey(asked)),
    certificate: (session: string) => hub().json('GET', `/api/v2/sessions/certificate?session=${session}`),
    sign: (session: string, hash: string, more: object = {}) =>
      hub().json('POST', '/api/sessions/sign-hash', { session, hash, digestAlgorithm: 'SHA-256', ...more }),
    signAll: (session: string, hashes: readonly string[], more: object = {}) =>
      hub().json('POST', '/api/sessions/sign-hashes', { session, hashes, digestAlgorithm: 'SHA-256', ...more }),
    /** Waits until the log, which is written asynchronously, contains this. */
    logged: (text: string) => vi.waitUntil(() => hub().log().includes(text), { interval: 5 }),
    /** Calls of an operation that arrived at the provider since this was called. */
    arriving: () => {
      const from = provider.calls.length
      return (operation: string) => provider.calls.slice(from).filter((call) => call.operation === operation)
    },
  }
}
