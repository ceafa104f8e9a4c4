import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { samplePdf, sampleXml } from '@chancela/testkit/samples'
import { modificationRules, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import {
  approver,
  createDocument,
  databases,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  ticketOf,
} from './test-support/platform-world.ts'
import {
  certificateOf,
  clock,
  complete,
  contentOf,
  holder,
  judges,
  running,
  signAs,
  signHash,
  start,
  trusting,
} from './test-support/signers.ts'

const ana = holder('ana-souza')
const bruno = holder('bruno-lima')
const davi = holder('davi-moreira')

for (const database of databases) {
  describe(`signatures with certificates on ${database}`, () => {
    const open = sharedPlatform(database, { settings: trusting(), clock })
    const once = testOnce(database)

    const concluded = (world: Awaited<ReturnType<typeof open>>, id: string) =>
      vi.waitUntil(async () => (await world.json('GET', `/api/documents/${id}`)).body.status === 'Concluded', {
        interval: 20,
      })

    test('two signers and an approver complete a flow, step by step, and the PDF has both signatures', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana), signer(davi, { step: 2 }), approver(bruno, { step: 3 })])
      expect((await signAs(world, id, 'ana-souza')).body).toMatchObject({
        success: true,
        validationResults: { isValid: true, errors: [] },
      })
      const half = await world.json('GET', `/api/documents/${id}`)
      expect(half.body).toMatchObject({
        status: 'Pending',
        hasSignature: true,
        flowActions: [{ status: 'Completed' }, { status: 'Pending' }, { status: 'Created' }],
      })
      expect((await signAs(world, id, 'davi-moreira')).body.success).toBe(true)
      const { key, ticket } = await ticketOf(world, id, bruno.identifier)
      expect((await world.json('POST', `/api/documents/keys/${key}/approval`, { ticket })).status).toBe(200)
      await concluded(world, id)
      const { bytes, headers } = await contentOf(world, id)
      expect(headers.get('content-type')).toBe('application/pdf')
      const told = await judges.pdf(bytes, 2)
      expect(told).toContain('Total document signed')
      // The first signature has the rule the official validator looks for, the second has none.
      expect(await modificationRules(bytes)).toEqual({ permissions: undefined, references: [WANTED_REFERENCE, null] })
      expect(bytes.subarray(0, samplePdf('Contrato').length).equals(samplePdf('Contrato'))).toBe(true)
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body).toMatchObject({
        isConcluded: true,
        signers: [
          { subjectName: expect.stringMatching(/ana beatriz souza/i), identifier: ana.identifier, isElectronic: false },
          { identifier: davi.identifier },
        ],
      })
      for (const one of body.signers) expect(one.validationResults).toMatchObject({ isValid: true, errors: [] })
      expect(body.signers[0].evidences).toMatchObject({ ipAddress: '127.0.0.1', authenticationTypes: ['Certificate'] })
    })

    once('signers of one step sign in any order', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana), signer(bruno)])
      for (const label of ['bruno-lima', 'ana-souza']) expect((await signAs(world, id, label)).body.success).toBe(true)
      await concluded(world, id)
      await judges.pdf((await contentOf(world, id)).bytes, 2)
    })

    once('any file is signed as CMS, and later signers sign the same content', async () => {
      const world = await open()
      const file = Buffer.from('qualquer conteúdo\n')
      const id = await createDocument(world, [signer(ana), signer(davi, { step: 2 })], { file, name: 'ação.bin' })
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      expect(await judges.cms((await contentOf(world, id)).bytes)).toEqual(file)
      expect((await signAs(world, id, 'davi-moreira')).body.success).toBe(true)
      await concluded(world, id)
      const { bytes, headers } = await contentOf(world, id)
      expect(await judges.cms(bytes)).toEqual(file)
      expect(headers.get('content-type')).toBe('application/pkcs7-signature')
      expect(headers.get('content-disposition')).toContain("filename*=UTF-8''a%C3%A7%C3%A3o.bin.p7s")
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body.signers.map((one: { identifier: string }) => one.identifier).toSorted()).toEqual(
        [ana.identifier, davi.identifier].toSorted(),
      )
      expect(
        body.signers.every((one: { validationResults: { isValid: boolean } }) => one.validationResults.isValid),
      ).toBe(true)
    })

    once('a PDF is signed as CMS where the request forces it', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)], { forceCadesSignature: true })
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      expect(await judges.cms((await contentOf(world, id)).bytes)).toEqual(samplePdf('Contrato'))
    })

    once('a certificate of somebody else is refused with CpfMismatch, and nothing changes', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const action = await ticketOf(world, id, ana.identifier)
      for (const label of ['bruno-lima', 'without-cpf', 'cooperativa-ipe'])
        expect(await start(world, action, label)).toMatchObject({ status: 422, body: { code: 'CpfMismatch' } })
      expect((await world.json('GET', `/api/documents/${id}`)).body).toMatchObject({
        hasSignature: false,
        flowActions: [{ status: 'Pending' }],
      })
    })

    once('the certificate must be of the kind, type and company the action asks for', async () => {
      const world = await open()
      const begin = async (over: object, label: string) => {
        const id = await createDocument(world, [signer(ana, over)])
        const { status, body } = await start(world, await ticketOf(world, id, ana.identifier), label)
        return status === 200 ? body.success : body.code
      }
      const company = { requiredCertificateHolderTypeToSign: 'Company' }
      expect(await begin(company, 'ana-souza')).toBe('CpfNotExpected')
      expect(await begin(company, 'padaria-aurora')).toBe(true)
      expect(await begin({ requiredCertificateHolderTypeToSign: 'Individual' }, 'padaria-aurora')).toBe(
        'CpfNotExpected',
      )
      expect(await begin({ requiredCompanyIdentifier: '12.ABC.345/01DE-35' }, 'padaria-aurora')).toBe('CpfNotExpected')
      expect(await begin({ requiredCompanyIdentifier: '11.222.333/0001-81' }, 'padaria-aurora')).toBe(true)
      const anyCompany = { requireCompanyCertificate: true }
      expect(await begin(anyCompany, 'ana-souza')).toBe('CpfNotExpected')
      expect(await begin(anyCompany, 'padaria-aurora')).toBe(true)
      const another = { ...anyCompany, requiredCompanyIdentifier: '12.ABC.345/01DE-35' }
      expect(await begin(another, 'padaria-aurora')).toBe('CpfNotExpected')
      expect(await begin({ requiredCertificateTypeToSign: 'A3' }, 'ana-souza')).toBe('CertificateTypeNotAllowed')
      expect(await begin({ requiredCertificateTypeToSign: 'A1' }, 'ana-souza')).toBe(true)
    })

    once('what is no certificate is CertificateNotFound', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const action = await ticketOf(world, id, ana.identifier)
      for (const certificate of ['AAAA', Buffer.from('no certificate').toString('base64')])
        expect(await start(world, action, 'ana-souza', { certificate })).toMatchObject({
          status: 422,
          body: { code: 'CertificateNotFound' },
        })
    })

    once(
      'an expired, revoked or untrusted certificate answers success false with the reasons, and nothing changes',
      async () => {
        const world = await open()
        for (const [label, list, type] of [
          ['expired', 'errors', 'validity.expired'],
          ['revoked', 'errors', 'revocation.revoked'],
          ['under-unknown-root', 'indeterminateItens', 'chain.untrusted-root'],
        ] as const) {
          const id = await createDocument(world, [signer(holder(label))])
          const { status, body } = await signAs(world, id, label)
          expect(status).toBe(200)
          expect(body).toMatchObject({
            success: false,
            token: null,
            toSignHash: null,
            validationResults: { isValid: false },
          })
          expect(body.validationResults[list]).toEqual([expect.objectContaining({ type })])
          expect((await world.json('GET', `/api/documents/${id}`)).body.flowActions[0].status).toBe('Pending')
        }
      },
    )

    once('a certificate revoked between the beginning and the completion signs nothing', async () => {
      const world = await open()
      const issued = await running.pki.issuePerson({ name: 'Rita Prado', cpf: '52998224725', born: '1990-01-01' })
      const id = await createDocument(world, [signer(ana)])
      const action = await ticketOf(world, id, ana.identifier)
      const begun = await start(world, action, issued.label)
      expect(begun.body.success).toBe(true)
      running.pki.revoke(issued)
      clock.advance(5 * MINUTE + SECOND)
      const signature = await signHash(issued.label, begun.body.toSignHash)
      const { status, body } = await complete(world, action.key, begun.body.token, signature)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: false,
        validationResults: { errors: [{ type: 'revocation.revoked' }] },
      })
      expect((await world.json('GET', `/api/documents/${id}`)).body.hasSignature).toBe(false)
    })

    test('a token is used once, for its document, and not after its time', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana), signer(bruno, { step: 2 })])
      const other = await createDocument(world, [signer(ana)])
      const action = await ticketOf(world, id, ana.identifier)
      const elsewhere = await ticketOf(world, other, ana.identifier)
      const { body } = await start(world, action, 'ana-souza')
      const signature = await signHash('ana-souza', body.toSignHash)
      const refused = { status: 422, body: { code: 'SignatureTokenInvalidOrExpired' } }
      expect(await complete(world, elsewhere.key, body.token, signature)).toMatchObject(refused)
      expect(await complete(world, action.key, 'v1.nonsense', signature)).toMatchObject(refused)
      expect(await complete(world, action.key, `${body.token.slice(0, -4)}AAAA`, signature)).toMatchObject(refused)
      expect(await complete(world, 'A'.repeat(20), body.token, signature)).toMatchObject({
        status: 422,
        body: { code: 'DocumentInvalidKey' },
      })
      expect((await complete(world, action.key, body.token, signature)).body.success).toBe(true)
      expect(await complete(world, action.key, body.token, signature)).toMatchObject(refused)
      const late = await start(world, elsewhere, 'ana-souza')
      clock.advance(10 * MINUTE + SECOND)
      const tooLate = await signHash('ana-souza', late.body.toSignHash)
      expect(await complete(world, elsewhere.key, late.body.token, tooLate)).toMatchObject(refused)
    })

    once('a signature of another key is InvalidSignature, and the right one is still taken', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const action = await ticketOf(world, id, ana.identifier)
      const { body } = await start(world, action, 'ana-souza')
      for (const wrong of [
        await signHash('bruno-lima', body.toSignHash),
        await signHash('ana-souza', Buffer.alloc(32).toString('base64')),
        'AAAA',
        Buffer.alloc(7000, 1).toString('base64'),
      ])
        expect(await complete(world, action.key, body.token, wrong)).toMatchObject({
          status: 422,
          body: { code: 'InvalidSignature' },
        })
      const right = await signHash('ana-souza', body.toSignHash)
      expect((await complete(world, action.key, body.token, right)).body.success).toBe(true)
    })

    once('a ticket is of its document and its participant', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const other = await createDocument(world, [signer(ana)])
      const action = await ticketOf(world, id, ana.identifier)
      const { ticket } = await ticketOf(world, other, ana.identifier)
      const refused = { status: 422, body: { code: 'ActionTicketInvalidOrExpired' } }
      expect(await start(world, { key: action.key, ticket }, 'ana-souza')).toMatchObject(refused)
      expect(await start(world, { key: action.key, ticket: 'nonsense' }, 'ana-souza')).toMatchObject(refused)
      expect(await start(world, { key: 'A'.repeat(20), ticket }, 'ana-souza')).toMatchObject({
        status: 422,
        body: { code: 'DocumentInvalidKey' },
      })
      clock.advance(1440 * MINUTE + SECOND)
      expect(await start(world, action, 'ana-souza')).toMatchObject(refused)
    })

    once('who has nothing to sign is refused: not yet, not any more, or asked to approve', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana), approver(bruno)])
      const refused = { status: 422, body: { code: 'InvalidFlowAction' } }
      expect(await start(world, await ticketOf(world, id, bruno.identifier), 'bruno-lima')).toMatchObject(refused)
      const action = await ticketOf(world, id, ana.identifier)
      const begun = await start(world, action, 'ana-souza')
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Engano.' })
      expect(await start(world, action, 'ana-souza')).toMatchObject(refused)
      const signature = await signHash('ana-souza', begun.body.toSignHash)
      expect(await complete(world, action.key, begun.body.token, signature)).toMatchObject(refused)
    })

    test('an application of the organization signs by document id, as whom the certificate names', async () => {
      const world = await open()
      const rule = {
        type: 'SignRule',
        step: 1,
        ruleUsers: [ana, bruno],
        numberRequiredActions: 1,
        ruleName: 'Diretoria',
      }
      const id = await createDocument(world, [rule])
      const path = `/api/documents/${id}/signature`
      const wrong = await world.json('POST', `${path}/certificate`, { certificate: certificateOf('davi-moreira') })
      expect(wrong).toMatchObject({ status: 422, body: { code: 'CpfMismatch' } })
      const begun = await world.json('POST', `${path}/certificate`, { certificate: certificateOf('bruno-lima') })
      const signature = await signHash('bruno-lima', begun.body.toSignHash)
      const foreign = await createDocument(world, [signer(ana)])
      expect(
        await world.json('POST', `/api/documents/${foreign}/signature`, { token: begun.body.token, signature }),
      ).toMatchObject({ status: 422, body: { code: 'SignatureTokenInvalidOrExpired' } })
      expect((await world.json('POST', path, { token: begun.body.token, signature })).body.success).toBe(true)
      await concluded(world, id)
      expect((await world.json('GET', `/api/documents/${id}`)).body.flowActions[0].ruleUsers).toMatchObject([
        { name: ana.name, completeActionDate: null },
        { name: bruno.name, completeActionDate: expect.any(String) },
      ])
    })

    once('a PDF that came with a signature keeps it, and is signed after it', async () => {
      const world = await open()
      const first = await createDocument(world, [signer(ana)])
      await signAs(world, first, 'ana-souza')
      const { bytes: file } = await contentOf(world, first)
      const id = await createDocument(world, [signer(bruno)], { file })
      expect((await signAs(world, id, 'bruno-lima')).body.success).toBe(true)
      await judges.pdf((await contentOf(world, id)).bytes, 2)
    })

    once(
      'a file of storage that is not what was stored is told to the operator, and the document is concluded',
      async () => {
        const world = await open()
        const id = await createDocument(world, [approver(ana)], { file: samplePdf(crypto.randomUUID()) })
        const { original_digest: digest } = await world.store.db
          .selectFrom('document')
          .select('original_digest')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const path = join(world.dataFolder, 'document-platform/blobs', digest.slice(0, 2), digest.slice(2, 4), digest)
        await chmod(path, 0o600)
        await writeFile(path, 'other bytes')
        const { key, ticket } = await ticketOf(world, id, ana.identifier)
        await world.json('POST', `/api/documents/keys/${key}/approval`, { ticket })
        await concluded(world, id)
        await vi.waitUntil(() => world.log().includes(digest), { interval: 20 })
        expect(world.log()).toContain('document integrity check failed')
      },
    )
  })

  test(`a signature begun at one instance is completed at another on ${database}`, async () => {
    const settings = trusting()
    const world = await startPlatform(database, { settings, clock })
    const files = [{}, { name: 'a.bin', file: Buffer.from('bytes') }, { name: 'a.xml', file: sampleXml() }]
    const signaturePosition = { pageNumber: 1, topLeftX: 50, topLeftY: 100, width: 240, height: 60 }
    const begun = await Promise.all(
      files.map(async (over) => {
        const id = await createDocument(world, [signer(ana)], over)
        const action = await ticketOf(world, id, ana.identifier)
        const { body } = await start(world, action, 'ana-souza', { signaturePosition })
        return { id, key: action.key, token: body.token, signature: await signHash('ana-souza', body.toSignHash) }
      }),
    )
    await world.stop()
    const other = await startPlatform(database, { settings, after: world })
    for (const { key, token, signature } of begun)
      expect((await complete(other, key, token, signature)).body).toMatchObject({ success: true })
    await judges.pdf((await contentOf(other, begun[0]!.id)).bytes, 1)
  })

  testOnce(database)(`an address of the own network that a certificate names is not asked on ${database}`, async () => {
    const world = await startPlatform(database, { settings: trusting({ AuthorityHosts: [] }), clock })
    const id = await createDocument(world, [signer(ana)])
    expect((await signAs(world, id, 'ana-souza')).body).toMatchObject({
      success: false,
      validationResults: { isValid: false, indeterminateItens: [{ type: 'chain.no-path' }] },
    })
  })
}
