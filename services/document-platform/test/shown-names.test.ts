// Names that others read: in lists, mails, on pages of PDFs. None of them acts on the text around it.
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import { pdfText } from './test-support/pdf-text.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  testOnce,
  upload,
} from './test-support/platform-world.ts'

const { Email, fromNowOn } = await fileMailbox()

/** Turns the direction, or ends the line. */
const TRICKS = ['\u202e', '\u2067', '\u200f', '\u061c', '\r\n', '\u2028', '\u0000', '\t']

/** A file of a request. */
const fileOf = (id: string, over: object = {}) => ({ id, name: 'a.pdf', contentType: 'application/pdf', ...over })

/** Each name that a person types, by the call that takes it; the field by which it is refused. */
const named: Readonly<Record<string, (name: string, orgId: string) => readonly [field: string, body: object]>> = {
  'PUT /api/organizations/{orgId}': (name) => ['name', { name }],
  'POST /api/admin/organizations': (name) => ['name', { name }],
  'POST /api/organizations/users': (name) => ['name', { name, email: 'x@example.com' }],
  'POST /api/organizations/{orgId}/users': (name) => ['name', { name, email: 'x@example.com' }],
  'POST /api/organizations/{orgId}/applications': (name) => ['name', { name }],
  'POST /api/folders': (name) => ['name', { name }],
  'POST /api/document-flows': (name) => ['name', { name, flowActions: [approver(people.ana)] }],
  'POST /api/document-templates': (name) => ['name', { name, file: fileOf(crypto.randomUUID()) }],
  'POST /api/documents': (name) => [
    'flowActions[0].user.name',
    { files: [fileOf(crypto.randomUUID())], flowActions: [signer({ ...people.ana, name })] },
  ],
}

