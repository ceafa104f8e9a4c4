import { createHash } from 'node:crypto'
import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { refusal, signedIn } from '@chancela/testkit/console'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sweepOnce } from '../src/workers/sweep-sessions.ts'
import { authorizedSession, begunAuthorization, returnedUser } from './test-support/authorized.ts'
import { databases, sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

let simulator: RunningCloudProvider

beforeAll(async () => {
  simulator = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => simulator.recover())
afterAll(() => simulator.stop())

const hash = createHash('sha256').update('a document').digest('base64')

for (const database of databases) {
  describe(`what goes on, at the admin page on ${database}`, () => {
    const world = sharedHub(database)

    /** A provider with the sessions of one test only. */
    const scene = async () => {
      const browser = await signedIn(world())
      const { id: providerId, serviceName } = await addProvider(world(), simulator, { protocol: 'psc' })
      const list = async (query = '') =>
        (await browser.call('GET', `/api/sessions?providerId=${providerId}&${query}`)).body.items
      const uses = async (query = '') =>
        (await browser.call('GET', `/api/uses?providerId=${providerId}&${query}`)).body.items
      return { browser, providerId, serviceName, list, uses }
    }

    const sign = (session: string) =>
      world().json('POST', '/api/sessions/sign-hash', { session, hash, digestAlgorithm: 'SHA-256' })

    test('sessions are shown without values and secrets, and with a masked identifier', async () => {
      const { browser, providerId, serviceName } = await scene()
      const identifier = simulator.holders.find(({ label }) => label === 'ana-souza')!.identifier
      const journey = { serviceName, identifier, holder: 'ana-souza', lifetimeInSeconds: 600 } as const
      const session = await authorizedSession(world(), simulator, journey)
      const { body, text } = await browser.call('GET', `/api/sessions?providerId=${providerId}`)
      expect(body).toEqual({
        items: [
          {
            id: expect.any(String),
            provider: { id: providerId, name: serviceName },
            application: { id: world().client.id, name: world().client.name },
            type: 'SingleSignature',
            state: 'authorized',
            reason: null,
            identifierType: 'CPF',
            identifier: `***.${identifier.slice(3, 6)}.${identifier.slice(6, 9)}-**`,
            createdAt: clock().toISOString(),
            authorizedAt: clock().toISOString(),
            expiresAt: expect.any(String),
            endedAt: null,
          },
        ],
        nextCursor: null,
      })
      expect(text).not.toContain(session)
      expect(text).not.toContain(identifier)
    })

    test('sessions and uses are found by a whole CPF, by application and by date, also when the session is forgotten', async () => {
      const { browser, serviceName, providerId, list, uses } = await scene()
      const [ana, bruno] = ['ana-souza', 'bruno-lima'].map(
        (name) => simulator.holders.find(({ label }) => label === name)!.identifier,
      ) as [string, string]
      const lifetime = { serviceName, lifetimeInSeconds: 600 } as const
      const session = await authorizedSession(world(), simulator, { ...lifetime, identifier: ana, holder: 'ana-souza' })
      await authorizedSession(world(), simulator, { ...lifetime, identifier: bruno, holder: 'bruno-lima' })
      expect((await sign(session)).status).toBe(200)
      const mask = `***.${ana.slice(3, 6)}.${ana.slice(6, 9)}-**`
      const written = `${ana.slice(0, 3)}.${ana.slice(3, 6)}.${ana.slice(6, 9)}-${ana.slice(9)}`
      const holders = (items: { identifier: string }[]) => [...new Set(items.map(({ identifier }) => identifier))]
      const found = [
        ['list', [mask]],
        ['uses', [mask]],
      ] as const
      const search = { list, uses }
      for (const [kind, expected] of found) {
        const look = async (query: string) => holders(await search[kind](query))
        for (const identifier of [ana, written]) expect(await look(`identifier=${identifier}`)).toEqual(expected)
        expect(await look(`identifier=${ana.slice(0, 8)}`)).toEqual([])
        expect(await look('identifier=22233344405')).toEqual([])
        const application = encodeURIComponent(world().client.name.toUpperCase())
        expect((await look(`application=${application}`)).length).toBe(2)
        expect(await look('application=nobody%25')).toEqual([])
        const [now, before] = [clock(), new Date(clock().getTime() - MINUTE)].map((at) => at.toISOString())
        expect((await look(`from=${before}`)).length).toBe(2)
        expect(await look(`to=${before}`)).toEqual([])
        expect(await look(`from=${before}&to=${now}&identifier=${ana}`)).toEqual([])
      }
      // Forgotten after a day, while the audit of its use is kept for a year.
      const { store, settings } = world()
      await sweepOnce({ store, settings, clock: () => plus(clock(), 26 * HOUR) })
      expect(await list()).toEqual([])
      const { body, text } = await browser.call('GET', `/api/uses?providerId=${providerId}&identifier=${ana}`)
      expect(holders(body.items)).toEqual([mask])
      expect(body.items.map(({ action }: { action: string }) => action)).toContain('sign')
      expect(text).not.toContain(ana)
      expect(world().log()).not.toContain(ana)
      const everything = await Promise.all(
        (['past_holder', 'session_use', 'creation', 'audit_event'] as const).map((table) =>
          store.db.selectFrom(table).selectAll().execute(),
        ),
      )
      expect(JSON.stringify(everything)).not.toContain(ana)
      await sweepOnce({ store, settings, clock: () => plus(clock(), 366 * DAY) })
      expect(await store.db.selectFrom('past_holder').selectAll().execute()).toEqual([])
    })

    test('a session is ended by an administrator, and the client cannot use it any more', async () => {
      const { browser, serviceName, list, uses } = await scene()
      const journey = { serviceName, holder: 'ana-souza', type: 'SignatureSession' } as const
      const session = await authorizedSession(world(), simulator, journey)
      const [{ id }] = await list()
      const revocations = () => simulator.calls.filter(({ operation }) => operation === 'revoke').length
      const before = revocations()
      expect((await browser.call('DELETE', `/api/sessions/${id}`)).status).toBe(204)
      expect((await sign(session)).body.code).toBe('SessionInvalidOrAlreadyUsed')
      expect(await list()).toMatchObject([
        { id, state: 'ended', reason: 'ended-by-administrator', endedAt: clock().toISOString() },
      ])
      expect((await uses())[0]).toMatchObject({ sessionId: id, action: 'end', outcome: 'ok' })
      const row = world().store.db.selectFrom('session').select('sealed_grant').where('id', '=', id)
      expect(await row.executeTakeFirst()).toEqual({ sealed_grant: null })
      expect(revocations()).toBe(before + 1)
      const { body: events } = await browser.call('GET', `/api/events?q=${id}`)
      expect(events.items).toMatchObject([{ type: 'SessionEnded', actor: browser.email }])
      for (const over of [id, 'none'])
        expect(refusal(await browser.call('DELETE', `/api/sessions/${over}`))).toEqual([404, 'SESSION_NOT_FOUND'])
    })

    test('a holder who is still at the provider comes back to a session that was ended', async () => {
      const { browser, serviceName, list } = await scene()
      const authUrl = await begunAuthorization(world(), simulator, { serviceName })
      const back = await simulator.walk(authUrl, { holder: 'ana-souza', decision: 'approve' })
      const [{ id, state }] = await list()
      expect(state).toBe('pending')
      expect((await browser.call('DELETE', `/api/sessions/${id}`)).status).toBe(204)
      expect((await fetch(back, { redirect: 'manual' })).status).toBe(400)
      expect(await list()).toMatchObject([{ id, state: 'ended' }])
    })

    test('sessions are filtered by state and life, and time ends them', async () => {
      const { serviceName, list } = await scene()
      const states = async (query: string) => (await list(query)).map(({ state }: { state: string }) => state)
      await begunAuthorization(world(), simulator, { serviceName, lifetimeInSeconds: 60 })
      const used = await authorizedSession(world(), simulator, { serviceName, holder: 'ana-souza' })
      expect((await sign(used)).status).toBe(200)
      await returnedUser(world(), simulator, { serviceName, holder: 'ana-souza', decision: 'deny' })
      expect(await states('')).toEqual(['refused', 'used', 'pending'])
      expect(await states('live=true')).toEqual(['pending'])
      expect(await states('live=false')).toEqual(['refused', 'used'])
      expect(await states('state=used')).toEqual(['used'])
      clock.advance(MINUTE)
      expect(await states('live=true')).toEqual([])
      expect(await states('state=expired')).toEqual(['expired'])
      expect(await states('state=pending')).toEqual([])
    })

    test('sessions and uses are paged, newest first', async () => {
      const { browser, providerId, serviceName, list, uses } = await scene()
      for (let made = 0; made < 3; made++)
        await authorizedSession(world(), simulator, { serviceName, holder: 'ana-souza' })
      for (const [path, all] of [
        ['sessions', await list()],
        ['uses', await uses()],
      ] as const) {
        expect(all).toHaveLength(3)
        const query = `providerId=${providerId}&limit=2`
        const { body: first } = await browser.call('GET', `/api/${path}?${query}`)
        const { body: second } = await browser.call('GET', `/api/${path}?${query}&cursor=${first.nextCursor}`)
        expect([...first.items, ...second.items]).toEqual(all)
        expect(second.nextCursor).toBeNull()
        expect(refusal(await browser.call('GET', `/api/${path}?cursor=x`))).toEqual([400, 'INVALID_REQUEST'])
      }
    })

    test('the audit tells every use and how it ended, without hash and signature', async () => {
      const { browser, providerId, serviceName, list, uses } = await scene()
      const session = await authorizedSession(world(), simulator, { serviceName, holder: 'ana-souza' })
      const from = clock().toISOString()
      clock.advance(1000)
      const { body: signature } = await sign(session)
      clock.advance(1000)
      expect((await sign(session)).body.code).toBe('SessionInvalidOrAlreadyUsed')
      await returnedUser(world(), simulator, { serviceName, holder: 'ana-souza', decision: 'deny' })
      const { items, text } = await browser
        .call('GET', `/api/uses?providerId=${providerId}`)
        .then(({ body, text }) => ({ items: body.items, text }))
      const signed = items.find(({ action }: { action: string }) => action === 'sign')
      expect(signed).toMatchObject({
        outcome: 'ok',
        hashes: 1,
        digestAlgorithm: 'SHA-256',
        application: { id: world().client.id, name: world().client.name },
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        milliseconds: expect.any(Number),
      })
      for (const secret of [hash, signature, session]) expect(text).not.toContain(secret)
      const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
      expect(ids(await uses('action=sign&failed=false'))).toEqual([signed.id])
      expect(await uses(`to=${from}`)).toEqual([])
      expect(ids(await uses('failed=true'))).not.toContain(signed.id)
      expect(await uses('action=authorize&failed=true')).toHaveLength(1)
      const used = (await list('state=used'))[0].id
      expect(ids(await uses(`sessionId=${used}&action=sign&failed=false`))).toEqual([signed.id])
      const later = new Date(Date.parse(from) + 500).toISOString()
      expect(ids(await uses(`from=${later}`))).toEqual(ids(items.slice(0, -1)))
    })

    test('the overview counts what goes on, and tells which providers fail', async () => {
      const { browser, providerId, serviceName } = await scene()
      clock.advance(1000)
      const since = encodeURIComponent(clock().toISOString())
      const read = async () => (await browser.call('GET', `/api/overview?since=${since}`)).body
      const before = await read()
      expect(before.today).toEqual({ authorizations: 0, hashes: 0, failures: 0 })
      const session = await authorizedSession(world(), simulator, { serviceName, holder: 'ana-souza' })
      await authorizedSession(world(), simulator, { serviceName, holder: 'ana-souza' })
      await begunAuthorization(world(), simulator, { serviceName })
      await sign(session)
      simulator.fail('token', { status: 500, body: {} })
      await returnedUser(world(), simulator, { serviceName, holder: 'ana-souza' })
      const after = await read()
      expect(after.sessions).toEqual({
        pending: before.sessions.pending + 1,
        authorized: before.sessions.authorized + 1,
      })
      expect(after.today).toEqual({ authorizations: 2, hashes: 1, failures: 1 })
      expect(after.providers.find(({ id }: { id: string }) => id === providerId)).toEqual({
        id: providerId,
        serviceName,
        enabled: true,
        available: true,
        lastFailure: {
          at: clock().toISOString(),
          operation: 'redeem',
          problem: 'garbage',
          findings: [
            { code: 'garbage', facts: {} },
            { code: 'answered', facts: { status: 500 } },
          ],
          text: expect.stringContaining('The provider failed'),
        },
      })
    })
  })
}
