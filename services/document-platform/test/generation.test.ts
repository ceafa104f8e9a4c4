// Documents made of a PDF form: one with values of the request, or one for each line of a file.
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { formPdf } from '../src/parts/renditions/test-support/sample-documents.ts'
import { pdfText } from './test-support/pdf-text.ts'
import {
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  upload,
} from './test-support/platform-world.ts'
import { contentOf } from './test-support/signers.ts'

const form = await formPdf()

const upload1 = async (world: PlatformWorld, bytes: Uint8Array, name: string) => ({
  id: await upload(world, bytes),
  name,
})

const csv = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'))

const flowActions = [
  signer({ name: '{{nome}}', identifier: '{{cpf}}', email: '{{email}}' }, { title: 'Contrato de {{cliente.uf}}' }),
]

const generate = async (world: PlatformWorld, data: Uint8Array, over: object = {}) =>
  world.json('POST', '/api/documents/generation', {
    templateFile: await upload1(world, form, 'ficha.pdf'),
    dataFile: await upload1(world, data, 'pessoas.csv'),
    flowActions,
    ...over,
  })

const progress = async ({ json }: PlatformWorld, id: string) =>
  (await json('GET', `/api/documents/generation/${id}`)).body

const ended = (world: PlatformWorld, id: string) =>
  vi.waitUntil(
    async () => {
      const now = await progress(world, id)
      return now.status === 'Completed' ? now : undefined
    },
    { interval: 20 },
  )

const HEADER = 'nome;cpf;email;cliente.nome;cliente.uf'
const ana = `Ana Souza;${people.ana.identifier};ana@example.com;Padaria Aurora;SP`
const bruno = `Bruno Lima;${people.bruno.identifier};bruno@example.com;Oficina Sol;RJ`

