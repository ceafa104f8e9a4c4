import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openssl } from '@chancela/testkit/tools'
import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { type BatchService, startBatchService } from './batch-service.ts'
import type { BatchWorld } from './batch-world.ts'
import { drainFolder } from './drain-folder.ts'
import { peakMemoryOf } from './process-memory.ts'

const FLOOR = 'copied and flushed'
const SERVICE = 'CAdES, folder to verified output'
const WHOLE_BYTES = 1_000_000_000
const SAMPLE_SECONDS = 20
const SPEED = 'MB/s'
const PEAK = 'peak RSS MB'

/** One file of a gigabyte, in the memory of a small machine. */
export const largeFileBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'batch-large-file',
  title: 'Batch signer: a file of 1 GB',
  question: 'How long does a file of 1 GB take from the folder to a verified output, and how much memory does it need?',
  compares: { measure: SPEED, unit: SPEED },
  figures: [PEAK],
  reference: FLOOR,
  contestants: [copied(scene), served(scene, world)],
  targets: [{ contestant: SERVICE, measure: PEAK, atMost: 200 }],
  notes: [
    'a fresh process in each turn, Node itself included in its memory; 1 MB is 10⁶ bytes',
    'the service reads the file to stage it, to sign it, to verify the signature and to compare it before it is deleted',
    'the input is sparse; the clock includes the half second of the stability window',
    'a file of 8 MB was accepted by openssl cms -verify before the first turn',
    `a turn shorter than ${SAMPLE_SECONDS} s takes a proportionally shorter file`,
  ],
  sampleSeconds: SAMPLE_SECONDS,
  warmUpMs: 0,
})

const bytesFor = (forMs: number): number => Math.ceil(WHOLE_BYTES * Math.min(1, forMs / (SAMPLE_SECONDS * 1000)))

const copied = (scene: BenchScene): Contestant => ({
  name: FLOOR,
  cores: 1,
  setUp: async () => {
    const folder = await mkdtemp(join(scene.folder, 'copied-'))
    const [input, output] = [join(folder, 'in'), join(folder, 'out')]
    return {
      prepare: async (forMs) => {
        await rm(output, { force: true })
        await makeFile(input, bytesFor(forMs))
      },
      run: async (forMs) => {
        const begun = performance.now()
        await pipeline(createReadStream(input), createWriteStream(output, { flush: true }))
        const wallMs = performance.now() - begun
        return { operations: 1, wallMs, figures: { [SPEED]: speed(bytesFor(forMs), wallMs) } }
      },
      tearDown: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

const served = (scene: BenchScene, world: () => Promise<BatchWorld>): Contestant => ({
  name: SERVICE,
  cores: 1,
  setUp: async () => {
    const { files } = await world()
    const sign = async (bytes: number, check?: (output: string) => Promise<void>) =>
      signOnce(await startBatchService(await world(), { on: scene.folder, key: 'rsa', format: 'Cades' }), bytes, check)
    await sign(CHECKED_BYTES, (output) => requireAttachedCms(output, files.roots))
    return {
      run: async (forMs) => {
        const { wallMs, peakMb } = await sign(bytesFor(forMs))
        const figures = { [SPEED]: speed(bytesFor(forMs), wallMs), [PEAK]: peakMb }
        return { operations: 1, wallMs, figures }
      },
      tearDown: async () => {},
    }
  },
})

/** Larger than the service buffers, small enough for a validator that reads it into memory. */
const CHECKED_BYTES = 8_000_000

async function signOnce(service: BatchService, bytes: number, check?: (output: string) => Promise<void>) {
  try {
    await service.takeFiles(false)
    await makeFile(join(service.input, 'large.bin'), bytes)
    const progress = await drainFolder(service, 1)
    const [output = ''] = await readdir(service.output)
    await check?.(join(service.output, output))
    return { wallMs: progress.at(-1)!.atMs, peakMb: peakMemoryOf(service.pid) }
  } finally {
    await service.remove()
  }
}

/** All zero and sparse, so that the first read is not limited by the disk. */
async function makeFile(path: string, bytes: number): Promise<void> {
  await writeFile(path, '')
  await truncate(path, bytes)
}

async function requireAttachedCms(file: string, roots: string): Promise<void> {
  const how = ['-inform', 'DER', '-in', file, '-binary', '-CAfile', roots, '-purpose', 'any', '-out', '/dev/null']
  const { ok, text } = await openssl(['cms', '-verify', ...how])
  if (!ok) throw new Error(`The signature of the large file was not accepted:\n${text}`)
}

const speed = (bytes: number, wallMs: number): number => bytes / 1e6 / (wallMs / 1000)