for (const database of databases) {
  describe(`names that are shown on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })
    const once = testOnce(database)

    once('those of people, organizations and whatever a person names are refused by their field', async () => {
      const world = await platform()
      for (const [route, ask] of Object.entries(named))
        for (const trick of TRICKS) {
          const [method, template] = route.split(' ') as [string, string]
          const [field, body] = ask(`Ana${trick}Souza`, world.organization.id)
          const path = template.replace('{orgId}', world.organization.id)
          const call = template.startsWith('/api/admin/') ? administration(world) : world.json
          const answer = await call(method, path, body)
          expect([route, trick, answer]).toMatchObject([
            route,
            trick,
            { status: 400, body: { code: 'InvalidRequest', details: { [field]: expect.anything() } } },
          ])
        }
    })

    once('other names of a creation are refused like it', async () => {
      const world = await platform()
      const files = [fileOf(await upload(world))]
      const flowActions = [signer(people.ana, { title: 'Tes\u202etemunha' })]
      const asked = { files, flowActions, newFolderName: 'a\nb', tags: [{ label: 'a\u2066', value: 'x' }] }
      const { status, body } = await world.json('POST', '/api/documents', asked)
      expect(status).toBe(400)
      expect(Object.keys(body.details).sort()).toEqual(['flowActions[0].title', 'newFolderName', 'tags[0].label'])
    })

    once('a name in another script, with joined letters, is one', async () => {
      const world = await platform()
      const name = 'محمد\u200cرضا 日本 D’Ávila'
      const { status, body } = await world.json('POST', '/api/folders', { name })
      expect([status, body.name]).toEqual([200, name])
    })

    test('names of files are cleaned, wherever they come from', async () => {
      const world = await platform()
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(samplePdf('Contrato'))]), 'C:\\temp\\con\u202etrato\u200b.pdf')
      const sent = await (await world.call('POST', '/api/uploads', { body: form })).json()
      expect(sent).toMatchObject({ name: 'contrato.pdf' })
      const attachment = { id: await upload(world, Buffer.from('x')), contentType: 'text/plain' }
      const id = await createDocument(world, [approver(people.ana)], {
        name: 'propo\u202esta.pdf',
        attachments: [{ ...attachment, name: 'ane\u2066xo.txt', displayName: 'Ane\nxo' }],
        description: 'Primeira\u202e linha\nsegunda\u0000',
        newFolderName: crypto.randomUUID(),
      })
      const { body } = await world.json('GET', `/api/documents/${id}`)
      expect(body).toMatchObject({
        name: 'proposta.pdf',
        description: 'Primeira linha\nsegunda',
        attachments: [{ name: 'anexo.txt', displayName: 'Anexo' }],
      })
      const answer = await world.call('GET', `/api/documents/${id}/content?type=Original`)
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="proposta.pdf"')
    })

    once('numbers and reasons are cleaned, as people paste them', async () => {
      const world = await platform()
      const phone = '\u202a+55 11 91234-5678\u202c'
      const user = { name: 'Rui Alves', email: `${crypto.randomUUID()}@example.com`, phone }
      expect(await world.json('POST', '/api/organizations/users', user)).toMatchObject({
        status: 200,
        body: { phone: '+55 11 91234-5678' },
      })
      const id = await createDocument(world, [approver(people.ana)])
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Tro\u202ecado\nhoje' })
      expect((await world.json('GET', `/api/documents/${id}/timeline`)).body.at(-1).detail).toBe('Trocado\nhoje')
    })

    test('what earlier versions kept is neither mailed nor printed as it stands', async () => {
      const world = await platform()
      const { store, organization } = world
      await store.db
        .updateTable('organization')
        .set({ name: 'Clí\u202enica\r\nBcc: x@example.com' })
        .where('id', '=', organization.id)
        .execute()
      const mails = fromNowOn()
      const id = await createDocument(world, [approver(people.ana)])
      const [mail] = await vi.waitUntil(() => (mails.inbox().length > 0 ? mails.inbox() : undefined), { interval: 20 })
      for (const text of [mail!.subject, mail!.text, mail!.html])
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      expect(mail!.to.map(({ address }) => address)).toEqual([people.ana.email])
      const manifest = await world.call('GET', `/api/documents/${id}/content?type=PrinterFriendlyVersion`)
      expect(await pdfText(new Uint8Array(await manifest.arrayBuffer()))).not.toMatch(/[\u202a-\u202e]/)
    })

    test('a content type that is none is bytes of any kind, in every way to upload', async () => {
      const world = await platform()
      const none = ['not a type', 'text/html\r\nx: y', 'text', 'a/b; c', '/', 'текст/plain']
      for (const contentType of none) {
        const form = new FormData()
        form.append('contentType', contentType)
        form.append('file', new Blob(['x'], { type: 'text/plain' }), 'x.bin')
        const sent = await (await world.call('POST', '/api/uploads', { body: form })).json()
        expect([contentType, sent.contentType]).toEqual([contentType, 'application/octet-stream'])
        const served = await world.call('GET', sent.location)
        expect(served.headers.get('content-type')).toBe('application/octet-stream')
        expect(served.headers.get('x-content-type-options')).toBe('nosniff')
      }
      for (const contentType of none) {
        const [file, extra] = [await upload(world, Buffer.from('x')), await upload(world, Buffer.from('y'))]
        const made = await world.json('POST', '/api/documents', {
          files: [{ id: file, name: 'dados.bin', contentType }],
          attachments: [{ id: extra, name: 'anexo.bin', contentType }],
          flowActions: [approver(people.ana)],
        })
        expect([contentType, made.status]).toEqual([contentType, 200])
        const id = made.body[0].documentId as string
        const { body } = await world.json('GET', `/api/documents/${id}`)
        const paths = [
          `/api/documents/${id}/content?type=Original`,
          `/api/documents/${id}/attachments/${body.attachments[0].id}`,
        ]
        for (const path of paths) {
          const served = await world.call('GET', path)
          expect([path, served.headers.get('content-type')]).toEqual([path, 'application/octet-stream'])
          expect(served.headers.get('x-content-type-options')).toBe('nosniff')
        }
      }
    })

    once('one that earlier versions kept is served as bytes of any kind', async () => {
      const world: PlatformWorld = await platform()
      const id = await createDocument(world, [approver(people.ana)], { name: 'dados.bin', file: Buffer.from('x') })
      await world.store.db.updateTable('document').set({ mime_type: 'not a type' }).where('id', '=', id).execute()
      const served = await world.call('GET', `/api/documents/${id}/content?type=Original`)
      expect(served.headers.get('content-type')).toBe('application/octet-stream')
    })

    once('a type with parameters stays', async () => {
      const world = await platform()
      const form = new FormData()
      form.append('contentType', 'text/plain; charset="utf-8"')
      form.append('file', new Blob(['x']), 'x.txt')
      const sent = await (await world.call('POST', '/api/uploads', { body: form })).json()
      expect(sent.contentType).toBe('text/plain; charset="utf-8"')
    })
  })
}
