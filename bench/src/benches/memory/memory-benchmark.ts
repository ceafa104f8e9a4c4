import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import { startProgram } from '../../harness/program.ts'
import type { MemoryAtRest } from '../../harness/program-side.ts'
import type { BenchScene } from '../../scene.ts'
import type { Listening } from '../http/contract.ts'
import { openPaths } from '../kernel-service/open-paths.ts'

/** Memory of an idle process of the suite. */
export const memoryBenchmark = (scene: BenchScene): Benchmark => ({
  name: 'memory',
  title: 'Memory: a process with all kernel parts idle',
  question:
    'How much memory does a service occupy that has every part of the kernel open (HTTP with reference page, keys, SQLite store, job worker, secrets, events, metrics, readiness, settings) and nothing to do?',
  compares: { measure: 'RSS', unit: 'RSS in MB' },
  figures: ['heap MB'],
  reference: 'bare Node',
  contestants: [
    contestant('bare Node', scene, { source: new URL('./bare-node-process.ts', import.meta.url) }),
    contestant('bare Fastify', scene, { source: new URL('../http/fastify-server.ts', import.meta.url) }),
    contestant('kernel, all parts', scene, {
      source: new URL('../kernel-service/service-process.ts', import.meta.url),
      visited: Object.values(openPaths),
    }),
  ],
  targets: [{ contestant: 'kernel, all parts', measure: 'RSS', atMost: 120 }],
  notes: [
    'a fresh process in each turn: started, its pages asked for once, idle for the turn, garbage collected; 1 MB is 10⁶ bytes',
  ],
  sampleSeconds: 1,
  warmUpMs: 0,
})

interface Measured {
  readonly source: URL
  /** Paths requested once before the measurement: what is created or loaded on first use stays in memory. */
  readonly visited?: readonly string[]
}

const contestant = (name: string, { folder }: BenchScene, measured: Measured): Contestant => ({
  name,
  cores: 0,
  setUp: async () => ({
    run: async (forMs) => {
      const { rssMb, heapMb } = await measure(measured, folder, forMs)
      return { operations: 1, figures: { RSS: rssMb, 'heap MB': heapMb } }
    },
    tearDown: async () => {},
  }),
})

async function measure({ source, visited = [] }: Measured, folder: string, idleMs: number): Promise<MemoryAtRest> {
  const program = await startProgram<Listening>(source, { args: [folder], nodeOptions: ['--expose-gc'] })
  try {
    for (const path of visited) await visit(`http://127.0.0.1:${program.message.port}${path}`)
    return await program.memoryAtRest(idleMs)
  } finally {
    await program.stop()
  }
}

async function visit(url: string): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}; what is not there cannot be measured.`)
}
