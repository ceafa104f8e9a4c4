import { createHash } from 'node:crypto'
import { MINUTE } from '@chancela/service-kernel/clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PinFailures } from '../src/parts/sessions/pin-failures.ts'
import { Vault } from '../src/parts/vault/vault.ts'
import { clock } from './test-support/pki.ts'
import { databases, newClient, type SessionWorld, sharedSessionServer, testOnce } from './test-support/session-world.ts'
import { lookNow, newHolder, PIN, vaultOf } from './test-support/vault.ts'

const WRONG = 'Z4-errada-88'

const attempt = async (world: SessionWorld, cpf: string, pin: string, apiKey = world.client.apiKey) => {
  const answer = await world.json('POST', '/v1/sessions', { cpf, pin }, { 'X-API-Key': apiKey })
  return answer.body.error?.code ?? 'opened'
}

/** What the console shows, on the database of a running service. */
const failuresOf = async (world: SessionWorld) => new PinFailures({ ...world, events: (await vaultOf(world)).events })

const tableNames = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table'`,
  postgres: sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`,
} as const

/** Everything the database holds, as text. */
async function dump({ store: { db, dialect } }: SessionWorld): Promise<string> {
  const { rows } = await tableNames[dialect].execute(db)
  return JSON.stringify(await Promise.all(rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db))))
}

for (const database of databases) {
  describe(`wrong PINs on ${database}`, () => {
    const shared = sharedSessionServer(database, { settings: { Pin: { MaxFailures: 4 } } })
    const once = testOnce(database)

    once('1,000 wrong PINs across keys lock the CPF after the set count and open the vault no further', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const others = [await newClient(world.store), await newClient(world.store)]
      const keys = [world.client.apiKey, ...others.map(({ apiKey }) => apiKey)]
      await vi.waitUntil(async () => (await attempt(world, '00000000000', PIN, keys[2])) === 'INVALID_REQUEST', {
        interval: 5,
      })
      const openings = vi.spyOn(Vault.prototype, 'open')
      const codes: string[] = []
      for (let wave = 0; wave < 40; wave++) {
        const some = Array.from({ length: 25 }, (_, at) => attempt(world, cpf, `${WRONG}-${wave}-${at}`, keys[at % 3]))
        codes.push(...(await Promise.all(some)))
      }
      expect(codes.filter((code) => code === 'INVALID_PIN')).toHaveLength(4)
      expect(codes.filter((code) => code === 'TOO_MANY_PIN_ATTEMPTS')).toHaveLength(996)
      expect(openings).toHaveBeenCalledTimes(4)
      openings.mockRestore()
      const { times } = await world.store.db
        .selectFrom('pin_failures')
        .selectAll()
        .where('cpf', '=', cpf)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(times)).toHaveLength(4)
    })

    test('of one CPF only so many calls wait for one another; more are told that the server is busy', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      // The first attempt is held until the last has arrived, so that 32 are inside however slow the machine is.
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      onTestFinished(() => goOn())
      const { open } = Vault.prototype
      vi.spyOn(Vault.prototype, 'open').mockImplementationOnce(async function (this: Vault, ...asked) {
        await held
        return open.apply(this, asked)
      })
      const codes: string[] = []
      const calls = Array.from({ length: 60 }, async () => void codes.push(await attempt(world, cpf, WRONG)))
      await vi.waitUntil(() => codes.length === 28, { interval: 5 })
      expect(new Set(codes)).toEqual(new Set(['SERVER_BUSY']))
      goOn()
      await Promise.all(calls)
      const count = (code: string) => codes.filter((each) => each === code).length
      expect([count('INVALID_PIN'), count('TOO_MANY_PIN_ATTEMPTS')]).toEqual([4, 28])
    })

    test('a locked CPF is refused with the right PIN too; another CPF is not concerned', async () => {
      const world = shared()
      const [locked, other] = [await newHolder(world), await newHolder(world)]
      for (let at = 0; at < 4; at++) expect(await attempt(world, locked.cpf, WRONG)).toBe('INVALID_PIN')
      expect(await attempt(world, locked.cpf, PIN)).toBe('TOO_MANY_PIN_ATTEMPTS')
      expect(await attempt(world, other.cpf, PIN)).toBe('opened')
    })

    test('it clears as the oldest failures age out, and retrying makes it worse', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      await attempt(world, cpf, WRONG)
      clock.advance(5 * MINUTE)
      for (let at = 0; at < 3; at++) await attempt(world, cpf, WRONG)
      expect(await attempt(world, cpf, PIN)).toBe('TOO_MANY_PIN_ATTEMPTS')
      // The retry counts: the oldest of the last four is no longer the first.
      clock.advance(10 * MINUTE)
      expect(await attempt(world, cpf, PIN)).toBe('TOO_MANY_PIN_ATTEMPTS')
      clock.advance(5 * MINUTE)
      expect(await attempt(world, cpf, PIN)).toBe('opened')
    })

    test('a right PIN takes no failure away', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      for (let at = 0; at < 3; at++) await attempt(world, cpf, WRONG)
      expect(await attempt(world, cpf, PIN)).toBe('opened')
      expect(await attempt(world, cpf, WRONG)).toBe('INVALID_PIN')
      expect(await attempt(world, cpf, PIN)).toBe('TOO_MANY_PIN_ATTEMPTS')
    })

    test('lockouts are listed, locked ones first, and an administrator forgets them', async () => {
      const world = shared()
      clock.advance(60 * MINUTE)
      const [one, other] = [await newHolder(world), await newHolder(world)]
      for (let at = 0; at < 5; at++) await attempt(world, one.cpf, WRONG)
      clock.advance(MINUTE)
      await attempt(world, other.cpf, WRONG)
      const failures = await failuresOf(world)
      const lockedAt = new Date(clock().getTime() - MINUTE)
      expect(await failures.list(clock())).toEqual([
        {
          cpf: one.cpf,
          failures: 4,
          locked: true,
          lastFailureAt: lockedAt,
          clearsAt: new Date(lockedAt.getTime() + 15 * MINUTE),
        },
        { cpf: other.cpf, failures: 1, locked: false, lastFailureAt: clock(), clearsAt: null },
      ])
      expect(await failures.clear(one.cpf, 'ana@example.com')).toBe(true)
      expect(await failures.clear(one.cpf, 'ana@example.com')).toBe(false)
      expect(await attempt(world, one.cpf, PIN)).toBe('opened')
      const { events } = await vaultOf(world)
      const { items } = await events.list({ subject: { kind: 'cpf', id: one.cpf } })
      expect(items.map(({ type, actor }) => [type, actor])).toEqual([
        ['LockoutCleared', 'ana@example.com'],
        ['CpfLocked', 'sessions'],
      ])
      clock.advance(20 * MINUTE)
      expect(await failures.list(clock())).toEqual([])
      await lookNow(world)
      const left = () => world.store.db.selectFrom('pin_failures').selectAll().execute()
      await vi.waitUntil(async () => (await left()).length === 0)
    })

    test('neither PINs nor the session id stand in the log or in the database', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const { body } = await world.json('POST', '/v1/sessions', { cpf, pin: PIN })
      await world.json('GET', `/v1/sessions/status?sessionId=${body.sessionId}`)
      await attempt(world, cpf, WRONG)
      await world.json('POST', '/v1/sessions', { cpf: '1', pin: WRONG })
      await world.json('POST', '/v1/sessions', { cpf, pin: [PIN] })
      const hash = createHash('sha256').update(body.sessionId).digest('base64url')
      await vi.waitUntil(() => world.log().split('/v1/sessions').length > 5, { interval: 5 })
      const [log, rows] = [world.log(), await dump(world)]
      // Proves that the search below would find a secret.
      expect(rows).toContain(hash)
      expect(rows).toContain(cpf)
      expect(log).toContain('INVALID_PIN')
      for (const secret of [PIN, WRONG, body.sessionId])
        for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
          for (const place of [log, rows]) expect(place).not.toContain(form)
    })
  })
}
