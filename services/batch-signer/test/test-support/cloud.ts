// The cloud hub and a provider behind it: the real hub, over HTTP, and the simulator with the keys of the demo PKI.
import { type RunningCloudProvider, startCloudProvider, type Walk } from '@chancela/testkit/cloud-provider'
import type { SettingsFile } from '@chancela/testkit/service-world'
import { afterAll, beforeAll } from 'vitest'
// The starter of the hub's own tests: the service is tested against the real hub.
import { allowRedirects, followedUser } from '../../../cloud-hub/test/test-support/authorized.ts'
import { type HubWorld, sharedHub } from '../../../cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../cloud-hub/test/test-support/providers.ts'
import { demoPki } from './running-service.ts'

/** Where browsers reach the service, as far as the hub knows. */
const PUBLIC_BASE_URL = 'https://lote.example'

export interface Cloud {
  readonly hub: HubWorld
  readonly provider: RunningCloudProvider
  /** Settings of a service that uses the hub. */
  readonly settings: SettingsFile
  /** How often the provider was asked for signatures. */
  signatures(): number
  /** Path and query with which a holder comes back who went from the chooser through the provider's pages. */
  back(chooserUrl: string, walk: Walk): Promise<string>
}

/** Starts hub and provider for the tests of a file. */
export function sharedCloud(): () => Cloud {
  const hub = sharedHub('SQLite')
  let cloud: Cloud | undefined
  let stop = async () => {}
  beforeAll(async () => {
    hubClock.set(new Date())
    const { pki } = await demoPki()
    const provider = await startCloudProvider({ pki, clock: hubClock })
    stop = () => provider.stop()
    await addProvider(hub(), provider, { protocol: 'psc', serviceName: 'nuvem' })
    await allowRedirects(hub(), `${PUBLIC_BASE_URL}/approvals/cloud/return`)
    const { baseUrl, client } = hub()
    cloud = {
      hub: hub(),
      provider,
      settings: { CloudHub: { Endpoint: baseUrl, ApiKey: client.apiKey, PublicBaseUrl: PUBLIC_BASE_URL } },
      signatures: () => provider.calls.filter(({ operation }) => operation === 'signature').length,
      back: (url, walk) => wentThrough(hub(), provider, url, walk),
    }
  })
  afterAll(() => stop())
  return () => cloud!
}

async function wentThrough(hub: HubWorld, provider: RunningCloudProvider, chooserUrl: string, walk: Walk) {
  const ticket = new URL(chooserUrl).pathname.split('/').at(-1)!
  const { body } = await hub.json('GET', `/choices/${ticket}`)
  const [{ authUrl }] = body.services
  const { pathname, search } = await followedUser(hub, provider, await provider.walk(authUrl, walk), walk)
  return `${pathname}${search}`
}
