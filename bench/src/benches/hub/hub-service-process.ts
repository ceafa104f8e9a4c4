// The hub in a process of its own, with the providers and the key its order names.
import { readFileSync } from 'node:fs'
import { cloudHub } from '@chancela/cloud-hub'
import { providerOperator, redirectUriOperator } from '@chancela/cloud-hub/operator'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { contextOf } from '@chancela/service-kernel/service'
import { sendToParent } from '../../harness/program-side.ts'
import { addressOf, serveOrder } from '../serve-order.ts'
import { type HubOrder, type HubReady, REDIRECT_URI } from './hub-order.ts'

const service = await serveOrder(cloudHub)
const context = contextOf<unknown, ApiKeyTables>(service)
const { providers } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as HubOrder
const desk = providerOperator(context)
for (const [serviceName, endpoint] of Object.entries(providers))
  await desk.add(
    'generic-psc',
    { serviceName, provider: 'Bench', endpoint, clientId: 'bench', clientSecret: 'a secret of the bench' },
    true,
  )
sendToParent({ baseUrl: addressOf(service, 'Http'), apiKey: await newKey() } satisfies HubReady)

async function newKey(): Promise<string> {
  const { clock, store } = context
  const { id: applicationId } = await createApplication(store, `bench ${crypto.randomUUID()}`, clock())
  const { id, key } = await createKey(store, { applicationId, description: 'bench' }, clock())
  await redirectUriOperator(context).add(id, REDIRECT_URI)
  return key
}
