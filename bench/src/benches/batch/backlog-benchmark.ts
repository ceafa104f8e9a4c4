import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { contentSample } from '../signatures/sample-documents.ts'
import { startBatchService } from './batch-service.ts'
import type { BatchWorld } from './batch-world.ts'
import { drainFolder, type Progress, putFiles } from './drain-folder.ts'
import { peakMemoryOf } from './process-memory.ts'

const BACKLOG = 'CAdES, P-256'
const FILES = 'files'
const PEAK = 'peak RSS MB'
const STEADINESS = 'last tenth ÷ first tenth'

/** A sample of this length processes a tenth of the promised backlog; one of ten times the length all of it. */
const SAMPLE_SECONDS = 30
const FILES_PER_TURN = 10_000

/** A folder that filled up over a long weekend. */
export const backlogBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'batch-backlog',
  title: 'Batch signer: a large backlog in one folder',
  question: 'Does the service keep its pace and its memory while it works off a folder with very many files?',
  compares: { measure: 'rate', unit: 'files/s' },
  figures: [FILES, PEAK, STEADINESS],
  reference: BACKLOG,
  contestants: [contestant(scene, world)],
  targets: [
    { contestant: BACKLOG, measure: PEAK, atMost: 300 },
    { contestant: BACKLOG, measure: STEADINESS, atLeast: 0.9 },
  ],
  notes: [
    'a fresh process in each turn, Node itself included in its memory; default settings; files of 2 KB and a fast key, so that the service and not the signature sets the pace',
    `${FILES_PER_TURN.toLocaleString('en-US')} files in a turn of ${SAMPLE_SECONDS} s; --seconds ${SAMPLE_SECONDS * 10} takes the promised 100,000`,
  ],
  sampleSeconds: SAMPLE_SECONDS,
  warmUpMs: 0,
})

const contestant = (scene: BenchScene, world: () => Promise<BatchWorld>): Contestant => ({
  name: BACKLOG,
  cores: 2,
  setUp: async () => ({
    run: async (forMs) => {
      const count = Math.max(20, Math.round((FILES_PER_TURN * forMs) / (SAMPLE_SECONDS * 1000)))
      const service = await startBatchService(await world(), { on: scene.folder, key: 'ec', format: 'Cades' })
      try {
        await service.takeFiles(false)
        putFiles(service, { count, names: 'file', extension: '.bin', content: contentSample().subarray(0, 2_000) })
        const progress = await drainFolder(service, count)
        const figures = { [FILES]: count, [PEAK]: peakMemoryOf(service.pid), [STEADINESS]: steadiness(progress, count) }
        return { operations: count, wallMs: progress.at(-1)!.atMs, figures }
      } finally {
        await service.remove()
      }
    },
    tearDown: async () => {},
  }),
})

/** The rate of the last tenth divided by that of the first; time starts when the first file is done. */
function steadiness(progress: readonly Progress[], count: number): number {
  const [begun, firstTenth, lastTenth] = [0, count * 0.1, count * 0.9].map((done) => timeOf(progress, done))
  return (firstTenth! - begun!) / (progress.at(-1)!.atMs - lastTenth!)
}

/** When so many files were done, interpolated between two readings. */
function timeOf(progress: readonly Progress[], done: number): number {
  const at = progress.findIndex((each) => each.done > done)
  const [before, after] = [progress[at - 1]!, progress[at]!]
  return before.atMs + ((after.atMs - before.atMs) * (done - before.done)) / (after.done - before.done)
}
