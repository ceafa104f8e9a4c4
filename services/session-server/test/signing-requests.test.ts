import { ReadableStream } from 'node:stream/web'
import { loadOf } from '@chancela/service-kernel/http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sharedFaultProxy } from './test-support/fault-proxy.ts'
import {
  databases,
  readAnswer,
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
  postForm,
  rowsOf,
  signBatch,
  signForm,
  signJson,
} from './test-support/signing.ts'
import { newHolder } from './test-support/vault.ts'

const service = sharedSignatureService()
const proxy = sharedFaultProxy(service)

afterEach(() => proxy().heal())

const LIMIT = 1_048_576

const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { error: { code, message: expect.any(String), ...(details && { details }) } },
})

const post = async (world: SessionWorld, body: string | Buffer | ReadableStream | undefined, type: string) =>
  readAnswer(
    await world.call('POST', '/v1/signatures', {
      ...(body !== undefined && { body, duplex: 'half' }),
      headers: { 'content-type': type },
    } as RequestInit),
  )

describe('what a signing request may be', () => {
  const shared = sharedSessionServer('SQLite', { signer: service, settings: { Signing: { MaxDocumentBytes: LIMIT } } })

  test('a missing sessionId answers 400 INVALID_REQUEST, not 401, whether or not a document came', async () => {
    const world = shared()
    const missing = refused(400, 'INVALID_REQUEST', expect.objectContaining({ field: 'sessionId' }))
    const document = newPdf().toString('base64')
    for (const body of [{ document, fileName: 'a.pdf' }, {}, { sessionId: '' }, { sessionId: null }, { sessionId: 7 }])
      expect(await world.json('POST', '/v1/signatures', body)).toMatchObject(missing)
    expect(await post(world, '', 'application/json')).toMatchObject(missing)
    expect(await postForm(world, '/v1/signatures', {}, 'document', [['a.pdf', newPdf()]])).toMatchObject(missing)
    expect(await postForm(world, '/v1/signatures', { other: 'x' }, 'document', [])).toMatchObject(missing)
    expect(await postForm(world, '/v1/signatures/batch', {}, 'files', [['a.pdf', newPdf()]])).toMatchObject(missing)
    expect((await world.call('POST', '/v1/signatures')).status).toBe(400)
  })

  test('no document, or an empty one, answers 400 INVALID_DOCUMENT', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    const none = refused(400, 'INVALID_DOCUMENT')
    for (const document of ['', null, undefined])
      expect(await world.json('POST', '/v1/signatures', { sessionId, document, fileName: 'a.pdf' })).toMatchObject(none)
    expect(await postForm(world, '/v1/signatures', { sessionId }, 'document', [])).toMatchObject(none)
    expect(await signForm(world, sessionId, Buffer.alloc(0))).toMatchObject(none)
    expect(await signBatch(world, sessionId, [])).toMatchObject(none)
    expect(await postForm(world, '/v1/signatures/batch', { sessionId }, 'document', [['a.pdf', 'x']])).toMatchObject(
      none,
    )
  })

  test('a document that is no base64, a missing file name, and what is no JSON are malformed, the field named', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    const document = newPdf().toString('base64')
    for (const [body, field] of [
      [{ sessionId, document: '%PDF-1.7', fileName: 'a.pdf' }, 'document'],
      [{ sessionId, document: 7, fileName: 'a.pdf' }, 'document'],
      [{ sessionId, document }, 'fileName'],
      [{ sessionId, document, fileName: '' }, 'fileName'],
      [{ sessionId, document, fileName: 'a'.repeat(261) }, 'fileName'],
    ] as const)
      expect(await world.json('POST', '/v1/signatures', body)).toMatchObject(
        refused(400, 'INVALID_REQUEST', expect.objectContaining({ field })),
      )
    for (const text of ['{"sessionId":', '[]', 'null', '{}{}'])
      expect(await post(world, text, 'application/json')).toMatchObject(
        refused(400, 'INVALID_REQUEST', expect.objectContaining({ field: 'body' })),
      )
  })

  test('an unreadable media type answers 415 INVALID_REQUEST', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    const unreadable = refused(415, 'INVALID_REQUEST', { field: 'Content-Type' })
    for (const type of ['application/pdf', 'text/plain', 'application/x-www-form-urlencoded'])
      expect(await post(world, 'x', type)).toMatchObject(unreadable)
    expect(await world.json('POST', '/v1/signatures/batch', { sessionId })).toMatchObject(unreadable)
  })

  test('a document that is not a PDF answers 422 UNSUPPORTED_DOCUMENT', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    const text = Buffer.from('Isto não é um PDF.')
    expect(await signJson(world, sessionId, text)).toMatchObject(refused(422, 'UNSUPPORTED_DOCUMENT'))
    expect(await signForm(world, sessionId, text)).toMatchObject(refused(422, 'UNSUPPORTED_DOCUMENT'))
    const late = Buffer.concat([Buffer.alloc(1100, ' '), newPdf()])
    expect(await signJson(world, sessionId, late)).toMatchObject(refused(422, 'UNSUPPORTED_DOCUMENT'))
  })

  test('a document over Signing:MaxDocumentBytes answers 413 DOCUMENT_TOO_LARGE with both sizes, measured on decoded bytes', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    const much = Buffer.concat([newPdf(), Buffer.alloc(LIMIT)])
    const tooLarge = (sizeBytes: number) => refused(413, 'DOCUMENT_TOO_LARGE', { sizeBytes, limitBytes: LIMIT })
    for (const bytes of [LIMIT + 1, 5 * LIMIT]) {
      const document = Buffer.concat([much, Buffer.alloc(bytes)]).subarray(0, bytes)
      expect(await signForm(world, sessionId, document)).toMatchObject(tooLarge(bytes))
      expect(await signJson(world, sessionId, document)).toMatchObject(tooLarge(bytes))
      const { status, body } = await signBatch(world, sessionId, [
        ['a.pdf', document],
        ['b.txt', 'text'],
      ])
      expect([status, body.results.map(({ error }: { error: object }) => error)]).toMatchObject([
        202,
        [
          { code: 'DOCUMENT_TOO_LARGE', details: { sizeBytes: bytes, limitBytes: LIMIT } },
          { code: 'UNSUPPORTED_DOCUMENT' },
        ],
      ])
    }
    const chunks = ReadableStream.from(
      (function* () {
        yield `{"fileName":"a.pdf","document":"`
        for (let sent = 0; sent < 3 * LIMIT; sent += 60_000) yield 'QUJD'.repeat(15_000)
      })(),
    ) as ReadableStream
    const { body } = await post(world, chunks, 'application/json')
    expect(body.error).toMatchObject({ code: 'DOCUMENT_TOO_LARGE', details: { limitBytes: LIMIT } })
    // Of a request that is too long to be read, both sizes are the request's.
    const longest = await post(world, Buffer.alloc(16 * LIMIT, ' '), 'application/json')
    expect(longest).toMatchObject(refused(413, 'DOCUMENT_TOO_LARGE', { sizeBytes: 16 * LIMIT }))
    expect(longest.body.error.details.limitBytes).toBeGreaterThan(LIMIT)
    const just = Buffer.concat([much.subarray(0, LIMIT)])
    expect((await signJson(world, sessionId, just)).body.error?.code).not.toBe('DOCUMENT_TOO_LARGE')
    expect((await signForm(world, sessionId, just)).body.error?.code).not.toBe('DOCUMENT_TOO_LARGE')
  })

  test('a document of a batch that is larger than all of them may be together fails alone', async () => {
    const world = await startSessionServer('SQLite', {
      signer: service,
      settings: { Signing: { MaxDocumentBytes: LIMIT, MaxBatchItems: 2 } },
    })
    const { sessionId } = await newSession(world)
    const bytes = 5 * LIMIT
    const { status, body } = await signBatch(world, sessionId, [
      ['huge.pdf', Buffer.alloc(bytes)],
      ['good.pdf', newPdf()],
    ])
    expect([status, body.results]).toMatchObject([
      202,
      [
        { status: 'ERROR', error: { code: 'DOCUMENT_TOO_LARGE', details: { sizeBytes: bytes, limitBytes: LIMIT } } },
        { status: 'PROCESSING', error: null },
      ],
    ])
    // Of what is far too long for every batch, both sizes are the request's.
    const endless = await signBatch(world, sessionId, [['huge.pdf', Buffer.alloc(20 * LIMIT)]])
    expect(endless).toMatchObject(refused(413, 'DOCUMENT_TOO_LARGE'))
    const { sizeBytes, limitBytes } = endless.body.error.details
    expect([sizeBytes > 20 * LIMIT, limitBytes > 2 * LIMIT && limitBytes < 3 * LIMIT]).toEqual([true, true])
  })

  test('more documents than Signing:MaxBatchItems answers 400 INVALID_REQUEST, and nothing is signed', async () => {
    const world = shared()
    const { sessionId, cpf } = await newSession(world)
    const files = Array.from({ length: 51 }, (_, at) => [`${at}.pdf`, newPdf()] as const)
    expect(await signBatch(world, sessionId, files)).toMatchObject(
      refused(400, 'INVALID_REQUEST', expect.objectContaining({ field: 'files' })),
    )
    expect((await rowsOf(world)).filter((row) => row.cpf === cpf)).toEqual([])
    const two = await postForm(world, '/v1/signatures', { sessionId }, 'document', [
      ['a.pdf', newPdf()],
      ['b.pdf', newPdf()],
    ])
    expect(two).toMatchObject(refused(400, 'INVALID_REQUEST', expect.objectContaining({ field: 'document' })))
  })

  test('no operation signs or fetches without an accepted API key', async () => {
    const world = shared()
    for (const [method, path] of [
      ['POST', '/v1/signatures'],
      ['POST', '/v1/signatures/batch'],
      ['GET', '/v1/signatures/x/document'],
    ] as const) {
      const answer = await fetch(`${world.baseUrl}${path}`, { method, headers: { 'X-API-Key': 'wrong' } })
      expect(await readAnswer(answer)).toMatchObject(refused(401, 'UNAUTHORIZED'))
    }
  })
})

