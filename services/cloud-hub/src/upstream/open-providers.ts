import { SECOND } from '@chancela/service-kernel/clock'
import { type BreakerState, CircuitBreaker, CoalescedRun } from '@chancela/service-kernel/concurrency'
import type { Check } from '@chancela/service-kernel/health'
import type { Context } from '../context.ts'
import type { ProviderOperation } from '../contract/provider-operations.ts'
import type { HubMetrics } from '../metrics.ts'
import type { ProviderCondition } from '../rules/notice-conditions.ts'
import { allProviders, PROVIDER_CHANNEL } from '../store/providers.ts'
import type { ProviderRow } from '../store/tables.ts'
import { callbackUri, publicUrl, waitingUri } from './addresses.ts'
import { knobsOfRow, type OpenAdapter, openAdapter } from './open-adapter.ts'
import type { Provider, Providers } from './provider.ts'
import { ProviderChecks, providerCheck } from './provider-checks.ts'
import { type ProviderFailure, type Watch, watchedAdapter } from './watched-adapter.ts'

/** Providers with the operator's view of them. */
export interface OpenProviders extends Providers {
  /** Reads the providers again now. */
  refresh(): Promise<void>
  /** The last failure of a provider since this process started. */
  lastFailure(id: string): ProviderFailure | undefined
  /** Those that are enabled, and what is not well with each. */
  conditions(): readonly ProviderCondition[]
}

type ProvidersContext = Pick<
  Context,
  'settings' | 'store' | 'secrets' | 'clock' | 'logger' | 'closing' | 'readiness' | 'certificates'
>

/** Seconds after which another process's change is noticed at the latest. */
const REFRESH_SECONDS = 5

/** Opens the providers of the store and follows their changes. */
export async function openProviders(context: ProvidersContext, metrics: HubMetrics): Promise<OpenProviders> {
  const { store, logger, closing } = context
  const known = new KnownProviders(context, metrics)
  // Serialized: a read started before a change must not overwrite a later one.
  const reading = new CoalescedRun(async () => known.take(await allProviders(store.db)))
  const refresh = () => reading.request()
  await refresh()
  const refreshQuietly = (): void =>
    void refresh().catch((error: unknown) => logger.error({ err: error }, 'providers could not be loaded'))
  const stopListening = store.listen(PROVIDER_CHANNEL, refreshQuietly)
  const timer = setInterval(refreshQuietly, REFRESH_SECONDS * SECOND).unref()
  closing.add('the providers', async () => {
    clearInterval(timer)
    stopListening()
    await reading.idle()
    await known.close()
  })
  return {
    list: () => known.usable,
    find: (serviceName) => known.byName.get(serviceName.toLowerCase()),
    get: (id) => known.byId.get(id)?.provider,
    lastFailure: (id) => known.byId.get(id)?.lastFailure,
    conditions: () => known.conditions(),
    refresh,
  }
}

interface Known {
  /** The row it was made from, as text. */
  readonly made: string
  readonly open: OpenAdapter
  readonly provider: Provider
  readonly breakers: Watch['breakers']
  readonly answers: Check
  /** PEM. */
  readonly clientCertificate: string | undefined
  lastFailure?: ProviderFailure
  /** Operations at which it did not accept the credentials of the hub, and has not since. */
  readonly refused: Set<ProviderOperation>
}

/** The current providers; an unchanged row keeps its adapter, its connections and its breakers. */
class KnownProviders {
  readonly #context: ProvidersContext
  readonly #metrics: HubMetrics
  readonly #checks: ProviderChecks
  byId: ReadonlyMap<string, Known> = new Map()
  byName: ReadonlyMap<string, Provider> = new Map()
  usable: readonly Provider[] = []
  #enabled: readonly ProviderRow[] = []

  constructor(context: ProvidersContext, metrics: HubMetrics) {
    this.#context = context
    this.#metrics = metrics
    this.#checks = new ProviderChecks(context)
  }

