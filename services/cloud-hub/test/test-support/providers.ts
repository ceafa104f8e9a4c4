// The simulator as a provider of a hub.
import { randomUUID } from 'node:crypto'
import type { CloudProvider } from '@chancela/testkit/cloud-provider'
import { vi } from 'vitest'
import type { SomeKnobs } from '../../src/upstream/knobs.ts'
import { ProviderRegistry, type ProviderView } from '../../src/upstream/provider-registry.ts'
import type { HubWorld } from './hub-world.ts'

interface AddOptions {
  readonly protocol: 'psc' | 'csc'
  /** Of CSC; default 2.0. */
  readonly version?: '1.0.4' | '2.0' | '2.2'
  readonly knobs?: SomeKnobs
  /** Default: a unique name. */
  readonly serviceName?: string
  /** Instead of the simulator's own address. */
  readonly endpoint?: string
  readonly enabled?: boolean
}

/** A provider of the hub, with its secret, which only the simulator and the test know. */
export interface AddedProvider extends ProviderView {
  readonly clientSecret: string
}

export const registryOf = ({ context }: HubWorld): ProviderRegistry => new ProviderRegistry(context)

/** Registers the simulator at the hub, and the hub at the simulator; resolves when the hub knows it. */
export async function addProvider(
  world: HubWorld,
  provider: CloudProvider,
  { protocol, version = '2.0', knobs = {}, serviceName = newName(), endpoint, enabled = true }: AddOptions,
): Promise<AddedProvider> {
  const [clientId, clientSecret] = [randomUUID(), randomUUID()]
  const added = await registryOf(world).create(
    {
      preset: protocol === 'psc' ? 'generic-psc' : `csc-${version}`,
      serviceName,
      provider: 'Nuvem Demo S.A.',
      endpoint: endpoint ?? (protocol === 'psc' ? provider.psc.baseUrl : provider.csc.baseUrl(version)),
      clientId,
      clientSecret,
      knobs,
      enabled,
    },
    'test',
  )
  provider.register({ clientId, clientSecret, redirectUris: [added.callbackUri] })
  if (enabled) await knownTo(world, serviceName)
  return { ...added, clientSecret }
}

const newName = (): string => `cloud-${randomUUID().slice(0, 8)}`

/** Waits until a running hub has noticed a change made in the database. */
export async function knownTo(world: HubWorld, serviceName: string, known = true): Promise<void> {
  const body = { redirectUri: 'https://unregistered.example/' }
  await vi.waitUntil(
    async () => {
      const answer = await world.json('POST', `/api/sessions/services/${serviceName}`, body)
      return (answer.body?.code !== 'ServiceNotFound') === known
    },
    { interval: 5 },
  )
}
