import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import {
  approver,
  createDocument,
  databases,
  people,
  sharedPlatform,
  signer,
  testOnce,
  upload,
} from './test-support/platform-world.ts'

/** Counted by an independent program. */
async function pageCount(pdf: Buffer): Promise<number> {
  const path = join(await temporaryFolder(), 'envelope.pdf')
  await writeFile(path, pdf)
  return Number((await runTool('qpdf', ['--show-npages', path])).text)
}

for (const database of databases) {
  describe(`documents on ${database}`, () => {
    const open = sharedPlatform(database)
    const once = testOnce(database)

    test('a document is created with its flow, pending, with the first step released', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana), approver(people.bruno, { step: 2 })], {
        description: 'Leia com calma.',
        tags: [{ label: 'contrato', value: '42' }],
        observers: [{ user: people.carla }],
      })
      const { status, body } = await world.json('GET', `/api/documents/${id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id,
        name: 'contrato.pdf',
        mimeType: 'application/pdf',
        status: 'Pending',
        isConcluded: false,
        description: 'Leia com calma.',
        tags: [{ label: 'contrato', value: '42' }],
        observers: [{ user: { name: 'Carla Dias' } }],
        createdBy: { id: world.organization.applicationId, name: world.organization.application },
        organization: { id: world.organization.id, name: 'Hospital Santa Clara', owner: null },
        flowActions: [
          { type: 'Signer', step: 1, status: 'Pending', user: { name: 'Ana Souza', identifier: '52998224725' } },
          { type: 'Approver', step: 2, status: 'Created', user: { name: 'Bruno Lima' } },
        ],
      })
      expect(body.key).toMatch(/^[A-Z2-9]{20}$/)
    })

    once('what cannot be is refused with its code, and nothing is made', async () => {
      const world = await open()
      const pdf = await upload(world)
      const text = await upload(world, Buffer.from('no PDF'))
      const file = (id: string) => [{ id, name: 'a.pdf', displayName: 'a', contentType: 'application/pdf' }]
      const cases: readonly (readonly [string, object])[] = [
        ['FlowRequired', { files: file(pdf), flowActions: [] }],
        ['UploadNotFound', { files: file(crypto.randomUUID()), flowActions: [signer(people.ana)] }],
        ['InvalidDocumentContent', { files: file(text), flowActions: [signer(people.ana)] }],
        ['InvalidFlowAction', { files: file(pdf), flowActions: [signer({ ...people.ana, identifier: '123' })] }],
        [
          'InvalidFlowAction',
          { files: file(pdf), flowActions: [{ type: 'SignRule', ruleUsers: [people.ana], numberRequiredActions: 2 }] },
        ],
        ['ExpirationInPast', { files: file(pdf), flowActions: [signer(people.ana)], expirationDate: '2026-11-14' }],
        ['FolderNotFound', { files: file(pdf), flowActions: [signer(people.ana)], folderId: crypto.randomUUID() }],
        ['EnvelopeRequiresPdf', { files: file(pdf), flowActions: [signer(people.ana)], isEnvelope: true }],
        [
          'MaxSignersLimitReached',
          { files: file(pdf), flowActions: Array.from({ length: 31 }, () => signer(people.ana)) },
        ],
      ]
      for (const [code, request] of cases) {
        const { status, body } = await world.json('POST', '/api/documents', request)
        expect([status, body.code]).toEqual([422, code])
      }
      expect((await world.json('GET', '/api/documents')).body).toMatchObject({ items: [], totalCount: 0 })
    })

    once('an envelope makes one document of all its files', async () => {
      const world = await open()
      const files = await Promise.all(
        ['a', 'b'].map(async (name) => ({
          id: await upload(world, samplePdf(name)),
          name: `${name}.pdf`,
          displayName: name,
          contentType: 'application/pdf',
        })),
      )
      const request = { files, flowActions: [signer(people.ana)], isEnvelope: true, envelopeName: 'Dossiê' }
      const { body } = await world.json('POST', '/api/documents', request)
      expect(body.map(({ uploadId }: { uploadId: string }) => uploadId)).toEqual(files.map(({ id }) => id))
      expect(new Set(body.map(({ documentId }: { documentId: string }) => documentId)).size).toBe(1)
      const { documentId } = body[0]
      expect((await world.json('GET', `/api/documents/${documentId}`)).body).toMatchObject({
        name: 'Dossiê',
        filename: 'Dossiê.pdf',
        isEnvelope: true,
      })
      const content = await world.call('GET', `/api/documents/${documentId}/content?type=Original`)
      expect(await pageCount(Buffer.from(await content.arrayBuffer()))).toBe(2)
    })

    test('another organization does not see it', async () => {
      const world = await open()
      const other = await open()
      const id = await createDocument(world, [signer(people.ana)])
      const { status, body } = await other.json('GET', `/api/documents/${id}`)
      expect([status, body.code]).toEqual([422, 'DocumentNotFound'])
    })

    test('lists find documents by each filter', async () => {
      const world = await open()
      const ana = await createDocument(world, [signer(people.ana)], {
        name: 'Óbito.pdf',
        tags: [{ label: 'a', value: 'x' }],
        newFolderName: 'Pasta',
      })
      const bruno = await createDocument(world, [approver(people.bruno)], {
        name: 'Alta.pdf',
        type: 'MedicalCertificate',
      })
      await world.json('POST', `/api/documents/${bruno}/cancellation`, { reason: 'Errado.' })
      const { folder } = (await world.json('GET', `/api/documents/${ana}`)).body
      const found = async (query: string) =>
        ((await world.json('GET', `/api/documents?${query}`)).body.items as { id: string }[]).map(({ id }) => id)
      expect(await found('')).toEqual([bruno, ana])
      expect(await found('Order=Asc')).toEqual([ana, bruno])
      expect(await found('Limit=1&Offset=1')).toEqual([ana])
      const first = await world.json('GET', '/api/documents?Limit=1')
      expect(await found(`Limit=1&Cursor=${first.body.nextCursor}`)).toEqual([ana])
      expect(await found('Status=Pending')).toEqual([ana])
      expect(await found('Status=CanceledOrExpired')).toEqual([bruno])
      expect(await found(`FolderId=${folder.id}`)).toEqual([ana])
      expect(await found('FolderType=WithoutFolder')).toEqual([bruno])
      expect(await found('FilterByPendingSignature=True')).toEqual([ana])
      expect(await found('q=obito')).toEqual([ana])
      expect(await found('Q=alt&QueryType=Name')).toEqual([bruno])
      expect(await found('q=x&queryType=Tag')).toEqual([ana])
      expect(await found('Tags=a|x')).toEqual([ana])
      expect(await found('Tags=b|x')).toEqual([])
      expect(await found('ParticipantQ=52998224725&ParticipantQueryType=Identifier')).toEqual([ana])
      expect(await found('ParticipantQ=bruno@example.com&ParticipantQueryType=Email')).toEqual([bruno])
      expect(await found('ParticipantQ=bru')).toEqual([bruno])
      expect(await found('ParticipantQ=null&organizationId=&OrganizationType=Normal')).toEqual([bruno, ana])
      expect(await found('DocumentType=MedicalCertificate&FilterByDocumentType=true')).toEqual([bruno])
      await world.json('DELETE', `/api/documents/${bruno}`)
      expect(await found('')).toEqual([ana])
      expect(await found('IsDeleted=true')).toEqual([bruno])
    })
  })
}
