// What the cloud hub of the demo has: an administrator for its console, the demo's cloud as a provider over both
// protocols, and keys with redirect URIs.

import { administratorOperator } from '@chancela/admin-console'
import { providerOperator, redirectUriOperator } from '@chancela/cloud-hub/operator'
import type { Clock } from '@chancela/service-kernel/clock'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import { contextOf, type RunningService } from '@chancela/service-kernel/service'
import type { CloudProvider } from '@chancela/testkit/cloud-provider'
import type { DemoAdministrator } from './demo-administrator.ts'
import { demoKey, keyIdOf } from './demo-keys.ts'

/** The hub's client at the provider. Public, like all secrets of the demo. */
const client = { clientId: 'hub-da-demonstracao', clientSecret: 'segredo-da-demonstracao', name: 'Chancela' } as const

/** The same cloud twice, once by each protocol. */
const providers = [
  { serviceName: 'NuvemDemo', preset: 'generic-psc', endpoint: ({ psc }: CloudProvider) => psc.baseUrl },
  { serviceName: 'NuvemDemoCSC', preset: 'csc-2.0', endpoint: ({ csc }: CloudProvider) => csc.baseUrl('2.0') },
] as const

/** Creates what is missing, as an operator would on the machine. The cloud forgets its clients at every restart. */
export async function fillDemoHub(
  hub: RunningService,
  cloud: CloudProvider | undefined,
  administrator: DemoAdministrator,
): Promise<void> {
  const context = contextOf(hub)
  const administrators = administratorOperator(context)
  if ((await administrators.list()).length === 0) await administrators.create(administrator)
  if (!cloud) return
  const operator = providerOperator(context)
  const known = new Set((await operator.list()).map(({ serviceName }) => serviceName))
  for (const { serviceName, preset, endpoint } of providers) {
    const { clientId, clientSecret } = client
    const fields = { endpoint: endpoint(cloud), clientId, clientSecret }
    if (known.has(serviceName)) await operator.update(serviceName, fields)
    else await operator.add(preset, { serviceName, provider: 'Nuvem Demo S.A.', ...fields }, true)
  }
  cloud.register({ ...client, redirectUris: (await operator.list()).map(({ callbackUri }) => callbackUri) })
}

/** Adds a redirect URI to a key; adding it again changes nothing. */
export async function allowReturn(hub: RunningService, key: string, uri: string): Promise<void> {
  const context = contextOf<unknown, ApiKeyTables>(hub)
  const keyId = await keyIdOf(context.store, key, context.clock())
  if (keyId === undefined) throw new Error('The cloud hub of the demo does not know the key it was given.')
  const operator = redirectUriOperator(context)
  if (!(await operator.list(keyId)).some((one) => one.uri === uri)) await operator.add(keyId, uri)
}

/** A calling service's key for the hub: that of an earlier start while it still works. */
export const keyAtHub = (
  hub: RunningService,
  caller: string,
  former: string | undefined,
  clock: Clock,
): Promise<string> => demoKey(contextOf<unknown, ApiKeyTables>(hub).store, caller, former, 'secret', clock())
