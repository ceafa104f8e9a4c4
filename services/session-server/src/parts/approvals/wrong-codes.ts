import { MINUTE } from '@chancela/service-kernel/clock'
import { countingTimes, lockedUntil } from '../sessions/pin-failures.ts'

const WINDOW = 5 * MINUTE

/** Wrong pairing codes by workstation: a guesser is stopped long before a code is found. */
export class WrongCodes {
  readonly #rules: { readonly maxFailures: number; readonly window: number }
  readonly #times = new Map<string, readonly Date[]>()

  constructor(most: number) {
    this.#rules = { maxFailures: most, window: WINDOW }
  }

  isLocked(workstationId: string, now: Date): boolean {
    return lockedUntil(this.#counting(workstationId, now), this.#rules) !== null
  }

  note(workstationId: string, now: Date): void {
    this.#times.set(workstationId, [...this.#counting(workstationId, now), now])
  }

  sweep(now: Date): void {
    for (const id of this.#times.keys()) if (this.#counting(id, now).length === 0) this.#times.delete(id)
  }

  #counting(workstationId: string, now: Date): readonly Date[] {
    return countingTimes(this.#times.get(workstationId) ?? [], now, this.#rules)
  }
}
