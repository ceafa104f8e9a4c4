import { isSame, type Sample } from '../../upstream/storage/folders/sample.ts'

export interface StabilityRules {
  /** Milliseconds between two samples of a file. */
  readonly intervalMs: number
  /** Consecutive samples that must equal the previous one. */
  readonly requiredSamples: number
  /** Milliseconds after which a file that keeps changing is abandoned. */
  readonly timeoutMs: number
  /** Most files watched at the same time. */
  readonly capacity: number
}

/** Result of a sample; an abandoned file leaves the window until it is found again. */
export type Verdict = 'waiting' | 'stable' | 'abandoned'

/** A file that may become a job. */
export interface Candidate {
  readonly name: string
  readonly since: number
  sample: Sample | undefined
  unchanged: number
  required: number
  lookedAt: number
  /** When it was last seen to change. */
  changedAt: number
}

/**
 * The files of one folder that are sampled until they are stable. Bounded: further files must wait. Time is
 * milliseconds of a monotonic clock, given by the caller.
 */
export class StabilityWindow {
  readonly #rules: StabilityRules
  /** Every file in the window, by name. */
  readonly #names = new Set<string>()
  #fresh: Candidate[] = []
  /** In the order of their last sample: all wait equally long, so that the first is always due first. */
  readonly #waiting = new Map<string, Candidate>()
  readonly #stable = new Map<string, Candidate>()

  constructor(rules: StabilityRules) {
    this.#rules = rules
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  get hasStable(): boolean {
    return this.#stable.size > 0
  }

  /** Adds a file; false when there is no room for it. */
  add(name: string, now: number): boolean {
    if (this.#names.has(name)) return true
    if (this.#names.size >= this.#rules.capacity) return false
    this.#names.add(name)
    const required = this.#rules.requiredSamples
    this.#fresh.push({ name, since: now, sample: undefined, unchanged: 0, required, lookedAt: now, changedAt: now })
    return true
  }

  /** The next files to sample; each must then be reported with `seen` or `drop`. */
  takeDue(now: number, most: number): readonly Candidate[] {
    const due = this.#fresh.splice(0, most)
    for (const candidate of this.#waiting.values()) {
      if (due.length >= most || candidate.lookedAt + this.#rules.intervalMs > now) break
      this.#waiting.delete(candidate.name)
      due.push(candidate)
    }
    return due
  }

  /** Counts a sample. `rested`: the file had been unchanged for the whole window when it was first seen, and is stable. */
  seen(candidate: Candidate, sample: Sample, now: number, rested: boolean): Verdict {
    const first = candidate.sample === undefined
    if (first && rested) candidate.required = 0
    const same = candidate.sample !== undefined && isSame(candidate.sample, sample)
    // A file that changes after all has to be unchanged for as long as any other.
    if (!first && !same) candidate.required = this.#rules.requiredSamples
    if (!same) candidate.changedAt = now
    candidate.unchanged = same ? candidate.unchanged + 1 : 0
    candidate.sample = sample
    candidate.lookedAt = now
    return this.#judge(candidate, now)
  }

  #judge(candidate: Candidate, now: number): Verdict {
    if (candidate.unchanged >= candidate.required) {
      this.#stable.set(candidate.name, candidate)
      return 'stable'
    }
    if (now - candidate.since >= this.#rules.timeoutMs) {
      this.#names.delete(candidate.name)
      return 'abandoned'
    }
    this.#waiting.set(candidate.name, candidate)
    return 'waiting'
  }

  /** A file in the window changed: its window restarts now, not at the next sample. */
  touched(name: string, sample: Sample | undefined, now: number): Verdict | undefined {
    const candidate = this.#waiting.get(name) ?? this.#stable.get(name)
    if (!candidate || (sample && candidate.sample && isSame(candidate.sample, sample))) return undefined
    this.#waiting.delete(name)
    this.#stable.delete(name)
    if (sample) return this.seen(candidate, sample, now, false)
    this.drop(candidate)
    return undefined
  }

  /** Removes a file that is no candidate any more. */
  drop({ name }: Candidate): void {
    this.#names.delete(name)
  }

  /** Returns stable files. One that had to wait is sampled once more before. */
  takeStable(now: number, most: number): readonly Candidate[] {
    const taken: Candidate[] = []
    for (const candidate of this.#stable.values()) {
      if (taken.length >= most) break
      this.#stable.delete(candidate.name)
      if (now - candidate.lookedAt <= 2 * this.#rules.intervalMs) {
        this.#names.delete(candidate.name)
        taken.push(candidate)
      } else {
        candidate.unchanged = candidate.required - 1
        this.#fresh.push(candidate)
      }
    }
    return taken
  }

  /** A stable file that cannot be taken yet is looked at again, until its time in the window is over. */
  putBack(candidate: Candidate, now: number): void {
    if (now - candidate.since >= this.#rules.timeoutMs || this.#names.has(candidate.name)) return
    candidate.lookedAt = now
    this.#names.add(candidate.name)
    this.#waiting.set(candidate.name, candidate)
  }

  /** Milliseconds until the next file is due; undefined when none waits. */
  untilDue(now: number): number | undefined {
    if (this.#fresh.length > 0) return 0
    const [next] = this.#waiting.values()
    return next && Math.max(0, next.lookedAt + this.#rules.intervalMs - now)
  }

  clear(): void {
    this.#names.clear()
    this.#waiting.clear()
    this.#stable.clear()
    this.#fresh = []
  }
}
