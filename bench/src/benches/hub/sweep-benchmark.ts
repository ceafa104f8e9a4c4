import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { startHub } from './hub-service.ts'

const FEW = '20,000 sessions expired'
const MANY = '200,000 sessions expired'
const TICK = 'ms per tick'

/** Deleting expired sessions, tick by tick. */
export const sweepBenchmark = (scene: BenchScene): Benchmark => ({
  name: 'hub-sweep',
  title: 'Cloud hub: the sweep of expired sessions',
  question: 'Does a tick take the same time however many sessions have expired?',
  compares: { measure: TICK, unit: TICK },
  reference: FEW,
  contestants: [contestant(FEW, scene, 20_000), contestant(MANY, scene, 200_000)],
  targets: [{ contestant: MANY, measure: 'ratio', atMost: 2 }],
  notes: [
    'SQLite; a tick forgets the tokens of at most 200 sessions; mean of hub_sweep_seconds over all ticks of a start',
  ],
  sampleSeconds: 1,
  warmUpMs: 0,
})

const contestant = (name: string, scene: BenchScene, sessions: number): Contestant => ({
  name,
  cores: 1,
  setUp: async () => ({
    run: async () => ({ operations: 1, figures: { [TICK]: await measure(scene, sessions) } }),
    tearDown: async () => {},
  }),
})

async function measure(scene: BenchScene, sessions: number): Promise<number> {
  const database = join(scene.folder, `sweep-${crypto.randomUUID()}.db`)
  const on = { on: scene.folder, databaseUrl: `sqlite:${database}`, providers: {} }
  // The first start creates the schema, the second finds the expired sessions.
  await (await startHub(on)).remove()
  await fill(`sqlite:${database}`, sessions)
  const hub = await startHub(on)
  try {
    for (;;) {
      const { ticks, seconds } = await sweepsOf(hub)
      if (ticks >= sessions / 200) return (seconds / ticks) * 1000
      await sleep(100)
    }
  } finally {
    await hub.remove()
  }
}

async function fill(url: string, sessions: number): Promise<void> {
  const store = await openStore<Record<string, never>>({ url, service: 'cloud-hub' })
  const past = '2026-01-01T00:00:00.000Z'
  const later = '2100-01-01T00:00:00.000Z'
  try {
    await sql`
      insert into creation (id, key_id, application_id, type, redirect_uri, lifetime_seconds, created_at, expires_at)
      values ('creation', 'key', 'application', 'SignatureSession', 'http://localhost/', 60, ${past}, ${later})
    `.execute(store.db)
    await sql`
      insert into session (id, creation_id, key_id, provider_id, type, state, sealed_grant, created_at, expires_at, purge_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sessions})
      select 'session-' || i, 'creation', 'key', 'provider', 'SignatureSession', 'authorized', hex(randomblob(400)),
             ${past}, ${past}, ${later} from n
    `.execute(store.db)
  } finally {
    await store.close()
  }
}

async function sweepsOf({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }) {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': apiKey } })
  const text = await answer.text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return { ticks: value('hub_sweep_seconds_count'), seconds: value('hub_sweep_seconds_sum') }
}
