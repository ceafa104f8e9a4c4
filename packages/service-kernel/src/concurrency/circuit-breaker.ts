export type BreakerState = 'closed' | 'open' | 'half-open'

export interface CircuitBreakerOptions {
  /** Failures in a row after which it opens. */
  readonly failures: number
  /** Milliseconds it stays open. */
  readonly pause: number
  /** Each failed trial doubles the pause, up to this. Default: it stays as it is. */
  readonly longestPause?: number
  /** Milliseconds of any clock; one that is set back ends a pause, of which it says nothing any more. */
  now(): number
}

/**
 * Opens after so many failures in a row. After its pause it is half open and allows one trial: a success closes it, a
 * failure opens it again.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #failures = 0
  #pause: number
  /** Undefined while it is closed. */
  #openUntil: number | undefined
  #isTrial = false

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    this.#pause = options.pause
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed'
    return this.pauseLeft > 0 ? 'open' : 'half-open'
  }

  /** Whether a trial is in progress. */
  get isTrial(): boolean {
    return this.#isTrial
  }

  /** Milliseconds until a trial is allowed. */
  get pauseLeft(): number {
    const left = this.#openUntil === undefined ? 0 : this.#openUntil - this.#options.now()
    return left > this.#pause ? 0 : Math.max(0, left)
  }

  /** Whether a call may be made now; when half open the first caller starts the trial and must report its result. */
  admits(): boolean {
    const { state } = this
    if (state !== 'half-open') return state === 'closed'
    if (this.#isTrial) return false
    this.#isTrial = true
    return true
  }

  succeeded(): void {
    this.#failures = 0
    this.#pause = this.#options.pause
    this.#openUntil = undefined
    this.#isTrial = false
  }

  /** True when this failure opened it. Calls that were in progress when it opened do not extend the pause. */
  failed(): boolean {
    const wasClosed = this.#openUntil === undefined
    const wasTrial = this.#isTrial
    this.#failures += 1
    this.#isTrial = false
    if (wasClosed ? this.#failures < this.#options.failures : !wasTrial) return false
    if (wasTrial) this.#pause = Math.min(this.#pause * 2, this.#options.longestPause ?? this.#pause)
    this.#openUntil = this.#options.now() + this.#pause
    return true
  }

  /** The trial ended without showing whether the other side works: another one may begin. */
  abandoned(): void {
    this.#isTrial = false
  }

  /** Allows a trial now: another caller had success. */
  endPause(): void {
    if (this.#openUntil !== undefined) this.#openUntil = Number.NEGATIVE_INFINITY
  }
}
