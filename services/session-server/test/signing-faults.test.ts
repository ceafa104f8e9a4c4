import { MINUTE } from '@chancela/service-kernel/clock'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type FaultProxy, sharedFaultProxy } from './test-support/fault-proxy.ts'
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
  rowsOf,
  signBatch,
  signJson,
  statusAt,
} from './test-support/signing.ts'
import { lookNow } from './test-support/vault.ts'

const service = sharedSignatureService()
const proxy = sharedFaultProxy(service)

afterEach(() => proxy().heal())

/** Waits for the row of a CPF in this state. */
const rowIn = (world: SessionWorld, cpf: string, state: string) =>
  vi.waitUntil(async () => (await rowsOf(world)).find((row) => row.cpf === cpf && row.state === state), {
    interval: 20,
  })

const linesOf = (world: SessionWorld): readonly string[] => world.log().split('\n')

/** Waits until its document was looked up and not found. */
const untilLookedFor = (world: SessionWorld, { id }: { id: string }) =>
  vi.waitUntil(() => linesOf(world).some((line) => line.includes(id) && line.includes('document outcome unknown')))

/** Status, code and details of a fetch that is refused. */
const answerTo = async (world: SessionWorld, signatureId: string) => {
  const answer = await fetchSigned(world, signatureId)
  const { error } = (await answer.json()) as { error: { code: string; details: { status: string } } }
  return [answer.status, error.code, error.details.status]
}

/** How many documents of a holder the signature service has. */
const documentsOf = async (cpf: string): Promise<{ id: string; status: string }[]> => {
  const { body } = await service().json('GET', `/api/documents?participantQ=${cpf}&participantQueryType=Identifier`)
  return (body as { items: { id: string; status: string }[] }).items
}