  take(rows: readonly ProviderRow[]): void {
    const before = this.byId
    this.byId = new Map(rows.flatMap((row) => this.#known(row)).map((known) => [known.provider.id, known]))
    // Until the hub is registered there, no user can be sent to it.
    this.#enabled = rows.filter(({ enabled, client_id }) => enabled && client_id !== '')
    const ready = new Set(this.#enabled.map(({ id }) => id))
    this.usable = [...this.byId.values()].map(({ provider }) => provider).filter(({ id }) => ready.has(id))
    this.byName = new Map(this.usable.map((provider) => [provider.serviceName.toLowerCase(), provider]))
    this.#checks.follow([...this.byId.values()].filter(({ provider }) => ready.has(provider.id)))
    const kept = new Set(this.byId.values())
    for (const known of before.values()) if (!kept.has(known)) void known.open.exchange.retire()
  }

  conditions(): readonly ProviderCondition[] {
    return this.#enabled.map(({ id, service_name: serviceName }) => {
      const known = this.byId.get(id)
      return {
        serviceName,
        isOpen: known !== undefined,
        // One that was half opened has not answered since.
        isAskedForHolders: known === undefined || known.breakers.discovery.state === 'closed',
        acceptsHub: known === undefined || known.refused.size === 0,
      }
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.byId.values()].map(({ open }) => open.exchange.close()))
  }

  #known(row: ProviderRow): Known[] {
    const { position: _, ...rest } = row
    const made = JSON.stringify(rest)
    const before = this.byId.get(row.id)
    if (before?.made === made) return [before]
    try {
      return [this.#made(row, made)]
    } catch (error) {
      // A secret under a lost key, or knobs of a later version: the other providers must keep working.
      this.#context.logger.error({ provider: row.service_name, err: error }, 'provider could not be initialized')
      return []
    }
  }

  #made(row: ProviderRow, made: string): Known {
    const { settings, clock, logger } = this.#context
    const open = openAdapter(this.#context, row)
    const { BreakerFailures: failures, BreakerSeconds: seconds } = settings.Providers
    const breaker = () => new CircuitBreaker({ failures, pause: seconds * SECOND, now: () => clock().getTime() })
    const breakers = { discovery: breaker(), use: breaker() }
    const { service_name: serviceName, endpoint } = row
    const answers = providerCheck({ exchange: open.exchange, endpoint, breakers, clock })
    const refused = new Set<ProviderOperation>()
    this.#measure(serviceName)
    const adapter = watchedAdapter(open.adapter, {
      serviceName,
      breakers,
      metrics: this.#metrics,
      logger,
      clock,
      failed: (failure) => {
        known.lastFailure = failure
        if (failure.kind === 'misconfigured') refused.add(failure.operation)
      },
      succeeded: (operation) => void refused.delete(operation),
    })
    const provider: Provider = {
      id: row.id,
      serviceName,
      company: row.provider,
      endpoint,
      badgeUrl: row.badge_url ?? `${publicUrl(settings)}/badges/${encodeURIComponent(serviceName)}.svg`,
      enabled: row.enabled === 1,
      callbackUri: callbackUri(settings, row),
      waitingUri: waitingUri(settings, row),
      adapter,
      get available() {
        return breakers.use.state !== 'open'
      },
      isThere: async () => (await answers(new AbortController().signal)).ok,
      ...open.traits,
    }
    const { clientCertificate } = knobsOfRow(row)
    const known: Known = { made, open, provider, breakers, answers, clientCertificate, refused }
    return known
  }

  /** Looked up by name at every scrape: the provider may have been reopened, renamed or removed since. */
  #measure(serviceName: string): void {
    for (const calls of ['discovery', 'use'] as const)
      this.#metrics.hub_provider_breaker.measure({ provider: serviceName, calls }, () => {
        const known = [...this.byId.values()].find(({ provider }) => provider.serviceName === serviceName)
        return breakerGauge[known?.breakers[calls].state ?? 'closed']
      })
  }
}

const breakerGauge: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 }
