export type BreakerState = 'closed' | 'open' | 'half-open'

export interface CircuitBreakerOptions {
  /** Failures in a row after which it opens. */
  readonly failures: number
  /** Milliseconds it stays open. */
  readonly pause: number
  /** Each failed trial doubles the pause, up to this. Default: it stays as it is. */
  readonly longestPause?: number
  /** Milliseconds of any clock that goes forward. */
  now(): number
}

/**
 * Leaves alone what has failed so many times in a row. When its pause is over it is half open and allows one trial: a
 * success closes it, a failure opens it again.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #failures = 0
  #pause: number
  /** Nothing while it is closed. */
  #openUntil: number | undefined
  #isTrial = false

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    this.#pause = options.pause
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed'
    return this.#options.now() < this.#openUntil ? 'open' : 'half-open'
  }

  /** Whether a trial is under way. */
  get isTrial(): boolean {
    return this.#isTrial
  }

  /** Milliseconds until a trial is allowed. */
  get pauseLeft(): number {
    return this.#openUntil === undefined ? 0 : Math.max(0, this.#openUntil - this.#options.now())
  }

  /** Whether a call may be made now; in the half-open state whoever asks first begins the trial, and tells how it ended. */
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

  /** True when this failure opened it. Calls that were under way when it opened do not keep it open. */
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

  /** The trial came to nothing that tells of the other side: another one may begin. */
  abandoned(): void {
    this.#isTrial = false
  }

  /** Allows a trial now: somebody else had success. */
  endPause(): void {
    if (this.#openUntil !== undefined) this.#openUntil = Number.NEGATIVE_INFINITY
  }
}
