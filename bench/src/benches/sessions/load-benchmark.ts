import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Benchmark, Contestant, Run, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { SessionCaller, type Signed } from './session-caller.ts'
import { openSigningPair, type SigningPair } from './signing-pair.ts'

const UNLOADED = 'one request at a time'
const CAPACITY = '16 at a time'
const LOADED = '80 % of capacity, at its own pace'
const OVERLOADED = 'twice its capacity, at its own pace'
const P99 = 'p99 ms'
const ACCEPTED = 'accepted/s'
const REFUSED = 'refused %'
const REFUSAL_P99 = 'refusal p99 ms'
const AT_SERVER = 'of it at the server'

/** What a client sees as the load grows: latency up to capacity, refusals and goodput beyond. */
export const loadBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => {
  let capacity = 0
  const pair = sharedPair(scene, world)
  const remember = (run: Run): Run => {
    capacity = run.figures![ACCEPTED]!
    return run
  }
  return {
    name: 'sessions-load',
    title: 'Session server: signing as the load grows',
    question: 'How late are answers up to 80 % of capacity, and what happens beyond it?',
    compares: { measure: P99, unit: P99 },
    figures: [ACCEPTED, REFUSED, REFUSAL_P99, AT_SERVER],
    reference: UNLOADED,
    contestants: [
      contestant(UNLOADED, pair, (caller) => (forMs) => closed(caller, 1, forMs)),
      contestant(CAPACITY, pair, (caller) => async (forMs) => remember(await closed(caller, 16, forMs))),
      contestant(LOADED, pair, (caller) => (forMs) => open(caller, capacity * 0.8, forMs)),
      contestant(OVERLOADED, pair, (caller) => (forMs) => open(caller, capacity * 2, forMs)),
    ],
    targets: [
      { contestant: LOADED, measure: 'ratio', atMost: 3 },
      { contestant: OVERLOADED, measure: AT_SERVER, atMost: 5 },
    ],
    notes: [
      'default settings, client on the same two cores; goodput beyond capacity is to be compared with that at 16',
      'refusals are timed at the client, where waiting for one of the two busy cores is in them, and at the server by its own log, from the arrival of the request to its answer',
    ],
    sampleSeconds: 10,
    warmUpMs: 8_000,
  }
}

type Way = (caller: SessionCaller) => (forMs: number) => Promise<Run>

const contestant = (name: string, pair: SharedPair, way: Way): Contestant => ({
  name,
  cores: 2,
  setUp: () => runner(pair, way),
})

/** One pair for all lines: the work one of them leaves over must end before the next is measured. */
interface SharedPair {
  open(): Promise<SigningPair>
  /** The last user shuts it down. */
  leave(): Promise<void>
}

function sharedPair(scene: BenchScene, world: () => Promise<BatchWorld>): SharedPair {
  let pair: Promise<SigningPair> | undefined
  let users = 0
  return {
    open: () => {
      users++
      pair ??= world().then((opened) => openSigningPair(scene, opened))
      return pair
    },
    leave: async () => {
      users--
      if (users === 0) await (await pair)?.remove()
    },
  }
}

/** Milliseconds for both services to finish the work of the previous line. */
const REST_MS = 3_000

async function runner(shared: SharedPair, way: Way): Promise<Runner> {
  const pair = await shared.open()
  const caller = new SessionCaller(pair.sessions, 400)
  const run = way(caller)
  return {
    pids: pair.pids,
    // One session is active per CPF: each line opens its own.
    prepare: async () => {
      await caller.open(pair.sessions.cpf, pair.sessions.pin)
      await pause(REST_MS)
    },
    run: async (forMs) => {
      const from = statSync(pair.sessions.logFile).size
      const done = await run(forMs)
      return { ...done, figures: { ...done.figures, [AT_SERVER]: await refusalsLogged(pair.sessions.logFile, from) } }
    },
    tearDown: async () => {
      await caller.close()
      await shared.leave()
    },
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** So many clients, each sending its next request as soon as the last was answered. */
async function closed(caller: SessionCaller, clients: number, forMs: number): Promise<Run> {
  const begun = performance.now()
  const answers: Signed[] = []
  const client = async () => {
    while (performance.now() - begun < forMs) {
      answers.push(await caller.signForm())
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return figuresOf(answers, performance.now() - begun)
}

/** Requests at a steady rate, whether or not earlier ones were answered. */
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

/** p99 latency of the refusals in the server's log, from the given byte on. */
async function refusalsLogged(file: string, from: number): Promise<number> {
  const written = (await readFile(file)).subarray(from).toString('utf8')
  const lines = written.split('\n').filter((line) => line.includes('"status":429'))
  return p99(lines.map((line) => JSON.parse(line) as { readonly ms: number }))
}

function p99(answers: readonly { readonly ms: number }[]): number {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0
}
