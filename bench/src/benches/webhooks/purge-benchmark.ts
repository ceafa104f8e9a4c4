import { purgeDeliveries } from '@chancela/outbox/webhooks'
import { systemClock } from '@chancela/service-kernel/clock'
import type { Benchmark, Contestant, Run } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { fillLog } from './fill-log.ts'
import { fillLine, type OpenOutbox, type Outbox, outboxes } from './outbox.ts'
import { sendFor, startSink } from './send-for.ts'

const PURGED = 'purged rows/s'

const names = {
  sqlite: { alone: 'SQLite, nothing else', purging: 'SQLite, while the log is purged' },
  postgres: { alone: 'PostgreSQL, nothing else', purging: 'PostgreSQL, while the log is purged' },
} as const

/** A sample of this length has the whole log; a shorter one has a part of it. */
const SAMPLE_SECONDS = 10
const ROWS = 10_000_000
const OWNER = 'healthy'

/** The retention purge running next to the sender. */
export function purgeBenchmark(scene: BenchScene): Benchmark {
  const both = outboxes(scene)
  return {
    name: 'webhooks-purge',
    title: 'Webhooks: the purge of a long log beside the sender',
    question: 'How much of its pace does a sender lose while old deliveries are deleted?',
    compares: { measure: 'rate', unit: 'deliveries/s' },
    figures: [PURGED],
    reference: names.sqlite.alone,
    contestants: (['sqlite', 'postgres'] as const).flatMap((dialect) => pair(names[dialect], shared(both[dialect]))),
    targets: Object.values(names).map(({ purging }) => ({ contestant: purging, measure: 'ratio', atLeast: 0.6 })),
    notes: [
      'every purged row is a delivery with its event and its attempt; the receiver runs in a process of its own',
      `${ROWS.toLocaleString('en-US')} deliveries in the log; a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer`,
      'the purge rests three times as long as each of its bites of 200 rows takes',
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 2_000,
  }
}

/** One log for both contestants: it takes longer to write than to measure. */
interface Scenery {
  readonly outbox: Outbox
  /** Fills the log and the queue; returns the endpoint. */
  prepare(forMs: number): Promise<string>
}

interface Shared {
  open(): Promise<Scenery>
  close(): Promise<void>
}

function shared(open: OpenOutbox): Shared {
  let users = 0
  let opened: ReturnType<typeof scenery> | undefined
  return {
    open: () => {
      users += 1
      opened ??= scenery(open)
      return opened
    },
    close: async () => {
      users -= 1
      if (users === 0) await (await opened)?.end()
    },
  }
}

async function scenery(open: OpenOutbox): Promise<Scenery & { end(): Promise<void> }> {
  const outbox = await open()
  const sink = await startSink()
  const endpointId = await outbox.addEndpoint(OWNER, sink.message)
  let rows = 0
  return {
    outbox,
    prepare: async (forMs) => {
      const wanted = Math.ceil(ROWS * Math.min(1, forMs / (SAMPLE_SECONDS * 1000)))
      if (rows < wanted) {
        await outbox.store.db.deleteFrom('webhook_attempt').execute()
        await outbox.store.db.deleteFrom('webhook_delivery').execute()
        await outbox.store.db.deleteFrom('webhook_event').execute()
        await fillLog(outbox.store, wanted)
        rows = wanted
      }
      await fillLine(outbox, OWNER, endpointId, forMs)
      return endpointId
    },
    end: async () => {
      await outbox.close()
      await sink.stop()
    },
  }
}

const pair = ({ alone, purging }: { alone: string; purging: string }, world: Shared): readonly Contestant[] => [
  { ...contestant(alone, world, sendFor), against: alone },
  { ...contestant(purging, world, sendWhilePurging), against: alone },
]

const contestant = (name: string, world: Shared, run: typeof sendFor): Contestant => ({
  name,
  cores: 2,
  setUp: async () => {
    const { outbox, prepare } = await world.open()
    let endpointId = ''
    return {
      prepare: async (forMs) => {
        endpointId = await prepare(forMs)
      },
      run: (forMs) => run(outbox, endpointId, forMs),
      tearDown: () => world.close(),
    }
  },
})

async function sendWhilePurging(outbox: Outbox, endpointId: string, forMs: number): Promise<Run> {
  const ending = new AbortController()
  const longAgo = new Date(systemClock().getTime() - 365 * 24 * 60 * 60 * 1000)
  const purging = purgeDeliveries(outbox.store, { endedBefore: longAgo }, ending.signal)
  const run = await sendFor(outbox, endpointId, forMs)
  ending.abort()
  const purged = await purging
  return { ...run, figures: { [PURGED]: (purged / (run.wallMs ?? forMs)) * 1000 } }
}
