import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY, MINUTE, plus } from '../clock/index.ts'
import type { MigrationSet } from '../store/index.ts'
import {
  changesOf,
  createEventLog,
  type EventFilter,
  type EventTables,
  eventMigrations,
  type NewEvent,
  redact,
} from './index.ts'

interface Tables extends EventTables {
  job: { id: string }
}

const migrations: MigrationSet = {
  events: eventMigrations,
  test: [
    {
      id: 1,
      name: 'jobs',
      breaking: false,
      up: (db: Kysely<unknown>) =>
        db.schema
          .createTable('job')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .execute(),
    },
  ],
}

const noon = new Date('2026-03-02T12:00:00.000Z')

for (const [name, open] of Object.entries(testStores)) {
  describe(`the event log on ${name}`, () => {
    async function eventLog() {
      const store = await open<Tables>(migrations)
      const clock = testClock(noon)
      const log = createEventLog(store, clock)
      const record = (event: Partial<NewEvent> = {}) =>
        log.record(store.db, { type: 'PipelinePaused', actor: 'ana', text: 'Paused.', ...event })
      const texts = async (filter?: EventFilter) => (await log.list(filter)).items.map(({ text }) => text)
      return { store, clock, log, record, texts }
    }

    test('keeps all of an event and gives it back', async () => {
      const { log, record } = await eventLog()
      const recorded = await record({
        type: 'InputDiverged',
        subject: { kind: 'job', id: 'j1' },
        code: 'job.input-diverged',
        text: 'The input of j1 changed; it was left in place.',
        data: { folder: 'entrada', bytes: 12, at: noon, none: null },
      })
      expect(recorded).toStrictEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: noon,
        type: 'InputDiverged',
        actor: 'ana',
        subject: { kind: 'job', id: 'j1' },
        code: 'job.input-diverged',
        text: 'The input of j1 changed; it was left in place.',
        data: { folder: 'entrada', bytes: 12, at: noon.toISOString(), none: null },
      })
      expect(await log.list()).toStrictEqual({ items: [recorded], page: 1, pageSize: 50, total: 1 })
    })

    test('keeps from where somebody acted and what was changed, but no secret', async () => {
      const { log, record } = await eventLog()
      const changes = changesOf(
        { name: 'a', url: 'x', clientSecret: 'old', same: [1] },
        { name: 'b', url: null, clientSecret: 'new', same: [1], fresh: 2 },
      )
      const recorded = await record({ actor: { name: 'ana', address: '192.0.2.7' }, changes })
      expect(recorded).toMatchObject({
        actor: 'ana',
        address: '192.0.2.7',
        changes: {
          before: { name: 'a', url: 'x', clientSecret: '(redacted)', fresh: null },
          after: { name: 'b', url: null, clientSecret: '(redacted)', fresh: 2 },
        },
      })
      expect((await log.list()).items).toStrictEqual([recorded])
      expect(changesOf({ a: 1 }, { a: 1 })).toBeUndefined()
    })

    test('says nothing of what an event does not have', async () => {
      const { log, record } = await eventLog()
      await record()
      expect(Object.keys((await log.list()).items[0]!)).toStrictEqual(['id', 'at', 'type', 'actor', 'text'])
    })

    test('records with the change it tells of, or not at all', async () => {
      const { store, log } = await eventLog()
      const change = store.transaction(async (tx) => {
        await tx.insertInto('job').values({ id: 'j1' }).execute()
        await log.record(tx, { type: 'JobDeleted', actor: 'ana', text: 'Gone.' })
        throw new Error('no')
      })
      await expect(change).rejects.toThrow('no')
      expect((await log.list()).total).toBe(0)
      await store.transaction((tx) => log.record(tx, { type: 'JobDeleted', actor: 'ana', text: 'Gone.' }))
      expect((await log.list()).total).toBe(1)
    })

    test('lists newest first, events of one instant in the order they came, page by page', async () => {
      const { clock, log, record, texts } = await eventLog()
      for (const text of ['a', 'b', 'c']) await record({ text })
      clock.advance(MINUTE)
      await record({ text: 'd' })
      expect(await texts()).toStrictEqual(['d', 'c', 'b', 'a'])
      expect(await texts({ page: 1, pageSize: 3 })).toStrictEqual(['d', 'c', 'b'])
      expect(await texts({ page: 2, pageSize: 3 })).toStrictEqual(['a'])
      expect(await log.list({ page: 3, pageSize: 3 })).toStrictEqual({ items: [], page: 3, pageSize: 3, total: 4 })
    })

    test('filters by type, time and subject, each and together', async () => {
      const { clock, record, texts } = await eventLog()
      await record({ text: 'first', subject: { kind: 'job', id: '1' } })
      clock.advance(MINUTE)
      await record({ text: 'second', type: 'PipelineResumed', subject: { kind: 'job', id: '2' } })
      clock.advance(MINUTE)
      await record({ text: 'third', type: 'JobDeleted', subject: { kind: 'profile', id: '1' } })
      const at = (minutes: number) => plus(noon, minutes * MINUTE)
      expect(await texts({ type: 'PipelineResumed' })).toStrictEqual(['second'])
      expect(await texts({ type: ['PipelineResumed', 'JobDeleted'] })).toStrictEqual(['third', 'second'])
      expect(await texts({ type: [] })).toHaveLength(3)
      expect(await texts({ from: at(1) })).toStrictEqual(['third', 'second'])
      expect(await texts({ to: at(1) })).toStrictEqual(['first'])
      expect(await texts({ from: at(1), to: at(2) })).toStrictEqual(['second'])
      expect(await texts({ subject: { kind: 'job' } })).toStrictEqual(['second', 'first'])
      expect(await texts({ subject: { kind: 'job', id: '1' } })).toStrictEqual(['first'])
      expect(await texts({ type: 'JobDeleted', subject: { kind: 'job', id: '1' } })).toStrictEqual([])
    })

    test('finds text literally and in any letters, accented ones included', async () => {
      const { record, texts } = await eventLog()
      await record({ text: 'Remessa AÇÃO 100% concluída', code: 'job.input-diverged', actor: 'Zé' })
      await record({ text: 'report_2026.pdf', subject: { kind: 'job', id: 'J-77' } })
      await record({ text: 'reportX2026.pdf' })
      expect(await texts({ text: 'ação' })).toHaveLength(1)
      expect(await texts({ text: 'AC\u0327A\u0303O' })).toHaveLength(1)
      expect(await texts({ text: '100%' })).toHaveLength(1)
      expect(await texts({ text: '%' })).toHaveLength(1)
      expect(await texts({ text: '0_2' })).toHaveLength(0)
      expect(await texts({ text: 'REPORT_2026' })).toStrictEqual(['report_2026.pdf'])
      expect(await texts({ text: "'; drop table audit_event; --\\" })).toHaveLength(0)
      expect(await texts({ text: 'input-diverged' })).toHaveLength(1)
      await record({ text: 'Resumed.', translations: ['Retomado.'] })
      expect(await texts({ text: 'RETOMADO' })).toStrictEqual(['Resumed.'])
      expect(await texts({ text: 'zé' })).toHaveLength(1)
      expect(await texts({ text: 'j-77' })).toStrictEqual(['report_2026.pdf'])
      expect(await texts({ text: '' })).toHaveLength(4)
      expect(await texts({ text: 'x'.repeat(100_000) })).toHaveLength(0)
    })

    test('does not lose an event to a character that the database cannot hold', async () => {
      const { record, texts } = await eventLog()
      await record({
        text: 'name\u0000.pdf',
        actor: '\u0000',
        subject: { kind: 'file', id: '\u0000' },
        data: { a: '\u0000' },
      })
      expect(await texts({ text: 'name\u0000', subject: { kind: 'file', id: '\u0000' } })).toStrictEqual([
        'name\uFFFD.pdf',
      ])
    })

    test('stores no value under the name of a secret', async () => {
      const { store, record } = await eventLog()
      await record({
        data: { password: 'hunter2', nested: [{ webhookToken: 'hunter2' }], pkcs12: Buffer.from('hunter2') },
      })
      const rows = await store.db.selectFrom('audit_event').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain('hunter2')
      expect(JSON.parse(rows[0]!.data!)).toStrictEqual({
        password: '(redacted)',
        nested: [{ webhookToken: '(redacted)' }],
        pkcs12: '(7 bytes)',
      })
    })

    test('forgets what is older than asked, however many, and nothing else', async () => {
      const { store, clock, log, record } = await eventLog()
      const old = Array.from({ length: 2_100 }, (_, index) => ({
        ...{
          id: `old-${index}`,
          at: plus(noon, -DAY).toISOString(),
          type: 'T',
          actor: 'a',
          text: 't',
          search_text: 't',
        },
      }))
      for (let at = 0; at < old.length; at += 700) {
        await store.db
          .insertInto('audit_event')
          .values(old.slice(at, at + 700) as never)
          .execute()
      }
      await record({ text: 'kept' })
      expect(await log.prune(clock())).toBe(2_100)
      expect((await log.list()).items.map(({ text }) => text)).toStrictEqual(['kept'])
      expect(await log.prune(clock())).toBe(0)
    })
  })
}

test.each([
  ['password', true],
  ['Password', true],
  ['pfxPassword', true],
  ['pin', true],
  ['holder_pin', true],
  ['X-Api-Key', true],
  ['APIKey', true],
  ['client-secret', true],
  ['refreshToken', true],
  ['Authorization', true],
  ['privateKeyPem', true],
  ['shipping', false],
  ['key', false],
  ['keyId', false],
  ['tokens', true],
  ['tokens2', false],
  ['folder', false],
])('a value named %s is redacted: %s', (key, redacted) => {
  expect(redact({ [key]: 'v' })).toStrictEqual({ [key]: redacted ? '(redacted)' : 'v' })
})

test('redaction keeps that a secret is there, absent, or true of something', () => {
  expect(redact({ password: null, pinLocked: true, token: 123, secret: { a: 1 }, pins: ['x'] })).toStrictEqual({
    password: null,
    pinLocked: true,
    token: '(redacted)',
    secret: '(redacted)',
    pins: '(redacted)',
  })
})
