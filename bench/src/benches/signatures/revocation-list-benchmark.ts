import { join } from 'node:path'
import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import { startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import { ENTRIES, writeLargeList } from './large-revocation-list.ts'
import { type ListReading, listReaders } from './revocation-list-readers.ts'
import type { SigningWorld } from './signing-world.ts'

const OURS = 'read, verified, indexed, asked'

/** Input of the process. */
interface ListFolder {
  readonly folder: string
  readonly now: Date
}

/** The lists of large authorities have megabytes, and every validation may need one. */
export function revocationListBenchmark(scene: BenchScene, world: () => Promise<SigningWorld>): Benchmark {
  let files: Promise<ListFolder> | undefined
  const listFolder = () => {
    files ??= world().then(async (opened) => ({
      folder: await writeLargeList(join(scene.folder, 'revocation-list'), opened),
      now: opened.now,
    }))
    return files
  }
  return {
    name: 'signatures-revocation-list',
    title: 'A revocation list of 7 MB: read and asked',
    question: `How long does it take, and how much memory, until a list of ${ENTRIES.toLocaleString('en-US')} entries has said that a certificate is revoked?`,
    compares: { measure: 'milliseconds', unit: 'milliseconds' },
    figures: ['extra MB'],
    reference: 'SHA-256 of the bytes',
    contestants: Object.keys(listReaders).map((name) => contestant(name, listFolder)),
    targets: [
      { contestant: OURS, measure: 'milliseconds', atMost: 500 },
      { contestant: OURS, measure: 'extra MB', atMost: 100 },
    ],
    notes: [
      'a fresh process in each turn: nothing is compiled or warm',
      'extra MB: peak memory beyond that before reading, the file itself already in memory',
      'ours is the whole judgement of a certificate by this list, the signature of the list verified; openssl only reads and verifies it',
      'pkijs refuses a list of this size (too many values)',
    ],
    sampleSeconds: 1,
    warmUpMs: 0,
  }
}

const contestant = (name: string, listFolder: () => Promise<ListFolder>): Contestant => ({
  name,
  cores: 1,
  setUp: async () => {
    const files = await listFolder()
    return {
      run: async () => {
        const { right, milliseconds, extraMb } = await read(name, files)
        if (!right) throw new Error(`"${name}" read the list wrongly.`)
        // The memory of a further process cannot be measured here.
        const memory = name.endsWith('a process') ? {} : { 'extra MB': extraMb }
        return { operations: 1, wallMs: milliseconds, figures: { milliseconds, ...memory } }
      },
      tearDown: async () => {},
    }
  },
})

async function read(reader: string, { folder, now }: ListFolder): Promise<ListReading> {
  const source = new URL('./revocation-list-process.ts', import.meta.url)
  const args = [reader, folder, now.toISOString()]
  const program = await startProgram<ListReading>(source, { args, nodeOptions: ['--expose-gc'] })
  await program.stop()
  return program.message
}