for (const database of databases) {
  describe(`the signature service fails, on ${database}`, () => {
    const once = testOnce(database)
    const shared = sharedSessionServer(database, { signer: proxy })

    test('it is down: 502 SIGNER_ERROR, nothing was signed, and the session is as it was', async () => {
      const world = shared()
      const { sessionId, cpf, expiresAt } = await newSession(world)
      proxy().down(true)
      expect(await signJson(world, sessionId, newPdf())).toMatchObject({
        status: 502,
        body: { error: { code: 'SIGNER_ERROR' } },
      })
      expect((await fetchSigned(world, '0197a000-0000-7000-8000-000000000000')).status).toBe(502)
      const status = await world.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)
      expect(status.body).toMatchObject({ active: true, expiresAt })
      expect(await rowIn(world, cpf, 'Failed')).toMatchObject({ code: 'SIGNER_ERROR', document_id: null })
    })

    once('it has closed a connection that was kept: the bytes are sent again', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      proxy().fail('upload', 'drop-once')
      expect((await signJson(world, sessionId, newPdf())).status).toBe(202)
    })

    once('it refuses the document: 422 SIGNER_REJECTED, details carries its account', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      const body = { code: 'FolderNotFound', message: 'No such folder.', details: null }
      proxy().fail('create', { status: 422, body })
      expect(await signJson(world, sessionId, newPdf())).toMatchObject({
        status: 422,
        body: { error: { code: 'SIGNER_REJECTED', details: { code: 'FolderNotFound', message: 'No such folder.' } } },
      })
      expect(await rowIn(world, cpf, 'Failed')).toMatchObject({
        code: 'SIGNER_REJECTED',
        detail: 'FolderNotFound: No such folder.',
      })
    })

    once('it does not let us in: 502 SIGNER_ERROR', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      for (const status of [401, 403, 429]) {
        proxy().fail('upload', { status, body: {} })
        expect((await signJson(world, sessionId, newPdf())).body.error.code).toBe('SIGNER_ERROR')
      }
    })

    once.each(['answer-500', 'garbage', 'drop-answer'] as const)(
      'it creates the document and the answer is %s: the document is found again and signed',
      async (fault) => {
        const world = shared()
        const { sessionId, cpf } = await newSession(world)
        proxy().fail('create', fault)
        const { status, body } = await signJson(world, sessionId, newPdf())
        expect(status).toBe(202)
        expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
        expect(await documentsOf(cpf)).toHaveLength(1)
        expect(await rowIn(world, cpf, 'Signed')).toMatchObject({ document_id: body.signatureId })
      },
    )

    once('it answers 500 and has created nothing: 502 SIGNER_ERROR, and nothing is left open', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('create', { status: 500, body: {} })
      expect((await signJson(world, sessionId, newPdf())).body.error.code).toBe('SIGNER_ERROR')
      expect(await rowIn(world, cpf, 'Failed')).toMatchObject({ code: 'SIGNER_ERROR', look_at: null })
    })

    once(
      'a gateway gives up on the creation, which goes on behind it: 202, and later it is found and canceled',
      async () => {
        const world = shared()
        const { sessionId, cpf } = await newSession(world)
        proxy().fail('create', 'gateway-timeout')
        const { status, body } = await signJson(world, sessionId, newPdf())
        expect(status).toBe(202)
        proxy().heal()
        await vi.waitUntil(async () => (await documentsOf(cpf)).length === 1, { interval: 20 })
        clock.advance(5 * MINUTE)
        await lookNow(world)
        expect(await rowIn(world, cpf, 'Canceled')).toMatchObject({ id: body.signatureId })
        expect((await documentsOf(cpf)).map((one) => one.status)).toEqual(['Canceled'])
      },
    )

    test('it creates the document and is gone: 202, and later the document is found and canceled', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('create', 'drop-answer')
      proxy().fail('list', 'drop')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect([status, body.status]).toEqual([202, 'PROCESSING'])
      expect(await answerTo(world, body.signatureId)).toEqual([409, 'DOCUMENT_NOT_READY', 'PROCESSING'])
      const lost = await rowIn(world, cpf, 'Unknown')
      expect(lost).toMatchObject({ code: 'SIGNER_ERROR', document_id: null, look_at: expect.any(String) })
      const [document] = await documentsOf(cpf)
      expect(document!.status).toBe('Pending')
      await untilLookedFor(world, lost!)
      proxy().heal()
      clock.advance(5 * MINUTE)
      await lookNow(world)
      expect(await rowIn(world, cpf, 'Canceled')).toMatchObject({ document_id: document!.id, code: 'SIGNER_ERROR' })
      expect(await statusAt(service(), document!.id)).toBe('Canceled')
      for (const id of [body.signatureId, document!.id])
        expect(await answerTo(world, id)).toEqual([422, 'DOCUMENT_UNAVAILABLE', 'Canceled'])
      expect(await documentsOf(cpf)).toHaveLength(1)
    })

    test('a call whose document may be there is an accepted one, of a batch too: it counts for the session', async () => {
      const world = shared()
      const { sessionId, id, expiresAt } = await newSession(world)
      proxy().fail('create', 'drop-answer')
      proxy().fail('list', 'drop')
      clock.advance(MINUTE)
      const { status, body } = await signBatch(world, sessionId, [['a.pdf', newPdf()]])
      expect([status, body.results]).toEqual([
        202,
        [{ fileName: 'a.pdf', signatureId: expect.any(String), status: 'PROCESSING', error: null }],
      ])
      const session = world.store.db.selectFrom('signing_session').selectAll().where('certificate_id', '=', id)
      const { signatures, expires_at } = await session.executeTakeFirstOrThrow()
      expect([signatures, expires_at > expiresAt]).toEqual([1, true])
    })

    once('the id that was given for a document leads to it, whichever it was', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      const { body } = await signJson(world, sessionId, newPdf())
      const { id } = (await rowIn(world, cpf, 'Signed'))!
      const [own, other] = [await fetchWhenReady(world, body.signatureId), await fetchWhenReady(world, id)]
      expect([own.status, other.status]).toEqual([200, 200])
      expect(await other.text()).toBe(await own.text())
    })

    test('a document that never arrived ends as failed, once it can no longer arrive', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('create', 'drop')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      expect(await answerTo(world, body.signatureId)).toEqual([409, 'DOCUMENT_NOT_READY', 'PROCESSING'])
      await untilLookedFor(world, (await rowIn(world, cpf, 'Unknown'))!)
      clock.advance(5 * MINUTE)
      await lookNow(world)
      expect(await rowIn(world, cpf, 'Failed')).toMatchObject({ code: 'SIGNER_ERROR', look_at: null })
      expect(await answerTo(world, body.signatureId)).toEqual([422, 'DOCUMENT_UNAVAILABLE', 'Canceled'])
      expect(await documentsOf(cpf)).toEqual([])
    })

    once('it lets no application sign by the id of a document: its action is asked for, and it is signed', async () => {
      // It has not met this service yet.
      const world = await startSessionServer(database, { signer: proxy })
      for (const status of [404, 403, 405]) {
        const { sessionId, cpf } = await newSession(world)
        proxy().refuseById(status)
        const before = proxy().count('actionUrl')
        const { body } = await signJson(world, sessionId, newPdf())
        expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
        expect([proxy().count('actionUrl') - before, (await documentsOf(cpf)).length]).toEqual([1, 1])
      }
    })

    once('it lets applications sign by the id of a document: nobody is given an address to act at', async () => {
      const world = await startSessionServer(database, { signer: proxy })
      const { sessionId } = await newSession(world)
      const before = proxy().count('actionUrl')
      const { body } = await signJson(world, sessionId, newPdf())
      expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
      expect(proxy().count('actionUrl')).toBe(before)
    })

    once('it refuses the certificate: 202, and the document is canceled with its account in the log', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      const validationResults = { errors: [{ message: 'The certificate is revoked.' }] }
      proxy().fail('start', { status: 200, body: { success: false, validationResults } })
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      expect(await rowIn(world, cpf, 'Canceled')).toMatchObject({
        code: 'SIGNER_REJECTED',
        detail: 'ValidationFailed: The certificate is revoked.',
      })
      expect(await statusAt(service(), body.signatureId)).toBe('Canceled')
      // What people read there is in their language, and the account stays here.
      const { body: timeline } = await service().json('GET', `/api/documents/${body.signatureId}/timeline`)
      expect(JSON.stringify(timeline)).toContain('o serviço de assinatura recusou a assinatura (SIGNER_REJECTED)')
      expect(JSON.stringify(timeline)).not.toContain('The certificate is revoked')
    })

    once('it drops the connection while it completes: what it has signed is signed', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('complete', 'drop-answer')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      await rowIn(world, cpf, 'Signed')
      expect((await fetchWhenReady(world, body.signatureId)).status).toBe(200)
    })

    test('the signature never reaches it: 202, and the document is canceled', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('complete', 'drop')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      expect(await rowIn(world, cpf, 'Canceled')).toMatchObject({ code: 'SIGNER_ERROR' })
      expect((await fetchSigned(world, body.signatureId)).status).toBe(422)
    })

    test('it is gone when a document is to be canceled: the document is canceled when it is back', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      proxy().fail('complete', 'drop')
      proxy().fail('read', 'drop')
      const { status, body } = await signJson(world, sessionId, newPdf())
      expect(status).toBe(202)
      expect(await rowIn(world, cpf, 'Unknown')).toMatchObject({ document_id: body.signatureId })
      proxy().heal()
      clock.advance(5 * MINUTE)
      await lookNow(world)
      expect(await rowIn(world, cpf, 'Canceled')).toMatchObject({ code: 'SIGNER_ERROR' })
      expect(await statusAt(service(), body.signatureId)).toBe('Canceled')
    })

    describe('the database takes no changes of signatures for a while', () => {
      /** A signature under way, which goes on once nothing can be written about it. */
      async function outOfReach(world: SessionWorld, then: () => void) {
        const { sessionId, cpf } = await newSession(world)
        proxy().fail('start', 'hold')
        const answer = signJson(world, sessionId, newPdf())
        await rowIn(world, cpf, 'Accepted')
        await sql`alter table signature rename to signature_away`.execute(world.store.db)
        proxy().heal()
        then()
        const { status, body } = await answer
        expect(status).toBe(202)
        await vi.waitUntil(() => world.log().includes('signature log could not be written'), { interval: 20 })
        return { cpf, id: body.signatureId as string }
      }
      const again = async (world: SessionWorld, cpf: string, state: string) => {
        proxy().heal()
        await sql`alter table signature_away rename to signature`.execute(world.store.db)
        return rowIn(world, cpf, state)
      }

      test('what was signed is recorded as signed as soon as it takes them again', async () => {
        const world = shared()
        const { cpf, id } = await outOfReach(world, () => undefined)
        expect(await again(world, cpf, 'Signed')).toMatchObject({ document_id: id, look_at: null })
      })

      test('what could not be signed, and not be canceled, is canceled as soon as it takes them again', async () => {
        const world = shared()
        const { cpf, id } = await outOfReach(world, () => {
          proxy().fail('complete', 'drop')
          proxy().fail('read', 'drop')
        })
        expect(await statusAt(service(), id)).toBe('Pending')
        expect(await again(world, cpf, 'Canceled')).toMatchObject({ document_id: id, code: 'SIGNER_ERROR' })
        expect((await fetchSigned(world, id)).status).toBe(422)
      })
    })

    once('documents of a batch fail each for itself', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      proxy().fail('upload', { status: 500, body: {} })
      const { status, body } = await signBatch(world, sessionId, [
        ['a.pdf', newPdf()],
        ['b.txt', 'text'],
      ])
      expect([status, body.results.map(({ error }: { error: { code: string } }) => error.code)]).toEqual([
        202,
        ['SIGNER_ERROR', 'UNSUPPORTED_DOCUMENT'],
      ])
    })
  })
}

