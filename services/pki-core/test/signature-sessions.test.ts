import { createHash, randomUUID, X509Certificate } from 'node:crypto'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { type CoreWorld, clientAt, databases, secondCore, sharedCore, testOnce } from './test-support/core-world.ts'
import { clock, running } from './test-support/pki.ts'
import {
  begin,
  pageOf,
  pdfDocument,
  readSession,
  setCertificate,
  signAll,
  signaturesOf,
  signedFiles,
  submit,
} from './test-support/sessions.ts'
import { download, inline, opensslAccepts, pdfsig, xmlsec } from './test-support/signing.ts'

const ANA = 'ana-souza'
const BRUNO = 'bruno-lima'
const HOUR = 3_600_000
const contract = samplePdf('Contract')
const order = '<?xml version="1.0"?><order xmlns="urn:order">Bread</order>'
const returnUrl = 'https://app.example.com/done?case=7'

const settings = { Sessions: { WaitSeconds: 2 } }

/** A security context of the subscription, and what ends its trust. */
async function ownContext({ store, client }: CoreWorld) {
  const id = randomUUID()
  const times = { created_at: clock().toISOString(), updated_at: clock().toISOString() }
  const trusted = { name: id, roots: running.pki.trustAnchors(), intermediates: '', policies: '[]' }
  const judged = { revocation: 'Required', version: 1 } as const
  await store.db
    .insertInto('security_context')
    .values({ id, subscription_id: client.subscriptionId, ...trusted, ...judged, ...times })
    .execute()
  const distrust = async () => {
    const roots = new X509Certificate(running.pki.certificate('unknown-root').der).toString()
    const changed = { roots, version: 2 }
    await store.db.updateTable('security_context').set(changed).where('id', '=', id).execute()
    // As if another process had changed it: this one notices within five seconds.
    clock.advance(5000)
  }
  return { id, distrust }
}

const ended = (world: CoreWorld, id: string) =>
  vi.waitUntil(
    async () => {
      const session = await readSession(world, id)
      return session.status === 'Processing' ? undefined : session
    },
    { interval: 20 },
  )

