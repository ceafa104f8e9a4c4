import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { formattedCpf } from '@chancela/signature-engine/x509'
import { refusal, signedIn } from '@chancela/testkit/console'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import {
  databases,
  newClient,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
} from './test-support/session-world.ts'
import { newCpf, newHolder, PIN } from './test-support/vault.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>
type Entry = Readonly<Record<string, unknown>>

const history = async (browser: Browser, query: string): Promise<Entry[]> =>
  (await browser.call('GET', `/api/session-history?${query}`)).body.items

const open = (world: SessionWorld, cpf: string, pin = PIN) => world.json('POST', '/v1/sessions', { cpf, pin })

for (const database of databases) {
  describe(`the history of sessions on ${database}`, () => {
    const world = sharedSessionServer(database)

    test('says who opened a session, from which application and address, when it ended and why', async () => {
      const browser = await signedIn(world())
      const { cpf, row } = await newHolder(world())
      const began = world().clock()
      const opened = await open(world(), cpf)
      expect(await history(browser, `cpf=${encodeURIComponent(formattedCpf(cpf))}`)).toEqual([
        {
          id: expect.any(String),
          kind: 'session',
          at: began.toISOString(),
          cpf,
          application: world().client.name,
          address: '127.0.0.1',
          correlationId: opened.headers.get('x-correlation-id'),
          code: null,
          session: {
            subjectName: row.subject_name,
            custody: 'vault',
            workstation: null,
            signatures: 0,
            endedAt: null,
            endReason: null,
          },
        },
      ])
      world().clock.advance(MINUTE)
      const replaced = world().clock()
      const { body } = await open(world(), cpf)
      world().clock.advance(MINUTE)
      await world().json('POST', '/v1/sessions/deactivate', { sessionId: body.sessionId })
      const ends = (await history(browser, `cpf=${cpf}`)).map(({ session }) => session)
      expect(ends).toMatchObject([
        { endReason: 'deactivated', endedAt: world().clock().toISOString() },
        { endReason: 'replaced', endedAt: replaced.toISOString() },
      ])
      expect(JSON.stringify(await history(browser, `cpf=${cpf}`))).not.toContain(body.sessionId)
    })

    test('says of a session whose window lapsed when that was, also before anybody has swept it', async () => {
      const browser = await signedIn(world())
      const { cpf } = await newHolder(world())
      await open(world(), cpf)
      const endedAt = plus(world().clock(), 15 * MINUTE).toISOString()
      world().clock.advance(HOUR)
      expect(await history(browser, `cpf=${cpf}`)).toMatchObject([{ session: { endReason: 'expired', endedAt } }])
    })

    test('says which attempts failed and why, and has none without a real CPF', async () => {
      const browser = await signedIn(world())
      const [{ cpf }, nobody] = [await newHolder(world()), newCpf()]
      const wrong = await open(world(), cpf, 'wrong')
      await open(world(), nobody)
      await open(world(), '12345678900')
      expect(await history(browser, `cpf=${cpf}`)).toEqual([
        {
          id: expect.any(String),
          kind: 'attempt',
          at: world().clock().toISOString(),
          cpf,
          application: world().client.name,
          address: '127.0.0.1',
          correlationId: wrong.headers.get('x-correlation-id'),
          code: 'INVALID_PIN',
          session: null,
        },
      ])
      expect(await history(browser, `cpf=${nobody}`)).toMatchObject([{ kind: 'attempt', code: 'CERT_NOT_FOUND' }])
      expect(await history(browser, 'cpf=12345678900')).toEqual([])
      for (let tries = 0; tries < 5; tries += 1) await open(world(), cpf, 'wrong')
      expect((await history(browser, `cpf=${cpf}&limit=1`)).map(({ code }) => code)).toEqual(['TOO_MANY_PIN_ATTEMPTS'])
    })

    test('is searched by application, outcome and time, and paged over sessions and attempts alike', async () => {
      const browser = await signedIn(world())
      const other = await newClient(world().store, `Prontuário_${crypto.randomUUID()}`)
      const { json } = callerOf(world().baseUrl, { 'X-API-Key': other.apiKey })
      await vi.waitUntil(async () => (await json('GET', '/v1/sessions/status?sessionId=x')).status !== 401)
      const { cpf } = await newHolder(world())
      const begin = world().clock()
      for (const pin of ['wrong', PIN, 'wrong', PIN, PIN]) {
        world().clock.advance(MINUTE)
        await json('POST', '/v1/sessions', { cpf, pin })
      }
      world().clock.advance(MINUTE)
      await open(world(), cpf)
      const byOther = `application=${encodeURIComponent(other.name.toLowerCase().slice(5))}`
      const all = await history(browser, byOther)
      expect(all.map(({ kind }) => kind)).toEqual(['session', 'session', 'attempt', 'session', 'attempt'])
      expect(new Set(all.map(({ application }) => application))).toEqual(new Set([other.name]))
      expect(await history(browser, `application=${encodeURIComponent('%')}`)).toEqual([])
      const times = async (query: string) => (await history(browser, `${byOther}&${query}`)).map(({ at }) => at)
      const at = (minutes: number) => plus(begin, minutes * MINUTE).toISOString()
      expect(await times('kind=attempt')).toEqual([at(3), at(1)])
      expect(await times('kind=session')).toEqual([at(5), at(4), at(2)])
      expect(await times(`from=${at(2)}&to=${at(4)}`)).toEqual([at(3), at(2)])
      const paged: unknown[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await browser.call(
          'GET',
          `/api/session-history?${byOther}&limit=2${cursor && `&cursor=${cursor}`}`,
        )
        paged.push(...body.items)
        cursor = body.nextCursor
      }
      expect(paged).toEqual(all)
      for (const wrong of ['cursor=x', 'kind=odd', 'limit=0', 'limit=501', 'from=yesterday'])
        expect(refusal(await browser.call('GET', `/api/session-history?${wrong}`))).toEqual([400, 'INVALID_REQUEST'])
    })

    test('is kept for Sessions:HistoryDays', async () => {
      const own = await startSessionServer(database, { settings: { Sessions: { HistoryDays: 3 } } })
      const { cpf } = await newHolder(own)
      await open(own, cpf)
      await open(own, cpf, 'wrong')
      own.clock.advance(2 * DAY)
      const left = async () => (await history(await signedIn(own), `cpf=${cpf}`)).length
      expect(await left()).toBe(2)
      own.clock.advance(2 * DAY)
      await vi.waitUntil(async () => (await left()) === 0)
    })
  })
}
