import type { Clock } from '@chancela/service-kernel/clock'
import type { Exchange } from './exchange.ts'

/** What an adapter of either protocol needs. */
export interface AdapterContext<Knobs> {
  /** Base URL of the provider, without a trailing slash. */
  readonly endpoint: string
  readonly clientId: string
  readonly clientSecret: string
  readonly knobs: Knobs
  readonly exchange: Exchange
  readonly clock: Clock
  /** Milliseconds for an answer. */
  readonly deadlines: { readonly call: number; readonly discovery: number; readonly sign: number }
}
