import { monitorEventLoopDelay } from 'node:perf_hooks'
import { keySigner } from '@chancela/signature-engine/keys'
import { signPades as signDocument } from '@chancela/signature-engine/pades'
import type { Benchmark, Contestant, Run } from '../../harness/benchmark.ts'
import { repeating } from './contestants.ts'
import { signPades } from './engine-pades.ts'
import { requirePdfSignature } from './outside-judges.ts'
import { pdfSamples } from './sample-documents.ts'
import type { SigningWorld } from './signing-world.ts'

const ONE_CORE = 'one core'
const TWO_CORES = 'both cores'
const DELAY = 'loop delay p99 ms'

/** Documents processed at once: enough to keep the threads busy while one is prepared. */
const LANES = 16

/** The usual way of signing, on all cores, with the event loop kept free. */
export const twoCoresBenchmark = (world: () => Promise<SigningWorld>): Benchmark => ({
  name: 'signatures-two-cores',
  title: 'Signing on both cores: PAdES B-B, 20 KB',
  question: 'Does signing through a key of the engine use both cores, and does the event loop stay free meanwhile?',
  compares: { measure: 'rate', unit: 'documents/s' },
  figures: [DELAY],
  reference: ONE_CORE,
  contestants: [repeating(world, ONE_CORE, signPades(pdfSamples['20 KB'])), bothCores(world)],
  targets: [
    { contestant: TWO_CORES, measure: 'ratio', atLeast: 1.85 },
    { contestant: TWO_CORES, measure: DELAY, atMost: 20 },
  ],
  notes: [
    `one core: prepare, synchronous crypto.sign, complete; both cores: signPades with keySigner, ${LANES} documents in work`,
    'the delay is that of a timer of 1 ms, whose own floor is in it',
  ],
  sampleSeconds: 2,
  warmUpMs: 1000,
})

const bothCores = (world: () => Promise<SigningWorld>): Contestant => ({
  name: TWO_CORES,
  cores: 2,
  setUp: async () => {
    const { rsa, now } = await world()
    const pdf = pdfSamples['20 KB']()
    const signer = keySigner(rsa)
    const once = () => signDocument(pdf, signer, { now })
    await requirePdfSignature(await once())
    return { run: (forMs) => inLanes(forMs, once), tearDown: () => signer.close() }
  },
})

async function inLanes(forMs: number, once: () => Promise<unknown>): Promise<Run> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const deadline = performance.now() + forMs
  const lane = async () => {
    let done = 0
    while (performance.now() < deadline) {
      await once()
      done++
    }
    return done
  }
  delays.enable()
  const counts = await Promise.all(Array.from({ length: LANES }, lane))
  delays.disable()
  const operations = counts.reduce((sum, count) => sum + count, 0)
  return { operations, figures: { [DELAY]: delays.percentile(99) / 1e6 } }
}
