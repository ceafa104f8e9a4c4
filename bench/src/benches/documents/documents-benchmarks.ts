import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { batchWorld } from '../batch/batch-world.ts'
import { listBenchmark } from './list-benchmark.ts'
import { signBenchmark } from './sign-benchmark.ts'

/** Everything the document platform promises about its speed. */
export function documentsBenchmarks(scene: BenchScene): readonly Benchmark[] {
  const world = batchWorld(scene)
  return [signBenchmark(scene, world), listBenchmark(scene, world)]
}
