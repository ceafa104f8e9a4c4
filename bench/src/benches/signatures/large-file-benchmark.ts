import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validateCades } from '@chancela/signature-engine/cades'
import { toPem } from '@chancela/signature-engine/der'
import { decryptWith } from '@chancela/signature-engine/envelope'
import { isIntact } from '@chancela/signature-engine/report'
import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import { startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import { FLOOR, type LargeFileRun, largeFileWorks } from './large-file-works.ts'
import { requireDetachedCms } from './outside-judges.ts'
import type { SigningWorld } from './signing-world.ts'

const WHOLE_BYTES = 1_000_000_000
const SAMPLE_SECONDS = 2
const PEAK = 'peak RSS MB'

/** Files of a gigabyte, in the memory of a small machine. */
export const largeFileBenchmark = (scene: BenchScene, world: () => Promise<SigningWorld>): Benchmark => ({
  name: 'signatures-large-file',
  title: 'A file of 1 GB: signed and sealed in little memory',
  question: 'How fast is a file of 1 GB signed or sealed, and how much memory does the process need at its peak?',
  compares: { measure: 'MB/s', unit: 'MB/s' },
  figures: [PEAK],
  reference: FLOOR,
  contestants: Object.keys(largeFileWorks).map((name) => contestant(name, join(scene.folder, 'large-file'), world)),
  targets: Object.keys(largeFileWorks)
    .filter((name) => name !== FLOOR)
    .map((name) => ({ contestant: name, measure: PEAK, atMost: 150 })),
  notes: [
    'a fresh process in each turn, Node itself included in its memory; 1 MB is 10⁶ bytes',
    'input and output are files; the input is sparse, so that the disk has no part in the reading',
    `a turn shorter than ${SAMPLE_SECONDS} s takes a proportionally shorter file`,
    'a short file was accepted before the first turn: by openssl cms -verify, by our validator, by opening the envelope',
  ],
  sampleSeconds: SAMPLE_SECONDS,
  warmUpMs: 0,
})

const contestant = (name: string, folder: string, world: () => Promise<SigningWorld>): Contestant => ({
  name,
  cores: 1,
  setUp: async () => {
    const opened = await world()
    await writeKeys(folder, opened)
    await resize(folder, 100_000)
    await runOnce(name, folder, opened)
    await checks[name]?.(folder, opened)
    return {
      prepare: (forMs) => resize(folder, Math.ceil(WHOLE_BYTES * Math.min(1, forMs / (SAMPLE_SECONDS * 1000)))),
      run: async (forMs) => {
        const { milliseconds, peakMb } = await runOnce(name, folder, opened)
        const megabytes = (WHOLE_BYTES / 1e6) * Math.min(1, forMs / (SAMPLE_SECONDS * 1000))
        const figures = { 'MB/s': megabytes / (milliseconds / 1000), [PEAK]: peakMb }
        return { operations: 1, wallMs: milliseconds, figures }
      },
      tearDown: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

async function writeKeys(folder: string, { rsa: { certificate, chain, privateKey } }: SigningWorld): Promise<void> {
  await mkdir(folder, { recursive: true })
  const pem = [certificate, ...chain].map(({ der }) => toPem('CERTIFICATE', der))
  await writeFile(join(folder, 'chain.pem'), pem.join(''))
  await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/** Truncates the input to this many zero bytes and removes the output of the last sample. */
async function resize(folder: string, bytes: number): Promise<void> {
  await rm(join(folder, 'output'), { force: true })
  await writeFile(join(folder, 'input'), '')
  await truncate(join(folder, 'input'), bytes)
}

async function runOnce(work: string, folder: string, { now }: SigningWorld): Promise<LargeFileRun> {
  const source = new URL('./large-file-process.ts', import.meta.url)
  const program = await startProgram<LargeFileRun>(source, { args: [work, folder, now.toISOString()] })
  await program.stop()
  return program.message
}

/** A contestant must not look fast by being wrong. */
const checks: Readonly<Record<string, (folder: string, world: SigningWorld) => Promise<void>>> = {
  'CAdES, detached': async (folder, { root }) =>
    requireDetachedCms(await readFile(join(folder, 'output')), await readFile(join(folder, 'input')), root),
  'CAdES, attached': async (folder, { judge, now }) => {
    const content = await readFile(join(folder, 'input'))
    const { signatures } = await validateCades(await readFile(join(folder, 'output')), { judge, now, content })
    if (!isIntact(signatures[0]!.integrity)) throw new Error('The attached signature does not hold.')
  },
  'envelope, sealed': async (folder, { rsa }) => {
    const content = await decryptWith(rsa, createReadStream(join(folder, 'output')))
    if (!content.equals(await readFile(join(folder, 'input')))) throw new Error('The envelope holds something else.')
  },
}
