// The cloud hub and a provider behind it, for tests of the PKI core: the real hub, over HTTP, and the simulator.
import { type RunningCloudProvider, startCloudProvider, type Walk } from '@chancela/testkit/cloud-provider'
import { freePort } from '@chancela/testkit/tools'
import { afterAll, beforeAll } from 'vitest'
import { allowRedirects, followedUser } from '../../../cloud-hub/test/test-support/authorized.ts'
import { type HubWorld, sharedHub } from '../../../cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../cloud-hub/test/test-support/providers.ts'
import { clock, running } from './pki.ts'

/** What a core needs to know of the hub before it starts. */
interface Cloud {
  readonly hub: HubWorld
  readonly provider: RunningCloudProvider
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly publicUrl: string
  /** URL to which the hub redirects a holder who went from the chooser through the provider's pages. */
  back(chooserUrl: string, walk: Walk): Promise<string>
}

/** Starts hub and provider for the tests of a file. */
export function sharedCloud(): () => Cloud {
  const hub = sharedHub('SQLite')
  let cloud: Cloud | undefined
  let stop = async () => {}
  beforeAll(async () => {
    hubClock.set(clock())
    const provider = await startCloudProvider({ pki: running.pki, clock })
    stop = () => provider.stop()
    await addProvider(hub(), provider, { protocol: 'psc', serviceName: 'nuvem' })
    const port = await freePort()
    const publicUrl = `http://localhost:${port}`
    await allowRedirects(hub(), `${publicUrl}/cloud-return`)
    const { baseUrl, client } = hub()
    const settings = {
      Http: { Port: port, Host: 'localhost', PublicUrl: publicUrl },
      CloudHub: { Endpoint: baseUrl, ApiKey: client.apiKey },
    }
    cloud = { hub: hub(), provider, settings, publicUrl, back: (url, walk) => wentThrough(hub(), provider, url, walk) }
  })
  afterAll(() => stop())
  return () => cloud!
}

async function wentThrough(hub: HubWorld, provider: RunningCloudProvider, chooserUrl: string, walk: Walk) {
  const ticket = new URL(chooserUrl).pathname.split('/').at(-1)!
  const { body } = await hub.json('GET', `/choices/${ticket}`)
  const [{ authUrl }] = body.services
  return (await followedUser(hub, provider, await provider.walk(authUrl, walk), walk)).href
}
