import { type Benchmark, type Contestant, inRoundOrder, type Runner, requireSound } from './benchmark.ts'
import type { CpuTimes } from './cpu-time.ts'
import { defaultPatience, type Patience } from './quiet.ts'
import { type BenchmarkResult, conclude, type SamplesByName } from './result.ts'
import { type Sample, type Sampling, takeSample } from './sample.ts'

const DEFAULT_ROUNDS = 3
const DEFAULT_WARM_UP_MS = 400

/** How a benchmark is run; every part has a default. */
export interface RunOptions {
  /** Times every contestant has its turn; default 3. */
  readonly rounds?: number
  /** Wall seconds per sample, instead of the benchmark's own. */
  readonly sampleSeconds?: number
  /** Default: up to 60 s of waiting for quiet and six tries per sample. */
  readonly patience?: Patience
  /** Where CPU times come from; undefined where the system tells none. */
  readonly times: CpuTimes | undefined
  /** Called with a line for the person who waits. */
  readonly progress?: (line: string) => void
}

interface Entrant {
  readonly contestant: Contestant
  readonly runner: Runner
  readonly samples: Sample[]
}

/** Sets every contestant up, warms it up, samples each in every round, and summarizes. */
export async function runBenchmark(benchmark: Benchmark, options: RunOptions): Promise<BenchmarkResult> {
  requireSound(benchmark)
  const {
    rounds = DEFAULT_ROUNDS,
    sampleSeconds = benchmark.sampleSeconds,
    patience = defaultPatience,
    times,
  } = options
  const sampling = { forMs: sampleSeconds * 1000, times, patience }
  const entrants: Entrant[] = []
  try {
    await setUpAll(benchmark, entrants, options)
    await warmUpAll(benchmark, entrants, sampling.forMs)
    for (let round = 1; round <= rounds; round++) {
      await runRound(entrants, sampling, (who) =>
        options.progress?.(`${benchmark.name}: round ${round} of ${rounds}, ${who}`),
      )
    }
  } finally {
    await Promise.all(entrants.map(({ runner }) => runner.tearDown()))
  }
  const gated = times !== undefined && patience.tries > 1
  return conclude(benchmark, samplesByName(entrants), { rounds, sampleSeconds, gated })
}

// Fills the given list, so that contestants already started are torn down when a later one cannot start.
async function setUpAll(benchmark: Benchmark, entrants: Entrant[], { progress }: RunOptions): Promise<void> {
  for (const contestant of inRoundOrder(benchmark)) {
    progress?.(`${benchmark.name}: setting up ${contestant.name}`)
    entrants.push({ contestant, runner: await contestant.setUp(), samples: [] })
  }
}

// A trial run with tiny samples gets shorter warm-ups.
async function warmUpAll(benchmark: Benchmark, entrants: readonly Entrant[], forMs: number): Promise<void> {
  const asked = benchmark.warmUpMs ?? DEFAULT_WARM_UP_MS
  const warmUpMs = forMs < benchmark.sampleSeconds * 1000 ? Math.min(asked, forMs) : asked
  if (warmUpMs === 0) return
  for (const { runner } of entrants) {
    await runner.prepare?.(warmUpMs)
    await runner.run(warmUpMs)
  }
}

async function runRound(
  entrants: readonly Entrant[],
  sampling: Sampling,
  report: (who: string) => void,
): Promise<void> {
  for (const { contestant, runner, samples } of entrants) {
    report(contestant.name)
    samples.push(await takeSample(contestant, runner, sampling))
  }
}

const samplesByName = (entrants: readonly Entrant[]): SamplesByName =>
  new Map(entrants.map(({ contestant, samples }) => [contestant.name, samples]))
