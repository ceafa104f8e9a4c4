// Wrong PINs (spec 1 A): counted per CPF across all keys, in a sliding window that only time empties.
import { createHmac, randomBytes } from 'node:crypto'
import { MINUTE } from '@chancela/service-kernel/clock'
import { KeyedMutex } from '@chancela/service-kernel/concurrency'
import type { EventActor } from '@chancela/service-kernel/events'
import { formattedCpf } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  deleteFailures,
  failuresOf,
  failuresSince,
  forgetFailuresBefore,
  writeFailures,
} from '../../store/pin-failures.ts'
import { act } from '../console/audit.ts'

/** The wrong PINs of a CPF that are still in the window. */
export interface CountedFailures {
  readonly cpf: string
  readonly failures: number
  readonly locked: boolean
  readonly lastFailureAt: Date
  /** When the lock ends, without further attempts; null when not locked. */
  readonly clearsAt: Date | null
}

interface DoubtedPin {
  readonly digest: Buffer
  readonly at: Date
}

interface Rules {
  readonly maxFailures: number
  /** Milliseconds a failure counts. */
  readonly window: number
}

/** Times inside the window, newest last; no more than the lock needs. */
export const countingTimes = (times: readonly Date[], now: Date, { maxFailures, window }: Rules): readonly Date[] =>
  times.filter((time) => now.getTime() - time.getTime() < window).slice(-maxFailures)

/** While the oldest of the last `maxFailures` is inside the window, the CPF is locked. */
export function lockedUntil(counting: readonly Date[], { maxFailures, window }: Rules): Date | null {
  const oldest = counting.at(-maxFailures)
  return oldest && counting.length >= maxFailures ? new Date(oldest.getTime() + window) : null
}

/** Most attempts of one CPF that run or wait: behind an open prompt they would take all running slots of the server. */
const MOST_OF_A_CPF = 32

export class PinFailures {
  readonly #context: Pick<Context, 'store' | 'events'>
  readonly #rules: Rules
  readonly #attempts = new KeyedMutex()
  /** Doubted PINs by CPF, as digests under a key of this process, for the window. A lock bounds how many there are. */
  readonly #doubted = new Map<string, readonly DoubtedPin[]>()
  readonly #doubtKey = randomBytes(32)

  constructor(context: Pick<Context, 'store' | 'events' | 'settings'>) {
    const { MaxFailures, WindowMinutes } = context.settings.Pin
    this.#context = context
    this.#rules = { maxFailures: MaxFailures, window: WindowMinutes * MINUTE }
  }

  /**
   * Runs the attempts of a CPF one at a time: no concurrent attempt may pass on a count that the others are about to
   * change. While the CPF is locked no attempt runs, and trying counts as a failure.
   */
  async attempt<T>(cpf: string, clock: () => Date, signal: AbortSignal, tried: () => Promise<T>): Promise<T> {
    if (this.#attempts.inside(cpf) >= MOST_OF_A_CPF) throw refuse('SERVER_BUSY')
    const attempt = async (): Promise<T> => {
      if (await this.#isLocked(cpf, clock())) {
        await this.fail(cpf, clock())
        throw refuse('TOO_MANY_PIN_ATTEMPTS')
      }
      return tried()
    }
    return this.#attempts.run(cpf, attempt, signal)
  }

  /** Counts a wrong PIN. A right one resets nothing: else the holder's own calls would give a guesser new attempts. */
  async fail(cpf: string, now: Date): Promise<void> {
    const { store, events } = this.#context
    await store.transaction(async (tx) => {
      const before = countingTimes((await failuresOf(tx, cpf)) ?? [], now, this.#rules)
      const times = countingTimes([...before, now], now, this.#rules)
      await writeFailures(tx, cpf, times)
      if (!this.#locks(before) && this.#locks(times)) await events.record(tx, locked(cpf))
    })
  }

  /**
   * A PIN that differs where it was compared, and may be right where it could not be: a workstation that is away. The
   * holder sends it again and again, so that it counts for nothing; a guesser sends others, which count once each.
   */
  async doubt(cpf: string, pin: string, now: Date): Promise<void> {
    const known = (this.#doubted.get(cpf) ?? []).filter(({ at }) => now.getTime() - at.getTime() < this.#rules.window)
    const digest = createHmac('sha256', this.#doubtKey).update(pin).digest()
    if (known.some((doubted) => doubted.digest.equals(digest))) return
    const isFirst = known.length === 0
    this.#doubted.set(cpf, [...known, { digest, at: now }])
    if (!isFirst) await this.fail(cpf, now)
  }

  /** Every CPF with counted wrong PINs, locked ones first, then by the last failure. */
  async list(now: Date): Promise<readonly CountedFailures[]> {
    const rows = await failuresSince(this.#context.store.db, new Date(now.getTime() - this.#rules.window))
    return rows
      .map(({ cpf, times }) => this.#counted(cpf, countingTimes(times, now, this.#rules)))
      .filter(({ failures }) => failures > 0)
      .toSorted((a, b) => Number(b.locked) - Number(a.locked) || +b.lastFailureAt - +a.lastFailureAt)
  }

  /** Deletes the wrong PINs of a CPF; false when there were none. */
  clear(cpf: string, actor: EventActor): Promise<boolean> {
    const { store, events } = this.#context
    return store.transaction(async (tx) => {
      if (!(await deleteFailures(tx, cpf))) return false
      await events.record(tx, act('LockoutCleared', actor, ['cpf', cpf], { cpf: formattedCpf(cpf) }))
      return true
    })
  }

  /** Deletes failures outside the window. */
  sweep(now: Date): Promise<void> {
    for (const [cpf, doubted] of this.#doubted)
      if (doubted.every(({ at }) => now.getTime() - at.getTime() >= this.#rules.window)) this.#doubted.delete(cpf)
    return forgetFailuresBefore(this.#context.store.db, new Date(now.getTime() - this.#rules.window))
  }

  async #isLocked(cpf: string, now: Date): Promise<boolean> {
    return this.#locks(countingTimes((await failuresOf(this.#context.store.db, cpf)) ?? [], now, this.#rules))
  }

  #locks(counting: readonly Date[]): boolean {
    return lockedUntil(counting, this.#rules) !== null
  }

  #counted(cpf: string, times: readonly Date[]): CountedFailures {
    const clearsAt = lockedUntil(times, this.#rules)
    return { cpf, failures: times.length, locked: clearsAt !== null, lastFailureAt: times.at(-1)!, clearsAt }
  }
}

const locked = (cpf: string) => act('CpfLocked', 'sessions', ['cpf', cpf], { cpf: formattedCpf(cpf) })
