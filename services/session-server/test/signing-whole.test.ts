// Where the signature service lets documents come to be with their signature: two calls, and no document before the
// second one.
import { MINUTE } from '@chancela/service-kernel/clock'
import { callerOf } from '@chancela/testkit/service-world'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sharedFaultProxy } from './test-support/fault-proxy.ts'
import { startServerProcess } from './test-support/killed-server.ts'
import { clock } from './test-support/pki.ts'
import {
  databases,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
  testOnce,
} from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import {
  fetchSigned,
  fetchWhenReady,
  newPdf,
  newSession,
  openSession,
  rowsOf,
  settledRows,
  signBatch,
  signJson,
} from './test-support/signing.ts'
import { lookNow, newHolder } from './test-support/vault.ts'

const service = sharedSignatureService()
const proxy = sharedFaultProxy(service, { signs: 'whole' })

afterEach(() => proxy().heal())

const documentsOf = async (cpf: string): Promise<readonly { id: string; status: string }[]> =>
  (await service().json('GET', `/api/documents?participantQ=${cpf}&participantQueryType=Identifier&limit=100`)).body
    .items

const rowOf = async (world: SessionWorld, cpf: string) => (await rowsOf(world)).find((row) => row.cpf === cpf)

const rowIn = (world: SessionWorld, cpf: string, state: string) =>
  vi.waitUntil(async () => (await rowsOf(world)).find((row) => row.cpf === cpf && row.state === state), {
    interval: 20,
  })

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

const inSteps = ['upload', 'create', 'start', 'complete'] as const

