import { deepStrictEqual } from 'node:assert'
import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import { canPin, isInstalled, type Program, startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import { acceptJob, type Listening, path, sampleRequest } from './contract.ts'
import { type LoadGenerator, type LoadTarget, SERVER_CORE } from './load.ts'
import { nodeLoader } from './node-loader.ts'
import { wrk } from './wrk.ts'

/** The JSON route every service has, against the framework below it. */
export function httpBenchmark(scene: BenchScene): Benchmark {
  const generator = isInstalled('wrk', ['-v']) ? wrk(scene.folder) : nodeLoader
  const contestant = (name: string, server: URL): Contestant => ({
    name,
    cores: 2,
    setUp: () => setUp(name, server, generator, scene),
  })
  return {
    name: 'http',
    title: 'HTTP: the kernel route against bare Fastify',
    question:
      'What does a JSON POST pay for API key check, correlation id, access log, security headers and error dialect, beyond the validation and serialisation that bare Fastify does too?',
    compares: { measure: 'rate', unit: 'requests/s' },
    figures: ['p50 ms', 'p99 ms'],
    reference: 'bare Fastify',
    contestants: [
      contestant('bare Fastify', new URL('./fastify-server.ts', import.meta.url)),
      contestant('kernel route', new URL('./kernel-server.ts', import.meta.url)),
      contestant('kernel route in a whole service', new URL('../kernel-service/service-process.ts', import.meta.url)),
      contestant('raw node:http, no validation', new URL('./node-http-server.ts', import.meta.url)),
    ],
    targets: [{ contestant: 'kernel route', measure: 'ratio', atLeast: 0.6 }],
    notes: [
      'the whole service adds keys kept in its store, load limits, metrics and language negotiation to the kernel route',
      `load by ${generator.description}`,
      canPin()
        ? 'server on one core, load generator on the other; cpu is that of the server'
        : 'nothing pinned to a core',
    ],
    // V8 needs some ten thousand requests until it stops optimizing a server.
    warmUpMs: 2000,
    sampleSeconds: 3,
  }
}

async function setUp(name: string, source: URL, generator: LoadGenerator, scene: BenchScene): Promise<Runner> {
  const server = await startProgram<Listening>(source, { args: [scene.folder], core: SERVER_CORE })
  const target = targetOf(server)
  await checkAnswer(name, target)
  return {
    pids: [server.pid],
    cpuOf: 'servers',
    run: async (forMs) => {
      const { requests, wallMs, failures, p50Ms, p99Ms } = await generator.run(target, forMs)
      if (failures > 0) throw new Error(`"${name}" failed ${failures} requests of ${requests + failures}.`)
      return { operations: requests, wallMs, figures: { 'p50 ms': p50Ms, 'p99 ms': p99Ms } }
    },
    tearDown: () => server.stop(),
  }
}

const targetOf = ({ message }: Program<Listening>): LoadTarget => ({
  url: `http://127.0.0.1:${message.port}${path}`,
  headers: message.headers,
  body: JSON.stringify(sampleRequest),
})

// A server must not look fast by being wrong: its answer must be right, and if it checks keys, it must refuse.
async function checkAnswer(name: string, { url, headers, body }: LoadTarget): Promise<void> {
  const post = (more: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { ...more, 'content-type': 'application/json' }, body })
  const answer = await post(headers)
  deepStrictEqual([answer.status, await answer.json()], [200, acceptJob(sampleRequest)], `"${name}" answered wrongly`)
  if (Object.keys(headers).length === 0) return
  const refusal = await post({})
  deepStrictEqual([refusal.status, (await refusal.text()) !== ''], [401, true], `"${name}" let a stranger in`)
}
