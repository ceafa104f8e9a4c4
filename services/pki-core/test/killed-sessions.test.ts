// A process of the service that is killed in the middle of a session or a signature, and another that goes on with it.
import { samplePdf } from '@chancela/testkit/samples'
import { callerOf, startServiceWorld, withSections } from '@chancela/testkit/service-world'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newTokenStation } from '../../session-server/test/test-support/workstation.ts'
import { pkiCore } from '../src/index.ts'
import type { PkiCoreSettings } from '../src/settings.ts'
import type { Tables } from '../src/store/tables.ts'
import { coreSurface } from '../src/surfaces.ts'
import { databases, ownSettings } from './test-support/core-world.ts'
import { clock, signedBy } from './test-support/pki.ts'
import { placeOf, type ServiceProcess, usual } from './test-support/processes.ts'
import {
  begin,
  pageOf,
  pdfDocument,
  setCertificate,
  signaturesOf,
  signedFiles,
  submit,
} from './test-support/sessions.ts'
import { complete, download, inline, pdfsig, prepare } from './test-support/signing.ts'
import { approve, sharedTokens, tokenClock, untilEnded, withTokens } from './test-support/tokens.ts'

const ANA = 'ana-souza'
const COUNT = 12
const MINUTE = 60_000

async function place(database: (typeof databases)[number], how = usual) {
  const { store, dataFolder, client, start } = await placeOf(database)
  const child = await start(how)
  const next = async () => {
    const world = await startServiceWorld<Tables, PkiCoreSettings>(pkiCore, {
      database,
      clock: how.time,
      settings: how.settings,
      after: { store, dataFolder },
    })
    onTestFinished(() => world.close())
    const baseUrl = world.urlOf(coreSurface.name)
    return { baseUrl, ...callerOf(baseUrl, { 'X-Api-Key': client.apiKey }) }
  }
  const made = async () => await store.db.selectFrom('document').select(['id', 'signed_digest']).execute()
  return { store, child, next, made }
}

const documents = Array.from({ length: COUNT }, (_, n) => pdfDocument(samplePdf(`Contract ${n}`), `contract-${n}.pdf`))

const sessions = sharedTokens()

for (const database of databases) {
  describe(`killed processes on ${database}`, () => {
    test('another process makes the documents that are left, and none twice', async () => {
      const { child, next, made } = await place(database)
      const session = await begin(child, { enableBackgroundProcessing: true, documents })
      const { body } = await setCertificate(session, ANA)
      expect((await submit(session, signaturesOf(ANA, body))).body.status).toBe('Processing')
      await vi.waitUntil(async () => (await made()).length > 0, { interval: 2 })
      await child.kill()
      const before = await made()
      expect(before.length).toBeLessThan(COUNT)
      // The lease of the process that is gone has to end.
      clock.advance(2 * MINUTE)
      const other = await next()
      const path = `/api/signature-sessions/${session.id}`
      await vi.waitUntil(async () => (await other.json('GET', `${path}/when-completed`)).body.completed)
      const after = await made()
      expect(after).toHaveLength(COUNT)
      expect(after).toEqual(expect.arrayContaining(before))
      const completed = (await other.json('GET', path)).body
      expect(completed.status).toBe('Completed')
      const files = await signedFiles(completed)
      expect(await pdfsig(files.at(-1)!)).toContain('Signature is Valid.')
    })

    test('signatures that were cut off are sent again, and end the session', async () => {
      const { child, next, made } = await place(database)
      const session = await begin(child, { documents })
      const { body } = await setCertificate(session, ANA)
      const request = signaturesOf(ANA, body)
      const cut = submit(session, request).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 40))
      await child.kill()
      expect(await cut).toBeUndefined()
      expect(await made()).toEqual([])
      const other = await next()
      expect((await submit(pageOf(other, session.token), request)).body.status).toBe('Completed')
      expect(await made()).toHaveLength(COUNT)
    })

    test('a signature that was prepared is completed, and a completion that was cut off has happened once or does', async () => {
      const { child, next, made } = await place(database)
      const signatures = await begun(child)
      // At every moment of the work: some have ended, one has not begun, most are in between.
      const cut = signatures
        .slice(1)
        .map(({ state, signature }) => complete(child, state, signature).catch(() => undefined))
      await Promise.race([...cut, new Promise((resolve) => setTimeout(resolve, 250))])
      await child.kill()
      const answered = [undefined, ...(await Promise.all(cut)).map((answer) => answer?.status)]
      const before = await made()
      const other = await next()
      for (const [n, { state, signature, key }] of signatures.entries()) {
        const again = await complete(other, state, signature)
        const { body: document } = await other.json('GET', `/api/documents/keys/${key}`)
        expect(again.status === 200 || again.body.code === 'InvalidToken', again.text).toBe(true)
        // Whoever was answered finds it, and whoever was not has it once.
        if (answered[n] === 200) expect(again.body.code).toBe('InvalidToken')
        expect(await pdfsig(await download(document.document.signedFile.url))).toContain('Signature is Valid.')
      }
      const after = await made()
      expect(after).toHaveLength(signatures.length)
      expect(after).toEqual(expect.arrayContaining(before))
    })

    test('a token that was about to sign has signed or not: the next process says which, and the person goes on', async () => {
      // Before the process: it moves the clock, which the process takes along.
      const station = await newTokenStation(sessions())
      const how = { settings: withSections(ownSettings, withTokens(sessions())), time: tokenClock }
      const { store, child, next, made } = await place(database, how)
      const session = await begin(child, {
        documents,
        certificateRequirements: [{ type: 'Cpf', argument: station.cpf }],
      })
      const path = '/api/signature-session/token-signatures'
      const { body } = await session.page('POST', path)
      await approve(station)
      const isTaken = async () => {
        const { taken_at } = await store.db
          .selectFrom('signature_session_signing')
          .select('taken_at')
          .executeTakeFirstOrThrow()
        return taken_at !== null
      }
      await vi.waitUntil(
        () => {
          void session.page('POST', `${path}/${body.id}`).catch(() => {})
          return isTaken()
        },
        { interval: 20 },
      )
      await child.kill()
      tokenClock.advance(7 * MINUTE)
      const other = await next()
      const there = pageOf(other, session.token)
      const { outcome } = (await there.page('POST', `${path}/${body.id}`)).body
      expect(outcome).toBe((await made()).length === 0 ? 'failed' : 'signed')
      if (outcome === 'failed') {
        const again = (await there.page('POST', path)).body
        await approve(station)
        expect(await untilEnded(() => there.page('POST', `${path}/${again.id}`))).toBe('signed')
      }
      expect(await made()).toHaveLength(COUNT)
      const completed = (await other.json('GET', `/api/signature-sessions/${session.id}`)).body
      const files = await signedFiles(completed)
      expect(await pdfsig(files.at(-1)!)).toContain('Signature is Valid.')
    })
  })
}

const SIGNATURES = 10

/** Signatures that were prepared, each for a key that was allocated before. */
async function begun(client: ServiceProcess) {
  const prepareOne = async (_: unknown, n: number) => {
    const { key } = (await client.json('POST', '/api/document-keys')).body
    const file = inline(`a-${n}.pdf`, samplePdf(`a ${n}`))
    const { state, toSign } = (await prepare(client, ANA, { file, documentKey: key })).body
    return { key, state, signature: signedBy(ANA, toSign.data) }
  }
  return Promise.all(Array.from({ length: SIGNATURES }, prepareOne))
}
