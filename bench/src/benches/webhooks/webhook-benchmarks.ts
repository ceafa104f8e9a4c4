import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { latencyBenchmark } from './latency-benchmark.ts'
import { purgeBenchmark } from './purge-benchmark.ts'
import { throughputBenchmark } from './throughput-benchmark.ts'

/** Outbound webhooks: throughput, latency, and the maintenance of their log. */
export const webhookBenchmarks = (scene: BenchScene): readonly Benchmark[] => [
  throughputBenchmark(scene),
  latencyBenchmark(scene),
  purgeBenchmark(scene),
]
