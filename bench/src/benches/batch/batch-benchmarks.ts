import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { backlogBenchmark } from './backlog-benchmark.ts'
import { batchWorld } from './batch-world.ts'
import { folderBenchmark } from './folder-benchmark.ts'
import { jobListBenchmark } from './job-list-benchmark.ts'
import { largeFileBenchmark } from './large-file-benchmark.ts'
import { latencyBenchmark } from './latency-benchmark.ts'

/** Everything the batch signer promises about speed and memory. */
export function batchBenchmarks(scene: BenchScene): readonly Benchmark[] {
  const world = batchWorld(scene)
  return [
    folderBenchmark(scene, world),
    latencyBenchmark(scene, world),
    backlogBenchmark(scene, world),
    largeFileBenchmark(scene, world),
    jobListBenchmark(scene, world),
  ]
}
