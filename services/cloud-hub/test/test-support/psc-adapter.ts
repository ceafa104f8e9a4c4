// The adapter alone, against the simulator.
import { randomUUID } from 'node:crypto'
import type { RunningCloudProvider } from '@chancela/testkit/cloud-provider'
import { onTestFinished } from 'vitest'
import { openExchange } from '../../src/upstream/exchange.ts'
import { knobsOf, type SomeKnobs } from '../../src/upstream/knobs.ts'
import type { AuthorizationOrder, Grant } from '../../src/upstream/provider.ts'
import { openPscAdapter } from '../../src/upstream/psc/psc-adapter.ts'
import { clock } from './pki.ts'

export const CALLBACK = 'https://hub.example/callbacks/psc'
export const WAITING = 'https://hub.example/waiting/psc'

interface AdapterOptions {
  readonly knobs?: SomeKnobs
  readonly endpoint?: string
  readonly clientSecret?: string
  readonly maxResponseBytes?: number
  readonly deadline?: number
}

/** An adapter with a registration at the simulator. */
export function pscAdapter(provider: RunningCloudProvider, options: AdapterOptions = {}) {
  const [clientId, clientSecret] = [randomUUID(), randomUUID()]
  provider.register({ clientId, clientSecret, redirectUris: [CALLBACK] })
  const { knobs = {}, endpoint = provider.psc.baseUrl, maxResponseBytes = 1_048_576, deadline = 30_000 } = options
  const exchange = openExchange({ allowedHosts: ['127.0.0.1'], maxResponseBytes, connectTimeout: 10_000 })
  onTestFinished(() => exchange.close())
  return openPscAdapter({
    endpoint,
    clientId,
    clientSecret: options.clientSecret ?? clientSecret,
    knobs: knobsOf('psc', knobs),
    exchange,
    clock,
    deadlines: { call: deadline, discovery: deadline, sign: deadline },
  })
}

type Adapter = ReturnType<typeof pscAdapter>

interface Journey extends Partial<AuthorizationOrder> {
  readonly holder?: string
  readonly certificate?: string
}

/** The grant after the holder went through the provider's pages. */
export async function grantOf(
  provider: RunningCloudProvider,
  adapter: Adapter,
  { holder = 'ana-souza', certificate, ...asked }: Journey = {},
): Promise<Grant> {
  const order: AuthorizationOrder = {
    type: 'SingleSignature',
    lifetimeSeconds: 300,
    callbackUri: CALLBACK,
    waitingUri: WAITING,
    ...asked,
  }
  const state = randomUUID()
  const step = await adapter.begin(order, state)
  const back = new URL(await provider.walk(step.url, { holder, ...(certificate && { certificate }) }))
  const redeemed = await adapter.redeem(order, step.secret, back.searchParams.get('code')!, state)
  if (redeemed.kind !== 'granted') throw new Error('The PSC protocol has one redirect.')
  return redeemed.grant
}
