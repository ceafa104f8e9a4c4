import type { Equipment } from './case-process.ts'
import type { CaseAddress, Corpus } from './fuzz-case.ts'
import type { KindName } from './kinds.ts'
import type { Recording } from './seed.ts'
import { type Employer, WatchedProcess } from './watched-process.ts'

export interface FuzzOptions {
  readonly corpus: Corpus
  readonly recording: Recording
  readonly kinds: readonly KindName[]
  readonly seed: number
  readonly cases: number
  /** Parallel processes; default 1. */
  readonly lanes?: number
  /** CPU milliseconds one case may take; default 2,000. */
  readonly cpuLimitMs?: number
  /** Peak resident memory of a case process in megabytes; default 1,000. */
  readonly memoryLimitMb?: number
  /** Milliseconds without a message after which a process counts as hanging: waiting uses no CPU. Default 20,000. */
  readonly silenceMs?: number
  /** Makes the third case of the run die or hang, to test the fuzzer itself. Default none. */
  readonly misdeed?: Equipment['misdeed']
  /** Problems after which the run stops; default 50. */
  readonly maxProblems?: number
  readonly onProgress?: (done: number, problems: number) => void
}

/** A broken guarantee of the engine, with the address that reproduces it. */
export interface FuzzProblem extends CaseAddress {
  readonly problem: string
}

export interface FuzzReport {
  readonly done: number
  /** Result → how many cases ended so, by kind. */
  readonly results: ReadonlyMap<KindName, ReadonlyMap<string, number>>
  readonly problems: readonly FuzzProblem[]
}

const BATCH = 50

/** Runs the cases in supervised processes; a process that dies or hangs costs its case, never the run. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(options)
  await Promise.all(Array.from({ length: options.lanes ?? 1 }, () => run.lane()))
  return run.report()
}

class FuzzRun implements Employer {
  readonly #options: FuzzOptions
  readonly #problems: FuzzProblem[] = []
  readonly #results = new Map<KindName, Map<string, number>>()
  readonly #returned: CaseAddress[] = []
  #next = 0
  #done = 0

  constructor(options: FuzzOptions) {
    this.#options = options
  }

  report(): FuzzReport {
    return { done: this.#done, results: this.#results, problems: this.#problems }
  }

  /** Runs one process after another, until no case is left; a healthy one is kept to the end. */
  async lane(): Promise<void> {
    const { silenceMs = 20_000 } = this.#options
    while (this.#hasWork()) await (await WatchedProcess.start(this.#equipment(), silenceMs, this)).work()
  }

  assign(): readonly CaseAddress[] {
    if (!this.#hasWork()) return []
    if (this.#returned.length > 0) return this.#returned.splice(0)
    const first = this.#next
    this.#next = Math.min(this.#options.cases, first + BATCH)
    return Array.from({ length: this.#next - first }, (_, i) => this.#address(first + i))
  }

  giveBack(addresses: readonly CaseAddress[]): void {
    this.#returned.push(...addresses)
  }

  ended(address: CaseAddress, result: string, problem?: string): void {
    if (problem !== undefined) this.#problems.push({ ...address, problem })
    const counts = this.#results.get(address.kind) ?? new Map<string, number>()
    this.#results.set(address.kind, counts.set(result, (counts.get(result) ?? 0) + 1))
    this.#done++
    this.#options.onProgress?.(this.#done, this.#problems.length)
  }

  escaped(index: number, problem: string): void {
    this.#problems.push({ ...this.#address(index), problem })
  }

  #hasWork(): boolean {
    const left = this.#returned.length > 0 || this.#next < this.#options.cases
    return left && this.#problems.length < (this.#options.maxProblems ?? 50)
  }

  #address(index: number): CaseAddress {
    const { kinds, seed } = this.#options
    return { kind: kinds[index % kinds.length]!, seed, index }
  }

  #equipment(): Equipment {
    const { corpus, recording, cpuLimitMs = 2_000, memoryLimitMb = 1_000, misdeed } = this.#options
    return { corpus, recording, cpuLimitMs, memoryLimitMb, ...(misdeed && { misdeed }) }
  }
}
