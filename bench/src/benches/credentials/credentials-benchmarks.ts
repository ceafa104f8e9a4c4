import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { degreeBenchmark } from './degree-benchmark.ts'
import { judgingBenchmark } from './judging-benchmark.ts'
import { publicBenchmark } from './public-benchmark.ts'
import { searchBenchmark } from './search-benchmark.ts'

/** Everything the credential platform promises about its speed. */
export const credentialsBenchmarks = (scene: BenchScene): readonly Benchmark[] => [
  degreeBenchmark(),
  judgingBenchmark(),
  publicBenchmark(scene),
  searchBenchmark(scene),
]