for (const database of databases) {
  describe(`signature sessions on ${database}`, () => {
    const open = sharedCore(database, settings)
    const once = testOnce(database)

    test('a person signs the documents of an application: a PDF, a CMS and an XML', async () => {
      const world = open()
      const data = Buffer.from('data to sign')
      const session = await begin(world, {
        returnUrl,
        callbackArgument: 'case 7',
        documents: [
          { ...pdfDocument(contract), metadata: { Case: ['7'] } },
          { file: inline('a.txt', data), cmsSignatureOptions: { detached: true } },
          { file: inline('order.xml', order) },
        ],
      })
      expect(session.token).toMatch(/^[\w-]{43}$/)
      expect(new URL(session.redirectUrl)).toMatchObject({
        hash: '',
        username: '',
        pathname: '/signature-session/sign',
      })
      const pending = await readSession(world, session.id)
      expect(pending).toMatchObject({ status: 'Pending', callbackArgument: 'case 7', signerCertificate: null })
      expect(pending.documents.map((one: { status: string }) => one.status)).toEqual(
        Array.from({ length: 3 }, () => 'PendingSignature'),
      )
      expect((await download(pending.documents[0].originalFile.url)).equals(contract)).toBe(true)
      const done = await signAll(session, ANA)
      expect(done.body).toMatchObject({
        status: 'Completed',
        returnUrl: `${returnUrl}&signatureSessionId=${session.id}`,
      })
      const completed = await readSession(world, session.id)
      expect(completed).toMatchObject({
        status: 'Completed',
        processingErrorCode: null,
        signerCertificate: { pkiBrazil: { cpf: '52998224725' } },
      })
      const [pdf, cms, xml] = await signedFiles(completed)
      expect(await pdfsig(pdf!)).toContain('Signature is Valid.')
      expect(await opensslAccepts(cms!, data)).toBe(true)
      expect(await xmlsec(xml!, ['urn:order:order'])).toMatch(/^OK$/m)
      const { body: document } = await world.json('GET', `/api/documents/${completed.documents[0].id}`)
      expect(document).toMatchObject({ metadata: { Case: ['7'] }, key: completed.documents[0].key })
      expect(completed.documents[0].dateSigned).toBe(clock().toISOString())
    })

    test('what the person sees are the bytes that are signed', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdfDocument(contract)] })
      const { body } = await session.page('GET', '/api/signature-session')
      const [document] = body.documents
      const shown = Buffer.from(
        await (await session.raw('GET', `/api/signature-session/documents/${document.id}/content`)).arrayBuffer(),
      )
      expect(createHash('sha256').update(shown).digest('hex')).toBe(document.sha256)
      await signAll(session, ANA)
      const [signed] = await signedFiles(await readSession(world, session.id))
      expect(signed!.subarray(0, shown.length).equals(shown)).toBe(true)
    })

    test('a person brings documents, takes one back, and what was prepared before is void', async () => {
      const world = open()
      const session = await begin(world, { returnUrl, documentMetadata: { Origin: ['desk'] } })
      expect((await setCertificate(session, ANA)).body.code).toBe('BadSignatureSessionOperation')
      expect((await session.bring('broken.pdf', 'not a PDF', 'application/pdf')).body.code).toBe('InvalidPdf')
      expect((await session.bring('empty.txt', '')).body.code).toBe('UploadEmpty')
      const first = await session.bring('../../contract.pdf', contract, 'application/pdf')
      expect(first.body.documents).toMatchObject([{ name: 'contract.pdf', isUploaded: true, signatureType: 'Pdf' }])
      const early = (await setCertificate(session, ANA)).body
      const { body } = await session.bring('notes.txt', 'notes')
      expect((await submit(session, signaturesOf(ANA, early))).body.code).toBe('BadSignatureSessionOperation')
      const removed = await session.page('DELETE', `/api/signature-session/documents/${body.documents[1].id}`)
      expect(removed.body.documents).toHaveLength(1)
      expect((await signAll(session, ANA)).body.status).toBe('Completed')
      const [document] = (await readSession(world, session.id)).documents
      const { body: made } = await world.json('GET', `/api/documents/${document.id}`)
      expect(made.metadata).toEqual({ Origin: ['desk'] })
      expect((await session.bring('late.txt', 'late')).body.code).toBe('BadSignatureSessionOperation')
    })

    test('of submissions at the same moment one ends the session, and none comes after', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdfDocument(contract), { file: inline('a.txt', 'text') }] })
      const { body } = await setCertificate(session, ANA)
      const request = signaturesOf(ANA, body)
      const answers = await Promise.all([1, 2, 3].map(() => submit(session, request)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
      expect((await submit(session, request)).body.code).toBe('BadSignatureSessionOperation')
      const { documents } = await readSession(world, session.id)
      const made = await world.store.db
        .selectFrom('document')
        .select('id')
        .where(
          'id',
          'in',
          documents.map(({ id }: { id: string }) => id),
        )
        .execute()
      expect(made).toHaveLength(2)
    })

    test('a wrong, missing or foreign signature ends nothing, and the right ones still do', async () => {
      const session = await begin(open(), { documents: [pdfDocument(contract), { file: inline('a.txt', 'text') }] })
      const { body } = await setCertificate(session, ANA)
      const right = signaturesOf(ANA, body)
      const wrong = await submit(session, signaturesOf(BRUNO, body))
      expect(wrong.body).toMatchObject({ code: 'ValidationError', details: { documentId: body.documents[0].id } })
      expect((await submit(session, { ...right, signatures: right.signatures.slice(1) })).status).toBe(400)
      const other = [right.signatures[0], { ...right.signatures[1], documentId: randomUUID() }]
      expect((await submit(session, { ...right, signatures: other })).status).toBe(400)
      expect((await submit(session, { ...right, state: randomUUID() })).body.code).toBe('BadSignatureSessionOperation')
      const again = (await setCertificate(session, ANA)).body
      expect((await submit(session, right)).body.code).toBe('BadSignatureSessionOperation')
      expect((await submit(session, signaturesOf(ANA, again))).body.status).toBe('Completed')
    })

    test('documents are made in the background, and when-completed answers when they are there', async () => {
      const world = open()
      const session = await begin(world, { enableBackgroundProcessing: true, documents: [pdfDocument(contract)] })
      const path = `/api/signature-sessions/${session.id}/when-completed`
      expect((await world.json('GET', path)).body.code).toBe('BadSignatureSessionOperation')
      const submitted = await signAll(session, ANA)
      expect(submitted.status).toBe(200)
      const other = await secondCore(world, database, settings)
      const [here, there] = await Promise.all([world.json('GET', path), other.json('GET', path)])
      for (const { body } of [here, there]) expect(body).toEqual({ completed: true, progress: 100 })
      const completed = await readSession(world, session.id)
      expect(completed).toMatchObject({ status: 'Completed', documents: [{ status: 'Completed' }] })
      const [signed] = await signedFiles(completed)
      expect(await pdfsig(signed!)).toContain('Signature is Valid.')
    })

    test('a session that another process ends wakes those who wait here; until then it is being processed', async () => {
      const world = open()
      const session = await begin(world, { enableBackgroundProcessing: true, documents: [pdfDocument(contract)] })
      await signAll(session, ANA)
      const { documents } = await ended(world, session.id)
      // As if a slow process had it: back to what stood before the end, without a job.
      await world.store.db
        .updateTable('signature_session')
        .set({ status: 'Processing', ended_at: null } as never)
        .where('id', '=', session.id)
        .execute()
      const path = `/api/signature-sessions/${session.id}/when-completed`
      const late = await world.json('GET', path)
      expect(late.body).toEqual({ completed: false, progress: 100 })
      for (const [method, at] of [['DELETE', `/api/signature-sessions/${session.id}`]] as const)
        expect((await world.json(method, at)).body.code).toBe('BackgroundProcessing')
      expect((await session.page('POST', '/api/signature-session/cancellation')).body.code).toBe('BackgroundProcessing')
      const waiting = Array.from({ length: 20 }, () => world.json('GET', path))
      const begun = Date.now()
      await world.store.db
        .updateTable('signature_session')
        .set({ status: 'Completed', ended_at: clock().toISOString() } as never)
        .where('id', '=', session.id)
        .execute()
      for (const { body } of await Promise.all(waiting)) expect(body.completed).toBe(true)
      // Not at the end of the long poll, which is some 15 seconds.
      expect(Date.now() - begun).toBeLessThan(14_000)
      expect(documents).toHaveLength(1)
    })

    test('a certificate that loses its trust before the documents are made is the error of the session', async () => {
      const world = open()
      const { id: securityContextId, distrust } = await ownContext(world)
      const session = await begin(world, {
        securityContextId,
        enableBackgroundProcessing: true,
        documents: [pdfDocument(contract), { file: inline('a.txt', 'text') }],
      })
      const { body } = await setCertificate(session, ANA)
      await distrust()
      expect((await submit(session, signaturesOf(ANA, body))).status).toBe(200)
      const failed = await ended(world, session.id)
      expect(failed).toMatchObject({
        status: 'ProcessingError',
        processingErrorCode: 'CertificateIssuerInvalid',
        documents: [
          { status: 'ProcessingError', signedFile: null, dateSigned: null },
          { status: 'ProcessingError', signedFile: null },
        ],
      })
      const path = `/api/signature-sessions/${session.id}/when-completed`
      expect((await world.json('GET', path)).body).toEqual({ completed: true, progress: 100 })
      expect((await download(failed.documents[0].originalFile.url)).equals(contract)).toBe(true)
    })

    test('requirements of the certificate must hold, all of them', async () => {
      const world = open()
      const certificateRequirements = [{ type: 'Cpf', argument: '529.982.247-25' }, { type: 'CryptoDevice' }]
      const documents = [pdfDocument(contract)]
      const strict = await begin(world, { certificateRequirements, documents })
      expect((await strict.page('GET', '/api/signature-session')).body.certificateRequirements).toEqual([
        { type: 'Cpf', argument: '***.982.247-**' },
        { type: 'CryptoDevice', argument: null },
      ])
      const told = { success: false, failure: 'CertificateRequirementNotMet', state: null, documents: [] }
      expect((await setCertificate(strict, BRUNO)).body).toMatchObject({ ...told, unmetRequirement: 'Cpf' })
      expect((await setCertificate(strict, ANA)).body).toMatchObject({ ...told, unmetRequirement: 'CryptoDevice' })
      const device = await begin(world, { certificateRequirements: [{ type: 'CryptoDevice' }], documents })
      expect((await signAll(device, BRUNO)).body.status).toBe('Completed')
      expect((await setCertificate(strict, 'revoked')).body).toMatchObject({
        failure: 'CertificateValidationFailed',
        validationResults: { errors: [{ type: 'CertificateRevoked' }] },
      })
    })

    test('a person who gives up ends the session', async () => {
      const world = open()
      const session = await begin(world, { returnUrl, documents: [pdfDocument(contract)] })
      const { body } = await setCertificate(session, ANA)
      expect((await session.page('POST', '/api/signature-session/cancellation')).body.status).toBe('UserCancelled')
      expect((await submit(session, signaturesOf(ANA, body))).body.code).toBe('BadSignatureSessionOperation')
      expect(await readSession(world, session.id)).toMatchObject({
        status: 'UserCancelled',
        documents: [{ status: 'PendingSignature', signedFile: null }],
      })
      const path = `/api/signature-sessions/${session.id}/when-completed`
      expect((await world.json('GET', path)).body.completed).toBe(true)
    })

    test('sessions of other applications and subscriptions do not exist', async () => {
      const world = open()
      const { id } = await begin(world, { documents: [pdfDocument(contract)] })
      const sibling = await clientAt(world, { subscriptionId: world.client.subscriptionId })
      const stranger = await clientAt(world)
      for (const { json } of [sibling, stranger])
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/when-completed'],
          ['DELETE', ''],
        ] as const)
          expect((await json(method, `/api/signature-sessions/${id}${path}`)).body.code).toBe(
            'SignatureSessionNotFound',
          )
      expect((await world.json('DELETE', `/api/signature-sessions/${id.toUpperCase()}`)).status).toBe(200)
      expect((await world.json('GET', `/api/signature-sessions/${id}`)).body.code).toBe('SignatureSessionNotFound')
    })

    test('the id of any document, of another subscription as well, is refused before somebody signs in vain', async () => {
      const world = open()
      const other = { ...(await clientAt(world)), baseUrl: world.baseUrl }
      const id = crypto.randomUUID()
      const theirs = await begin(other, { documents: [{ ...pdfDocument(contract), id }] })
      await signAll(theirs, ANA)
      expect((await other.json('DELETE', `/api/signature-sessions/${theirs.id}`)).status).toBe(200)
      const asked = { documents: [{ ...pdfDocument(contract), id: id.toUpperCase() }] }
      for (const { json } of [world, other]) {
        const { status, body } = await json('POST', '/api/signature-sessions', asked)
        expect([status, Object.keys(body.errors)]).toEqual([400, ['documents.0.id']])
      }
    })

    test('a token is needed, is one of this service, and ends with its session', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdfDocument(contract)] })
      const other = await begin(world, { documents: [pdfDocument(contract)] })
      const code = async (token: string, path = '') =>
        (await pageOf(world, token).page('GET', `/api/signature-session${path}`)).body.code
      expect(await code('')).toBe('SignatureSessionTokenRequired')
      for (const bad of ['x', '../../etc/passwd', '%2e%2e%2f', 'A'.repeat(43), `${session.token}/`, 'A'.repeat(5000)])
        expect(await code(bad)).toBe('BadSignatureSessionToken')
      const [foreign] = (await other.page('GET', '/api/signature-session')).body.documents
      for (const path of [`/documents/${foreign.id}/content`, `/documents/${foreign.id}/signed`])
        expect(await code(session.token, path)).toBe('DocumentNotFound')
      expect((await world.json('GET', '/api/signature-session')).body.code).toBe('SignatureSessionTokenRequired')
      await world.json('DELETE', `/api/signature-sessions/${other.id}`)
      expect(await code(other.token)).toBe('BadSignatureSessionToken')
      await fetch(session.redirectUrl)
      expect(world.log()).not.toContain(session.token)
    })

    once('a session without downloads gives out what is signed, and nothing that is', async () => {
      const world = open()
      const session = await begin(world, { disableDownloads: true, documents: [pdfDocument(contract)] })
      const { body } = await signAll(session, ANA)
      expect(body.documents).toMatchObject([{ status: 'Completed', isSignedAvailable: false }])
      const at = `/api/signature-session/documents/${body.documents[0].id}`
      expect((await session.page('GET', `${at}/signed`)).body.code).toBe('BadSignatureSessionOperation')
      const free = await begin(world, { documents: [pdfDocument(contract)] })
      const [document] = (await signAll(free, ANA)).body.documents
      const signed = await free.raw('GET', `/api/signature-session/documents/${document.id}/signed`)
      expect(await pdfsig(Buffer.from(await signed.arrayBuffer()))).toContain('Signature is Valid.')
    })

    once('options of a session hold for documents without their own; keys and ids are honoured', async () => {
      const world = open()
      const { body: key } = await world.json('POST', '/api/document-keys', { provisionalMetadata: { Case: ['9'] } })
      const id = randomUUID()
      const visualRepresentation = {
        position: { pageNumber: -1, manual: { left: 1, bottom: 1, width: 6, height: 2 } },
        text: { text: 'Signed by {{name}}' },
      }
      const session = await begin(world, {
        pdfSignatureOptions: { visualRepresentation },
        cmsSignatureOptions: { detached: true },
        documents: [{ id, documentKey: key.formattedKey, ...pdfDocument(contract) }, { file: inline('a.txt', 'text') }],
      })
      await signAll(session, ANA)
      const completed = await readSession(world, session.id)
      expect(completed.documents[0]).toMatchObject({ id, key: key.key })
      const [pdf, cms] = await signedFiles(completed)
      expect(await pdfsig(pdf!)).toContain('Signature is Valid.')
      expect(pdf!.length).toBeGreaterThan(contract.length)
      expect(await opensslAccepts(cms!, Buffer.from('text'))).toBe(true)
      const { body: document } = await world.json('GET', `/api/documents/${id}`)
      expect(document.metadata).toEqual({ Case: ['9'] })
      const taken = await world.json('POST', '/api/signature-sessions', {
        documents: [{ id, ...pdfDocument(contract) }],
      })
      expect(taken.status).toBe(400)
    })

    once('what cannot be done is refused by name when the session begins', async () => {
      const world = open()
      const documents = [pdfDocument(contract)]
      const position = { pageNumber: 9, manual: { left: 1, bottom: 1, width: 5, height: 2 } }
      const refusals: readonly [object, number, string | RegExp][] = [
        [{ documents, returnUrl: '/relative' }, 400, /returnUrl/],
        [{ documents, returnUrl: 'javascript:alert(1)' }, 400, /returnUrl/],
        [{ documents, returnUrl: 'https://user:pass@example.com' }, 400, /returnUrl/],
        [{ documents, securityContextId: randomUUID() }, 422, 'SecurityContextNotFound'],
        [{ documents, certificateRequirements: [{ type: 'Cpf', argument: '123' }] }, 400, /certificateRequirements/],
        [{ documents, certificateRequirements: [{ type: 'CryptoDevice', argument: 'x' }] }, 400, /argument/],
        [{ documents, certificateRequirements: [{ type: 'Age' }] }, 400, /certificateRequirements/],
        [{ documents, documentMetadata: { a: ['b'] } }, 400, /documentMetadata/],
        [{ documents, cmsSignatureOptions: { dataFile: inline('a', 'b') } }, 400, /cmsSignatureOptions/],
        [{ documents, pdfSignatureOptions: { convertToPdfA: true } }, 422, 'PdfAConversionNotAvailable'],
        [{ documents: [{ ...documents[0], cmsSignatureOptions: { detached: true } }] }, 400, /cmsSignatureOptions/],
        [
          {
            documents,
            pdfSignatureOptions: { visualRepresentation: { position, text: { text: 'x' } } },
          },
          422,
          'InvalidPage',
        ],
        [{ documents: [{ file: inline('a.pdf', 'no PDF') }] }, 422, 'InvalidPdf'],
        [{ documents: [{ file: { name: 'a.pdf' } }] }, 400, /exactly one/],
        [{ documents: [{ ...documents[0], documentKey: 'ABCD-EFGH-JKLM-NPQR' }] }, 422, 'DocumentKeyNotFound'],
        [{ documents: [{ ...documents[0], id: 'x' }] }, 400, /id/],
      ]
      for (const [request, status, expected] of refusals) {
        const answer = await world.json('POST', '/api/signature-sessions', request)
        expect({ status: answer.status, request }).toEqual({ status, request })
        if (typeof expected === 'string') expect(answer.body.code).toBe(expected)
        else expect(answer.text).toMatch(expected)
      }
      const monitor = await clientAt(world, { roles: ['Monitor'], subscriptionId: world.client.subscriptionId })
      expect((await monitor.json('POST', '/api/signature-sessions', { documents })).status).toBe(403)
    })

    once('the argument of a session is not readable in the database', async () => {
      const world = open()
      const { id } = await begin(world, { callbackArgument: 'secret case', documents: [pdfDocument(contract)] })
      const row = await world.store.db
        .selectFrom('signature_session')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain('secret case')
      expect((await readSession(world, id)).callbackArgument).toBe('secret case')
    })

    // The last ones move the clock.
    once('a certificate that was revoked meanwhile signs neither at once nor in the background', async () => {
      const world = open()
      const CARLA = 'carla-nogueira'
      const background = await begin(world, { enableBackgroundProcessing: true, documents: [pdfDocument(contract)] })
      const foreground = await begin(world, { documents: [pdfDocument(contract)] })
      const [late, refused] = await Promise.all([setCertificate(background, CARLA), setCertificate(foreground, CARLA)])
      running.pki.revoke(running.pki.certificate(CARLA))
      // What was said of it before is not good for so long.
      clock.advance(3 * HOUR)
      expect((await submit(foreground, signaturesOf(CARLA, refused.body))).body).toMatchObject({
        code: 'ValidationError',
        validationResults: { errors: [{ type: 'CertificateRevoked' }] },
      })
      expect((await readSession(world, foreground.id)).status).toBe('Pending')
      await submit(background, signaturesOf(CARLA, late.body))
      expect(await ended(world, background.id)).toMatchObject({
        status: 'ProcessingError',
        processingErrorCode: 'CertificateRevoked',
      })
    })

    test('a session expires after four hours, and its token with it', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdfDocument(contract)] })
      const { body } = await setCertificate(session, ANA)
      clock.advance(4 * HOUR - 1000)
      expect((await session.page('GET', '/api/signature-session')).body.status).toBe('Pending')
      clock.advance(1000)
      for (const call of [
        session.page('GET', '/api/signature-session'),
        submit(session, signaturesOf(ANA, body)),
        session.page('POST', '/api/signature-session/cancellation'),
      ])
        expect((await call).body.code).toBe('ExpiredSignatureSessionToken')
      expect((await readSession(world, session.id)).status).toBe('Expired')
      const path = `/api/signature-sessions/${session.id}/when-completed`
      expect((await world.json('GET', path)).body.completed).toBe(true)
    })
  })
}
