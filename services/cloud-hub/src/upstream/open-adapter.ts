import { rootCertificates } from 'node:tls'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../context.ts'
import type { CscKnobs, ProviderProtocol, PscKnobs } from '../contract/provider-knobs.ts'
import type { ProviderRow } from '../store/tables.ts'
import type { AdapterContext } from './adapter-context.ts'
import { openCscAdapter } from './csc/csc-adapter.ts'
import { type Exchange, openExchange } from './exchange.ts'
import { type KnobsOf, knobsOf, type SomeKnobs } from './knobs.ts'
import { presetOf } from './presets.ts'
import type { Provider, ProviderAdapter } from './provider.ts'
import { proxyPolicy, proxyUrlOf } from './provider-proxy.ts'
import { openProviderSecrets, type ProviderSecrets } from './provider-secrets.ts'
import { openPscAdapter } from './psc/psc-adapter.ts'

/** An adapter and its exchange. */
export interface OpenAdapter {
  readonly adapter: ProviderAdapter
  readonly exchange: Exchange
  /** Traits the hub itself takes from its knobs. */
  readonly traits: Pick<Provider, 'issuer' | 'discoveryMilliseconds' | 'keptOnFailure' | 'offeredUnasked'>
}

export type AdapterServices = Pick<Context, 'settings' | 'secrets' | 'clock'>

const MAX_CONNECT_SECONDS = 10

/** The effective knobs of a row. */
export const knobsOfRow = <P extends ProviderProtocol>({ protocol, preset, knobs }: ProviderRow): KnobsOf<P> =>
  knobsOf(protocol as P, presetOf(preset)?.knobs ?? {}, JSON.parse(knobs) as SomeKnobs)

/** Opens the adapter of a row; throws when its secret or its knobs cannot be read. */
export function openAdapter(context: AdapterServices, row: ProviderRow): OpenAdapter {
  const secrets = openProviderSecrets(context.secrets, row)
  const knobs = knobsOfRow(row)
  const exchange = openExchangeFor(context, { row, knobs, secrets })
  const own = { ...contextOf(context, row, knobs), clientSecret: secrets.clientSecret, exchange }
  const adapter =
    row.protocol === 'psc'
      ? openPscAdapter(own as AdapterContext<PscKnobs>)
      : openCscAdapter(own as AdapterContext<CscKnobs>)
  const { issuer, discoveryTimeoutMilliseconds: discoveryMilliseconds, offerUnasked: offeredUnasked } = knobs
  return {
    adapter,
    exchange,
    traits: {
      offeredUnasked,
      keptOnFailure: 'keepOnFailure' in knobs && knobs.keepOnFailure,
      ...(issuer !== undefined && { issuer }),
      ...(discoveryMilliseconds !== undefined && { discoveryMilliseconds }),
    },
  }
}

type AnyKnobs = PscKnobs | CscKnobs

interface Reached {
  readonly row: Pick<ProviderRow, 'proxy_url'>
  readonly knobs: AnyKnobs
  readonly secrets: Partial<ProviderSecrets>
}

/** The exchange with a provider. */
export function openExchangeFor(
  { settings }: Pick<Context, 'settings'>,
  { row, knobs: { caBundle, clientCertificate, proxyResolvesNames }, secrets }: Reached,
): Exchange {
  const { tlsKey } = secrets
  const proxyUrl = proxyUrlOf(row, secrets)
  const { AllowedHosts, MaxResponseBytes, TimeoutSeconds } = settings.Providers
  const tls = {
    // Node uses these instead of its own authorities, not in addition.
    ...(caBundle !== undefined && { ca: [...rootCertificates, caBundle].join('\n') }),
    ...(clientCertificate !== undefined && tlsKey !== undefined && { cert: clientCertificate, key: tlsKey }),
  }
  return openExchange({
    allowedHosts: AllowedHosts,
    maxResponseBytes: MaxResponseBytes,
    connectTimeout: Math.min(TimeoutSeconds, MAX_CONNECT_SECONDS) * SECOND,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(proxyUrl !== undefined && {
      proxy: { url: proxyUrl, policy: proxyPolicy(settings), resolves: proxyResolvesNames },
    }),
  })
}

function contextOf({ settings, clock }: AdapterServices, { endpoint, client_id }: ProviderRow, knobs: AnyKnobs) {
  const { Providers, Discovery } = settings
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    clientId: client_id,
    knobs,
    clock,
    deadlines: {
      call: Providers.TimeoutSeconds * SECOND,
      discovery: knobs.discoveryTimeoutMilliseconds ?? Discovery.TimeoutMilliseconds,
      sign: (knobs.signTimeoutSeconds ?? Providers.SignTimeoutSeconds) * SECOND,
    },
  }
}
