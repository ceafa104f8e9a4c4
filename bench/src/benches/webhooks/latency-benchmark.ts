import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Benchmark, Contestant, Run } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { addDead, deadNote, type OpenOutbox, outboxes, sampleBody } from './outbox.ts'

const FLOOR = 'bare undici.request'
const SQLITE = 'outbox on SQLite'
const POSTGRES = 'outbox on PostgreSQL'
const BESIDE_DEAD = 'outbox on SQLite, beside 1,000 dead endpoints'
const P50 = 'p50 ms'
const P95 = 'p95 ms'

const DEAD = 1_000
const OWNER = 'healthy'
const SAMPLE_SECONDS = 5
/** Milliseconds between the arrival of one event and the making of the next. */
const BETWEEN = 5

/** How soon the first attempt follows the commit. */
export function latencyBenchmark(scene: BenchScene): Benchmark {
  const { sqlite, postgres } = outboxes(scene)
  return {
    name: 'webhooks-latency',
    title: 'Webhooks: from the commit to the receiver',
    question: 'How long after the commit of its change does an event reach the receiver?',
    compares: { measure: P95, unit: P95 },
    figures: [P50],
    reference: FLOOR,
    contestants: [
      contestant(FLOOR, bare),
      contestant(SQLITE, (url) => throughOutbox(sqlite, url, 0)),
      contestant(POSTGRES, (url) => throughOutbox(postgres, url, 0)),
      contestant(BESIDE_DEAD, (url) => throughOutbox(sqlite, url, DEAD)),
    ],
    targets: [SQLITE, POSTGRES, BESIDE_DEAD].map((contestant) => ({ contestant, measure: P95, atMost: 200 })),
    notes: [
      'one event after the other, each a transaction of its own; the time ends when the receiver has read the request',
      `${deadNote}; a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer of them`,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 1_000,
  }
}

/** One way for an event to reach the receiver. */
interface Way {
  prepare(forMs: number): Promise<void>
  /** Has an event sent; returns the time the measurement starts at. */
  report(): Promise<number>
  rest(): Promise<void>
  end(): Promise<void>
}

const contestant = (name: string, open: (url: string) => Promise<Way>): Contestant => ({
  name,
  cores: 1,
  setUp: async () => {
    const receiver = await startReceiver()
    const way = await open(receiver.url)
    return {
      prepare: (forMs) => way.prepare(forMs),
      run: async (forMs) => {
        const run = await repeated(() => timed(way, receiver), forMs)
        await way.rest()
        return run
      },
      tearDown: async () => {
        await way.end()
        await receiver.close()
      },
    }
  },
})

async function timed(way: Way, receiver: Receiver): Promise<number> {
  const arrival = receiver.next()
  const begun = await way.report()
  const took = (await arrival) - begun
  await sleep(BETWEEN)
  return Math.max(0.001, took)
}

async function repeated(measure: () => Promise<number>, forMs: number): Promise<Run> {
  const deadline = performance.now() + forMs
  const times: number[] = []
  do times.push(await measure())
  while (performance.now() < deadline)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { operations: times.length, figures: { [P50]: at(0.5), [P95]: at(0.95) } }
}

/** A receiver in this process, so that one clock measures both ends. */
interface Receiver {
  readonly url: string
  /** When the next request has been read. */
  next(): Promise<number>
  close(): Promise<void>
}

async function startReceiver(): Promise<Receiver> {
  let arrived: (at: number) => void = () => {}
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.once('end', () => {
      arrived(performance.now())
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    next: () =>
      new Promise((resolve) => {
        arrived = resolve
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bare(url: string): Promise<Way> {
  const agent = new Agent()
  return {
    prepare: async () => {},
    report: async () => {
      const begun = performance.now()
      const { body } = await request(url, { dispatcher: agent, method: 'POST', body: sampleBody })
      await body.dump()
      return begun
    },
    rest: async () => {},
    end: () => agent.close(),
  }
}

async function throughOutbox(open: OpenOutbox, url: string, dead: number): Promise<Way> {
  const outbox = await open()
  let sender = outbox.sender()
  return {
    prepare: async (forMs) => {
      await outbox.clear()
      if (dead > 0) await addDead(outbox, Math.ceil(dead * Math.min(1, forMs / (SAMPLE_SECONDS * 1000))))
      await outbox.addEndpoint(OWNER, url)
      sender = outbox.sender()
      sender.start()
    },
    report: async () => {
      await outbox.emit(OWNER, 1)
      return performance.now()
    },
    rest: () => sender.stop(),
    end: () => outbox.close(),
  }
}
