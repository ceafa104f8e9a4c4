import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { startHub, startInstantProvider } from './hub-service.ts'

const NONE = 'no session'
const SESSIONS = 100_000
const LIVE = `${SESSIONS} live sessions`
/** Sessions authorized before: memory of the process's first work must not be counted as theirs. */
const FIRST = 2_000
const MORE = 'MB more than without'
const LANES = 8

/** Memory of live sessions. */
export const memoryBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'hub-memory',
  title: 'Cloud hub: memory of 100,000 live sessions',
  question: 'How much memory do a hundred thousand sessions take that holders have authorized?',
  compares: { measure: 'RSS', unit: 'RSS in MB' },
  figures: [MORE],
  reference: NONE,
  contestants: [contestant(NONE, scene, world, 0), contestant(LIVE, scene, world, SESSIONS)],
  targets: [{ contestant: LIVE, measure: MORE, atMost: 100 }],
  notes: [
    `a fresh process in each turn; ${FIRST} sessions are authorized first, so that what its first work leaves behind is not counted; each goes through creation, the redirect of the provider and the callback; garbage collected; 1 MB is 10⁶ bytes`,
  ],
  sampleSeconds: 1,
  warmUpMs: 0,
})

const contestant = (
  name: string,
  scene: BenchScene,
  world: () => Promise<BatchWorld>,
  sessions: number,
): Contestant => ({
  name,
  cores: 0,
  setUp: async () => ({
    run: async (forMs) => ({ operations: 1, figures: await measure(scene, await world(), sessions, forMs) }),
    tearDown: async () => {},
  }),
})

async function measure(scene: BenchScene, world: BatchWorld, sessions: number, idleMs: number) {
  const provider = await startInstantProvider(world)
  const base = `http://127.0.0.1:${provider.message.port}`
  const hub = await startHub({ on: scene.folder, providers: { bench: `${base}/v0` } })
  const authorize = async (count: number) => {
    let left = count
    const lane = async () => {
      for (; left > 0; ) {
        left--
        await hub.authorized('bench')
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  try {
    await authorize(FIRST)
    const before = await hub.program.memoryAtRest(idleMs)
    await authorize(sessions)
    const after = await hub.program.memoryAtRest(idleMs)
    return { RSS: after.rssMb, [MORE]: after.rssMb - before.rssMb }
  } finally {
    await hub.remove()
    await provider.stop()
  }
}
