import { statfsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import { procCpuTimes } from '../../harness/cpu-time.ts'
import type { BenchScene } from '../../scene.ts'
import { requirePdfSignature } from '../signatures/outside-judges.ts'
import { pdfSamples } from '../signatures/sample-documents.ts'
import { type BatchService, startBatchService } from './batch-service.ts'
import type { BatchWorld, KeyKind } from './batch-world.ts'
import { drainFolder, putFiles } from './drain-folder.ts'
import { RSA_ALONE, rsaAlone } from './raw-signatures.ts'
import { shellLoops } from './shell-loops.ts'

const PADES_RSA = 'PAdES, RSA-2048'
const PADES_EC = 'PAdES, P-256'
const NOT_VERIFIED = 'PAdES, RSA-2048, not verified'
const IN_MEMORY = 'PAdES, RSA-2048, memory file system'
const EVENT_LOOP = 'of it event loop'

/** Files of a full sample, and its length in seconds; a shorter sample takes proportionally fewer. */
const FILES = 10_000
const SAMPLE_SECONDS = 25

/** A RAM disk on Linux; the outputs of all samples, repeated ones included, must fit. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES = 8e9

/** From a folder full of files to verified outputs. */
export function folderBenchmark(scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark {
  const peers = shellLoops(scene, world)
  const memory = hasMemoryFolder()
  return {
    name: 'batch-folder',
    title: 'Batch signer: a folder of 20 KB files',
    question:
      'How many files a second get from the folder to a verified, durable output, against the signatures alone?',
    compares: { measure: 'rate', unit: 'files/s' },
    figures: [EVENT_LOOP],
    reference: RSA_ALONE,
    contestants: [
      rsaAlone(world),
      contestant(PADES_RSA, world, { key: 'rsa', on: scene.folder }),
      contestant(NOT_VERIFIED, world, { key: 'rsa', on: scene.folder, verify: false }),
      ...(memory ? [contestant(IN_MEMORY, world, { key: 'rsa', on: MEMORY_FOLDER })] : []),
      contestant(PADES_EC, world, { key: 'ec', on: scene.folder }),
      ...peers.contestants,
    ],
    targets: [
      { contestant: PADES_RSA, measure: 'ratio', atLeast: 0.6 },
      { contestant: PADES_EC, measure: 'rate', atLeast: 400 },
    ],
    notes: [
      'default settings (level AD-RB, SQLite in WAL mode with synchronous FULL, every output flushed); certificate validated, signature verified, input compared and deleted',
      `${FILES.toLocaleString('en-US')} files wait in a turn of ${SAMPLE_SECONDS} s, fewer in a shorter one; the clock runs from the moment the service may take them until the last is Completed; the files have rested, so that one look takes them`,
      '0.75 of the signatures alone is the moonshot',
      'by part: the event loop prepares, verifies, keeps the ledger and reads the folder; the rest of the cpu is the key, the flushes and the collection of garbage; what is not verified shows by the difference what verifying costs',
      ...(memory ? [] : ['left out, because /dev/shm has no room: the memory file system']),
      ...peers.notes,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    // Until V8 has compiled the code of a job.
    warmUpMs: 10_000,
  }
}

function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= MEMORY_BYTES
  } catch {
    return false // systems without it
  }
}

interface Place {
  readonly key: KeyKind
  readonly on: string
  /** Default true. */
  readonly verify?: boolean
}

const contestant = (name: string, world: () => Promise<BatchWorld>, { key, on, verify = true }: Place): Contestant => ({
  name,
  cores: 2,
  setUp: async () => {
    const service = await startBatchService(await world(), { on, key, format: 'Pades', verify })
    await service.takeFiles(false)
    return toRunner(service)
  },
})

function toRunner(service: BatchService): Runner {
  let [turn, waiting] = [0, 0]
  return {
    pids: [service.pid],
    prepare: async (forMs) => {
      waiting = Math.max(1, Math.round((FILES * forMs) / (SAMPLE_SECONDS * 1000)))
      turn++
      putFiles(service, { count: waiting, names: `turn-${turn}`, extension: '.pdf', content: pdfSamples['20 KB']() })
    },
    run: async () => {
      const before = eventLoopMs(service)
      const progress = await drainFolder(service, waiting)
      const loop = eventLoopMs(service) - before
      await requireSigned(service, `turn-${turn}-0`)
      const figures = Number.isNaN(loop) ? {} : { [EVENT_LOOP]: loop / waiting }
      return { operations: waiting, wallMs: progress.at(-1)!.atMs, figures }
    },
    tearDown: () => service.remove(),
  }
}

/** CPU of its event loop; not a number where the system does not tell. */
const eventLoopMs = ({ pid }: BatchService): number => procCpuTimes()?.mainThreadMs(pid) ?? Number.NaN

// A service must not look fast by being wrong: an external validator checks one output of each sample.
async function requireSigned({ output }: BatchService, name: string): Promise<void> {
  const file = (await readdir(output)).find((each) => each.startsWith(name))
  if (file === undefined) throw new Error(`There is no output of ${name} in ${output}.`)
  await requirePdfSignature(await readFile(join(output, file)))
}
