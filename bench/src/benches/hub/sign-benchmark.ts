import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import { canPin, isInstalled, startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import type { Listening } from '../http/contract.ts'
import { LOADER_CORE, type LoadGenerator, type LoadTarget, SERVER_CORE } from '../http/load.ts'
import { nodeLoader } from '../http/node-loader.ts'
import { wrk } from '../http/wrk.ts'
import { startHub, startInstantProvider } from './hub-service.ts'

const PROXY = 'bare Fastify and undici'
const LEAST = 'the same with key, session, verification and durable use'
const HUB = 'sign-hash, SQLite'
const ON_POSTGRES = 'sign-hash, PostgreSQL'

const CONTENT = Buffer.from('What is to be signed.')
const body = {
  hash: createHash('sha256').update(CONTENT).digest('base64'),
  digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
}

/** One hash signed under a session, against a proxy that forwards the same bodies. */
export function signBenchmark(scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark {
  const generator = isInstalled('wrk', ['-v']) ? wrk(scene.folder) : nodeLoader
  const contestant = (name: string, open: Opening): Contestant => ({
    name,
    cores: 2,
    setUp: async () => runner(name, await world(), generator, open),
  })
  return {
    name: 'hub-sign',
    title: 'Cloud hub: sign-hash with a provider that answers at once',
    question:
      'What does a signature pay for key and session check, the audit of its use, and its verification, beyond the two HTTP calls?',
    compares: { measure: 'rate', unit: 'signatures/s' },
    figures: ['p50 ms', 'p99 ms'],
    reference: PROXY,
    contestants: [
      contestant(PROXY, openProxy),
      contestant(LEAST, (provider, { files }) => openLeast(scene, provider, files.rsa.certificate)),
      contestant(HUB, (provider) => openHub(scene, provider)),
      contestant(ON_POSTGRES, async (provider) => openHub(scene, provider, (await scene.postgres()).url)),
    ],
    targets: [{ contestant: HUB, measure: 'ratio', atLeast: 0.5 }],
    notes: [
      'a SignatureSession, RSA-2048, the same hash each time, whose signature the provider remembers; every use is a durable row of the audit before it is answered',
      'the second line is what the promises cost alone, with no input judged, nothing measured and nothing logged',
      `load by ${generator.description}`,
      canPin()
        ? 'server on one core, load generator and provider on the other; cpu is that of the server'
        : 'nothing pinned to a core',
    ],
    warmUpMs: 3000,
    sampleSeconds: 5,
  }
}

type Opening = (provider: string, world: BatchWorld) => Promise<Opened>

interface Opened {
  readonly pid: number
  readonly target: LoadTarget
  remove(): Promise<void>
}

async function runner(name: string, world: BatchWorld, generator: LoadGenerator, open: Opening): Promise<Runner> {
  const provider = await startInstantProvider(world, LOADER_CORE)
  const { pid, target, remove } = await open(`http://127.0.0.1:${provider.message.port}`, world)
  await checkSignature(name, world, target)
  return {
    pids: [pid],
    cpuOf: 'servers',
    run: async (forMs) => {
      const { requests, wallMs, failures, p50Ms, p99Ms } = await generator.run(target, forMs)
      if (failures > 0) throw new Error(`"${name}" failed ${failures} requests of ${requests + failures}.`)
      return { operations: requests, wallMs, figures: { 'p50 ms': p50Ms, 'p99 ms': p99Ms } }
    },
    tearDown: async () => {
      await remove()
      await provider.stop()
    },
  }
}

async function openProxy(provider: string): Promise<Opened> {
  const program = await startProgram<Listening>(new URL('./proxy-process.ts', import.meta.url), {
    args: [provider, '/v0/oauth/signature'],
    core: SERVER_CORE,
  })
  const url = `http://127.0.0.1:${program.message.port}/api/sessions/sign-hash`
  return {
    pid: program.pid,
    target: { url, headers: {}, body: JSON.stringify({ session: 'a'.repeat(43), ...body }) },
    remove: () => program.stop(),
  }
}

async function openLeast(scene: BenchScene, provider: string, certificate: string): Promise<Opened> {
  const folder = await mkdtemp(join(scene.folder, 'least-hub-'))
  const program = await startProgram<Listening>(new URL('./least-hub-process.ts', import.meta.url), {
    args: [provider, '/v0/oauth/signature', certificate, join(folder, 'least.db')],
    core: SERVER_CORE,
  })
  const { port, headers } = program.message
  return {
    pid: program.pid,
    target: {
      url: `http://127.0.0.1:${port}/api/sessions/sign-hash`,
      headers,
      body: JSON.stringify({ session: 's'.repeat(43), ...body }),
    },
    remove: async () => {
      await program.stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function openHub(scene: BenchScene, provider: string, databaseUrl?: string): Promise<Opened> {
  const hub = await startHub({
    on: scene.folder,
    databaseUrl,
    providers: { bench: `${provider}/v0` },
    core: SERVER_CORE,
  })
  const session = await hub.authorized('bench')
  return {
    pid: hub.program.pid,
    target: {
      url: `${hub.baseUrl}/api/sessions/sign-hash`,
      headers: { 'X-Api-Key': hub.apiKey },
      body: JSON.stringify({ session, ...body }),
    },
    remove: hub.remove,
  }
}

// A server must not look fast by being wrong.
async function checkSignature(name: string, { files }: BatchWorld, { url, headers, body }: LoadTarget): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  const signature = Buffer.from((await answer.json()) as string, 'base64')
  const { publicKey } = new X509Certificate(await readFile(files.rsa.certificate))
  if (!verify('sha256', CONTENT, createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), signature))
    throw new Error(`"${name}" answered a wrong signature (status ${answer.status}).`)
}
