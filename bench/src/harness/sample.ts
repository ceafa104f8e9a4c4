import type { Contestant, Run, Runner } from './benchmark.ts'
import type { CpuTimes } from './cpu-time.ts'
import { isDisturbed, type Patience, underWatch, type Watched, waitForQuiet } from './quiet.ts'

/** One turn of one contestant. */
export interface Sample {
  readonly operations: number
  readonly wallMs: number
  /** CPU milliseconds of the whole turn: all threads, ended children and servers (or the servers alone). */
  readonly cpuMs: number
  /** Cores others kept busy meanwhile; absent where the system does not tell. */
  readonly foreignCores?: number
  /** True when no undisturbed sample was possible and this is the least disturbed one. */
  readonly disturbed: boolean
  /** Figures the run reported. */
  readonly figures: Readonly<Record<string, number>>
}

/** How a turn is taken. */
export interface Sampling {
  readonly forMs: number
  readonly times: CpuTimes | undefined
  readonly patience: Patience
}

/** Takes a sample when the machine is idle, repeats it while others disturb it, and keeps the least disturbed one. */
export async function takeSample(contestant: Contestant, runner: Runner, sampling: Sampling): Promise<Sample> {
  const samples: Sample[] = []
  do samples.push(await sampleOnce(contestant, runner, sampling))
  while (samples.at(-1)?.disturbed && samples.length < sampling.patience.tries)
  return samples.reduce((best, each) => ((each.foreignCores ?? 0) < (best.foreignCores ?? 0) ? each : best))
}

async function sampleOnce(contestant: Contestant, runner: Runner, sampling: Sampling): Promise<Sample> {
  await runner.prepare?.(sampling.forMs)
  if (sampling.times) await waitForQuiet(contestant, runner, sampling.times, sampling.patience)
  const watched = await underWatch(runner, sampling.times, () => runner.run(sampling.forMs))
  return toSample(contestant, runner, watched)
}

function toSample(contestant: Contestant, runner: Runner, watched: Watched<Run>): Sample {
  const { result, foreignCores } = watched
  if (result.operations === 0) throw new Error(`"${contestant.name}" did nothing in its turn, so there is no rate.`)
  return {
    operations: result.operations,
    wallMs: result.wallMs ?? watched.wallMs,
    cpuMs: runner.cpuOf === 'servers' ? watched.serversMs : watched.ownMs + watched.childrenMs + watched.serversMs,
    ...(foreignCores === undefined ? {} : { foreignCores }),
    disturbed: isDisturbed(contestant, foreignCores),
    figures: result.figures ?? {},
  }
}
