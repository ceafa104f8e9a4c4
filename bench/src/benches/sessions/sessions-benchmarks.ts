import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { batchWorld } from '../batch/batch-world.ts'
import { agentsBenchmark } from './agents-benchmark.ts'
import { loadBenchmark } from './load-benchmark.ts'
import { memoryBenchmark } from './memory-benchmark.ts'
import { signBenchmark } from './sign-benchmark.ts'

/** Everything the session server promises about its speed. */
export function sessionsBenchmarks(scene: BenchScene): readonly Benchmark[] {
  const world = batchWorld(scene)
  return [
    signBenchmark(scene, world),
    loadBenchmark(scene, world),
    memoryBenchmark(scene, world),
    agentsBenchmark(scene, world),
  ]
}