describe('the signature service is slow', () => {
  const shared = sharedSessionServer('SQLite', { signer: proxy, settings: { Signing: { BudgetSeconds: 2 } } })

  test('it is slow beyond the budget before it has the document: 422 SIGN_TIMEOUT, and nothing is signed', async () => {
    const world = shared()
    const { sessionId, cpf } = await newSession(world)
    proxy().fail('upload', 'hang')
    expect(await signJson(world, sessionId, newPdf())).toMatchObject({
      status: 422,
      body: { error: { code: 'SIGN_TIMEOUT' } },
    })
    expect(await rowIn(world, cpf, 'Failed')).toMatchObject({ code: 'SIGN_TIMEOUT', look_at: null })
    expect(await documentsOf(cpf)).toEqual([])
  })

  test('it has the document and says so beyond the budget: 202, and the document is canceled', async () => {
    const world = shared()
    proxy().fail('create', 'hang')
    proxy().fail('list', 'drop')
    const { cpf, status, body } = await onceReached('create', async () => {
      const { sessionId, cpf } = await newSession(world)
      return { cpf, ...(await signJson(world, sessionId, newPdf())) }
    })
    expect(status).toBe(202)
    const lost = await rowIn(world, cpf, 'Unknown')
    expect(lost).toMatchObject({ id: body.signatureId, code: 'SIGN_TIMEOUT', document_id: null })
    await untilLookedFor(world, lost!)
    expect(await answerTo(world, body.signatureId)).toEqual([409, 'DOCUMENT_NOT_READY', 'PROCESSING'])
    proxy().heal()
    clock.advance(5 * MINUTE)
    await lookNow(world)
    await rowIn(world, cpf, 'Canceled')
    expect(await answerTo(world, body.signatureId)).toEqual([422, 'DOCUMENT_UNAVAILABLE', 'Canceled'])
    expect((await documentsOf(cpf)).map(({ status }) => status)).toEqual(['Canceled'])
  })

  test.each(['start', 'actionUrl'] as const)(
    'it is slow beyond the budget at %s, when it has the document: 202, and the document is canceled',
    async (call) => {
      const world = shared()
      proxy().refuseById(403)
      proxy().fail(call, 'hang')
      const { cpf, status, body } = await onceReached(call, async () => {
        const { sessionId, cpf } = await newSession(world)
        return { cpf, ...(await signJson(world, sessionId, newPdf())) }
      })
      expect(status).toBe(202)
      expect(await rowIn(world, cpf, 'Canceled')).toMatchObject({
        document_id: body.signatureId,
        code: 'SIGN_TIMEOUT',
      })
      expect((await fetchSigned(world, body.signatureId)).status).toBe(422)
    },
  )

  /** On a slow machine the budget may end before the call is made: then tries again. */
  async function onceReached<T>(call: Parameters<FaultProxy['count']>[0], attempt: () => Promise<T>): Promise<T> {
    const before = proxy().count(call)
    const answer = await attempt()
    return proxy().count(call) > before ? answer : onceReached(call, attempt)
  }
})

describe('a client leaves', () => {
  // Long enough for a client to disconnect within the budget, which is waited for only once.
  const shared = sharedSessionServer('SQLite', { signer: proxy, settings: { Signing: { BudgetSeconds: 8 } } })

  test('a client that goes away before its document has arrived there stops it; after that, it is signed', async () => {
    const world = shared()
    const { sessionId, cpf } = await newSession(world)
    for (const [call, state] of [
      ['upload', 'Failed'],
      ['complete', 'Signed'],
    ] as const) {
      proxy().fail(call, 'hang')
      const before = proxy().count(call)
      const leaving = new AbortController()
      const body = JSON.stringify({ sessionId, document: newPdf().toString('base64'), fileName: 'a.pdf' })
      const headers = { 'content-type': 'application/json' }
      const signed = world.call('POST', '/v1/signatures', { body, headers, signal: leaving.signal })
      await vi.waitUntil(() => proxy().count(call) > before, { interval: 5 })
      leaving.abort()
      await expect(signed).rejects.toThrow()
      const row = await rowIn(world, cpf, state)
      expect(row!.code).toBe(state === 'Failed' ? 'CLIENT_GONE' : null)
      proxy().heal()
    }
  })
})
