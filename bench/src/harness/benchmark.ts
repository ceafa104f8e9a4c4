/** One question, and the contestants that answer it side by side. */
export interface Benchmark {
  /** What the command line calls it: `store-claim`. */
  readonly name: string
  readonly title: string
  /** What the table shows, in one sentence. */
  readonly question: string
  /** The measure of the ratios: `rate` (operations per wall second), or a figure that every run reports. */
  readonly compares: { readonly measure: string; readonly unit: string }
  /** Further figures the runs report, each with a column of its own. */
  readonly figures?: readonly string[]
  /** Contestant everyone is divided by, unless it names its own in `against`. Runs first in each round. */
  readonly reference: string
  readonly contestants: readonly Contestant[]
  readonly targets: readonly Target[]
  /** Facts a reader needs to judge the table: loader, pinning, file system. */
  readonly notes?: readonly string[]
  /** Wall seconds per sample. */
  readonly sampleSeconds: number
  /** Milliseconds each contestant runs before the first round, shorter when samples are cut short; default 400. */
  readonly warmUpMs?: number
}

/** One variant of the work. */
export interface Contestant {
  readonly name: string
  /** Cores it keeps busy; decides how much foreign CPU spoils a sample. 0: its figures do not depend on CPU. */
  readonly cores: 0 | 1 | 2
  /** Reference of this contestant alone, such as the bare driver with the same batch size. */
  readonly against?: string
  /** Starts it; called once, before the first round. */
  setUp(): Promise<Runner>
}

/** A contestant that is set up and ready to run. */
export interface Runner {
  /** Server processes that do work for it; their CPU, with that of their children, counts as ours. */
  readonly pids?: readonly number[]
  /** `servers` leaves this process and its waited children (the load generator) out of the cpu column; default `all`. */
  readonly cpuOf?: 'all' | 'servers'
  /** Untimed work before a sample of this length, such as filling the queue again. */
  prepare?(forMs: number): Promise<void>
  /** Works for about this long (less when it runs out of work) and says what it did. */
  run(forMs: number): Promise<Run>
  tearDown(): Promise<void>
}

/** What one run did. */
export interface Run {
  readonly operations: number
  /** Wall time of the work, when the runner knows it better than the harness (a load generator's start-up is no work). */
  readonly wallMs?: number
  readonly figures?: Readonly<Record<string, number>>
}

/** What a contestant must reach: its ratio to its reference, that of their CPU, or a measure of its own (`rate` or a figure). */
export type Target = {
  readonly contestant: string
  readonly measure: 'ratio' | 'cpu ratio' | (string & {})
} & ({ readonly atLeast: number } | { readonly atMost: number })

/** The contestant whose rate divides that of the given one, in the same round. */
export const referenceOf = (benchmark: Benchmark, contestant: Contestant): string =>
  contestant.against ?? benchmark.reference

/** Contestants in the order of a round: the reference first, every reference right before those it divides. */
export function inRoundOrder(benchmark: Benchmark): readonly Contestant[] {
  const { contestants, reference } = benchmark
  const references = [reference, ...contestants.map((contestant) => referenceOf(benchmark, contestant))]
  const group = (name: string) => [
    ...contestants.filter((contestant) => contestant.name === name),
    ...contestants.filter((contestant) => referenceOf(benchmark, contestant) === name),
  ]
  return [...new Set(references.flatMap(group))]
}

/** Refuses a declaration that names an unknown contestant, before an hour is spent on measuring it. */
export function requireSound(benchmark: Benchmark): void {
  const has = (name: string) => benchmark.contestants.some((contestant) => contestant.name === name)
  const references = benchmark.contestants.map((contestant) => referenceOf(benchmark, contestant))
  const targets = benchmark.targets.map(({ contestant }) => contestant)
  const missing = [benchmark.reference, ...references, ...targets].find((name) => !has(name))
  if (missing) throw new Error(`The benchmark "${benchmark.name}" has no contestant "${missing}".`)
}
