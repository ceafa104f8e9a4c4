import { MINUTE } from '@chancela/service-kernel/clock'
import { callerOf } from '@chancela/testkit/service-world'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { sharedFaultProxy } from './test-support/fault-proxy.ts'
import { startServerProcess } from './test-support/killed-server.ts'
import { clock } from './test-support/pki.ts'
import { databases, type SessionWorld, startSessionServer } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import {
  fetchSigned,
  newPdf,
  openSession,
  rowsOf,
  settledRows,
  signBatch,
  signJson,
  statusAt,
} from './test-support/signing.ts'
import { lookNow, newHolder } from './test-support/vault.ts'

const service = sharedSignatureService()
const proxy = sharedFaultProxy(service)

/** The client of a world, calling another address. */
const callsTo = (baseUrl: string, world: SessionWorld): SessionWorld => ({
  ...world,
  baseUrl,
  ...callerOf(baseUrl, { 'X-API-Key': world.client.apiKey }),
})

/** The rows, once none is under way; some may be looked for once more. */
const endedRows = (world: SessionWorld) =>
  vi.waitUntil(
    async () => {
      const rows = await rowsOf(world)
      return rows.every(({ ended_at }) => ended_at !== null) && rows
    },
    { interval: 20 },
  )

for (const database of databases) {
  describe(`a server killed in the middle of a batch, on ${database}`, () => {
    test('leaves no document in an unknown state: each is signed, canceled, or never arrived', async () => {
      const before = await startSessionServer(database, { signer: proxy })
      const { cpf } = await newHolder(before)
      await before.stop()
      const killed = await startServerProcess(before)
      const asClient = callsTo(killed.baseUrl, before)
      const { sessionId } = await openSession(asClient, cpf)
      // Some are signed, some stop before their signature, some before their arrival, and some have not begun.
      const files = Array.from({ length: 40 }, (_, at) => [`${at}.pdf`, newPdf()] as const)
      const signing = signBatch(asClient, sessionId, files).catch((error: unknown) => error)
      const [completed, looked] = [proxy().count('complete'), proxy().count('list')]
      await vi.waitUntil(() => proxy().count('complete') > completed + 4, { interval: 1 })
      proxy().fail('complete', 'hold')
      proxy().fail('create', 'drop-answer')
      proxy().fail('list', 'hold')
      await vi.waitUntil(() => proxy().count('list') > looked + 2, { interval: 1 })
      await killed.kill()
      expect(await signing).toBeInstanceOf(Error)
      proxy().heal()
      const open = (await rowsOf(before)).filter(({ look_at }) => look_at !== null)
      expect(open.length).toBeGreaterThan(3)

      // It is known at the start that nobody works on them: no time has to pass.
      const after = await startSessionServer(database, { signer: proxy, after: before })
      const rows = await endedRows(after)
      const states = new Map<string, string>()
      for (const { document_id } of rows)
        if (document_id) states.set(document_id, await statusAt(service(), document_id))
      for (const { state, document_id, code } of rows) {
        const there = document_id === null ? 'nowhere' : states.get(document_id)
        expect([state, there, code === null]).toBeOneOf([
          ['Signed', 'Concluded', true],
          ['Canceled', 'Canceled', false],
          ['Failed', 'nowhere', false],
        ])
      }
      expect(rows.filter(({ code }) => code === 'INTERRUPTED').length).toBeGreaterThan(0)
      const { body } = await service().json(
        'GET',
        `/api/documents?participantQ=${cpf}&participantQueryType=Identifier&limit=100`,
      )
      const there = (body as { items: { id: string; status: string }[] }).items
      expect(there.map(({ id }) => id).sort()).toEqual([...states.keys()].sort())
      expect(there.filter(({ status }) => status === 'Pending')).toEqual([])
      clock.advance(MINUTE)
      await lookNow(after)
      expect((await settledRows(after)).map(({ state }) => state)).toEqual(rows.map(({ state }) => state))
    })

    test('cancels a document whose creation was still on its way when it started again', async () => {
      const before = await startSessionServer(database, { signer: proxy })
      const { cpf } = await newHolder(before)
      await before.stop()
      const killed = await startServerProcess(before)
      const asClient = callsTo(killed.baseUrl, before)
      const { sessionId } = await openSession(asClient, cpf)
      const created = proxy().count('create')
      proxy().fail('create', 'hold-read')
      signJson(asClient, sessionId, newPdf()).catch(() => undefined)
      await vi.waitUntil(() => proxy().count('create') > created, { interval: 1 })
      await killed.kill()

      const after = await startSessionServer(database, { signer: proxy, after: before })
      expect(await endedRows(after)).toMatchObject([{ state: 'Failed', code: 'INTERRUPTED' }])
      proxy().heal()
      const found = `/api/documents?participantQ=${cpf}&participantQueryType=Identifier`
      await vi.waitUntil(async () => (await service().json('GET', found)).body.items.length === 1, { interval: 20 })
      clock.advance(MINUTE)
      await lookNow(after)
      const [row] = await settledRows(after)
      expect(row).toMatchObject({ state: 'Canceled', code: 'INTERRUPTED' })
      expect(await statusAt(service(), row!.document_id!)).toBe('Canceled')
    })

    test('knows an id it gave for a document of which it had no other, and settles it', async () => {
      const before = await startSessionServer(database, { signer: proxy })
      const { cpf } = await newHolder(before)
      await before.stop()
      const killed = await startServerProcess(before)
      const asClient = callsTo(killed.baseUrl, before)
      const { sessionId } = await openSession(asClient, cpf)
      proxy().fail('create', 'drop-answer')
      proxy().fail('list', 'drop')
      const { status, body } = await signJson(asClient, sessionId, newPdf())
      expect(status).toBe(202)
      await killed.kill()

      const after = await startSessionServer(database, { signer: proxy, after: before })
      expect((await fetchSigned(after, body.signatureId)).status).toBe(409)
      proxy().heal()
      clock.advance(MINUTE)
      await lookNow(after)
      const [row] = await settledRows(after)
      expect(row).toMatchObject({ id: body.signatureId, state: 'Canceled', document_id: expect.any(String) })
      expect(await statusAt(service(), row!.document_id!)).toBe('Canceled')
      expect((await fetchSigned(after, body.signatureId)).status).toBe(422)
    })

    test('a second server is refused on its database, and leaves sessions and documents of the first alone', async () => {
      const first = await startSessionServer(database, { signer: proxy })
      const { cpf } = await newHolder(first)
      const { sessionId } = await openSession(first, cpf)
      const completed = proxy().count('complete')
      proxy().fail('complete', 'hold')
      const signing = signBatch(first, sessionId, [['a.pdf', newPdf()]])
      // The first assertion that fails must be the one that is told.
      signing.catch(() => undefined)
      await vi.waitUntil(() => proxy().count('complete') > completed, { interval: 1 })
      const [open] = await rowsOf(first)
      await expect(startSessionServer(database, { signer: proxy, after: first })).rejects.toMatchObject({
        name: 'StartupProblem',
        setting: `${first.store.service} Database:Url`,
      })
      const sessions = await first.store.db.selectFrom('signing_session').select('end_reason').execute()
      expect(sessions).toEqual([{ end_reason: null }])
      expect(await statusAt(service(), open!.document_id!)).toBe('Pending')
      proxy().heal()
      expect((await signing).status).toBe(202)
      expect(await settledRows(first)).toMatchObject([{ id: open!.id, state: 'Signed' }])
    })

    test('one that was taken over answers no calls, is not ready, and says why it ends', async () => {
      const first = await startSessionServer(database)
      const { cpf } = await newHolder(first)
      const { sessionId } = await openSession(first, cpf)
      // As another machine does after this one was frozen for longer than the lease.
      await sql`update instance_lease set holder = 'another', beat = 0`.execute(first.store.db)
      expect((await first.gaveUp).setting).toBe(`${first.store.service} Database:Url`)
      const status = `/v1/sessions/status?sessionId=${sessionId}`
      expect([(await first.call('GET', status)).status, (await first.call('GET', '/ready')).status]).toEqual([503, 503])
      expect((await first.call('GET', '/health')).status).toBe(200)
    })
  })
}
