// A person signs the documents of a session with a token at a computer whose agent has dialled out.
import { MINUTE } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { running } from '../../session-server/test/test-support/pki.ts'
import { newTokenStation, type TokenStation, untilOver } from '../../session-server/test/test-support/workstation.ts'
import {
  type CoreWorld,
  clientAt,
  databases,
  secondCore,
  sharedCore,
  startCore,
  testOnce,
} from './test-support/core-world.ts'
import { begin, type Page, pageOf, pdfDocument, readSession, signedFiles } from './test-support/sessions.ts'
import { inline, pdfsig } from './test-support/signing.ts'
import { approve, sharedTokens, tokenClock, untilEnded, withTokens } from './test-support/tokens.ts'

const PATH = '/api/signature-session/token-signatures'

const contract = samplePdf('Contract')
const documents = [pdfDocument(contract), pdfDocument(samplePdf('Annex'), 'annex.pdf')]

const ask = ({ page }: Page) => page('POST', PATH)
const look = ({ page }: Page, id: string) => page('POST', `${PATH}/${id}`)

/** A session that asks for the holder of a station. */
const sessionFor = (world: CoreWorld, { cpf }: Pick<TokenStation, 'cpf'>, over: object = {}) =>
  begin(world, { documents, certificateRequirements: [{ type: 'Cpf', argument: cpf }], ...over })

const statusOf = async (world: CoreWorld, id: string) => (await readSession(world, id)).status

/** pdfsig accepts every document of a session. */
async function acceptedBy(world: CoreWorld, id: string) {
  const session = await readSession(world, id)
  expect(session.status).toBe('Completed')
  for (const file of await signedFiles(session)) {
    const said = await pdfsig(file)
    expect(said).toContain('Signature is Valid.')
    expect(said).not.toContain('Signature #2')
  }
  return session
}

const sessions = sharedTokens()

