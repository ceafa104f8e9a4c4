import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Benchmark, Contestant, Run } from '../../harness/benchmark.ts'
import { type Program, startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import { DEPTH, type Outbox, openOutbox, sampleBody } from './outbox.ts'

const BARE = 'bare undici.request, nothing kept'
const SQLITE = 'outbox on SQLite'
const POSTGRES = 'outbox on PostgreSQL'
const BESIDE_DEAD = 'outbox on SQLite, beside 1,000 dead endpoints'

/** Deliveries that wait for each second of a turn: more than any contestant can send. */
const WAITING_PER_SECOND = 12_000
const DEAD = 1_000
const DEAD_WAITING = 20
const HEALTHY = 'healthy'
const SAMPLE_SECONDS = 5

const startSink = (): Promise<Program<string>> =>
  startProgram<string>(new URL('./sink-process.ts', import.meta.url), { core: 1 })

/** From the outbox to a fast receiver. */
export const webhookBenchmarks = (scene: BenchScene): readonly Benchmark[] => [
  {
    name: 'webhooks-throughput',
    title: 'Webhooks: deliveries to a fast receiver',
    question: 'How many deliveries a second leave a durable outbox, against a client that keeps nothing?',
    compares: { measure: 'rate', unit: 'deliveries/s' },
    reference: BARE,
    contestants: [
      bare(),
      fromOutbox(SQLITE, () => sqlite(scene), 0),
      fromOutbox(POSTGRES, () => postgres(scene), 0),
      { ...fromOutbox(BESIDE_DEAD, () => sqlite(scene), DEAD), against: SQLITE },
    ],
    targets: [
      { contestant: SQLITE, measure: 'ratio', atLeast: 0.6 },
      { contestant: POSTGRES, measure: 'ratio', atLeast: 0.6 },
      { contestant: BESIDE_DEAD, measure: 'ratio', atLeast: 0.9 },
    ],
    notes: [
      `one endpoint, ${DEPTH} deliveries under way at once, connections kept open; the receiver runs in a process of its own`,
      'each delivery is claimed, signed (HMAC), sent with its token, and its attempt recorded, durably (SQLite in WAL mode with synchronous FULL)',
      `a dead endpoint refuses the connection at once; each has ${DEAD_WAITING} deliveries waiting when the turn begins; a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer of them`,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 2_000,
  },
]

async function sqlite(scene: BenchScene): Promise<Outbox> {
  const name = `hooks-${randomBytes(6).toString('hex')}`
  return openOutbox(`sqlite:${join(scene.folder, `${name}.db`)}`, name)
}

async function postgres(scene: BenchScene): Promise<Outbox> {
  const { url } = await scene.postgres()
  return openOutbox(url, `hooks-${randomBytes(6).toString('hex')}`)
}

const bare = (): Contestant => ({
  name: BARE,
  cores: 2,
  setUp: async () => {
    const sink = await startSink()
    const agent = new Agent({ connections: DEPTH, pipelining: 1 })
    return {
      pids: [sink.pid],
      run: (forMs) => postFor(agent, sink.message, forMs),
      tearDown: async () => {
        await agent.close()
        await sink.stop()
      },
    }
  },
})

async function postFor(agent: Agent, url: string, forMs: number): Promise<Run> {
  const begun = performance.now()
  const headers = { 'content-type': 'application/json', authorization: 'Bearer token' }
  const lane = async () => {
    let done = 0
    while (performance.now() - begun < forMs) {
      const { body } = await request(url, { dispatcher: agent, method: 'POST', headers, body: sampleBody })
      await body.dump()
      done += 1
    }
    return done
  }
  const counts = await Promise.all(Array.from({ length: DEPTH }, lane))
  return { operations: counts.reduce((sum, each) => sum + each, 0), wallMs: performance.now() - begun }
}

const fromOutbox = (name: string, open: () => Promise<Outbox>, dead: number): Contestant => ({
  name,
  cores: 2,
  setUp: async () => {
    const sink = await startSink()
    const outbox = await open()
    return {
      pids: [sink.pid],
      prepare: async (forMs) => {
        await outbox.clear()
        if (dead > 0) await addDead(outbox, Math.ceil(dead * Math.min(1, forMs / (SAMPLE_SECONDS * 1000))))
        await outbox.addEndpoint(HEALTHY, sink.message)
        const waiting = Math.ceil((WAITING_PER_SECOND * forMs) / 1000)
        for (let left = waiting; left > 0; left -= 5_000) await outbox.emit(HEALTHY, Math.min(left, 5_000))
      },
      run: (forMs) => sendFor(outbox, forMs),
      tearDown: async () => {
        await outbox.close()
        await sink.stop()
      },
    }
  },
})

async function addDead(outbox: Outbox, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await outbox.addEndpoint(`dead-${n}`, `http://127.0.0.1:1/${n}`)
    await outbox.emit(`dead-${n}`, DEAD_WAITING)
  }
}

async function sendFor(outbox: Outbox, forMs: number): Promise<Run> {
  const before = await outbox.delivered()
  const sender = outbox.sender()
  const begun = performance.now()
  sender.start()
  await sleep(forMs)
  // A turn of a few milliseconds still has something to divide.
  while ((await outbox.delivered()) === before) await sleep(20)
  await sender.stop()
  const wallMs = performance.now() - begun
  return { operations: (await outbox.delivered()) - before, wallMs }
}
