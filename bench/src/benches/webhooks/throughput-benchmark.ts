import { Agent, request } from 'undici'
import type { Benchmark, Contestant, Run } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { addDead, DEPTH, deadNote, fillLine, type OpenOutbox, outboxes, sampleBody } from './outbox.ts'
import { sendFor, startSink } from './send-for.ts'

const BARE = 'bare undici.request, nothing kept'
const SQLITE = 'outbox on SQLite'
const POSTGRES = 'outbox on PostgreSQL'
const SQLITE_BESIDE_DEAD = 'outbox on SQLite, beside 1,000 dead endpoints'
const POSTGRES_BESIDE_DEAD = 'outbox on PostgreSQL, beside 1,000 dead endpoints'

const DEAD = 1_000
const HEALTHY = 'healthy'
const SAMPLE_SECONDS = 5

/** From the outbox to a fast receiver. */
export function throughputBenchmark(scene: BenchScene): Benchmark {
  const { sqlite, postgres } = outboxes(scene)
  return {
    name: 'webhooks-throughput',
    title: 'Webhooks: deliveries to a fast receiver',
    question: 'How many deliveries a second leave a durable outbox, against a client that keeps nothing?',
    compares: { measure: 'rate', unit: 'deliveries/s' },
    reference: BARE,
    contestants: [
      bare(),
      fromOutbox(SQLITE, sqlite, 0),
      fromOutbox(POSTGRES, postgres, 0),
      { ...fromOutbox(SQLITE_BESIDE_DEAD, sqlite, DEAD), against: SQLITE },
      { ...fromOutbox(POSTGRES_BESIDE_DEAD, postgres, DEAD), against: POSTGRES },
    ],
    targets: [
      { contestant: SQLITE, measure: 'ratio', atLeast: 0.6 },
      { contestant: POSTGRES, measure: 'ratio', atLeast: 0.6 },
      { contestant: SQLITE_BESIDE_DEAD, measure: 'ratio', atLeast: 0.9 },
      { contestant: POSTGRES_BESIDE_DEAD, measure: 'ratio', atLeast: 0.9 },
    ],
    notes: [
      `one endpoint, ${DEPTH} deliveries under way at once, connections kept open; the receiver runs in a process of its own`,
      'each delivery is read, signed (HMAC), sent with its token, and its attempt recorded, durably (SQLite in WAL mode with synchronous FULL)',
      `${deadNote}; a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer of them`,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 2_000,
  }
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

const fromOutbox = (name: string, open: OpenOutbox, dead: number): Contestant => ({
  name,
  cores: 2,
  setUp: async () => {
    const sink = await startSink()
    const outbox = await open()
    let healthy = ''
    return {
      pids: [sink.pid],
      prepare: async (forMs) => {
        await outbox.clear()
        if (dead > 0) await addDead(outbox, Math.ceil(dead * Math.min(1, forMs / (SAMPLE_SECONDS * 1000))))
        healthy = await outbox.addEndpoint(HEALTHY, sink.message)
        await fillLine(outbox, HEALTHY, healthy, forMs)
      },
      run: (forMs) => sendFor(outbox, healthy, forMs),
      tearDown: async () => {
        await outbox.close()
        await sink.stop()
      },
    }
  },
})
