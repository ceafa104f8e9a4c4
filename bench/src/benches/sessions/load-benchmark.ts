import type { Benchmark, Contestant, Run, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { SessionCaller, type Signed } from './session-caller.ts'
import { openSigningPair } from './signing-pair.ts'

const UNLOADED = 'one request at a time'
const CAPACITY = '16 at a time'
const LOADED = '80 % of capacity, at its own pace'
const OVERLOADED = '400 at a time'
const P99 = 'p99 ms'
const ACCEPTED = 'accepted/s'
const REFUSED = 'refused %'
const REFUSAL_P99 = 'refusal p99 ms'

/** What a client sees as the load grows: latency up to capacity, refusals and goodput beyond. */
export const loadBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => {
  let capacity = 0
  const remember = (run: Run): Run => {
    capacity = run.figures![ACCEPTED]!
    return run
  }
  return {
    name: 'sessions-load',
    title: 'Session server: signing as the load grows',
    question: 'How late are answers up to 80 % of capacity, and what happens beyond it?',
    compares: { measure: P99, unit: P99 },
    figures: [ACCEPTED, REFUSED, REFUSAL_P99],
    reference: UNLOADED,
    contestants: [
      contestant(UNLOADED, scene, world, (caller) => (forMs) => closed(caller, 1, forMs)),
      contestant(CAPACITY, scene, world, (caller) => async (forMs) => remember(await closed(caller, 16, forMs))),
      contestant(LOADED, scene, world, (caller) => (forMs) => open(caller, capacity * 0.8, forMs)),
      contestant(OVERLOADED, scene, world, (caller) => (forMs) => closed(caller, 400, forMs)),
    ],
    targets: [
      { contestant: LOADED, measure: 'ratio', atMost: 3 },
      { contestant: OVERLOADED, measure: REFUSAL_P99, atMost: 5 },
    ],
    notes: [
      'one pair of services for each line, default settings, client on the same two cores; goodput beyond capacity is to be compared with that at 16; whoever is refused waits 20 ms before the next try',
      'refusals are timed at the client, so that its own queue is in them',
    ],
    sampleSeconds: 10,
    warmUpMs: 15_000,
  }
}

type Way = (caller: SessionCaller) => (forMs: number) => Promise<Run>

const contestant = (name: string, scene: BenchScene, world: () => Promise<BatchWorld>, way: Way): Contestant => ({
  name,
  cores: 2,
  setUp: () => runner(scene, world, way),
})

async function runner(scene: BenchScene, world: () => Promise<BatchWorld>, way: Way): Promise<Runner> {
  const pair = await openSigningPair(scene, await world())
  const caller = new SessionCaller(pair.sessions, 400)
  await caller.open(pair.sessions.cpf, pair.sessions.pin)
  return {
    pids: pair.pids,
    run: way(caller),
    tearDown: async () => {
      await caller.close()
      await pair.remove()
    },
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** So many clients, each with its next request as soon as the former was answered. */
async function closed(caller: SessionCaller, clients: number, forMs: number): Promise<Run> {
  const begun = performance.now()
  const answers: Signed[] = []
  const client = async () => {
    while (performance.now() - begun < forMs) {
      const answer = await caller.signForm()
      answers.push(answer)
      if (answer.status !== 202) await pause(20)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return figuresOf(answers, performance.now() - begun)
}

/** Requests that come at a steady pace, whether or not the former were answered. */
async function open(caller: SessionCaller, perSecond: number, forMs: number): Promise<Run> {
  const begun = performance.now()
  const answers: Promise<Signed>[] = []
  while (performance.now() - begun < forMs) {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond) - answers.length
    for (let at = 0; at < due; at++) answers.push(caller.signForm())
    await pause(1)
  }
  const all = await Promise.all(answers)
  return figuresOf(all, performance.now() - begun)
}

function figuresOf(answers: readonly Signed[], wallMs: number): Run {
  const accepted = answers.filter(({ status }) => status === 202)
  const refused = answers.filter(({ status }) => status === 429)
  if (accepted.length + refused.length < answers.length) throw new Error('An answer was neither 202 nor 429.')
  return {
    operations: accepted.length,
    wallMs,
    figures: {
      [P99]: p99(accepted),
      [ACCEPTED]: (accepted.length / wallMs) * 1000,
      [REFUSED]: (refused.length / answers.length) * 100,
      [REFUSAL_P99]: refused.length === 0 ? 0 : p99(refused),
    },
  }
}

function p99(answers: readonly Signed[]): number {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0
}
