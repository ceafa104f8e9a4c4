// Signature sessions and biometric subjects at the admin page.
import { refusal, signedIn } from '@chancela/testkit/console'
import { startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { begin, pdfDocument, setCertificate, signAll, signaturesOf, submit } from './test-support/sessions.ts'
import { enrolled } from './test-support/subjects.ts'

const ANA = 'ana-souza'
const HOUR = 3_600_000
const documents = [pdfDocument(samplePdf('Contract'), 'contrato.pdf')]

for (const database of databases) {
  describe(`signature sessions at the admin page on ${database}`, () => {
    const world = sharedCore(database, { Webhooks: { AllowedHosts: ['127.0.0.1/32'] } })

    /** An application of a subscription of its own. */
    async function application() {
      const client = await clientAt(world(), { roles: ['Manager'] })
      return {
        ...client,
        baseUrl: world().baseUrl,
        path: `/api/signature-sessions?subscriptionId=${client.subscriptionId}`,
      }
    }

    test('are listed newest first, by subscription, state and time, page by page', async () => {
      const { call } = await signedIn(world())
      const [one, other] = [await application(), await application()]
      const idsAt = async (path: string) => (await call('GET', path)).body.items.map(({ id }: { id: string }) => id)
      const first = await begin(one, { documents })
      const noon = world().clock().toISOString()
      world().clock.advance(HOUR)
      const second = await begin(one, { documents })
      await signAll(second, ANA)
      const third = await begin(one, {})
      await begin(other, { documents })
      const mine = [third.id, second.id, first.id].sort()
      expect((await idsAt(one.path)).sort()).toEqual(mine)
      expect((await idsAt(one.path)).at(-1)).toBe(first.id)
      const { items } = (await call('GET', one.path)).body
      expect(items.at(-1)).toMatchObject({
        status: 'Pending',
        subscription: { id: one.subscriptionId, name: `subscription ${one.subscriptionId}` },
        application: { id: one.applicationId },
        createdAt: noon,
        endedAt: null,
        documents: 1,
        isBackground: false,
      })
      expect(await idsAt(`${one.path}&status=Completed`)).toEqual([second.id])
      expect(await idsAt(`${one.path}&to=${encodeURIComponent(world().clock().toISOString())}`)).toEqual([first.id])
      expect((await idsAt(`${one.path}&from=${encodeURIComponent(noon)}`)).sort()).toEqual(mine)
      const pages = []
      let cursor = ''
      do {
        const { body } = await call('GET', `${one.path}&limit=1${cursor && `&cursor=${cursor}`}`)
        pages.push(...body.items.map(({ id }: { id: string }) => id))
        cursor = body.nextCursor ?? ''
      } while (cursor)
      expect(pages.sort()).toEqual(mine)
      world().clock.advance(5 * HOUR)
      // The time of two is over, whether or not the sweep has been there.
      expect((await idsAt(`${one.path}&status=Expired`)).sort()).toEqual([first.id, third.id].sort())
      expect(await idsAt(`${one.path}&status=Pending`)).toEqual([])
    })

    test('show documents, signer and webhook, and neither token nor argument nor content', async () => {
      const { call } = await signedIn(world())
      const client = await application()
      const { received, url } = await startReceiver()
      await client.json('PUT', `/api/subscriptions/${client.subscriptionId}/webhook`, { url })
      const returnUrl = 'https://app.example/back?secret=of-the-application'
      const session = await begin(client, { documents, returnUrl, callbackArgument: 'case 7, confidential' })
      const path = `/api/signature-sessions/${session.id}`
      const pending = await call('GET', path)
      expect(pending.body).toMatchObject({ status: 'Pending', signer: null, errorCode: null, takesUploads: false })
      await signAll(session, ANA)
      await vi.waitUntil(() => received.length === 1, { interval: 20 })
      const delivered = async () => (await call('GET', path)).body.documents[0].deliveries[0]?.state
      await expect.poll(delivered).toBe('delivered')
      const { body, text } = await call('GET', `/api/signature-sessions/${session.id.toUpperCase()}`)
      expect(body).toMatchObject({
        status: 'Completed',
        signer: { name: 'ANA BEATRIZ SOUZA', identifier: '***.982.247-**' },
        endedAt: world().clock().toISOString(),
        documents: [
          {
            name: 'contrato.pdf',
            mimeType: 'application/pdf',
            status: 'Completed',
            signatureType: 'Pdf',
            isUploaded: false,
            deliveries: [{ state: 'delivered', attempts: 1, lastStatus: 200 }],
          },
        ],
      })
      for (const secret of [session.token, 'confidential', 'of-the-application', '52998224725', 'http'])
        for (const shown of [pending.text, text]) expect(shown).not.toContain(secret)
      for (const id of [crypto.randomUUID(), 'none', '%00'])
        expect(refusal(await call('GET', `/api/signature-sessions/${id}`))).toEqual([422, 'SignatureSessionNotFound'])
    })

    test('are ended by an administrator while nobody has signed, which is an event', async () => {
      const { call, email } = await signedIn(world())
      const client = await application()
      const session = await begin(client, { documents })
      const prepared = await setCertificate(session, ANA)
      const path = `/api/signature-sessions/${session.id}`
      expect((await call('POST', `${path}/cancellation`)).body).toMatchObject({
        status: 'UserCancelled',
        endedAt: world().clock().toISOString(),
      })
      expect((await submit(session, signaturesOf(ANA, prepared.body))).body.code).toBe('BadSignatureSessionOperation')
      expect((await client.json('GET', path)).body).toMatchObject({ status: 'UserCancelled' })
      expect(refusal(await call('POST', `${path}/cancellation`))).toEqual([422, 'BadSignatureSessionOperation'])
      const { items } = (await call('GET', `/api/events?type=SignatureSessionCancelled&q=${session.id}`)).body
      expect(items).toMatchObject([{ actor: email, subject: { kind: 'signature-session', id: session.id } }])
      const signed = await begin(client, { documents })
      await signAll(signed, ANA)
      const late = await call('POST', `/api/signature-sessions/${signed.id}/cancellation`)
      expect(refusal(late)).toEqual([422, 'BadSignatureSessionOperation'])
    })

    test('of an administrator who ends a session and a person who signs, one is first', async () => {
      const { call } = await signedIn(world())
      const client = await application()
      for (const _ of [1, 2, 3]) {
        const session = await begin(client, { documents })
        const request = signaturesOf(ANA, (await setCertificate(session, ANA)).body)
        const path = `/api/signature-sessions/${session.id}`
        const [ended, signed] = await Promise.all([call('POST', `${path}/cancellation`), submit(session, request)])
        expect([ended.status, signed.status].sort()).toEqual([200, 422])
        const status = signed.status === 200 ? 'Completed' : 'UserCancelled'
        expect((await call('GET', path)).body.status).toBe(status)
        const { items } = (await call('GET', `/api/events?type=SignatureSessionCancelled&q=${session.id}`)).body
        expect(items).toHaveLength(ended.status === 200 ? 1 : 0)
      }
    })
  })

  describe(`biometric subjects at the admin page on ${database}`, () => {
    const world = sharedCore(database)

    test('are listed masked, by subscription, state and the whole identifier', async () => {
      const { call } = await signedIn(world())
      const { subscriptionId } = await clientAt(world())
      const cpf = await enrolled(world(), subscriptionId, '52998224725')
      world().clock.advance(HOUR)
      const mail = await enrolled(world(), subscriptionId, 'maria@example.com')
      const path = `/api/bio-subjects?subscriptionId=${subscriptionId}`
      const { body, text } = await call('GET', path)
      expect(body.items).toMatchObject([
        { id: mail.id, identifier: 'ma***', enrolledAt: world().clock().toISOString(), deletedAt: null },
        { id: cpf.id, identifier: '***.982.247-**', consent: { textVersion: '2026-1' } },
      ])
      for (const secret of ['52998224725', 'example.com', '192.0.2.7', 'v1.']) expect(text).not.toContain(secret)
      const found = async (query: string) =>
        (await call('GET', `${path}&${query}`)).body.items.map(({ id }: { id: string }) => id)
      expect(await found('identifier=52998224725')).toEqual([cpf.id])
      expect(await found('identifier=5299822472')).toEqual([])
      expect(await found('limit=1')).toEqual([mail.id])
      expect(await found('state=deleted')).toEqual([])
      expect(refusal(await call('GET', `${path}&identifier=%00`))).toEqual([400, 'INVALID_REQUEST'])
      expect(world().log()).not.toContain('52998224725')
    })

    test('are deleted with their templates and the pictures of their sessions, which is an event', async () => {
      const { call, email } = await signedIn(world())
      const manager = await clientAt(world(), { roles: ['Manager'] })
      const neighbour = await clientAt(world())
      const { id, sessionId } = await enrolled(world(), manager.subscriptionId, '52998224725')
      const same = await enrolled(world(), neighbour.subscriptionId, '52998224725')
      expect((await manager.json('GET', `/api/bio/sessions/${sessionId}/result-data`)).status).toBe(200)
      // One that has begun, and may go on until it finds that there is nobody to compare with.
      const begun = { returnUrl: 'https://app.example/back', subject: { id } }
      expect((await manager.json('POST', '/api/bio/sessions/authentication', begun)).status).toBe(200)
      for (const _ of [1, 2]) expect((await call('DELETE', `/api/bio-subjects/${id}`)).status).toBe(204)
      const rows = async (of: string) => {
        const subject = await world().store.db.selectFrom('bio_subject').selectAll().where('id', '=', of).execute()
        const sessions = world().store.db.selectFrom('bio_session').selectAll().where('subject_id', '=', of)
        return [...subject, ...(await sessions.execute())]
      }
      const gone = JSON.stringify(await rows(id))
      for (const trace of ['52998224725', 'v1.', '192.0.2.7', 'textVersion']) expect(gone).not.toContain(trace)
      expect(JSON.stringify(await rows(same.id))).toContain('52998224725')
      const data = await manager.json('GET', `/api/bio/sessions/${sessionId}/result-data`)
      expect(data.body.code).toBe('BioResultDataNotAvailable')
      const path = `/api/bio-subjects?subscriptionId=${manager.subscriptionId}&state=deleted`
      expect((await call('GET', path)).body.items).toMatchObject([
        { id, identifier: null, consent: null, enrolledAt: null, deletedAt: world().clock().toISOString() },
      ])
      const { items } = (await call('GET', `/api/events?type=BioSubjectDeleted&q=${id}`)).body
      expect(items).toMatchObject([{ actor: email, subject: { kind: 'bio-subject', id } }])
      for (const unknown of [crypto.randomUUID(), '%00'])
        expect(refusal(await call('DELETE', `/api/bio-subjects/${unknown}`))).toEqual([422, 'BioSubjectNotFound'])
    })

    test('deleted by an application are the same event, under its name', async () => {
      const { call } = await signedIn(world())
      const manager = await clientAt(world(), { roles: ['Manager'] })
      const { id } = await enrolled(world(), manager.subscriptionId, 'x')
      expect((await manager.json('DELETE', `/api/bio/subjects/${id}`)).status).toBe(200)
      const { items } = (await call('GET', `/api/events?type=BioSubjectDeleted&q=${id}`)).body
      expect(items).toMatchObject([{ actor: expect.stringMatching(/^application:app /) }])
    })
  })
}
