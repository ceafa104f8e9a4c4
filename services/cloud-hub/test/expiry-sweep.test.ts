import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { type Db, insertRows } from '@chancela/service-kernel/store'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cloudHubSchema } from '../src/store/migrations.ts'
import type { CreationRow, SessionRow, SessionUseRow, Tables } from '../src/store/tables.ts'
import { SWEPT_AT_ONCE, sweepOnce } from '../src/workers/sweep-sessions.ts'

const now = new Date('2026-11-16T12:00:00.000Z')
const settings = { Sessions: { TombstoneHours: 24 }, Signing: { AuditDays: 365 } } as never
const clock = () => now

describe.each(Object.entries(testStores))('the sweep on %s', (_name, open) => {
  test('a tick over 10,000 rows of each kind that are due touches its bound of each, and nothing that is not due', async () => {
    const store = await open<Tables>(cloudHubSchema)
    await fill(store, 10_000, plus(now, -1000 * DAY))
    await fill(store, 100, now)
    const due = { grants: SWEPT_AT_ONCE, sessions: SWEPT_AT_ONCE, creations: SWEPT_AT_ONCE, uses: SWEPT_AT_ONCE }
    // Nobody was named when these sessions were created.
    const each = { ...due, holders: 0 }
    const before = await countAll(store)
    expect(await sweepOnce({ store, clock, settings })).toEqual(each)
    expect(await sweepOnce({ store, clock, settings })).toEqual(each)
    // The deleted grants belong to the deleted sessions.
    expect(await countAll(store)).toEqual({
      session: before.session - 2 * SWEPT_AT_ONCE,
      creation: before.creation - 2 * SWEPT_AT_ONCE,
      session_use: before.session_use - 2 * SWEPT_AT_ONCE,
      grants: before.grants - 2 * SWEPT_AT_ONCE,
    })
    while (Object.values(await sweepOnce({ store, clock, settings })).includes(SWEPT_AT_ONCE));
    expect(await countAll(store)).toEqual({ session: 100, creation: 100, session_use: 100, grants: 100 })
  })

  test('each of its statements finds its rows by an index', async () => {
    const store = await open<Tables>(cloudHubSchema)
    await fill(store, 300, plus(now, -1000 * DAY))
    await fill(store, 5000, now)
    await sql`analyze`.execute(store.db)
    const { watched, statements } = watching(store)
    await sweepOnce({ store: watched, clock, settings })
    expect(statements.length).toBeGreaterThanOrEqual(6)
    for (const statement of statements) {
      const plan = await planOf(store, statement)
      expect(plan, statement.sql).toMatch(/index/i)
      // SQLite's "SCAN … USING INDEX" reads an index in order.
      expect(plan, statement.sql).not.toMatch(/Seq Scan|SCAN \w+$/m)
    }
  })
})

/** Sessions with a creation, a grant and a use each, all expired at this time or shortly after. */
const fill = (store: TestStore<Tables>, count: number, expired: Date): Promise<void> =>
  // One transaction: thousands of them would each wait for the disk.
  store.transaction(async (tx) => {
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, at) => rowsOf(plus(expired, from + at + 1)))
      await insertRows<Tables>(tx, {
        creation: rows.map(({ creation }) => creation),
        session: rows.map(({ session }) => session),
        session_use: rows.map(({ use }) => use),
      })
    }
  })

function rowsOf(at: Date): { creation: CreationRow; session: SessionRow; use: SessionUseRow } {
  const [id, time] = [crypto.randomUUID(), at.toISOString()]
  const common = { key_id: 'key', type: 'SignatureSession', created_at: time, expires_at: time } as const
  const creation = {
    id,
    ...common,
    application_id: 'application',
    redirect_uri: 'https://app.example/',
    sealed_identifier: null,
    identifier_digest: null,
    identifier_type: null,
    sealed_custom_state: null,
    known_hashes: null,
    lifetime_seconds: 300,
    chooser_hash: null,
    sealed_choice: null,
    sealed_names: null,
  }
  const session = {
    id,
    ...common,
    creation_id: id,
    provider_id: 'provider',
    state: 'authorized' as const,
    state_hash: null,
    sealed_step: null,
    step_until: null,
    value_hash: id,
    sealed_grant: 'sealed',
    alias: null,
    certificate: null,
    authorized_at: time,
    ended_at: null,
    reason: null,
    purge_at: plus(at, 24 * HOUR).toISOString(),
    list_size: null,
  }
  const use = {
    id,
    at: time,
    session_id: id,
    key_id: 'key',
    provider_id: 'provider',
    action: 'sign' as const,
    outcome: 'ok',
    hashes: 1,
    digest_algorithm: 'SHA-256',
    alias: null,
    milliseconds: 1,
    correlation_id: null,
  }
  return { creation, session, use }
}

async function countAll({ db }: TestStore<Tables>) {
  const count = async (table: 'session' | 'creation' | 'session_use') =>
    Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
  const grants = db.selectFrom('session').select(db.fn.count('sealed_grant').as('n'))
  return {
    session: await count('session'),
    creation: await count('creation'),
    session_use: await count('session_use'),
    grants: Number((await grants.executeTakeFirstOrThrow()).n),
  }
}

/** The store, and all statements run on it. */
function watching(store: TestStore<Tables>) {
  const statements: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements.push(store.db.getExecutor().compileQuery(node as RootOperationNode, createQueryId()))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const db = store.db.withPlugin(plugin)
  const watched = { ...store, db, transaction: (work: (tx: never) => Promise<never>) => work(db as never) }
  return { watched: watched as unknown as TestStore<Tables>, statements }
}

/** Disables table scans where there is another way: planners scan small tables although they have an index. */
async function planOf(store: TestStore<Tables>, { sql: text, parameters }: CompiledQuery): Promise<string> {
  if (store.dialect === 'sqlite') return explained(store.db, `explain query plan ${text}`, parameters)
  return store.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return explained(tx, `explain ${text}`, parameters)
  })
}

async function explained(db: Db<Tables>, text: string, parameters: readonly unknown[]): Promise<string> {
  const { rows } = await db.executeQuery<Record<string, string>>(CompiledQuery.raw(text, [...parameters]))
  return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n')
}