for (const database of databases) {
  describe(`a document is signed as it comes to be, on ${database}`, () => {
    const once = testOnce(database)
    const shared = sharedSessionServer(database, { signer: proxy })

    test('by two calls; its id is the signature’s, and its file is fetched by it', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      const before = inSteps.map((call) => proxy().count(call))
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      expect([await rowOf(world, cpf), await documentsOf(cpf)]).toMatchObject([
        { state: 'Signed', document_id: body.signatureId, look_at: null },
        [{ id: body.signatureId }],
      ])
      expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
      expect(inSteps.map((call) => proxy().count(call))).toEqual(before)
    })

    test('a batch too, and it counts once for its session', async () => {
      const world = shared()
      const { sessionId, cpf, id } = await newSession(world)
      const files = ['a', 'b', 'c'].map((name) => [`${name}.pdf`, newPdf()] as const)
      const { body } = await signBatch(world, sessionId, [...files, ['d.txt', 'text']])
      const signed = body.results.slice(0, 3).map(({ signatureId }: { signatureId: string }) => signatureId)
      expect(body.results[3].error.code).toBe('UNSUPPORTED_DOCUMENT')
      expect((await documentsOf(cpf)).map(({ id }) => id).toSorted()).toEqual(signed.toSorted())
      const session = world.store.db.selectFrom('signing_session').select('signatures').where('certificate_id', '=', id)
      expect(await session.executeTakeFirst()).toEqual({ signatures: 1 })
    })

    once(
      'a document that is too large for it goes in steps, and so does every one of a service without it',
      async () => {
        const world = shared()
        const { sessionId, cpf } = await newSession(world)
        const [uploads, wholes] = [proxy().count('upload'), proxy().count('startWhole')]
        const { body } = await signJson(world, sessionId, newPdf(1_300_000))
        expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
        expect([proxy().count('upload') - uploads, proxy().count('startWhole') - wholes]).toEqual([1, 0])
        for (const status of [400, 403, 404, 405]) {
          const world = await startSessionServer(database, { signer: proxy })
          const { sessionId } = await newSession(world)
          proxy().fail('startWhole', { status, body: {} })
          const asked = proxy().count('startWhole')
          for (const _ of [1, 2]) {
            const { body } = await signJson(world, sessionId, newPdf())
            expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
          }
          // It is asked once.
          expect(proxy().count('startWhole') - asked).toBe(1)
          proxy().heal()
        }
        expect(await documentsOf(cpf)).toHaveLength(1)
      },
    )

    test('the service fails before it has the signature: the error, and no document', async () => {
      const world = shared()
      for (const [fault, status, code] of [
        ['drop', 502, 'SIGNER_ERROR'],
        ['drop-answer', 502, 'SIGNER_ERROR'],
        ['garbage', 502, 'SIGNER_ERROR'],
        [{ status: 503, body: {} }, 502, 'SIGNER_ERROR'],
        [{ status: 422, body: { code: 'FolderNotFound', message: 'No such folder.' } }, 422, 'SIGNER_REJECTED'],
      ] as const) {
        const { sessionId, cpf } = await newSession(world)
        proxy().fail('startWhole', fault)
        expect(codeOf(await signJson(world, sessionId, newPdf()))).toEqual([status, code])
        expect(await rowOf(world, cpf)).toMatchObject({ state: 'Failed', code, document_id: null, look_at: null })
        expect(await documentsOf(cpf)).toEqual([])
      }
    })

    once('a kept connection that it has closed: the bytes are sent again', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      proxy().fail('startWhole', 'drop-once')
      expect((await signJson(world, sessionId, newPdf())).status).toBe(202)
    })

    once('it refuses the certificate: 422 SIGNER_REJECTED with its account, and no document', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      const validationResults = { errors: [{ message: 'The certificate is revoked.' }] }
      for (const call of ['startWhole', 'completeWhole'] as const) {
        proxy().fail(call, { status: 200, body: { success: false, validationResults } })
        const { status, body } = await signJson(world, sessionId, newPdf())
        expect([status, body.error]).toMatchObject([
          422,
          { code: 'SIGNER_REJECTED', details: { message: 'The certificate is revoked.' } },
        ])
        proxy().heal()
      }
      expect(await documentsOf(cpf)).toEqual([])
    })

    test.each(['drop-answer', 'answer-500', 'garbage'] as const)(
      'the signature reaches it and the answer is %s: the document is found, and signed',
      async (fault) => {
        const world = shared()
        const { sessionId, cpf } = await newSession(world)
        proxy().fail('completeWhole', fault)
        const { status, body } = await signJson(world, sessionId, newPdf())
        expect(status).toBe(202)
        expect(await rowOf(world, cpf)).toMatchObject({ state: 'Signed', document_id: body.signatureId })
        expect(await documentsOf(cpf)).toMatchObject([{ id: body.signatureId }])
      },
    )

    test('the signature reaches it and it is gone: 202, and later the document is found, signed', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('completeWhole', 'drop-answer')
      proxy().fail('list', 'drop')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      expect((await fetchSigned(world, body.signatureId)).status).toBe(409)
      expect(await rowIn(world, cpf, 'Unknown')).toMatchObject({ id: body.signatureId, document_id: null })
      proxy().heal()
      clock.advance(5 * MINUTE)
      await lookNow(world)
      const { document_id } = (await rowIn(world, cpf, 'Signed'))!
      expect(await documentsOf(cpf)).toMatchObject([{ id: document_id }])
      for (const id of [body.signatureId, document_id!]) expect((await fetchSigned(world, id)).status).toBe(200)
    })

    test('a gateway gives up on the completion, which goes on behind it: 202, and the document is found, signed', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('completeWhole', 'gateway-timeout')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      proxy().heal()
      await vi.waitUntil(async () => (await documentsOf(cpf)).length === 1, { interval: 20 })
      clock.advance(5 * MINUTE)
      await lookNow(world)
      expect(await rowIn(world, cpf, 'Signed')).toMatchObject({ id: body.signatureId })
      expect((await fetchSigned(world, body.signatureId)).status).toBe(200)
    })

    test('the signature never reaches it: 202, as that is not known, and later it ends as failed', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('completeWhole', 'drop')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      proxy().heal()
      clock.advance(5 * MINUTE)
      await lookNow(world)
      expect(await rowIn(world, cpf, 'Failed')).toMatchObject({ code: 'SIGNER_ERROR', look_at: null })
      expect((await fetchSigned(world, body.signatureId)).status).toBe(422)
      expect(await documentsOf(cpf)).toEqual([])
    })

    test('a killed server leaves documents that are signed, and none that waits for anybody', async () => {
      const before = await startSessionServer(database, { signer: proxy })
      const { cpf } = await newHolder(before)
      await before.stop()
      const killed = await startServerProcess(before)
      const asClient = { ...before, ...callerOf(killed.baseUrl, { 'X-API-Key': before.client.apiKey }) }
      const { sessionId } = await openSession(asClient, cpf)
      const files = Array.from({ length: 30 }, (_, at) => [`${at}.pdf`, newPdf()] as const)
      const signing = signBatch(asClient, sessionId, files).catch((error: unknown) => error)
      const completed = proxy().count('completeWhole')
      await vi.waitUntil(() => proxy().count('completeWhole') > completed + 4, { interval: 1 })
      proxy().fail('completeWhole', 'drop-answer')
      proxy().fail('list', 'hold')
      const looked = proxy().count('list')
      await vi.waitUntil(() => proxy().count('list') > looked + 2, { interval: 1 })
      await killed.kill()
      expect(await signing).toBeInstanceOf(Error)
      proxy().heal()
      const after = await startSessionServer(database, { signer: proxy, after: before })
      await vi.waitUntil(async () => (await rowsOf(after)).every(({ ended_at }) => ended_at !== null), { interval: 20 })
      clock.advance(MINUTE)
      await lookNow(after)
      const rows = await settledRows(after)
      const there = await documentsOf(cpf)
      expect(there.filter(({ status }) => status === 'Pending')).toEqual([])
      const signed = rows.filter(({ state }) => state === 'Signed').map(({ document_id }) => document_id)
      expect(signed.toSorted()).toEqual(there.map(({ id }) => id).toSorted())
      expect([...new Set(rows.map(({ state }) => state))].toSorted()).toEqual(['Failed', 'Signed'])
    })
  })
}

