import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import { startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { SERVER_CORE } from '../http/load.ts'
import { type Answers, AuthenticationCalls } from './authentication-calls.ts'
import { startCoreService } from './core-service.ts'

const BARE = 'bare Fastify, same bodies'
const LEAST = 'bare Fastify that verifies, seals and keeps two rows'
const SQLITE = 'PKI core on SQLite'
const POSTGRES = 'PKI core on PostgreSQL'

/** Authentications under way at once. */
const LANES = 16

/** Signatures made for a second of a turn; one that runs out of them ends, and counts what it did. */
const SIGNED_PER_SECOND = 1200

/** Prepare and complete, with a certificate of ICP-Brasil's form under three authorities. */
export const authenticationBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'pki-core-authentication',
  title: 'PKI core: prepare and complete an authentication',
  question:
    'How many people a second authenticate with an RSA-2048 certificate, against a bare Fastify that takes and answers the same bodies and judges nothing?',
  compares: { measure: 'rate', unit: 'authentications/s' },
  reference: BARE,
  contestants: [
    { name: BARE, cores: 2, setUp: () => bare(scene, world) },
    { name: LEAST, cores: 2, setUp: () => least(scene, world) },
    service(SQLITE, scene, world),
    service(POSTGRES, scene, world, async () => (await scene.postgres()).url),
  ],
  targets: [{ contestant: SQLITE, measure: 'ratio', atLeast: 0.5 }],
  notes: [
    `${LANES} under way; server on one core, the client on what is left; an authentication is two calls, its signature was made before the time was taken`,
    'the second line is what the promises cost alone: a sealed state, one RSA verification, and two rows that are durable at the answer',
    'one person, who comes again: the service remembers the certificate',
    'the service checks the key and the roles, seals and opens the state, uses the nonce up and writes down who authenticated (two durable rows), verifies the signature, judges chain and revocation from its cache, and renders certificate and results',
  ],
  sampleSeconds: 3,
  warmUpMs: 3000,
})

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
    const calls = new AuthenticationCalls(core.baseUrl, core.apiKey, holders.rsa, LANES)
    return runner(calls, core.pid, core.remove)
  },
})

async function bare(scene: BenchScene, world: () => Promise<BatchWorld>): Promise<Runner> {
  const { calls, server } = await beside(scene, world, new URL('./bare-server-process.ts', import.meta.url))
  // It uses nothing up: one signature is enough.
  return { ...runner(calls, server.pid, () => server.stop()), prepare: () => calls.signOnce() }
}

async function least(scene: BenchScene, world: () => Promise<BatchWorld>): Promise<Runner> {
  const { calls, server } = await beside(scene, world, new URL('./least-server-process.ts', import.meta.url))
  return runner(calls, server.pid, () => server.stop())
}

/** A server whose answers are those of the service, which runs for that long only. */
async function beside(scene: BenchScene, world: () => Promise<BatchWorld>, source: URL) {
  const { holders, files } = await world()
  const folder = await mkdtemp(join(scene.folder, 'bare-'))
  const answers = join(folder, 'answers.json')
  await writeFile(answers, JSON.stringify(await answersOfService(scene, files.roots, holders.rsa)))
  const args = [answers, join(folder, 'rows.db')]
  const server = await startProgram<string>(source, { args, core: SERVER_CORE })
  return { server, calls: new AuthenticationCalls(server.message, 'none', holders.rsa, LANES) }
}

async function answersOfService(
  scene: BenchScene,
  roots: string,
  holder: BatchWorld['holders']['rsa'],
): Promise<Answers> {
  const core = await startCoreService(scene.folder, roots)
  const calls = new AuthenticationCalls(core.baseUrl, core.apiKey, holder, 1)
  try {
    return await calls.answers()
  } finally {
    await calls.close()
    await core.remove()
  }
}

function runner(calls: AuthenticationCalls, pid: number, remove: () => Promise<void>): Runner {
  return {
    pids: [pid],
    cpuOf: 'servers',
    prepare: (forMs) => calls.sign(Math.ceil((forMs / 1000) * SIGNED_PER_SECOND)),
    run: async (forMs) => {
      const begun = performance.now()
      const lane = async () => {
        let done = 0
        while (performance.now() - begun < forMs && (await calls.both())) done++
        return done
      }
      const counts = await Promise.all(Array.from({ length: LANES }, lane))
      return { operations: counts.reduce((sum, count) => sum + count, 0), wallMs: performance.now() - begun }
    },
    tearDown: async () => {
      await calls.close()
      await remove()
    },
  }
}