for (const database of databases) {
  describe(`what stands between a session and a signature, on ${database}`, () => {
    const once = testOnce(database)
    const shared = sharedSessionServer(database, { signer: service })

    const both = async (world: SessionWorld, sessionId: string) => [
      await signJson(world, sessionId, newPdf()),
      await signBatch(world, sessionId, [['a.pdf', newPdf()]]),
    ]

    once('no active session by the sessionId answers 401 SESSION_EXPIRED, for a batch as a whole', async () => {
      const world = shared()
      for (const nobodyS of ['nobody-s', 's'.repeat(1000)])
        for (const answer of await both(world, nobodyS)) expect(answer).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      const { sessionId } = await newSession(world)
      await world.json('POST', '/v1/sessions/deactivate', { sessionId })
      // The session is checked before the document.
      expect(await signJson(world, sessionId, Buffer.from('no PDF'))).toMatchObject(refused(401, 'SESSION_EXPIRED'))
    })

    test.each([
      ['a certificate with another verdict than ACTIVE', { status: 'REVOKED' }, 422, 'CERT_NOT_ACTIVE'],
      ['a certificate whose own data is not held', { der: null }, 422, 'CERT_DATA_UNAVAILABLE'],
      ['a certificate that is no longer held', { removed_at: '2026-11-15T12:00:00.000Z' }, 404, 'CERT_NOT_FOUND'],
    ] as const)('%s cannot sign, for a batch as a whole', async (_what, change, status, code) => {
      const world = shared()
      const { sessionId, id } = await newSession(world)
      await world.store.db.updateTable('certificate').set(change).where('id', '=', id).execute()
      for (const answer of await both(world, sessionId)) expect(answer).toMatchObject(refused(status, code))
      const { active } = (await world.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body
      expect(active).toBe(code !== 'CERT_NOT_FOUND')
    })

    once(
      'a certificate that names no e-mail address is refused with CERT_INCOMPLETE_IDENTITY, unless the session has one',
      async () => {
        const world = shared()
        const { cpf } = await newHolder(world, { email: undefined })
        const { sessionId } = await openSession(world, cpf)
        for (const answer of await both(world, sessionId))
          expect(answer).toMatchObject(refused(422, 'CERT_INCOMPLETE_IDENTITY', { field: 'email' }))
        const other = await openSession(world, cpf, { email: 'titular@example.com' })
        expect((await signJson(world, other.sessionId, newPdf())).status).toBe(202)
      },
    )
  })
}

describe('fetching a document', () => {
  const shared = sharedSessionServer('SQLite', { signer: proxy })

  /** A document at the signature service that nobody has signed. */
  async function pendingDocument(): Promise<string> {
    const upload = await service().json('POST', '/api/uploads/bytes', { bytes: newPdf().toString('base64') })
    const { id } = upload.body as { id: string }
    const user = { name: 'Ana Souza', identifier: '52998224725', email: 'ana@example.com' }
    const { body } = await service().json('POST', '/api/documents', {
      files: [{ id, displayName: 'a.pdf', name: 'a.pdf', contentType: 'application/pdf' }],
      flowActions: [{ type: 'Signer', step: 1, user }],
    })
    return (body as [{ documentId: string }])[0].documentId
  }

  const fetched = async (id: string) => readAnswer(await fetchSigned(shared(), id))

  test('answers 409 DOCUMENT_NOT_READY while it is being signed, and 422 DOCUMENT_UNAVAILABLE, saying which, after its end', async () => {
    for (const [path, status] of [
      ['cancellation', 'Canceled'],
      ['refusal', 'Refused'],
    ] as const) {
      const id = await pendingDocument()
      const open = await fetched(id)
      expect(open).toMatchObject(refused(409, 'DOCUMENT_NOT_READY', { status: 'PROCESSING' }))
      await service().json('POST', `/api/documents/${id}/${path}`, { reason: 'test' })
      expect(await fetched(id)).toMatchObject(refused(422, 'DOCUMENT_UNAVAILABLE', { status }))
    }
    proxy().fail('read', { status: 200, body: { status: 'Expired', filename: 'a.pdf' } })
    expect(await fetched(await pendingDocument())).toMatchObject(
      refused(422, 'DOCUMENT_UNAVAILABLE', { status: 'Expired' }),
    )
    proxy().fail('read', { status: 200, body: { status: 'FlowConcluded', filename: 'a.pdf' } })
    expect(await fetched(await pendingDocument())).toMatchObject(refused(409, 'DOCUMENT_NOT_READY'))
  })

  test('answers 422 DOCUMENT_UNAVAILABLE for a document that was deleted at the service, whatever it was before', async () => {
    const id = await pendingDocument()
    expect((await service().json('DELETE', `/api/documents/${id}`)).status).toBe(200)
    expect(await fetched(id)).toMatchObject(refused(422, 'DOCUMENT_UNAVAILABLE', { status: 'Deleted' }))
    const world = shared()
    const { sessionId } = await newSession(world)
    const { signatureId } = (await signJson(world, sessionId, newPdf())).body
    expect((await fetchWhenReady(world, signatureId)).status).toBe(200)
    expect((await service().json('DELETE', `/api/documents/${signatureId}`)).status).toBe(200)
    expect(await fetched(signatureId)).toMatchObject(refused(422, 'DOCUMENT_UNAVAILABLE', { status: 'Deleted' }))
    // Deleted between the two questions.
    proxy().fail('read', { status: 200, body: { status: 'Concluded', filename: 'a.pdf' } })
    expect(await fetched(signatureId)).toMatchObject(refused(422, 'DOCUMENT_UNAVAILABLE', { status: 'Deleted' }))
  })

  test('answers 404 DOCUMENT_NOT_FOUND for an id nobody has, also for what is no id', async () => {
    for (const id of ['0197a000-0000-7000-8000-000000000000', 'x', '..%2F..', '%00', 'a'.repeat(500), '%F0%9F%92%A9'])
      expect(await fetched(id)).toMatchObject(refused(404, 'DOCUMENT_NOT_FOUND'))
    const unknown = { message: 'gone', resourceName: 'Document', resourceId: 'x' }
    proxy().fail('read', { status: 404, body: unknown })
    expect(await fetched('x')).toMatchObject(refused(404, 'DOCUMENT_NOT_FOUND'))
  })

  test('answers 502 SIGNER_ERROR for anything else', async () => {
    const id = await pendingDocument()
    for (const fault of [
      'drop',
      'garbage',
      'answer-500',
      { status: 403, body: {} },
      { status: 404, body: {} },
    ] as const) {
      proxy().fail('read', fault)
      expect(await fetched(id)).toMatchObject(refused(502, 'SIGNER_ERROR'))
    }
    proxy().fail('read', { status: 200, body: { status: 'Concluded', filename: 'a.pdf' } })
    expect(await fetched(id)).toMatchObject(refused(502, 'SIGNER_ERROR'))
  })
})

describe('load beyond what the server accepts', () => {
  const settings = { Http: { MaxRunning: 3, MaxQueued: 2 }, Signing: { SignerConcurrency: 2 } }
  const shared = sharedSessionServer('SQLite', { signer: proxy, settings })

  test('is shed at once with 429 SERVER_BUSY and no Retry-After, while admitted calls finish', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    proxy().fail('upload', 'hold')
    const before = proxy().count('upload')
    const admitted = Array.from({ length: 5 }, () => signJson(world, sessionId, newPdf()))
    await vi.waitUntil(() => proxy().count('upload') === before + 2, { interval: 5 })
    // All five are admitted before others come: one of those would take a place, and nobody ends the hold meanwhile.
    const full = { running: 3, queued: 2 }
    await vi.waitFor(() => expect(loadOf(world.apps['session-server']!)).toMatchObject(full))
    const burst = Array.from({ length: 30 }, () => signJson(world, sessionId, newPdf()))
    for (const { status, body, headers } of await Promise.all(burst))
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'SERVER_BUSY', null])
    // They waited for none of the admitted.
    expect(loadOf(world.apps['session-server']!)).toMatchObject(full)
    // Exactly Signing:SignerConcurrency of them are at the signature service.
    expect(proxy().count('upload')).toBe(before + 2)
    proxy().heal()
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual(Array(5).fill(202))
  })
})

