// Whoever has the database alone can compute a chain anew, and cannot sign it.
import { generateKeyPairSync } from 'node:crypto'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../clock/index.ts'
import { createLogger } from '../../http/index.ts'
import { openSecrets, resealTable } from '../../secrets/index.ts'
import type { MigrationSet } from '../../store/index.ts'
import {
  AuditChain,
  type ChainTables,
  chainedEvents,
  chainMigrations,
  checkpointsIn,
  createEventLog,
  type EventTables,
  eventMigrations,
  exportChain,
  ownAuditKeys,
  readChain,
  readExport,
  sealedAuditKeys,
  type VerifyOptions,
  verifyChain,
} from '../index.ts'
import { createChainer } from './chainer.ts'
import { checkpointKeyOf, signedCheckpoint } from './checkpoint.ts'

type Tables = EventTables & ChainTables

const migrations: MigrationSet = { events: eventMigrations, 'audit-chain': chainMigrations }
const kinds = [chainedEvents]

const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const secretsOf = (masterKey: string) => openSecrets({ service: 'test', masterKeyFile: 'unused', masterKey })
const secrets = secretsOf(keyOf(7))

for (const [name, open] of Object.entries(testStores)) {
  describe(`checkpoints on ${name}`, () => {
    async function world() {
      const store = await open<Tables>(migrations)
      const clock = testClock()
      const lines: string[] = []
      const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } })
      const log = createEventLog(store, clock)
      const chain = new AuditChain({ kinds, clock })
      const record = async (...texts: readonly string[]) => {
        for (const text of texts) {
          clock.advance(MINUTE)
          await log.record(store.db, { type: 'Happened', actor: 'ana', text })
        }
      }
      /** A service that runs for a moment; it signs at its start, if it comes to it, and at its stop. */
      const life = async () => {
        const chainer = createChainer({ store, logger, clock, secrets, chain, checkpointEvery: HOUR })
        chainer.start()
        await chainer.stop()
      }
      const verify = async (options: VerifyOptions = {}) => {
        const own = await ownAuditKeys(store.db, secrets)
        return verifyChain(readChain(store.db, kinds), { trusts: ({ id }) => own.has(id), ...options })
      }
      const found = async (options?: VerifyOptions) =>
        (await verify(options)).problems.map(({ code, sequence }) => `${code} ${sequence}`)
      const told = () => lines.flatMap(checkpointsIn)
      const run = (text: string) => sql.raw(text).execute(store.db)
      return { store, clock, chain, record, life, verify, found, told, run }
    }

    /** Six links, signed at the third and at the sixth. */
    async function signed() {
      const it = await world()
      await it.record('a', 'b', 'c')
      await it.life()
      await it.record('d', 'e', 'f')
      await it.life()
      return it
    }

    /** Writes an event and computes everything after it anew, as a program with the database could. */
    async function rewrite({ run, store, chain }: Awaited<ReturnType<typeof world>>) {
      await run(`update audit_event set text = 'x' where chain_sequence = 2`)
      await run('delete from audit_chain')
      await run('update audit_event set chain_sequence = null')
      while ((await store.transaction((tx) => chain.append(tx))) > 0);
    }

    test('are signed where something was added, kept, and told to the log', async () => {
      const { life, verify, told } = await signed()
      await life()
      expect(told()).toMatchObject([
        { number: 1, sequence: 3 },
        { number: 2, sequence: 6 },
      ])
      expect(await verify({ witnesses: told() })).toMatchObject({ signedUpTo: 6, witnesses: 2, problemCount: 0 })
    })

    test('are made when their time comes while the service runs, also after the clock was put back', async () => {
      const it = await world()
      const { store, clock, chain, record } = it
      const logger = createLogger({ service: 'test', level: 'silent' })
      const chainer = createChainer({ store, logger, clock, secrets, chain, checkpointEvery: HOUR })
      const signedUpTo = async () => (await it.verify()).signedUpTo
      await record('a')
      chainer.start()
      await expect.poll(signedUpTo).toBe(1)
      await record('b')
      clock.advance(HOUR)
      await chainer.wake()
      await expect.poll(signedUpTo).toBe(2)
      await record('c')
      clock.advance(-3 * HOUR)
      await chainer.wake()
      await expect.poll(signedUpTo).toBe(3)
      await chainer.stop()
    })

    test('show a chain that was computed anew', async () => {
      const it = await signed()
      await rewrite(it)
      expect(await it.found()).toStrictEqual(['checkpoint-differs 3', 'checkpoint-differs 6'])
      await it.run('delete from audit_checkpoint')
      expect(await it.found()).toStrictEqual([])
      expect(await it.found({ witnesses: it.told().slice(0, 1) })).toStrictEqual(['head-differs 3'])
    })

    test('cannot be forged with a key of one’s own, altered, or taken away from the middle', async () => {
      const it = await signed()
      const { privateKey } = generateKeyPairSync('ed25519')
      const { id, publicKey } = checkpointKeyOf(privateKey)
      const [, second] = it.told()
      const forged = signedCheckpoint({ ...second!, keyId: id }, privateKey)
      await it.store.db
        .insertInto('audit_key')
        .values({
          id,
          public_key: publicKey,
          sealed: secretsOf(keyOf(8)).seal('x', `audit_key/${id}`),
          made_at: '2020',
        })
        .execute()
      expect(await it.found()).toStrictEqual([])
      const { signature } = forged
      await it.store.db.updateTable('audit_checkpoint').set({ key_id: id, signature }).where('number', '=', 2).execute()
      expect(await it.found()).toStrictEqual(['checkpoint-forged 6'])
      await it.run(`update audit_checkpoint set sequence = 2 where number = 1`)
      expect(await it.found()).toStrictEqual(['checkpoint-forged 2', 'checkpoint-forged 6'])
      await it.run('delete from audit_checkpoint where number = 1')
      expect(await it.found()).toStrictEqual(['checkpoint-missing 6', 'checkpoint-forged 6'])
      // The service does not sign with it either.
      await it.record('g')
      await it.life()
      expect(it.told().map(({ keyId }) => keyId === id)).toStrictEqual([false, false, false])
    })

    test('tell an end that was cut off, and a database that is older than a witness', async () => {
      const it = await signed()
      await it.run('delete from audit_event where chain_sequence > 4')
      await it.run('delete from audit_chain where sequence > 4')
      expect(await it.found()).toStrictEqual(['checkpoint-ahead 6'])
      // Not signed over.
      await it.life()
      expect(await it.found()).toStrictEqual(['checkpoint-ahead 6'])
      await it.run('delete from audit_checkpoint where number = 2')
      expect(await it.found()).toStrictEqual([])
      expect(await it.found({ witnesses: it.told() })).toStrictEqual(['head-ahead 6'])
      const [first, second] = it.told()
      const altered = { ...second!, link: first!.link }
      expect(await it.found({ witnesses: [altered] })).toStrictEqual(['checkpoint-forged 6'])
      expect(await it.verify({ witnesses: [{ ...second!, keyId: 'other' }] })).toMatchObject({ witnesses: 0 })
    })

    test('go with an export, and are verified without the database by a noted key', async () => {
      const it = await signed()
      const lines: string[] = []
      const entries = readChain(it.store.db, kinds)
      for await (const line of exportChain(entries, { service: 'test', now: it.clock() })) lines.push(line)
      const offline = (id: string) => verifyChain(readExport(each(lines)), { trusts: (key) => key.id === id })
      const { keyId } = it.told()[0]!
      expect(await offline(keyId)).toMatchObject({ links: 6, signedUpTo: 6, problemCount: 0 })
      expect(await offline('another')).toMatchObject({ signedUpTo: 0, problemCount: 2 })
    })

    test('stay verifiable when what they cover is removed lawfully, and when the master key is another', async () => {
      const it = await signed()
      const { store, chain, clock } = it
      const log = createEventLog(store, clock)
      expect(await log.prune(clock(), (tx, which) => chain.removing(tx, 'retention', { event: which }))).toBe(5)
      expect(await it.verify()).toMatchObject({ links: 7, removed: 5, signedUpTo: 6, problemCount: 0 })
      const both = secretsOf(`${keyOf(7)},${keyOf(9)}`)
      expect(await resealTable(store, both, sealedAuditKeys)).toMatchObject({ resealed: 1, unopened: [] })
      expect((await ownAuditKeys(store.db, secretsOf(keyOf(9)))).size).toBe(1)
      expect((await ownAuditKeys(store.db, secrets)).size).toBe(0)
    })
  })
}

async function* each(lines: readonly string[]) {
  yield* lines
}
