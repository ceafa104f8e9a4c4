import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { cmsBenchmark } from './cms-benchmark.ts'
import { largeFileBenchmark } from './large-file-benchmark.ts'
import { pdfBenchmark } from './pdf-benchmark.ts'
import { revocationListBenchmark } from './revocation-list-benchmark.ts'
import type { SigningWorld } from './signing-world.ts'
import { twoCoresBenchmark } from './two-cores-benchmark.ts'
import { validationBenchmark } from './validation-benchmark.ts'
import { xmlBenchmark } from './xml-benchmark.ts'

/** Everything the signature engine promises about speed and memory. */
export function signatureBenchmarks(scene: BenchScene): readonly Benchmark[] {
  const world = signingWorld()
  return [
    pdfBenchmark(world),
    cmsBenchmark(world),
    xmlBenchmark(world),
    validationBenchmark(world),
    twoCoresBenchmark(world),
    revocationListBenchmark(scene, world),
    largeFileBenchmark(scene, world),
  ]
}

/** Opens the world on first use, once for all benchmarks: listing benchmarks must not create a PKI. */
function signingWorld(): () => Promise<SigningWorld> {
  let world: Promise<SigningWorld> | undefined
  return () => {
    world ??= import('./open-signing-world.ts').then(({ openSigningWorld }) => openSigningWorld())
    return world
  }
}
