// The CSC adapter alone, against the simulator.
import { randomUUID } from 'node:crypto'
import type { RunningCloudProvider } from '@chancela/testkit/cloud-provider'
import { onTestFinished } from 'vitest'
import { openCscAdapter } from '../../src/upstream/csc/csc-adapter.ts'
import { openExchange } from '../../src/upstream/exchange.ts'
import { knobsOf, type SomeKnobs } from '../../src/upstream/knobs.ts'
import type { AuthorizationOrder, AuthorizationStep, Grant, ProviderAdapter } from '../../src/upstream/provider.ts'
import { clock } from './pki.ts'

const CALLBACK = 'https://hub.example/callbacks/csc'
const WAITING = 'https://hub.example/waiting/csc'

export const order: AuthorizationOrder = {
  type: 'SingleSignature',
  lifetimeSeconds: 300,
  callbackUri: CALLBACK,
  waitingUri: WAITING,
}

/** An adapter with a registration at the simulator. */
export function cscAdapter(
  provider: RunningCloudProvider,
  knobs: SomeKnobs & { readonly version: '1.0.4' | '2.0' | '2.2' } = { version: '2.0' },
  secret?: string,
): ProviderAdapter {
  const [clientId, clientSecret] = [randomUUID(), randomUUID()]
  provider.register({ clientId, clientSecret, redirectUris: [CALLBACK] })
  const exchange = openExchange({ allowedHosts: ['127.0.0.1'], maxResponseBytes: 1_048_576, connectTimeout: 10_000 })
  onTestFinished(() => exchange.close())
  return openCscAdapter({
    endpoint: provider.csc.baseUrl(knobs.version),
    clientId,
    clientSecret: secret ?? clientSecret,
    knobs: knobsOf('csc', knobs),
    exchange,
    clock,
    deadlines: { call: 30_000, discovery: 30_000, sign: 30_000 },
  })
}

/** The grant after the holder went through the provider's pages. */
export async function grantOf(
  provider: RunningCloudProvider,
  adapter: ProviderAdapter,
  asked: Partial<AuthorizationOrder> = {},
): Promise<Grant> {
  const full = { ...order, ...asked }
  let step: AuthorizationStep = await adapter.begin(full, randomUUID())
  for (;;) {
    const back = new URL(await provider.walk(step.url, { holder: 'ana-souza' }))
    const redeemed = await adapter.redeem(full, step.secret, back.searchParams.get('code')!, randomUUID())
    if (redeemed.kind === 'granted') return redeemed.grant
    step = redeemed.step
  }
}
