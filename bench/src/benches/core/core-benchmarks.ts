import type { Benchmark } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { batchWorld } from '../batch/batch-world.ts'
import type { SigningWorld } from '../signatures/signing-world.ts'
import { authenticationBenchmark } from './authentication-benchmark.ts'
import { chainBenchmark } from './chain-benchmark.ts'
import { signatureBenchmark } from './signature-benchmark.ts'

/** Everything the PKI core promises about its speed. */
export const coreBenchmarks = (scene: BenchScene): readonly Benchmark[] => {
  const world = batchWorld(scene)
  return [authenticationBenchmark(scene, world), signatureBenchmark(scene, world), chainBenchmark(signingWorld())]
}

/** A world of its own: its network goes away. */
function signingWorld(): () => Promise<SigningWorld> {
  let world: Promise<SigningWorld> | undefined
  return () => {
    world ??= import('../signatures/open-signing-world.ts').then(({ openSigningWorld }) => openSigningWorld())
    return world
  }
}
