import { testClock } from '@chancela/testkit/clock'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { type Kysely, type KyselyPlugin, type SqlBool, sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../clock/index.ts'
import { openSecrets } from '../../secrets/index.ts'
import { type MigrationSet, migrate, type Store } from '../../store/index.ts'
import {
  AuditChain,
  addChainSequence,
  type ChainedKind,
  type ChainTables,
  type ChainVerdict,
  chainedEvents,
  createAuditChain,
  createEventLog,
  type EventTables,
  eventMigrations,
  exportChain,
  headOfExport,
  readChain,
  readExport,
  verifyChain,
} from '../index.ts'
import { createChainer } from './chainer.ts'
import { canonicalJson, rangesOf } from './link.ts'

interface Tables extends EventTables, ChainTables {
  note: { id: string; at: string; text: string; size: number | null; state: string }
}

const notes: ChainedKind = {
  kind: 'note',
  table: 'note',
  key: ['id'],
  id: 'id',
  at: 'at',
  covered: ['id', 'at', 'text', 'size'],
  uncovered: ['state'],
}

const kinds = [chainedEvents, notes]

const unchained: MigrationSet = {
  events: eventMigrations,
  test: [
    {
      id: 1,
      name: 'notes',
      breaking: false,
      up: async (db: Kysely<unknown>) => {
        await sql`create table note (id text primary key, at text not null, text text not null,
          size double precision, state text not null)`.execute(db)
      },
    },
  ],
}

const chained: MigrationSet = {
  ...unchained,
  test: [
    ...unchained.test!,
    {
      id: 2,
      name: 'chain',
      breaking: false,
      up: async (db: Kysely<unknown>) => {
        await createAuditChain(db)
        for (const kind of kinds) await addChainSequence(db, kind)
      },
    },
  ],
}

const noon = new Date('2026-03-02T12:00:00.000Z')
const logger = pino({ enabled: false })
const secrets = openSecrets({
  service: 'test',
  masterKeyFile: 'unused',
  masterKey: Buffer.alloc(32, 7).toString('base64'),
})

/** Everything that happens on a store of its own. */
function worldOn(store: TestStore<Tables>) {
  const clock = testClock(noon)
  const log = createEventLog(store, clock)
  const chain = new AuditChain({ kinds, clock })
  const event = (text: string, over: Partial<Store<Tables>> = {}) => {
    clock.advance(MINUTE)
    return log.record((over.db ?? store.db) as typeof store.db, {
      type: 'Happened',
      actor: 'ana',
      text,
      data: { n: 1 },
    })
  }
  const note = (id: string) => {
    clock.advance(MINUTE)
    const row = { id, at: clock().toISOString(), text: 'Olá', size: 3, state: 'new' }
    return store.db.insertInto('note').values(row).execute()
  }
  const link = async () => {
    while ((await store.transaction((tx) => chain.append(tx))) > 0);
  }
  const verify = (options?: Parameters<typeof verifyChain>[1]) => verifyChain(readChain(store.db, kinds), options)
  const lines = async () => {
    const all: string[] = []
    for await (const line of exportChain(readChain(store.db, kinds), { service: 'test', now: clock() })) all.push(line)
    return all
  }
  return { store, clock, log, chain, event, note, link, verify, lines }
}

/** Six records in a chain: events 1, 2, 4 and 6, notes 3 and 5. */
async function filled(store: TestStore<Tables>) {
  const world = worldOn(store)
  for (const text of ['a', 'b']) await world.event(text)
  await world.note('n1')
  await world.event('c')
  await world.note('n2')
  await world.event('d')
  await world.link()
  return world
}

const intact = { problemCount: 0, problems: [] }

/** The problems of a verdict, as `code sequence`. */
const found = ({ problems }: ChainVerdict) => problems.map(({ code, sequence }) => `${code} ${sequence}`)

const run = (store: Store<Tables>, text: string) => sql.raw(text).execute(store.db)

for (const [name, open] of Object.entries(testStores)) {
  describe(`the audit chain on ${name}`, () => {
    test('links the records of every kind, oldest first, each once', async () => {
      const { store, clock, chain, verify, link, event } = await filled(await open<Tables>(chained))
      const rows = await store.db.selectFrom('audit_chain').selectAll().orderBy('sequence').execute()
      expect(rows.map(({ sequence, kind }) => [sequence, kind])).toStrictEqual([
        [1, 'event'],
        [2, 'event'],
        [3, 'note'],
        [4, 'event'],
        [5, 'note'],
        [6, 'event'],
      ])
      const head = { sequence: 6, link: rows[5]!.link }
      expect(await verify()).toStrictEqual({ links: 6, removed: 0, head, signedUpTo: 0, witnesses: 0, ...intact })
      expect([await chain.isWaiting(store.db), await chain.lagSeconds(store.db)]).toStrictEqual([false, 0])
      await link()
      expect((await verify()).links).toBe(6)
      await event('e')
      clock.advance(MINUTE)
      expect([await chain.isWaiting(store.db), await chain.countWaiting(store.db)]).toStrictEqual([true, 1])
      expect(await chain.lagSeconds(store.db)).toBe(60)
    })

    test('links what lay in the tables before there was a chain, in batches', async () => {
      const store = await open<Tables>(unchained)
      const { event, note, link, verify } = worldOn(store)
      for (let n = 0; n < 450; n++) await event(`old ${n}`)
      await note('old')
      await migrate(store, chained)
      await event('new')
      await link()
      expect(await verify()).toMatchObject({ links: 452, removed: 0, ...intact })
    })

    test('stays one chain when two instances continue it while others record', async () => {
      const world = worldOn(await open<Tables>(chained))
      const second = await world.store.reopen()
      const recording = async () => {
        for (let n = 0; n < 40; n++) await world.event(`${n}`)
      }
      const linking = async (store: Store<Tables>) => {
        for (let n = 0; n < 40; n++) await store.transaction((tx) => world.chain.append(tx))
      }
      await Promise.all([recording(), linking(world.store), linking(second)])
      await world.link()
      expect(await world.verify()).toMatchObject({ links: 40, head: { sequence: 40 }, ...intact })
    })

    test('goes on where a process was ended in the middle of a batch', async () => {
      const { store, chain, event, link, verify } = await filled(await open<Tables>(chained))
      await event('e')
      const ended = store.transaction(async (tx) => {
        await chain.append(tx)
        throw new Error('killed')
      })
      await expect(ended).rejects.toThrow('killed')
      expect(await verify()).toMatchObject({ links: 6, ...intact })
      await link()
      expect(await verify()).toMatchObject({ links: 7, ...intact })
    })

    test('lets change what the list of columns leaves out', async () => {
      const { store, verify } = await filled(await open<Tables>(chained))
      await run(store, `update note set state = 'done'; `)
      await run(store, `update audit_event set search_text = 'other words'`)
      expect(await verify()).toMatchObject(intact)
    })

    test('covers columns that came after the first links where they have a value', async () => {
      const { store, log, link, verify } = worldOn(await open<Tables>(chained))
      const actor = { name: 'ana', address: '192.0.2.7' }
      for (const by of ['ana', actor, actor]) await log.record(store.db, { type: 'Happened', actor: by, text: 'a' })
      await link()
      expect(await verify()).toMatchObject({ links: 3, ...intact })
      await run(store, `update audit_event set address = '192.0.2.8' where chain_sequence in (1, 2)`)
      await run(store, `update audit_event set address = null where chain_sequence = 3`)
      expect(found(await verify())).toStrictEqual(['record-altered 1', 'record-altered 2', 'record-altered 3'])
    })

    test('keeps the links of what is deleted lawfully, also of what had none yet', async () => {
      const { store, clock, log, chain, event, note, verify } = await filled(await open<Tables>(chained))
      await event('moments ago')
      clock.advance(DAY)
      await note('n3')
      const pruned = await log.prune(clock(), (tx, which) => chain.removing(tx, 'retention', { event: which }))
      expect(pruned).toBe(5)
      expect(await verify()).toMatchObject({ links: 9, removed: 5, ...intact })
      await store.transaction(async (tx) => {
        await chain.removing(tx, 'cleared', { note: sql<SqlBool>`id in ('n1', 'n2')` })
        await tx.deleteFrom('note').where('id', 'in', ['n1', 'n2']).execute()
      })
      expect(await verify()).toMatchObject({ links: 10, removed: 7, ...intact })
      const removals = store.db.selectFrom('audit_chain').select('removal').where('kind', '=', 'removal')
      expect((await removals.orderBy('sequence').execute()).map(({ removal }) => JSON.parse(removal!))).toStrictEqual([
        {
          reason: 'retention',
          ranges: [
            [1, 2],
            [4, 4],
            [6, 7],
          ],
        },
        {
          reason: 'cleared',
          ranges: [
            [3, 3],
            [5, 5],
          ],
        },
      ])
    })

    test('says nothing of a removal that removes nothing', async () => {
      const { store, chain, verify } = await filled(await open<Tables>(chained))
      await store.transaction((tx) => chain.removing(tx, 'cleared', { note: sql<SqlBool>`id = 'none'` }))
      expect((await verify()).links).toBe(6)
    })

    test.each([
      ['an event that was altered', `update audit_event set text = 'x' where chain_sequence = 2`, ['record-altered 2']],
      ['a note that was altered', `update note set size = 4 where id = 'n1'`, ['record-altered 3']],
      ['a note that lost a value', `update note set size = null where id = 'n2'`, ['record-altered 5']],
      ['an event that is gone', `delete from audit_event where chain_sequence = 4`, ['record-missing 4']],
      [
        'an event with its link',
        `delete from audit_event where chain_sequence = 4; delete from audit_chain where sequence = 4`,
        ['link-missing 4'],
      ],
      ['a link that is gone', `delete from audit_chain where sequence = 3`, ['link-missing 3', 'record-inserted 3']],
      ['the first link', `delete from audit_chain where sequence = 1`, ['link-missing 1', 'record-inserted 1']],
      [
        'a record under the number of another',
        `insert into note (id, at, text, state, chain_sequence) values ('n9', '2026', 'x', 'new', 3)`,
        ['record-inserted 3'],
      ],
      [
        'a record under a number that no link has',
        `insert into note (id, at, text, state, chain_sequence) values ('n9', '2026', 'x', 'new', 99)`,
        ['record-inserted 99'],
      ],
      [
        'a record before the beginning',
        `insert into note (id, at, text, state, chain_sequence) values ('n9', '2026', 'x', 'new', -1)`,
        ['record-inserted -1'],
      ],
      [
        'a link with another digest of its record',
        `update audit_chain set record_sha256 = link where sequence = 2`,
        ['link-altered 2', 'record-altered 2'],
      ],
      ['a link at another time', `update audit_chain set at = '2020' where sequence = 2`, ['link-altered 2']],
      [
        'links that changed places',
        `update audit_chain set sequence = -sequence where sequence in (1, 2);
         update audit_chain set sequence = 3 + sequence where sequence < 0`,
        [
          'link-altered 1',
          'link-reordered 1',
          'record-altered 1',
          'link-altered 2',
          'link-reordered 2',
          'record-altered 2',
          'link-reordered 3',
        ],
      ],
      [
        'a link that was added before the first',
        `insert into audit_chain select 0, kind, record_id, record_sha256, at, previous, link, removal
         from audit_chain where sequence = 1`,
        ['link-altered 0', 'link-inserted 0', 'record-missing 0'],
      ],
      [
        'a record that was given back to the chainer',
        `update audit_event set text = 'x', chain_sequence = null where chain_sequence = 2`,
        ['record-missing 2'],
      ],
    ])('finds %s', async (_what, tampering, expected) => {
      const { store, link, verify } = await filled(await open<Tables>(chained))
      for (const statement of tampering.split(';')) await run(store, statement)
      await link()
      const verdict = await verify()
      expect(found(verdict).sort()).toStrictEqual([...expected].sort())
      expect(verdict.problemCount).toBe(expected.length)
    })

    test('finds a removal that was forged or altered', async () => {
      const { store, link, verify } = await filled(await open<Tables>(chained))
      const text = JSON.stringify({ reason: 'retention', ranges: [[1, 2]] })
      await run(store, `delete from audit_event where chain_sequence in (1, 2)`)
      await run(
        store,
        `insert into audit_chain select 7, 'removal', '', '', at, link, link, '${text}' from audit_chain
        where sequence = 6`,
      )
      await link()
      expect(found(await verify())).toStrictEqual([
        'record-missing 1',
        'record-missing 2',
        'link-altered 7',
        'record-altered 7',
      ])
      await run(store, `update audit_chain set removal = 'no JSON' where sequence = 7`)
      expect(found(await verify())).toContain('record-missing 7')
    })

    test('is held against a head that was kept: an older copy and another history are found', async () => {
      const { store, event, link, verify } = await filled(await open<Tables>(chained))
      const { head } = await verify()
      await event('e')
      await link()
      expect(await verify({ kept: [head] })).toMatchObject(intact)
      const { head: newer } = await verify()
      await run(store, 'delete from audit_event where chain_sequence > 4')
      await run(store, 'delete from note where chain_sequence > 4')
      await run(store, 'delete from audit_chain where sequence > 4')
      expect(await verify()).toMatchObject(intact)
      expect(found(await verify({ kept: [newer, head] }))).toStrictEqual(['head-ahead 6', 'head-ahead 7'])
      for (const text of ['f', 'g', 'h', 'i']) await event(text)
      await link()
      expect(await verify()).toMatchObject({ links: 8, ...intact })
      expect(found(await verify({ kept: [head] }))).toStrictEqual(['head-differs 6'])
    })

    test('is exported as lines that are verified without the database', async () => {
      const { store, chain, verify, lines } = await filled(await open<Tables>(chained))
      await store.transaction(async (tx) => {
        await chain.removing(tx, 'cleared', { note: sql<SqlBool>`id = 'n1'` })
        await tx.deleteFrom('note').where('id', '=', 'n1').execute()
      })
      const verdict = await verify()
      const all = await lines()
      expect(await verifyChain(readExport(each(all)))).toStrictEqual(verdict)
      expect(await headOfExport(each(all))).toStrictEqual(verdict.head)
      expect(verdict).toMatchObject({ links: 7, removed: 1, ...intact })
      const altered = all.map((line) => line.replace('"text":"b"', '"text":"B"'))
      expect(found(await verifyChain(readExport(each(altered))))).toStrictEqual(['record-altered 2'])
      const reordered = [all[0]!, all[2]!, all[1]!, ...all.slice(3)]
      expect(found(await verifyChain(readExport(each(reordered))))).toContain('link-missing 1')
      const without = all.filter((_, at) => at !== 4)
      expect(found(await verifyChain(readExport(each(without))))).toStrictEqual(['link-missing 4'])
      for (const cut of [all.slice(0, -1), [...all.slice(0, -2), all.at(-1)!], [...all, all[1]!], all.slice(1), ['x']])
        await expect(verifyChain(readExport(each(cut)))).rejects.toThrow(/export/)
    })

    test('costs whoever records no statement', async () => {
      const { store, event, link, verify } = worldOn(await open<Tables>(chained))
      let statements = 0
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements += 1
          return result
        },
      }
      for (let n = 0; n < 10; n++) await event(`${n}`, { db: store.db.withPlugin(counting) })
      expect(statements).toBe(10)
      await link()
      expect((await verify()).links).toBe(10)
    })

    test('is continued by a worker while records come, and once more at the stop', async () => {
      const { store, clock, chain, event, verify } = worldOn(await open<Tables>(chained))
      const chainer = createChainer({ store, logger, clock, secrets, chain, checkpointEvery: HOUR })
      onTestFinished(() => chainer.stop())
      await event('a')
      chainer.start()
      await expect.poll(async () => (await verify()).links).toBe(1)
      await event('b')
      await chainer.stop()
      expect(await verify()).toMatchObject({ links: 2, ...intact })
    })
  })
}

async function* each(lines: readonly string[]) {
  yield* lines
}

test('JSON of the same values is the same, whatever the order of their names', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'é"' }], a: 1.5 })).toBe('{"a":1.5,"b":[1,{"c":"é\\"","d":null}]}')
})

test('numbers become ranges', () => {
  expect(rangesOf([1, 2, 2, 3, 7, 9, 10])).toStrictEqual([
    [1, 3],
    [7, 7],
    [9, 10],
  ])
  expect(rangesOf([])).toStrictEqual([])
})

test('the covered and the left out columns of an event are all there are', async () => {
  const store = await testStores.SQLite<Tables>(chained)
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('audit_event')`.execute(store.db)
  const { covered, added = [], uncovered } = chainedEvents
  expect(rows.map((row) => row.name).sort()).toStrictEqual(
    [...covered, ...added, ...uncovered, 'chain_sequence'].sort(),
  )
})

test('a kept head before the beginning asks for nothing', async () => {
  const { verify } = worldOn(await testStores.SQLite<Tables>(chained))
  expect(await verify({ kept: [{ sequence: 0, link: '0'.repeat(64) }] })).toMatchObject({ links: 0, ...intact })
})
