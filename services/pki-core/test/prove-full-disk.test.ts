// The disk is full: what needs room is refused with a code that says so, nothing that was answered is lost, and the
// service goes on by itself when there is room again. `npm run prove:full-disk` runs it: not every machine lets a process
// have a small disk of its own.
import { fillDisk } from '@chancela/testkit/programs'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { signedBy } from './test-support/pki.ts'
import { onSmallDisk, type ServiceProcess } from './test-support/processes.ts'
import {
  begin,
  pdfDocument,
  readSession,
  setCertificate,
  signAll,
  signaturesOf,
  signedFiles,
  submit,
} from './test-support/sessions.ts'
import { complete, download, inline, pdfsig, prepare } from './test-support/signing.ts'

const ANA = 'ana-souza'
const pdf = () => samplePdf(`Contrato ${crypto.randomUUID()}`, 200_000)
const documents = () => [pdfDocument(pdf(), 'a.pdf'), pdfDocument(pdf(), 'b.pdf')]

const full = { status: 503, body: { reason: expect.stringContaining('disk is full'), message: expect.any(String) } }

const uploading = ({ json }: ServiceProcess) => json('POST', '/api/plain-uploads', { bytes: pdf().toString('base64') })

const beginning = ({ json }: ServiceProcess) => json('POST', '/api/signature-sessions', { documents: documents() })

const starting = ({ json }: ServiceProcess) =>
  json('POST', '/Api/Authentications', { securityContextId: builtInContexts.pkiBrazil })

/** Begins authentications until there is no room for one more: the database has some left when files have none. */
async function startUntilRefused(core: ServiceProcess): Promise<readonly string[]> {
  const tokens: string[] = []
  for (;;) {
    const answer = await starting(core)
    if (answer.status !== 200) {
      expect(answer).toMatchObject(full)
      return tokens
    }
    tokens.push(answer.body.token)
  }
}

describe('a full disk', () => {
  test('refuses what needs room, loses nothing that was answered, and is no hindrance once there is room', async () => {
    const core = await onSmallDisk(24)
    const signed = await begin(core, { documents: documents() })
    expect((await signAll(signed, ANA)).body.status).toBe('Completed')
    const waiting = await begin(core, { documents: documents() })
    const request = signaturesOf(ANA, (await setCertificate(waiting, ANA)).body)
    const background = await begin(core, { enableBackgroundProcessing: true, documents: documents() })
    const later = signaturesOf(ANA, (await setCertificate(background, ANA)).body)
    const prepared = (await prepare(core, ANA, { file: inline('a.pdf', pdf()) })).body
    const signature = signedBy(ANA, prepared.toSign.data)

    const giveBack = fillDisk(core.ballast)
    expect(await uploading(core)).toMatchObject(full)
    expect(await beginning(core)).toMatchObject(full)
    expect(await complete(core, prepared.state, signature)).toMatchObject(full)
    expect(await submit(waiting, request)).toMatchObject(full)
    // What has come to the database is made into documents when there is room.
    const handed = await submit(background, later)
    if (handed.status !== 200) expect(handed).toMatchObject(full)
    const tokens = await startUntilRefused(core)
    expect(await readSession(core, waiting.id)).toMatchObject({ status: 'Pending' })
    const [kept] = await signedFiles(await readSession(core, signed.id))
    expect(await pdfsig(kept!)).toContain('Signature is Valid.')

    giveBack()
    expect((await uploading(core)).status).toBe(200)
    expect((await beginning(core)).status).toBe(200)
    const document = await complete(core, prepared.state, signature)
    expect(await pdfsig(await download(document.body.signedFile.url))).toContain('Signature is Valid.')
    expect((await submit(waiting, request)).body.status).toBe('Completed')
    if (handed.status !== 200) expect((await submit(background, later)).status).toBe(200)
    const status = async () => (await readSession(core, background.id)).status
    await vi.waitUntil(async () => (await status()) !== 'Processing', { interval: 200, timeout: 60_000 })
    for (const { id } of [waiting, background]) {
      const session = await readSession(core, id)
      expect(session.status).toBe('Completed')
      for (const file of await signedFiles(session)) expect(await pdfsig(file)).toContain('Signature is Valid.')
    }
    for (const token of tokens) expect((await core.json('GET', `/Api/PendingSignatures/${token}`)).status).toBe(200)
    expect((await starting(core)).status).toBe(200)
  })
})