for (const database of databases) {
  describe(`a token in a session on ${database}`, () => {
    const open = sharedCore(database, () => withTokens(sessions()), tokenClock)
    const once = testOnce(database)

    test('found by CPF signs all documents of the session, and pdfsig accepts them', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      expect((await session.page('GET', '/api/signature-session')).body).toMatchObject({
        allowToken: true,
        allowCloudCertificate: false,
      })
      const { status, body } = await ask(session)
      expect([status, body.code]).toEqual([200, expect.stringMatching(/^.{4}-.{4}$/)])
      expect((await look(session, body.id)).body).toEqual({ state: 'waiting', outcome: null })
      const { html } = await approve(station)
      for (const told of [body.code, new URL(world.baseUrl).host, 'subscription', 'contract.pdf', 'annex.pdf'])
        expect(html).toContain(told)
      expect(await untilEnded(() => look(session, body.id))).toBe('signed')
      const { signerCertificate } = await acceptedBy(world, session.id)
      expect(signerCertificate.pkiBrazil.cpf).toBe(station.cpf)
      // A look that comes late tells the same.
      expect((await look(session, body.id)).body.outcome).toBe('signed')
    })

    once('signs as many documents as a session may have, by one approval', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const many = Array.from({ length: 100 }, (_, n) => ({ file: inline(`${n}.txt`, `document ${n}`) }))
      const session = await sessionFor(world, station, { documents: many })
      const { body } = await ask(session)
      expect((await approve(station)).html).toContain('99.txt')
      expect(await untilEnded(() => look(session, body.id))).toBe('signed')
      expect((await readSession(world, session.id)).documents).toHaveLength(100)
    })

    test('joins by the code, in a session that names nobody; what was asked before is withdrawn', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await begin(world, { documents })
      const other = await ask(session)
      const { body } = await ask(session)
      expect(await station.agent.pair(other.body.code)).toBe('not-found')
      expect((await look(session, other.body.id)).body.outcome).toBe('canceled')
      expect(await station.agent.pair(body.code)).toBe('found')
      await approve(station)
      expect(await untilEnded(() => look(session, body.id))).toBe('signed')
      await acceptedBy(world, session.id)
    })

    test('two processes: of many looks at both one signs', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const other = await secondCore(world, database, withTokens(sessions()))
      const session = await sessionFor(world, station)
      const there = pageOf(other, session.token)
      const { body } = await ask(session)
      expect((await look(there, body.id)).body.state).toBe('waiting')
      await approve(station)
      const looks = [session, there, session, there].map((page) => untilEnded(() => look(page, body.id)))
      expect(await Promise.all(looks)).toEqual(['signed', 'signed', 'signed', 'signed'])
      await acceptedBy(world, session.id)
    })

    test('a session that is processed in the background is handed over', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station, { enableBackgroundProcessing: true })
      const { body } = await ask(session)
      await approve(station)
      expect(await untilEnded(() => look(session, body.id))).toBe('signed')
      await expect.poll(() => statusOf(world, session.id)).toBe('Completed')
      await acceptedBy(world, session.id)
    })

    test('a holder who declines signs nothing, and may be asked again', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      await (await station.desktop.nextPage()).send({ action: 'decline' })
      expect(await untilEnded(() => look(session, body.id))).toBe('declined')
      expect(await statusOf(world, session.id)).toBe('Pending')
      const again = await ask(session)
      await approve(station)
      expect(await untilEnded(() => look(session, again.body.id))).toBe('signed')
    })

    test('the certificate of somebody else signs nothing, and its PIN is forgotten', async () => {
      const world = open()
      const [station, stranger] = [await newTokenStation(sessions()), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      await stranger.agent.pair(body.code)
      await approve(stranger)
      expect(await untilEnded(() => look(session, body.id))).toBe('cpf-mismatch')
      expect(await statusOf(world, session.id)).toBe('Pending')
      await expect.poll(() => stranger.said).toContain(`The PIN of ${stranger.label} is forgotten.`)
    })

    once('a certificate that was revoked, or is not of the kind that is asked for, signs nothing', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const device = await sessionFor(world, station, { certificateRequirements: [{ type: 'CryptoDevice' }] })
      const asked = await ask(device)
      await station.agent.pair(asked.body.code)
      await approve(station)
      expect(await untilEnded(() => look(device, asked.body.id))).toBe('certificate-type')
      const revoked = await newTokenStation(sessions())
      running.pki.revoke(revoked.issued, { reason: 'keyCompromise' })
      tokenClock.advance(6 * MINUTE)
      const session = await begin(world, { documents })
      const { body } = await ask(session)
      await revoked.agent.pair(body.code)
      await approve(revoked)
      expect(await untilEnded(() => look(session, body.id))).toBe('certificate-invalid')
      expect(await statusOf(world, session.id)).toBe('Pending')
    })

    test('what the holder was not shown is not signed: a document that came meanwhile', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await begin(world, {})
      expect((await ask(session)).body.code).toBe('BadSignatureSessionOperation')
      await session.bring('one.pdf', contract, 'application/pdf')
      const { body } = await ask(session)
      await session.bring('two.txt', 'two')
      await station.agent.pair(body.code)
      await approve(station)
      expect(await untilEnded(() => look(session, body.id))).toBe('changed')
      const again = await ask(session)
      await station.agent.pair(again.body.code)
      await approve(station)
      expect(await untilEnded(() => look(session, again.body.id))).toBe('signed')
      expect((await readSession(world, session.id)).documents).toHaveLength(2)
    })

    test('a session that is canceled or deleted takes the question back, and nothing is signed', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const canceled = await sessionFor(world, station)
      const { body } = await ask(canceled)
      const window = await station.desktop.nextPage()
      expect((await canceled.page('POST', '/api/signature-session/cancellation')).body.status).toBe('UserCancelled')
      await untilOver(window)
      expect((await look(canceled, body.id)).body.outcome).toBe('canceled')
      expect((await ask(canceled)).body.code).toBe('BadSignatureSessionOperation')
      const deleted = await sessionFor(world, station)
      const asked = await ask(deleted)
      const next = await station.desktop.nextPage()
      expect((await world.json('DELETE', `/api/signature-sessions/${deleted.id}`)).status).toBe(200)
      await untilOver(next)
      expect((await look(deleted, asked.body.id)).body.code).toBe('BadSignatureSessionToken')
    })

    once('a person who goes on in another way takes the question back', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      const page = await station.desktop.nextPage()
      expect((await session.page('DELETE', `${PATH}/${body.id}`)).status).toBe(204)
      await untilOver(page)
      expect((await look(session, body.id)).body.outcome).toBe('canceled')
    })

    test('a process that was killed in the middle has signed or not, and both is told', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      // As a process leaves it that took the approval, and is gone.
      const cut = (set: { taken_at: string; outcome?: null }) =>
        world.store.db.updateTable('signature_session_signing').set(set).where('id', '=', body.id).execute()
      await cut({ taken_at: tokenClock().toISOString() })
      expect((await look(session, body.id)).body).toEqual({ state: 'signing', outcome: null })
      tokenClock.advance(7 * MINUTE)
      expect((await look(session, body.id)).body.outcome).toBe('failed')
      const again = await ask(session)
      await approve(await nextWindow(station))
      expect(await untilEnded(() => look(session, again.body.id))).toBe('signed')
      await cut({ taken_at: tokenClock().toISOString(), outcome: null })
      expect((await look(session, body.id)).body.outcome).toBe('signed')
      await acceptedBy(world, session.id)
    })

    once('an agent that goes away in the middle signs nothing', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      await approve(station)
      await station.agent.stop()
      expect(await untilEnded(() => look(session, body.id))).toBe('agent-gone')
      expect(await statusOf(world, session.id)).toBe('Pending')
    })

    once('expires with the approval, or with the session', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      await station.desktop.nextPage()
      tokenClock.advance(6 * MINUTE)
      expect(await untilEnded(() => look(session, body.id))).toBe('expired')
      const late = await ask(session)
      tokenClock.advance(5 * 60 * MINUTE)
      expect((await look(session, late.body.id)).body.code).toBe('ExpiredSignatureSessionToken')
      expect((await ask(session)).body.code).toBe('ExpiredSignatureSessionToken')
      expect(await statusOf(world, session.id)).toBe('Expired')
    })

    test('nobody looks at or cancels what was asked in another session, of this subscription or another', async () => {
      const [world, station] = [open(), await newTokenStation(sessions())]
      const foreign = await clientAt(world)
      const session = await sessionFor(world, station)
      const { body } = await ask(session)
      for (const client of [world, foreign]) {
        const other = await begin({ ...client, baseUrl: world.baseUrl }, { documents })
        expect((await look(other, body.id)).body.code).toBe('TokenSigningNotFound')
        expect((await other.page('DELETE', `${PATH}/${body.id}`)).body.code).toBe('TokenSigningNotFound')
      }
      await approve(station)
      expect(await untilEnded(() => look(session, body.id))).toBe('signed')
    })
  })
}

/** The station once its last question has left the screen. */
async function nextWindow(station: TokenStation): Promise<TokenStation> {
  await station.desktop.nextPage()
  return station
}

test('where no session server is configured, or it does not answer, no token is offered or used', async () => {
  const away = withTokens({ baseUrl: 'http://127.0.0.1:9', client: { ...sessions().client, apiKey: 'key' } })
  for (const [settings, isOffered] of [
    [{}, false],
    [away, true],
  ] as const) {
    const session = await begin(await startCore('SQLite', settings, tokenClock), { documents })
    expect((await session.page('GET', '/api/signature-session')).body.allowToken).toBe(isOffered)
    expect((await ask(session)).body.code).toBe('TokensNotAvailable')
  }
})
