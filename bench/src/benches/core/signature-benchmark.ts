import { sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark, Contestant, Run, Runner } from '../../harness/benchmark.ts'
import { procCpuTimes } from '../../harness/cpu-time.ts'
import { startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { type HashSigners, startHashSigners } from '../documents/hash-signers.ts'
import { SERVER_CORE } from '../http/load.ts'
import { requirePdfSignature } from '../signatures/outside-judges.ts'
import type { Holder } from '../signatures/signing-world.ts'
import { startCoreService } from './core-service.ts'
import { type SignatureAnswers, SignatureCalls } from './signature-calls.ts'

const ALONE = 'one RSA-2048 signature'
const BARE = 'bare Fastify, same bodies, both files flushed'
const SQLITE = 'prepare and complete, SQLite'
const POSTGRES = 'prepare and complete, PostgreSQL'

/** CPU of the server; the client's key and its HTTP do not count. */
const CPU = 'server CPU ms'

/** Documents under way at once. */
const LANES = 8

/** By hash: the client holds the key. */
export const signatureBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'pki-core-signatures',
  title: 'PKI core: prepare and complete a PAdES signature of 20 KB',
  question: 'What does a signature cost the server whose client holds the key, against the work of that key?',
  compares: { measure: CPU, unit: CPU },
  reference: ALONE,
  contestants: [
    { name: ALONE, cores: 1, setUp: async () => alone((await world()).holders.rsa) },
    { name: BARE, cores: 2, setUp: () => bare(scene, world) },
    service(SQLITE, scene, world),
    service(POSTGRES, scene, world, async () => (await scene.postgres()).url),
  ],
  targets: [{ contestant: SQLITE, measure: 'ratio', atMost: 0.25 }],
  notes: [
    `${LANES} documents under way, two calls each with the file inside the first; server on one core; the CPU of PostgreSQL itself is not in the figure`,
    'the bare server shows what the two calls and the two files alone cost; how long an RSA signature takes differs between processors by a factor of five and more, what a call costs hardly does',
    'the certificate is judged at both calls (chain and revocation from the cache), the file parsed, the signature verified, file and rows durable at each answer; one document of each turn is shown to pdfsig',
  ],
  sampleSeconds: 5,
  warmUpMs: 10_000,
})

function alone({ privateKey }: Holder): Runner {
  const bytes = Buffer.alloc(32, 1)
  return {
    run: async (forMs) => {
      const [begun, before] = [performance.now(), process.cpuUsage()]
      let operations = 0
      for (; performance.now() - begun < forMs; operations++) sign('sha256', bytes, privateKey)
      const { user, system } = process.cpuUsage(before)
      return { operations, figures: { [CPU]: (user + system) / 1000 / operations } }
    },
    tearDown: async () => {},
  }
}

const service = (
  name: string,
  scene: BenchScene,
  world: () => Promise<BatchWorld>,
  databaseUrl?: () => Promise<string>,
): Contestant => ({
  name,
  cores: 2,
  setUp: async () => {
    const { holders, files } = await world()
    const core = await startCoreService(scene.folder, files.roots, await databaseUrl?.())
    const signers = startHashSigners(holders.rsa.privateKey, 1)
    const calls = new SignatureCalls(core, holders.rsa, signers, LANES)
    return {
      pids: [core.pid],
      cpuOf: 'servers',
      run: async (forMs) => {
        const { last, ...run } = await signFor(calls, core.pid, forMs)
        await requirePdfSignature(await calls.content(last))
        return run
      },
      tearDown: async () => {
        await calls.close()
        await signers.stop()
        await core.remove()
      },
    }
  },
})

/** Its answers are those of the service, which runs for that long only. */
async function bare(scene: BenchScene, world: () => Promise<BatchWorld>): Promise<Runner> {
  const { holders, files } = await world()
  const folder = await mkdtemp(join(scene.folder, 'bare-'))
  const answersFile = join(folder, 'answers.json')
  const signers = startHashSigners(holders.rsa.privateKey, 1)
  await writeFile(answersFile, JSON.stringify(await answersOfService(scene, files.roots, holders.rsa, signers)))
  const source = new URL('./bare-signature-process.ts', import.meta.url)
  const server = await startProgram<string>(source, { args: [answersFile, folder], core: SERVER_CORE })
  const calls = new SignatureCalls({ baseUrl: server.message, apiKey: 'none' }, holders.rsa, signers, LANES)
  return {
    pids: [server.pid],
    cpuOf: 'servers',
    run: async (forMs) => {
      const { last: _, ...run } = await signFor(calls, server.pid, forMs)
      return run
    },
    tearDown: async () => {
      await calls.close()
      await signers.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answersOfService(
  scene: BenchScene,
  roots: string,
  holder: Holder,
  signers: HashSigners,
): Promise<SignatureAnswers> {
  const core = await startCoreService(scene.folder, roots)
  const calls = new SignatureCalls(core, holder, signers, 1)
  try {
    return await calls.answers()
  } finally {
    await calls.close()
    await core.remove()
  }
}

async function signFor(calls: SignatureCalls, pid: number, forMs: number): Promise<Run & { readonly last: string }> {
  const times = procCpuTimes()
  const [begun, before] = [performance.now(), times?.treeMs([pid]) ?? Number.NaN]
  let last = ''
  const lane = async () => {
    let done = 0
    for (; performance.now() - begun < forMs; done++) last = await calls.sign()
    return done
  }
  const counts = await Promise.all(Array.from({ length: LANES }, lane))
  const wallMs = performance.now() - begun
  const cpuMs = (times?.treeMs([pid]) ?? Number.NaN) - before
  const operations = counts.reduce((sum, count) => sum + count, 0)
  return { operations, wallMs, figures: { [CPU]: cpuMs / operations }, last }
}
