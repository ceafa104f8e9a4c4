import type { Clock } from '@chancela/service-kernel/clock'
import type { CircuitBreaker } from '@chancela/service-kernel/concurrency'
import type { Logger } from '@chancela/service-kernel/http'
import type { Finding } from '../contract/provider-findings.ts'
import type { ProviderOperation } from '../contract/provider-operations.ts'
import type { HubMetrics } from '../metrics.ts'
import type { ProviderAdapter } from './provider.ts'
import { isAilment, ProviderProblem, type ProviderProblemKind } from './provider-problem.ts'

/** The last failure, for the operator. */
export interface ProviderFailure {
  readonly at: Date
  readonly operation: ProviderOperation
  readonly kind: ProviderProblemKind
  readonly findings: readonly Finding[]
  /** The same in English, with what the network said; without secrets. */
  readonly text: string
}

export interface Watch {
  readonly serviceName: string
  /**
   * Discovery has its own breaker: at some providers discovery fails for days while they sign, and users of a slow
   * search must not keep others from signing.
   */
  readonly breakers: { readonly discovery: CircuitBreaker; readonly use: CircuitBreaker }
  readonly metrics: HubMetrics
  readonly logger: Logger
  readonly clock: Clock
  readonly failed: (failure: ProviderFailure) => void
  readonly succeeded: (operation: ProviderOperation) => void
}

/** Adds metrics, logging of failures and circuit breakers to an adapter. */
export function watchedAdapter(adapter: ProviderAdapter, watch: Watch): ProviderAdapter {
  const { discovery, use } = watch.breakers
  const { revoke, push } = adapter
  return {
    discovers: adapter.discovers,
    discover: (identifier, signal) =>
      watched(watch, 'discover', discovery, () => adapter.discover(identifier, signal), signal),
    // May need no call at all, so its success says nothing about the provider.
    begin: async (order, state) => {
      if (use.state === 'open') throw leftAlone()
      return measured(watch, 'begin', () => adapter.begin(order, state))
    },
    redeem: (order, secret, code, state) =>
      watched(watch, 'redeem', use, () => adapter.redeem(order, secret, code, state)),
    ...(push && {
      push: {
        start: (order, secret) => watched(watch, 'push', use, () => push.start(order, secret)),
        poll: (pushCode) => watched(watch, 'poll', use, () => push.poll(pushCode)),
      },
    }),
    listCertificates: (grant, signal) =>
      watched(watch, 'certificates', use, () => adapter.listCertificates(grant, signal), signal),
    sign: (grant, order, signal) => watched(watch, 'sign', use, () => adapter.sign(grant, order, signal), signal),
    // Best effort: its result says nothing about signing.
    ...(revoke && { revoke: (grant) => measured(watch, 'revoke', () => revoke(grant)) }),
    test: (signal) => adapter.test(signal),
  }
}

const leftAlone = (): ProviderProblem => new ProviderProblem('unavailable', { found: 'left-alone' })

async function watched<T>(
  watch: Watch,
  operation: ProviderOperation,
  breaker: CircuitBreaker,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (!breaker.admits()) throw leftAlone()
  try {
    const result = await measured(watch, operation, call)
    breaker.succeeded()
    return result
  } catch (error) {
    settle(breaker, error, signal)
    throw error
  }
}

function settle(breaker: CircuitBreaker, error: unknown, signal: AbortSignal | undefined): void {
  if (!(error instanceof ProviderProblem) || isGivenUp(signal)) breaker.abandoned()
  else if (isAilment(error)) breaker.failed()
  else breaker.succeeded()
}

/** The caller gave up; a timeout counts against the provider. */
const isGivenUp = (signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && (signal.reason as Error | undefined)?.name !== 'TimeoutError'

async function measured<T>(watch: Watch, operation: ProviderOperation, call: () => Promise<T>): Promise<T> {
  const { metrics, serviceName: provider } = watch
  const begun = performance.now()
  try {
    const result = await call()
    watch.succeeded(operation)
    return result
  } catch (error) {
    if (error instanceof ProviderProblem) report(watch, operation, error, begun)
    throw error
  } finally {
    metrics.hub_provider_seconds.observe({ provider, operation }, (performance.now() - begun) / 1000)
  }
}

function report(watch: Watch, operation: ProviderOperation, problem: ProviderProblem, begun: number): void {
  const { metrics, logger, clock, serviceName: provider, failed } = watch
  const { kind, status, code: providerError, diagnosis, findings, account } = problem
  metrics.hub_provider_problems_total.inc({ provider, operation, kind })
  logger.warn(
    { provider, operation, kind, status, providerError, diagnosis, ms: Math.round(performance.now() - begun) },
    'provider call failed',
  )
  failed({ at: clock(), operation, kind, findings, text: account })
}
