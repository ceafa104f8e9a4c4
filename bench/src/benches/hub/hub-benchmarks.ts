import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { batchWorld } from '../batch/batch-world.ts'
import { discoveryBenchmark } from './discovery-benchmark.ts'
import { memoryBenchmark } from './memory-benchmark.ts'
import { signBenchmark } from './sign-benchmark.ts'
import { sweepBenchmark } from './sweep-benchmark.ts'

/** Everything the cloud hub promises about its speed. */
export function hubBenchmarks(scene: BenchScene): readonly Benchmark[] {
  const world = batchWorld(scene)
  return [
    signBenchmark(scene, world),
    discoveryBenchmark(scene, world),
    memoryBenchmark(scene, world),
    sweepBenchmark(scene),
  ]
}
