import { type Clock, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Logger } from '@chancela/service-kernel/http'
import type { RecordedCode } from '../contract/errors.ts'
import type { Held } from '../rules/conditions.ts'
import type { JobReason } from '../rules/job-reason.ts'

/** A profile or a folder whose files wait. */
export interface Hold<R extends string = string> {
  readonly name: string
  readonly reason: R
  readonly code: RecordedCode
  /** One sentence without secrets. */
  readonly message: string
  /** The same for readers of other languages, where it is known. */
  readonly told: JobReason | undefined
  readonly since: Date
  /** When the condition is tried again; null when only a person can end it. */
  readonly nextTryAt: Date | null
}

/** A hold that began, or begins to have another reason; or one that is over. */
export interface HoldChange<R extends string = string> {
  readonly kind: 'begun' | 'ended'
  readonly hold: Hold<R>
}

export interface HoldsOptions<R extends string> {
  readonly clock: Clock
  readonly logger: Logger
  /** What is held, for the log. */
  readonly what: 'profile' | 'folder'
  /** The error that says why; others are no conditions. */
  readonly Held: abstract new (
    ...given: never[]
  ) => Held<R>
  /** Whether the service tries it again by itself. Default: always. */
  isTriedAgain?(reason: R): boolean
  /** Tries whether work could go on, without any file; throws `Held` while it cannot. */
  probe(hold: Hold<R>): Promise<void>
  /** Milliseconds until the first try; doubled up to a minute. Default 3000. */
  readonly firstTryMs?: number | undefined
}

const FIRST_TRY = 3 * SECOND
const LAST_TRY = MINUTE

interface Kept<R extends string> {
  hold: Hold<R>
  tries: number
  timer: NodeJS.Timeout | undefined
  trying: Promise<void> | undefined
}

/** The profiles, or folders, that cannot work now, and when each is tried again. */
export class Holds<R extends string> {
  readonly #options: HoldsOptions<R>
  readonly #held = new Map<string, Kept<R>>()
  /** How many tries a hold took that ended lately: one that returns at once is not tried as often as a fresh one. */
  readonly #ended = new Map<string, { readonly tries: number; readonly at: number }>()
  readonly #listeners = new Set<(change: HoldChange<R>) => void>()
  #closed = false

  constructor(options: HoldsOptions<R>) {
    this.#options = options
  }

  of(name: string): Hold<R> | undefined {
    return this.#held.get(name)?.hold
  }

  list(): readonly Hold<R>[] {
    return [...this.#held.values()].map(({ hold }) => hold)
  }

  /** Names of what is held: their jobs are not picked up. */
  names(): readonly string[] {
    return [...this.#held.keys()]
  }

  listen(listener: (change: HoldChange<R>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  begin(name: string, held: Held<R>): void {
    if (this.#closed) return
    const known = this.#held.get(name)
    const { condition: reason, code, message, reason: told } = held
    if (known?.hold.reason === reason && known.hold.message === message) return
    const since = known?.hold.since ?? this.#options.clock()
    const kept = known ?? { hold: undefined!, tries: this.#triesBefore(name), timer: undefined, trying: undefined }
    const isNews = known?.hold.reason !== reason
    kept.hold = { name, reason, code, message, told, since, nextTryAt: null }
    this.#held.set(name, kept)
    if (!kept.trying) this.#schedule(kept)
    if (!isNews) return
    this.#options.logger.warn(
      { [this.#options.what]: name, reason, message },
      `a ${this.#options.what} is held; its files wait`,
    )
    this.#announce({ kind: 'begun', hold: kept.hold })
  }

  end(name: string): void {
    const kept = this.#held.get(name)
    if (!kept) return
    clearTimeout(kept.timer)
    this.#held.delete(name)
    this.#ended.set(name, { tries: kept.tries, at: performance.now() })
    this.#options.logger.info(
      { [this.#options.what]: name, reason: kept.hold.reason },
      `a ${this.#options.what} is held no more`,
    )
    this.#announce({ kind: 'ended', hold: kept.hold })
  }

  /** Tries what is held now; resolves when the outcome is known. */
  async tryNow(name: string): Promise<Hold<R> | undefined> {
    const kept = this.#held.get(name)
    if (kept) await this.#try(kept)
    return this.of(name)
  }

  /** Tries everything that is held: what was changed may be the cure. */
  tryAll(): void {
    for (const kept of this.#held.values()) void this.#try(kept)
  }

  close(): void {
    this.#closed = true
    for (const { timer } of this.#held.values()) clearTimeout(timer)
    this.#held.clear()
  }

  #isTriedAgain = (reason: R): boolean => this.#options.isTriedAgain?.(reason) ?? true

  #triesBefore(name: string): number {
    const ended = this.#ended.get(name)
    return ended && performance.now() - ended.at < LAST_TRY ? ended.tries : 0
  }

  #schedule(kept: Kept<R>): void {
    clearTimeout(kept.timer)
    if (this.#closed || !this.#isTriedAgain(kept.hold.reason)) return
    const wait = Math.min(LAST_TRY, (this.#options.firstTryMs ?? FIRST_TRY) * 2 ** kept.tries)
    kept.hold = { ...kept.hold, nextTryAt: plus(this.#options.clock(), wait) }
    kept.timer = setTimeout(() => void this.#try(kept), wait)
    kept.timer.unref()
  }

  #try(kept: Kept<R>): Promise<void> {
    clearTimeout(kept.timer)
    kept.trying ??= this.#probe(kept).finally(() => {
      kept.trying = undefined
    })
    return kept.trying
  }

  /** Never throws: what keeps the files waiting is in the hold. */
  async #probe(kept: Kept<R>): Promise<void> {
    const { Held, probe, logger } = this.#options
    const { name } = kept.hold
    kept.tries++
    try {
      await probe(kept.hold)
      if (this.#held.get(name) === kept) this.end(name)
      return
    } catch (error) {
      if (error instanceof Held) this.begin(name, error)
      else logger.error({ err: error, name }, 'what is held could not be tried')
    }
    if (this.#held.get(name) === kept) this.#schedule(kept)
  }

  #announce(change: HoldChange<R>): void {
    for (const listener of this.#listeners) listener(change)
  }
}
