import { type Clock, SECOND } from '../clock/index.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface CircuitBreakerOptions {
  /** Failures in a row after which it opens. */
  readonly failures: number
  /** How long it stays open. */
  readonly seconds: number
  readonly clock: Clock
}

/**
 * Leaves a provider alone after failures in a row. When its time is over it lets one call through: a success closes it,
 * a failure opens it again.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #failures = 0
  /** Milliseconds since 1970; nothing while it is closed. */
  #openUntil: number | undefined
  #trying = false

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed'
    return this.#options.clock().getTime() < this.#openUntil ? 'open' : 'half-open'
  }

  /** Whether a call may be made now; in the half-open state whoever asks first makes it, and tells how it ended. */
  admits(): boolean {
    const { state } = this
    if (state !== 'half-open') return state === 'closed'
    if (this.#trying) return false
    this.#trying = true
    return true
  }

  succeeded(): void {
    this.#failures = 0
    this.#openUntil = undefined
    this.#trying = false
  }

  failed(): void {
    const { failures, seconds, clock } = this.#options
    this.#failures += 1
    if (this.#openUntil !== undefined ? this.#trying : this.#failures >= failures)
      this.#openUntil = clock().getTime() + seconds * SECOND
    this.#trying = false
  }

  /** The call came to nothing that tells of the provider: another one may try. */
  abandoned(): void {
    this.#trying = false
  }
}
