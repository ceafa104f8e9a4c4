import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { startHub, startInstantProvider } from './hub-service.ts'

const SLOWEST = 200
const DEADLINE = 400
const PROVIDERS = 20

const ONE = `one provider of ${SLOWEST} ms`
const TWENTY = `${PROVIDERS} providers, the slowest of ${SLOWEST} ms`
const HANGING = `${PROVIDERS} providers, one beyond the deadline of ${DEADLINE} ms`
const TIME = 'ms'

/** Milliseconds each provider takes; the sum of twenty is 2.9 s. */
const spread = Array.from({ length: PROVIDERS }, (_, at) => SLOWEST - at * 6)

/** Finding the providers of an identifier among many. */
export const discoveryBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'hub-discovery',
  title: 'Cloud hub: discovery over twenty providers',
  question: 'Is an answer bounded by the slowest provider, and by the deadline of one that does not answer?',
  compares: { measure: TIME, unit: TIME },
  reference: ONE,
  contestants: [
    contestant(ONE, scene, world, [SLOWEST], 1),
    contestant(TWENTY, scene, world, spread, PROVIDERS),
    contestant(HANGING, scene, world, [60_000, ...spread.slice(1)], PROVIDERS - 1),
  ],
  targets: [
    { contestant: TWENTY, measure: 'ratio', atMost: 1.25 },
    { contestant: HANGING, measure: TIME, atMost: DEADLINE * 1.25 },
  ],
  notes: [`median of the calls of a turn, one at a time; nothing cached; Discovery:TimeoutMilliseconds is ${DEADLINE}`],
  sampleSeconds: 5,
  warmUpMs: 2000,
})

const contestant = (
  name: string,
  scene: BenchScene,
  world: () => Promise<BatchWorld>,
  delays: readonly number[],
  found: number,
): Contestant => ({ name, cores: 0, setUp: async () => runner(scene, await world(), delays, found) })

async function runner(scene: BenchScene, world: BatchWorld, delays: readonly number[], found: number): Promise<Runner> {
  const provider = await startInstantProvider(world)
  const base = `http://127.0.0.1:${provider.message.port}`
  const hub = await startHub({
    on: scene.folder,
    providers: Object.fromEntries(delays.map((ms, at) => [`provider-${at}`, `${base}/${at}/slow-${ms}/v0`])),
    // A provider behind an open circuit breaker would not be waited for.
    settings: {
      Discovery: { TimeoutMilliseconds: DEADLINE, CacheSeconds: 0 },
      Providers: { AllowedHosts: ['127.0.0.1'], BreakerFailures: 1000 },
    },
  })
  const discover = () => hub.call<readonly unknown[]>('GET', '/api/sessions/services?identifier=52998224725')
  return {
    pids: [hub.program.pid],
    run: async (forMs) => {
      const times: number[] = []
      const begun = performance.now()
      while (performance.now() - begun < forMs || times.length === 0) {
        const asked = performance.now()
        const services = await discover()
        times.push(performance.now() - asked)
        if (services.length !== found) throw new Error(`${services.length} providers were found instead of ${found}.`)
      }
      const sorted = times.sort((a, b) => a - b)
      return { operations: times.length, figures: { [TIME]: sorted[Math.floor(sorted.length / 2)]! } }
    },
    tearDown: async () => {
      await hub.remove()
      await provider.stop()
    },
  }
}
