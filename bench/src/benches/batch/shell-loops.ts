import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant, Run } from '../../harness/benchmark.ts'
import { isInstalled } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import { requireDetachedCms, requirePdfSignature, requireXmlSignature } from '../signatures/outside-judges.ts'
import { withTemplate } from '../signatures/peers/xmlsec1.ts'
import { pdfSamples, type Sample, xmlSamples } from '../signatures/sample-documents.ts'
import { PKCS12_PASSWORD } from '../signatures/signing-world.ts'
import { type BatchWorld, signers } from './batch-world.ts'

/** A command line that people run in a loop over a folder. */
interface Loop {
  readonly name: string
  /** Programs it needs. */
  readonly programs: readonly string[]
  readonly extension: string
  readonly document: Sample
  /** Creates what the command needs in its folder; returns the command, with `$in` and `$out` as its files. */
  prepare(world: BatchWorld, folder: string): Promise<string>
  check(output: Uint8Array, world: BatchWorld): Promise<void>
}

const loops: readonly Loop[] = [
  {
    name: 'shell loop: pdfsig -add-signature',
    programs: ['pdfsig', 'certutil', 'pk12util'],
    extension: '.pdf',
    document: pdfSamples['20 KB'],
    prepare: async ({ files }, folder) => {
      const database = `sql:${folder}`
      await runProgram('certutil', ['-N', '-d', database, '--empty-password'])
      await runProgram('pk12util', ['-i', files.rsa.pkcs12, '-d', database, '-W', PKCS12_PASSWORD, '-K', ''])
      return `pdfsig "$in" "$out" -add-signature -digest SHA256 -nssdir '${database}' -nick '${signers.rsa}'`
    },
    check: requirePdfSignature,
  },
  {
    name: 'shell loop: openssl cms -sign',
    programs: ['openssl'],
    extension: '.pdf',
    document: pdfSamples['20 KB'],
    prepare: async ({ files: { rsa } }) =>
      `openssl cms -sign -binary -cades -md sha256 -outform DER -in "$in" -out "$out" -signer '${rsa.certificate}' -inkey '${rsa.key}' -certfile '${rsa.chain}'`,
    check: async (cms, { holders }) => requireDetachedCms(cms, pdfSamples['20 KB'](), holders.rsa.chain.at(-1)!),
  },
  {
    name: 'shell loop: xmlsec1 --sign, 5 KB',
    programs: ['xmlsec1'],
    extension: '.xml',
    document: () => Buffer.from(withTemplate(xmlSamples['5 KB']())),
    prepare: async ({ files: { rsa } }) =>
      `xmlsec1 --sign --privkey-pem '${rsa.key},${rsa.certificate}' --output "$out" "$in"`,
    check: requireXmlSignature,
  },
]

/** What people script today, as far as the programs are installed. */
export function shellLoops(scene: BenchScene, world: () => Promise<BatchWorld>) {
  const missing = (loop: Loop) => loop.programs.filter((program) => !isInstalled(program, []))
  const present = loops.filter((loop) => missing(loop).length === 0)
  return {
    contestants: present.map((loop) => contestant(loop, scene, world)),
    notes: [
      'shell loops: one per core, a process for each file; they neither verify nor flush nor record anything',
      ...loops
        .filter((loop) => !present.includes(loop))
        .map((loop) => `left out, because ${missing(loop).join(' and ')} is not installed: ${loop.name}`),
    ],
  }
}

const contestant = (loop: Loop, scene: BenchScene, world: () => Promise<BatchWorld>): Contestant => ({
  name: loop.name,
  cores: 2,
  setUp: async () => {
    const folder = await mkdtemp(join(scene.folder, 'loop-'))
    const script = await writeScript(loop, folder, await world())
    await checked(loop, folder, script, await world())
    return {
      run: (forMs) => runLoops(folder, script, forMs),
      tearDown: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

/** Parallel lanes, one for each core. */
const LANES = ['a', 'b'] as const

/** Files of each lane; the loop goes through them again and again. */
const FILES_PER_LANE = 20

async function writeScript(loop: Loop, folder: string, world: BatchWorld): Promise<string> {
  const command = await loop.prepare(world, folder)
  for (const lane of LANES) {
    await mkdir(join(folder, lane, 'in'), { recursive: true })
    await mkdir(join(folder, lane, 'out'))
    for (let i = 0; i < FILES_PER_LANE; i++)
      await writeFile(join(folder, lane, 'in', `${i}${loop.extension}`), loop.document())
  }
  // Only shell builtins around the command: another process would be counted as the tool's.
  const script = `cd "$1" || exit 1
while :; do
  for in in in/*; do
    out="out/\${in##*/}"
    ${command} >/dev/null 2>log || exit 1
    printf . >> done
    [ -e ../stop ] && exit 0
  done
done
`
  const file = join(folder, 'loop.sh')
  await writeFile(file, script)
  return file
}

async function runLoops(folder: string, script: string, forMs: number): Promise<Run> {
  const count = async () => {
    const sizes = await Promise.all(LANES.map((lane) => sizeOf(join(folder, lane, 'done'))))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  await rm(join(folder, 'stop'), { force: true })
  const [before, begun] = [await count(), performance.now()]
  const ended = Promise.all(LANES.map((lane) => runProgram('sh', [script, join(folder, lane)])))
  await Promise.race([sleep(forMs), ended])
  await writeFile(join(folder, 'stop'), '')
  await ended
  return { operations: (await count()) - before, wallMs: performance.now() - begun }
}

// A tool must not look fast by being wrong.
async function checked(loop: Loop, folder: string, script: string, world: BatchWorld): Promise<void> {
  await runLoops(folder, script, 1)
  await loop.check(await readFile(join(folder, LANES[0], 'out', `0${loop.extension}`)), world)
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0 // before the first file
    throw error
  }
}

async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit')
  if (code !== 0) throw new Error(`${program} ended with code ${code}.`)
}
