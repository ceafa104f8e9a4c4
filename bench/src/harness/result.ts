import { type Benchmark, type Contestant, inRoundOrder, referenceOf, type Target } from './benchmark.ts'
import type { RunSetting } from './machine.ts'
import type { Sample } from './sample.ts'
import { ratioByRound, type Summary, summarize } from './statistics.ts'

/** Benchmarks run together, on one machine and one commit. */
export interface BenchmarkRun {
  readonly setting: RunSetting
  readonly results: readonly BenchmarkResult[]
}

/** What a benchmark found: plain data, written to JSON as it is. */
export interface BenchmarkResult {
  readonly name: string
  readonly title: string
  readonly question: string
  readonly compares: Benchmark['compares']
  readonly figures: readonly string[]
  readonly notes: readonly string[]
  readonly rounds: number
  readonly sampleSeconds: number
  /** True when samples were taken on an idle machine or repeated; false without `/proc` or when ungated. */
  readonly gated: boolean
  readonly contestants: readonly ContestantResult[]
  readonly targets: readonly TargetResult[]
}

export interface ContestantResult {
  readonly name: string
  readonly against: string
  /** The measure of the benchmark, over the rounds. */
  readonly value: Summary
  readonly cpuMsPerOperation: Summary
  readonly ratio: Summary
  /** CPU per operation of the reference divided by that of this contestant: hardly affected by other processes. */
  readonly cpuRatio: Summary
  readonly figures: Readonly<Record<string, Summary>>
  readonly samples: readonly Sample[]
}

export type TargetResult = Target & { readonly measured: number; readonly met: boolean }

/** Samples of every contestant, one per round, in the order of the rounds. */
export type SamplesByName = ReadonlyMap<string, readonly Sample[]>

/** Turns samples into medians, ranges, ratios per round, and verdicts; every name was checked before. */
export function conclude(
  benchmark: Benchmark,
  samples: SamplesByName,
  measured: Pick<BenchmarkResult, 'rounds' | 'sampleSeconds' | 'gated'>,
): BenchmarkResult {
  const { name, title, question, compares, figures = [], notes = [] } = benchmark
  const contestants = inRoundOrder(benchmark).map((contestant) => summarizeContestant(benchmark, contestant, samples))
  const targets = benchmark.targets.map((target) => judge(target, contestants))
  return { name, title, question, compares, figures, notes, ...measured, contestants, targets }
}

function summarizeContestant(benchmark: Benchmark, contestant: Contestant, all: SamplesByName): ContestantResult {
  const against = referenceOf(benchmark, contestant)
  const samples = all.get(contestant.name)!
  const reference = all.get(against)!
  const values = (of: readonly Sample[]) => of.map((sample) => measureOf(sample, benchmark.compares.measure))
  const figures = (benchmark.figures ?? []).filter((figure) => samples.every((sample) => figure in sample.figures))
  const figureSummary = (figure: string) => summarize(samples.map((sample) => measureOf(sample, figure)))
  return {
    name: contestant.name,
    against,
    value: summarize(values(samples)),
    cpuMsPerOperation: summarize(samples.map(cpuPerOperation)),
    ratio: ratioByRound(values(samples), values(reference)),
    cpuRatio: ratioByRound(reference.map(cpuPerOperation), samples.map(cpuPerOperation)),
    figures: Object.fromEntries(figures.map((figure) => [figure, figureSummary(figure)])),
    samples,
  }
}

const cpuPerOperation = ({ cpuMs, operations }: Sample): number => cpuMs / operations

function judge(target: Target, contestants: readonly ContestantResult[]): TargetResult {
  const measured = measuredFor(target, contestants.find(({ name }) => name === target.contestant)!)
  const met = 'atLeast' in target ? measured >= target.atLeast : measured <= target.atMost
  return { ...target, measured, met }
}

const measuredFor = ({ measure }: Target, { ratio, cpuRatio, samples }: ContestantResult): number => {
  const ratios: Readonly<Record<string, Summary>> = { ratio, 'cpu ratio': cpuRatio }
  return (ratios[measure] ?? summarize(samples.map((sample) => measureOf(sample, measure)))).median
}

function measureOf(sample: Sample, measure: string): number {
  if (measure === 'rate') return (sample.operations / sample.wallMs) * 1000
  const figure = sample.figures[measure]
  if (figure === undefined) throw new Error(`A run reported no figure "${measure}".`)
  return figure
}
