import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modificationRules, runTool, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { clock } from './test-support/pki.ts'
import {
  databases,
  newClient,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
  testOnce,
} from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import {
  fetchWhenReady,
  newPdf,
  newSession,
  openSession,
  rowsOf,
  signBatch,
  signForm,
  signJson,
} from './test-support/signing.ts'
import { holdInVault, lookNow } from './test-support/vault.ts'

const service = sharedSignatureService()

/** A signed PDF as independent programs judge it. */
async function judged(world: SessionWorld, signatureId: string) {
  const answer = await fetchWhenReady(world, signatureId)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  const file = join(world.dataFolder, `${signatureId}.pdf`)
  await writeFile(file, bytes)
  const [signatures, structure] = await Promise.all([runTool('pdfsig', [file]), runTool('qpdf', ['--check', file])])
  expect(structure.text).toContain('No syntax or stream encoding errors found')
  return { bytes, headers: answer.headers, text: signatures.text }
}

for (const database of databases) {
  describe(`signing on ${database}`, () => {
    const once = testOnce(database)
    const shared = sharedSessionServer(database, { signer: service })

    test('a PDF given as base64 in JSON is signed under the session, and fetched by its signature id', async () => {
      const world = shared()
      const { sessionId, cpf, id } = await newSession(world)
      const pdf = newPdf()
      const { status, body } = await signJson(world, sessionId, pdf, { fileName: 'C:\\pasta\\Contrato de locação.pdf' })
      expect([status, body]).toEqual([
        202,
        { signatureId: expect.any(String), status: 'PROCESSING', acceptedAt: clock().toISOString() },
      ])
      const { bytes, headers, text } = await judged(world, body.signatureId)
      expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true)
      // Its pages are the client's: the signature service would put its verification code onto them.
      expect((await runTool('pdftotext', [join(world.dataFolder, `${body.signatureId}.pdf`), '-'])).text).not.toContain(
        '/validate/',
      )
      expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Contrato%20de%20loca%C3%A7%C3%A3o.pdf")
      expect(Number(headers.get('content-length'))).toBe(bytes.length)
      expect(text).toContain('Signature is Valid')
      expect(text).toContain(`TITULAR ${cpf}`)
      const rows = (await rowsOf(world)).filter((row) => row.cpf === cpf)
      expect(rows).toEqual([
        expect.objectContaining({
          certificate_id: id,
          application_id: world.client.id,
          custody: 'vault',
          file_name: 'Contrato de locação.pdf',
          bytes: pdf.length,
          sha256: createHash('sha256').update(pdf).digest('hex'),
          state: 'Signed',
          document_id: body.signatureId,
          code: null,
          batch_id: null,
          correlation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          ended_at: clock().toISOString(),
          look_at: null,
        }),
      ])
      expect(JSON.stringify(rows)).not.toContain(sessionId)
    })

    once('a PDF given as a file part named document is signed, its name taken from the part', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      const { status, body } = await signForm(world, sessionId, newPdf(3_000_000), '../../laudo médico.pdf')
      expect([status, body.status]).toEqual([202, 'PROCESSING'])
      const { headers, text } = await judged(world, body.signatureId)
      expect(text).toContain('Signature is Valid')
      expect(headers.get('content-disposition')).toContain('laudo%20m%C3%A9dico.pdf')
    })

    once('the first signature has the rule the official validator looks for, a later one has none', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      const signed = async (pdf: Buffer) =>
        (await judged(world, (await signJson(world, sessionId, pdf)).body.signatureId)).bytes
      const twice = await signed(await signed(newPdf()))
      expect(await modificationRules(twice)).toEqual({
        permissions: undefined,
        references: [WANTED_REFERENCE, null],
      })
    })

    for (const NotifySigner of [false, true])
      once(
        `the holder is mailed of signed and canceled documents ${NotifySigner ? 'where the settings ask for it' : 'never unless the settings ask for it'}`,
        async () => {
          const world = await startSessionServer(database, { signer: service, settings: { Signer: { NotifySigner } } })
          const email = `titular-${NotifySigner}-${world.store.service}@example.com`
          const { sessionId } = await newSession(world, { email })
          const { signatureId } = (await signJson(world, sessionId, newPdf())).body
          expect((await fetchWhenReady(world, signatureId)).status).toBe(200)
          // The platform writes its mails in the transaction of the signature.
          expect(await service().mailsTo(email)).toBe(NotifySigner ? 1 : 0)
        },
      )

    once('any valid key may fetch any document whose id it knows', async () => {
      const world = shared()
      const { sessionId } = await newSession(world)
      const { body } = await signJson(world, sessionId, newPdf())
      await fetchWhenReady(world, body.signatureId)
      const other = await newClient(world.store)
      const fetched = () =>
        fetch(`${world.baseUrl}/v1/signatures/${body.signatureId}/document`, { headers: { 'X-API-Key': other.apiKey } })
      // A new key is known after a moment.
      await expect.poll(async () => (await fetched()).status).toBe(200)
    })

    test('a batch signs its documents each for itself and answers in the order the parts arrived', async () => {
      const world = shared()
      const { sessionId, cpf } = await newSession(world)
      const big = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10_485_760, 'x')])
      const { status, body } = await signBatch(world, sessionId, [
        ['um.pdf', newPdf()],
        ['vazio.pdf', ''],
        ['grande.pdf', big],
        ['texto.txt', 'not a PDF'],
        ['quebrado.pdf', '%PDF-1.7 and nothing else'],
        ['dois.pdf', newPdf(40_000)],
      ])
      expect([status, body.acceptedAt]).toEqual([202, clock().toISOString()])
      const error = (code: string) => ({
        signatureId: null,
        status: 'ERROR',
        error: { code, message: expect.any(String) },
      })
      const accepted = { signatureId: expect.any(String), status: 'PROCESSING', error: null }
      expect(body.results).toEqual([
        { fileName: 'um.pdf', ...accepted },
        { fileName: 'vazio.pdf', ...error('INVALID_DOCUMENT') },
        {
          fileName: 'grande.pdf',
          signatureId: null,
          status: 'ERROR',
          error: {
            code: 'DOCUMENT_TOO_LARGE',
            message: expect.any(String),
            details: { sizeBytes: big.length, limitBytes: 10_485_760 },
          },
        },
        { fileName: 'texto.txt', ...error('UNSUPPORTED_DOCUMENT') },
        {
          fileName: 'quebrado.pdf',
          signatureId: null,
          status: 'ERROR',
          error: {
            code: 'SIGNER_REJECTED',
            message: expect.any(String),
            details: { code: 'DocumentDamaged', message: expect.any(String) },
          },
        },
        { fileName: 'dois.pdf', ...accepted },
      ])
      for (const at of [0, 5])
        expect((await judged(world, body.results[at].signatureId)).text).toContain('Signature is Valid')
      const rows = (await rowsOf(world)).filter((row) => row.cpf === cpf)
      expect(rows.map(({ file_name, state, code }) => [file_name, state, code]).sort()).toEqual([
        ['dois.pdf', 'Signed', null],
        ['quebrado.pdf', 'Failed', 'SIGNER_REJECTED'],
        ['um.pdf', 'Signed', null],
      ])
      expect(new Set(rows.map(({ batch_id }) => batch_id))).toEqual(new Set([expect.any(String)]))
    })
  })
}

