import { type Clock, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Logger } from '@chancela/service-kernel/http'
import type { RecordedCode } from '../../contract/errors.ts'
import { conditions, type HoldReason, ProfileHeld } from '../../rules/conditions.ts'

/** A profile whose files wait. */
export interface Hold {
  readonly profile: string
  readonly reason: HoldReason
  readonly code: RecordedCode
  /** One sentence without secrets. */
  readonly message: string
  readonly since: Date
  /** When the condition is tried again; null when only a person can end it. */
  readonly nextTryAt: Date | null
}

/** A hold that began, or begins to have another reason; or one that is over. */
export interface HoldChange {
  readonly kind: 'begun' | 'ended'
  readonly hold: Hold
}

export interface HoldsOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** Tries whether the profile could sign, without any file; throws ProfileHeld while it cannot. */
  probe(profile: string, reason: HoldReason): Promise<void>
  /** Milliseconds until the first try; doubled up to a minute. Default 3000. */
  readonly firstTryMs?: number | undefined
}

const FIRST_TRY = 3 * SECOND
const LAST_TRY = MINUTE

interface Kept {
  hold: Hold
  tries: number
  timer: NodeJS.Timeout | undefined
  trying: Promise<void> | undefined
}

/** A job that was put back, and how many signatures its profile had made by then. */
interface PutBack {
  times: number
  madeBefore: number
}

/** How often a job is put back while others of its profile are signed, before the cause is taken to be its file. */
const MOST_PUT_BACK = 3

/** The profiles that cannot sign now, and when each is tried again. */
export class ProfileHolds {
  readonly #options: HoldsOptions
  readonly #held = new Map<string, Kept>()
  /** How many tries a hold took that ended lately: one that returns at once is not tried as often as a fresh one. */
  readonly #ended = new Map<string, { readonly tries: number; readonly at: number }>()
  readonly #listeners = new Set<(change: HoldChange) => void>()
  readonly #made = new Map<string, number>()
  readonly #putBack = new Map<string, PutBack>()
  #closed = false

  constructor(options: HoldsOptions) {
    this.#options = options
  }

  of(profile: string): Hold | undefined {
    return this.#held.get(profile)?.hold
  }

  list(): readonly Hold[] {
    return [...this.#held.values()].map(({ hold }) => hold)
  }

  /** Names of the held profiles: their jobs are not picked up. */
  names(): readonly string[] {
    return [...this.#held.keys()]
  }

  listen(listener: (change: HoldChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  begin(profile: string, held: ProfileHeld): void {
    if (this.#closed) return
    const known = this.#held.get(profile)
    const { condition: reason, code, message } = held
    if (known?.hold.reason === reason && known.hold.message === message) return
    const since = known?.hold.since ?? this.#options.clock()
    const kept = known ?? { hold: undefined!, tries: this.#triesBefore(profile), timer: undefined, trying: undefined }
    const isNews = known?.hold.reason !== reason
    kept.hold = { profile, reason, code, message, since, nextTryAt: null }
    this.#held.set(profile, kept)
    if (!kept.trying) this.#schedule(kept)
    if (!isNews) return
    this.#options.logger.warn({ profile, reason, message }, 'A signing profile is held; its files wait.')
    this.#announce({ kind: 'begun', hold: kept.hold })
  }

  end(profile: string): void {
    const kept = this.#held.get(profile)
    if (!kept) return
    clearTimeout(kept.timer)
    this.#held.delete(profile)
    this.#ended.set(profile, { tries: kept.tries, at: performance.now() })
    this.#options.logger.info({ profile, reason: kept.hold.reason }, 'A signing profile signs again.')
    this.#announce({ kind: 'ended', hold: kept.hold })
  }

  /** Tries a held profile now; resolves when the outcome is known. */
  async tryNow(profile: string): Promise<Hold | undefined> {
    const kept = this.#held.get(profile)
    if (kept) await this.#try(kept)
    return this.of(profile)
  }

  /** A signature of the profile was made: its files can be signed. */
  signed(profile: string, jobId: string): void {
    this.#made.set(profile, (this.#made.get(profile) ?? 0) + 1)
    this.#putBack.delete(jobId)
  }

  /**
   * Whether a job that meets a condition goes back to the queue. Not when it met one several times and its profile
   * signed others in between: then something about the file is the cause, and the profile would be held for ever.
   */
  mayPutBack(profile: string, jobId: string): boolean {
    const made = this.#made.get(profile) ?? 0
    const before = this.#putBack.get(jobId)
    const times = (before?.times ?? 0) + (before === undefined || made > before.madeBefore ? 1 : 0)
    const isFile = times > MOST_PUT_BACK
    if (isFile) this.#putBack.delete(jobId)
    else this.#putBack.set(jobId, { times, madeBefore: made })
    return !isFile
  }

  close(): void {
    this.#closed = true
    for (const { timer } of this.#held.values()) clearTimeout(timer)
    this.#held.clear()
  }

  #triesBefore(profile: string): number {
    const ended = this.#ended.get(profile)
    return ended && performance.now() - ended.at < LAST_TRY ? ended.tries : 0
  }

  #schedule(kept: Kept): void {
    clearTimeout(kept.timer)
    if (this.#closed || !conditions[kept.hold.reason].isTriedAgain) return
    const wait = Math.min(LAST_TRY, (this.#options.firstTryMs ?? FIRST_TRY) * 2 ** kept.tries)
    kept.hold = { ...kept.hold, nextTryAt: plus(this.#options.clock(), wait) }
    kept.timer = setTimeout(() => void this.#try(kept), wait)
    kept.timer.unref()
  }

  #try(kept: Kept): Promise<void> {
    clearTimeout(kept.timer)
    kept.trying ??= this.#probe(kept).finally(() => {
      kept.trying = undefined
    })
    return kept.trying
  }

  /** Never throws: what keeps the profile from signing is in the hold. */
  async #probe(kept: Kept): Promise<void> {
    const { profile, reason } = kept.hold
    kept.tries++
    try {
      await this.#options.probe(profile, reason)
      if (this.#held.get(profile) === kept) this.end(profile)
      return
    } catch (error) {
      if (error instanceof ProfileHeld) this.begin(profile, error)
      else this.#options.logger.error({ err: error, profile }, 'A held profile could not be tried.')
    }
    if (this.#held.get(profile) === kept) this.#schedule(kept)
  }

  #announce(change: HoldChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}
