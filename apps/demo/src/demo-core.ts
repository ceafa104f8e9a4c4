// What the PKI core of the demo has: an administrator for its console, a subscription with an application and a key, and a
// security context that trusts the demo PKI. Made once, as an administrator would, through its API.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administratorOperator } from '@chancela/admin-console'
import { contextOf, type RunningService } from '@chancela/service-kernel/service'
import { readCertificates } from '@chancela/signature-engine/x509'
import type { DemoAdministrator } from './demo-administrator.ts'

/** Names in the demo; data/demo.json shows the ids. */
const SUBSCRIPTION = 'Hospital Santa Clara'
const APPLICATION = 'demo'
const CONTEXT = 'Demo PKI'

/** What `data/demo.json` contains of it. */
interface DemoSubscription {
  readonly apiKey: string
  readonly subscriptionId: string
  readonly securityContextId: string
}

interface Named {
  readonly id: string
  readonly name: string
}

interface Page {
  readonly items: readonly Named[]
}

export async function fillDemoCore(core: RunningService, administrator: DemoAdministrator): Promise<void> {
  const administrators = administratorOperator(contextOf(core))
  if ((await administrators.list()).length === 0) await administrators.create(administrator)
}

/** The subscription of an earlier start while its key is accepted, else a new one. */
export async function demoSubscription(
  baseUrl: string,
  administrationKey: string,
  former: Partial<DemoSubscription> | undefined,
  dataFolder: string,
): Promise<DemoSubscription> {
  const { apiKey, subscriptionId, securityContextId } = former ?? {}
  // A new key is accepted only after a moment.
  while ((await send(baseUrl, administrationKey, 'GET', '/api/subscriptions')).status !== 200) await sleep(20)
  if (apiKey && subscriptionId && securityContextId && (await isKnown(baseUrl, apiKey)))
    return { apiKey, subscriptionId, securityContextId }
  const { id } = await subscription(caller(baseUrl, administrationKey))
  const member = caller(baseUrl, administrationKey, id)
  return { apiKey: await key(member), subscriptionId: id, securityContextId: await context(member, dataFolder) }
}

const send = (baseUrl: string, apiKey: string, method: string, path: string, body?: object, place?: string) =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'X-Api-Key': apiKey,
      ...(place && { 'X-Subscription': place }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const isKnown = async (baseUrl: string, apiKey: string): Promise<boolean> =>
  (await send(baseUrl, apiKey, 'GET', '/Api/Authentication')).status === 200

type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

const caller =
  (baseUrl: string, apiKey: string, place?: string): Call =>
  async <Answer>(method: string, path: string, body?: object) => {
    const answer = await send(baseUrl, apiKey, method, path, body, place)
    if (!answer.ok) throw new Error(`The PKI core: ${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

async function subscription(call: Call): Promise<Named> {
  const { items } = await call<Page>('GET', `/api/subscriptions?Q=${encodeURIComponent(SUBSCRIPTION)}`)
  return items.find(({ name }) => name === SUBSCRIPTION) ?? call('POST', '/api/subscriptions', { name: SUBSCRIPTION })
}

async function key(call: Call): Promise<string> {
  const { items } = await call<Page>('GET', `/api/applications?name=${APPLICATION}`)
  const asked = { name: APPLICATION, authorizationData: { roles: ['Admin'] } }
  const { id } = items[0] ?? (await call<Named>('POST', '/api/applications', asked))
  const made = { description: 'npm start' }
  return (await call<{ key: string }>('POST', `/api/applications/${id}/api-keys`, made)).key
}

/** The context that trusts the demo PKI, where that has started; it is the default of the subscription. */
async function context(call: Call, dataFolder: string): Promise<string> {
  const { items } = await call<Page>('GET', '/api/security-contexts')
  const file = join(dataFolder, 'demo', 'roots.pem')
  if (!existsSync(file)) return items[0]!.id
  const trustedRoots = readCertificates(readFileSync(file)).map(({ der }) => der.toString('base64'))
  const known = items.find(({ name }) => name === CONTEXT)
  const { id } = known ?? (await call<Named>('POST', '/api/security-contexts', { name: CONTEXT, trustedRoots }))
  await call('PUT', '/api/security-contexts/default', { id })
  return id
}