describe('the log of signatures', () => {
  const shared = sharedSessionServer('SQLite', { signer: service })

  test('is kept for Signing:LogDays; what is still open is kept until it is known', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    for (let signed = 0; signed < 3; signed += 1) await signJson(world, sessionId, newPdf())
    const [young, old, open] = await rowsOf(world)
    const age = (id: string, look_at: string | null) =>
      world.store.db
        .updateTable('signature')
        .set({ started_at: '2025-11-01T00:00:00.000Z', look_at })
        .where('id', '=', id)
        .execute()
    await age(old!.id, null)
    await age(open!.id, '2030-01-01T00:00:00.000Z')
    await lookNow(world)
    await expect.poll(async () => (await rowsOf(world)).map(({ id }) => id)).toEqual([young!.id, open!.id])
  })
})

describe('a certificate with another kind of key', () => {
  const shared = sharedSessionServer('SQLite', { signer: service })

  test.each(['davi-moreira', 'carla-nogueira'])('signs: %s', async (label) => {
    const world = shared()
    const { cpf } = await holdInVault(world, label)
    const { sessionId } = await openSession(world, cpf)
    const { body } = await signJson(world, sessionId, newPdf())
    expect((await judged(world, body.signatureId)).text).toContain('Signature is Valid')
  })
})

describe('a session of one allowance', () => {
  const shared = sharedSessionServer('SQLite', { signer: service, settings: { Sessions: { SignatureAllowance: 1 } } })

  test('ends after every signature', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    expect((await signJson(world, sessionId, Buffer.from('not a PDF'))).body.error.code).toBe('UNSUPPORTED_DOCUMENT')
    expect((await signJson(world, sessionId, newPdf())).status).toBe(202)
    expect((await signJson(world, sessionId, newPdf())).body.error.code).toBe('SESSION_EXPIRED')
  })

  test('a batch counts as one call for the allowance', async () => {
    const world = shared()
    const { sessionId } = await newSession(world)
    const { body } = await signBatch(world, sessionId, [
      ['a.pdf', newPdf()],
      ['b.pdf', newPdf()],
      ['c.pdf', newPdf()],
    ])
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('PROCESSING'))
    expect((await signBatch(world, sessionId, [['d.pdf', newPdf()]])).body.error.code).toBe('SESSION_EXPIRED')
  })
})