describe('the time of a request, where documents are signed as they come to be', () => {
  const settings = { Signing: { BudgetSeconds: 2 }, Signer: { TimeoutSeconds: 1 } }
  const shared = sharedSessionServer('SQLite', { signer: proxy, settings })

  // A single answer may take less time than the request has: what creates nothing is waited for to its end.
  test('it is over before the signature is sent: 422 SIGN_TIMEOUT, nothing was signed, and nothing will be', async () => {
    const world = shared()
    const { sessionId, cpf } = await newSession(world)
    proxy().fail('startWhole', 'hold')
    expect(codeOf(await signJson(world, sessionId, newPdf()))).toEqual([422, 'SIGN_TIMEOUT'])
    proxy().heal()
    clock.advance(5 * MINUTE)
    await lookNow(world)
    expect(await rowOf(world, cpf)).toMatchObject({ state: 'Failed', code: 'SIGN_TIMEOUT', look_at: null })
    expect(await documentsOf(cpf)).toEqual([])
  })

  test('it is over while the service completes: 202, and what it completed is found', async () => {
    const world = shared()
    const { sessionId, cpf } = await newSession(world)
    proxy().fail('completeWhole', 'hang')
    proxy().fail('list', 'drop')
    const { status, body } = await signJson(world, sessionId, newPdf())
    expect(status).toBe(202)
    proxy().heal()
    clock.advance(5 * MINUTE)
    await lookNow(world)
    expect(await rowIn(world, cpf, 'Signed')).toMatchObject({ id: body.signatureId })
    expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
  })

  test('a client that goes away before the signature is sent stops it; after that, it is signed', async () => {
    const world = shared()
    const { sessionId, cpf } = await newSession(world)
    for (const [call, state] of [
      ['startWhole', 'Failed'],
      ['completeWhole', 'Signed'],
    ] as const) {
      proxy().fail(call, 'hold')
      const before = proxy().count(call)
      const leaving = new AbortController()
      const body = JSON.stringify({ sessionId, document: newPdf().toString('base64'), fileName: 'a.pdf' })
      const headers = { 'content-type': 'application/json' }
      const signed = world.call('POST', '/v1/signatures', { body, headers, signal: leaving.signal })
      await vi.waitUntil(() => proxy().count(call) > before, { interval: 5 })
      leaving.abort()
      await expect(signed).rejects.toThrow()
      if (call === 'startWhole') await rowIn(world, cpf, state)
      proxy().heal()
      const row = await rowIn(world, cpf, state)
      expect(row!.code).toBe(state === 'Failed' ? 'CLIENT_GONE' : null)
    }
  })
})
