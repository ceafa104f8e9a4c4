import type { Benchmark } from '../harness/benchmark.ts'
import type { BenchScene } from '../scene.ts'
import { batchBenchmarks } from './batch/batch-benchmarks.ts'
import { coreBenchmarks } from './core/core-benchmarks.ts'
import { credentialsBenchmarks } from './credentials/credentials-benchmarks.ts'
import { importBenchmark } from './credentials-import/import-benchmark.ts'
import { documentsBenchmarks } from './documents/documents-benchmarks.ts'
import { httpBenchmark } from './http/http-benchmark.ts'
import { hubBenchmarks } from './hub/hub-benchmarks.ts'
import { startBenchmark } from './loop/start-benchmark.ts'
import { memoryBenchmark } from './memory/memory-benchmark.ts'
import { sessionsBenchmarks } from './sessions/sessions-benchmarks.ts'
import { signatureBenchmarks } from './signatures/signature-benchmarks.ts'
import { storeBenchmarks } from './store/store-benchmarks.ts'
import { webhookBenchmarks } from './webhooks/webhook-benchmarks.ts'

/** Every benchmark, in the order of the report. Building one starts nothing. */
export const allBenchmarks = (scene: BenchScene): readonly Benchmark[] => [
  httpBenchmark(scene),
  ...storeBenchmarks(scene),
  memoryBenchmark(scene),
  ...signatureBenchmarks(scene),
  ...batchBenchmarks(scene),
  ...webhookBenchmarks(scene),
  ...documentsBenchmarks(scene),
  ...credentialsBenchmarks(scene),
  importBenchmark(scene),
  ...sessionsBenchmarks(scene),
  ...hubBenchmarks(scene),
  ...coreBenchmarks(scene),
  startBenchmark(scene),
]
