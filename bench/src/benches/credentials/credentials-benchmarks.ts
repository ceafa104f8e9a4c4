import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { searchBenchmark } from './search-benchmark.ts'

/** Everything the credential platform promises about its speed. */
export const credentialsBenchmarks = (scene: BenchScene): readonly Benchmark[] => [searchBenchmark(scene)]