for (const database of databases) {
  describe(`documents made of a form on ${database}`, () => {
    const open = sharedPlatform(database, { settings: { Documents: { MaxDocumentsPerGeneration: 500 } } })
    const once = testOnce(database)

    test('a template is kept with the fields of its form, and makes documents with values', async () => {
      const [world, other] = [await open(), await open()]
      const file = await upload1(world, form, 'ficha.pdf')
      const { status, body: template } = await world.json('POST', '/api/document-templates', { name: 'Ficha', file })
      expect(status).toBe(200)
      expect(template).toMatchObject({ name: 'Ficha', filename: 'ficha.pdf' })
      expect(template.fields).toEqual(
        expect.arrayContaining(['cliente.nome', 'cliente.uf', 'aceite', 'plano', 'cidade']),
      )
      expect((await world.json('GET', '/api/document-templates')).body).toMatchObject({
        totalCount: 1,
        items: [{ id: template.id }],
      })
      const ask = (templateFieldValues: object, by = world) =>
        by.json('POST', '/api/documents', {
          files: [],
          templateId: template.id,
          templateFieldValues,
          flowActions: [signer(people.ana)],
        })
      const { body: created } = await ask({ 'cliente.nome': 'Padaria Aurora' })
      const { bytes } = await contentOf(world, created[0].documentId, 'Original')
      expect(await pdfText(bytes)).toContain('Padaria Aurora')
      expect(await ask({ apelido: 'x' })).toMatchObject({
        status: 400,
        body: { details: { 'templateFieldValues.apelido': expect.any(String) } },
      })
      expect((await ask({}, other)).body.code).toBe('DocumentTemplateNotFound')
      expect((await world.json('DELETE', `/api/document-templates/${template.id}`)).status).toBe(200)
      expect((await ask({})).body.code).toBe('DocumentTemplateNotFound')
    })

    once('what has no form is no template', async () => {
      const world = await open()
      const file = await upload1(world, samplePdf('Contrato'), 'contrato.pdf')
      expect(await world.json('POST', '/api/document-templates', { name: 'x', file })).toMatchObject({
        status: 422,
        body: { code: 'InvalidDocumentContent' },
      })
    })

    test('each line of a file makes a document, and a line that cannot is told with its field', async () => {
      const world = await open()
      const data = csv(HEADER, ana, 'Carla;123;carla@example.com;x;MG', 'Carla;1', bruno)
      const { status, body: begun } = await generate(world, data, { newFolderName: 'Lote' })
      expect(status).toBe(200)
      expect(begun).toMatchObject({
        subscriptionId: world.organization.id,
        agentId: world.organization.applicationId,
        totalDocumentsCount: 4,
        folderId: expect.any(String),
      })
      const done = await ended(world, begun.id)
      expect(done).toMatchObject({
        initializedCount: 4,
        completedCount: 2,
        failedCount: 2,
        errors: [
          { line: 3, code: 'InvalidFlowAction', field: 'flowActions[0].user.identifier' },
          { line: 4, code: 'InvalidParticipantsFile', field: null },
        ],
      })
      const { body: list } = await world.json('GET', `/api/documents?folderId=${begun.folderId}&order=Asc`)
      expect(list.items.map(({ name }: { name: string }) => name)).toEqual(['ficha 1', 'ficha 4'])
      const { body: document } = await world.json('GET', `/api/documents/${list.items[1].id}`)
      expect(document.flowActions[0]).toMatchObject({ title: 'Contrato de RJ', user: { name: 'Bruno Lima' } })
      const { bytes } = await contentOf(world, list.items[1].id, 'Original')
      expect(await pdfText(bytes)).toContain('Oficina Sol')
    })

    once('a generation that could make nothing is refused', async () => {
      const world = await open()
      const refused = (code: string) => ({ status: 422, body: { code } })
      expect(await generate(world, csv(HEADER))).toMatchObject(refused('InvalidParticipantsFile'))
      expect(await generate(world, csv('nome;cpf', 'Ana;1'))).toMatchObject(refused('InvalidParticipantsFile'))
      const many = Array.from({ length: 501 }, () => ana)
      expect(await generate(world, csv(HEADER, ...many))).toMatchObject(refused('MaxDocumentsLimitReached'))
      const sms = { allowElectronicSignature: true, requireSmsAuthenticationToSignElectronically: true }
      expect(await generate(world, csv(HEADER, ana), { flowActions: [{ ...flowActions[0], ...sms }] })).toMatchObject(
        refused('AuthenticationNotAvailable'),
      )
      expect(await generate(world, csv(HEADER, ana), { notaryType: 'CNB' })).toMatchObject({ status: 400 })
      const other = await open()
      const { body } = await generate(world, csv(HEADER, ana))
      expect((await other.json('GET', `/api/documents/generation/${body.id}`)).body.code).toBe('GenerationNotFound')
    })

    test('a generation is canceled, and what was made stays', async () => {
      const world = await open()
      const { body: begun } = await generate(world, csv(HEADER, ...Array.from({ length: 300 }, () => ana)))
      await vi.waitUntil(async () => (await progress(world, begun.id)).completedCount > 0, { interval: 5 })
      const path = `/api/documents/generation/${begun.id}/cancellation`
      const { body: canceled } = await world.json('POST', path)
      expect(canceled.status).toBe('Canceled')
      await createDocument(world, [signer(people.bruno)])
      const { completedCount, status } = await progress(world, begun.id)
      expect([status, completedCount < 300]).toEqual(['Canceled', true])
      const { body } = await world.json('GET', '/api/documents?q=ficha&limit=500')
      expect(body.items).toHaveLength(completedCount)
      expect((await world.json('POST', path)).body.code).toBe('GenerationEnded')
    })

    test('a process that dies goes on where it was, and makes no document twice', async () => {
      const world = await startPlatform(database)
      const { body: begun } = await generate(world, csv(HEADER, ...Array.from({ length: 60 }, () => ana)))
      await vi.waitUntil(async () => (await progress(world, begun.id)).completedCount > 0, { interval: 5 })
      await world.stop()
      const again = await startPlatform(database, { after: world })
      await again.store.notify(again.store.db, LOOK_NOW)
      expect(await ended(again, begun.id)).toMatchObject({ completedCount: 60, failedCount: 0 })
      const { body } = await again.json('GET', '/api/documents?limit=500')
      expect(new Set(body.items.map(({ name }: { name: string }) => name)).size).toBe(60)
      expect(body.items).toHaveLength(60)
    })
  })
}