describe('the room for documents', () => {
  const room = 10_485_760
  const shared = sharedSessionServer('SQLite', { signer: proxy, settings: { Signing: { MaxHeldBytes: room } } })

  test('is full: 429 SERVER_BUSY; what was sent on, refused or broken off gives its room back', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    proxy().fail('upload', 'hold')
    const before = proxy().count('upload')
    const first = signForm(world, sessionId, newPdf(6_000_000))
    await vi.waitUntil(() => proxy().count('upload') > before, { interval: 5 })
    const second = newPdf(6_000_000)
    for (const answer of [
      await signForm(world, sessionId, second),
      await signJson(world, sessionId, second),
      await signBatch(world, sessionId, [['a.pdf', second]]),
    ]) {
      expect(answer).toMatchObject(refused(429, 'SERVER_BUSY'))
      expect(answer.headers.get('retry-after')).toBeNull()
    }
    proxy().heal()
    const { status, body } = await first
    expect([status, (await fetchWhenReady(world, body.signatureId)).status]).toEqual([202, 200])
    for (const document of [Buffer.alloc(6_000_000), Buffer.alloc(room + 1)])
      expect((await signForm(world, sessionId, document)).status).toBeGreaterThan(400)
    expect((await signForm(world, sessionId, second)).status).toBe(202)
    const metrics = await (await world.call('GET', '/metrics')).text()
    expect(metrics).toMatch(/^session_held_bytes(?:\{.*\})? 0$/m)
    expect(metrics).toMatch(/^session_signatures_total\{.*outcome="signed".*\} 2$/m)
    expect(metrics).toMatch(/^session_live_sessions(?:\{.*\})? 1$/m)
  })
})
