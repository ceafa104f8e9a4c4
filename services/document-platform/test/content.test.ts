import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
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
  ticketOf,
  upload,
} from './test-support/platform-world.ts'
import { clock, contentOf, holder, signAs, trusting } from './test-support/signers.ts'

const ana = holder('ana-souza')
const notAvailable = { status: 422, body: { code: 'DocumentVersionNotAvailable' } }

for (const database of databases) {
  describe(`contents on ${database}`, () => {
    const open = sharedPlatform(database, { settings: trusting(), clock })
    const once = testOnce(database)

    const read = async (world: PlatformWorld, id: string, type: string) => {
      const { status, bytes } = await contentOf(world, id, type)
      return { status, body: status === 200 ? bytes : JSON.parse(bytes.toString()) }
    }

    once('the original is as it was uploaded, under its name, before and after it was signed', async () => {
      const world = await open()
      const file = samplePdf('Ação')
      const id = await createDocument(world, [signer(ana)], { file, name: 'Ação "1".pdf' })
      const before = await contentOf(world, id, 'Original')
      expect(before.bytes.equals(file)).toBe(true)
      expect(before.headers.get('content-type')).toBe('application/pdf')
      expect(before.headers.get('content-length')).toBe(String(file.length))
      expect(before.headers.get('content-disposition')).toBe(
        `attachment; filename="A__o _1_.pdf"; filename*=UTF-8''A%C3%A7%C3%A3o%20%221%22.pdf`,
      )
      expect(await read(world, id, 'Signatures')).toMatchObject(notAvailable)
      await signAs(world, id, 'ana-souza')
      expect((await contentOf(world, id, 'Original')).bytes.equals(file)).toBe(true)
      const signed = await contentOf(world, id)
      expect(signed.bytes.subarray(0, file.length).equals(file)).toBe(true)
      expect(signed.headers.get('content-disposition')).toContain('.signed.pdf')
    })

    once('content-b64 gives the same in JSON', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const { body } = await world.json('GET', `/api/documents/${id}/content-b64?Type=Original`)
      expect(body).toMatchObject({ name: 'contrato.pdf', contentType: 'application/pdf' })
      expect(Buffer.from(body.bytes, 'base64').equals(samplePdf('Contrato'))).toBe(true)
    })

    once('renditions are PDFs that show marks, the manifest and the address where it is verified', async () => {
      const world = await open()
      const mark = { topLeftX: 60, topLeftY: 300, width: 200, height: 50, pageNumber: 1 }
      const id = await createDocument(world, [
        signer(ana, { prePositionedMarks: [mark] }),
        approver(people.bruno, { step: 2 }),
      ])
      await signAs(world, id, 'ana-souza')
      const { body: document } = await world.json('GET', `/api/documents/${id}`)
      const textOf = async (type: string) => pdfText((await contentOf(world, id, type)).bytes)
      expect(await textOf('OriginalWithMarks')).toMatch(/Contrato[\s\S]*Ana|Ana[\s\S]*Contrato/)
      expect(await textOf('SignatureMarks')).toMatch(/Ana/)
      expect(await textOf('SignatureMarks')).not.toContain('Contrato')
      expect(await textOf('SigningTags')).not.toMatch(/Ana/)
      for (const type of ['SignaturesManifest', 'PrinterFriendlyVersion']) {
        const text = await textOf(type)
        expect(text).toContain(document.key)
        expect(text).toContain(ana.name)
        expect(text).toContain('Bruno Lima')
      }
      expect(await textOf('PrinterFriendlyVersion')).toContain('Contrato')
      const english = await world.call('GET', `/api/documents/${id}/content?type=SignaturesManifest`, {
        headers: { 'accept-language': 'en-US' },
      })
      expect(await pdfText(Buffer.from(await english.arrayBuffer()))).toContain('Signatures manifest')
    })

    once('of what is no PDF there is a manifest, and no page to draw on', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)], { file: Buffer.from('bytes'), name: 'a.bin' })
      expect((await contentOf(world, id, 'SignaturesManifest')).status).toBe(200)
      for (const type of ['OriginalWithMarks', 'SignatureMarks', 'SigningTags', 'PrinterFriendlyVersion'])
        expect(await read(world, id, type)).toMatchObject(notAvailable)
    })

    once('a canceled document has its original and its printable version alone', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana), signer(people.bruno, { step: 2 })])
      await signAs(world, id, 'ana-souza')
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Engano.' })
      for (const type of ['Original', 'PrinterFriendlyVersion'])
        expect((await contentOf(world, id, type)).status).toBe(200)
      for (const type of ['Signatures', 'SignaturesManifest', 'OriginalWithMarks'])
        expect(await read(world, id, type)).toMatchObject(notAvailable)
      expect(await world.json('GET', `/api/documents/${id}/ticket?type=Signatures`)).toMatchObject(notAvailable)
    })

    once('a refused document is not downloaded', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      await world.json('POST', `/api/documents/${id}/refusal`, { reason: 'Não.' })
      for (const type of ['Original', 'PrinterFriendlyVersion', 'Signatures'])
        expect(await read(world, id, type)).toMatchObject(notAvailable)
    })

    once('a ticket gives the bytes without a key, for a while, at a path relative to the base URL', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const { body } = await world.json('GET', `/api/documents/${id}/ticket?type=Original&preview=True`)
      expect(body.location).toMatch(/^\/api\/documents\/content\?access_ticket=/)
      const shown = await fetch(`${world.baseUrl}${body.location}`)
      expect(shown.headers.get('content-disposition')).toBe('inline; filename="contrato.pdf"')
      expect(Buffer.from(await shown.arrayBuffer()).equals(samplePdf('Contrato'))).toBe(true)
      const wrong = await fetch(`${world.baseUrl}${body.location.replace('access_ticket=', 'access_ticket=x')}`)
      expect(wrong.status).toBe(422)
      clock.advance(60 * MINUTE + SECOND)
      const late = await fetch(`${world.baseUrl}${body.location}`)
      expect(await late.json()).toMatchObject({ code: 'ActionTicketInvalidOrExpired' })
    })

    once('what a browser would run is never shown, only kept', async () => {
      const world = await open()
      const file = Buffer.from('<html><script>alert(1)</script></html>')
      const files = [{ id: await upload(world, file), name: 'a.html', displayName: 'a', contentType: 'text/html' }]
      const { body: made } = await world.json('POST', '/api/documents', { files, flowActions: [signer(ana)] })
      const { body } = await world.json('GET', `/api/documents/${made[0].documentId}/ticket?type=Original&preview=true`)
      const shown = await fetch(`${world.baseUrl}${body.location}`)
      expect(shown.headers.get('content-disposition')).toBe('attachment; filename="a.html"')
      expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    })

    test('an attachment is given as it was, to the organization and by ticket to participants unless it is private', async () => {
      const world = await open()
      const attachments = await Promise.all(
        ['anexo.txt', 'interno.txt'].map(async (name) => ({
          id: await upload(world, Buffer.from(name)),
          name,
          displayName: name,
          contentType: 'text/plain',
          isPrivate: name === 'interno.txt',
        })),
      )
      const id = await createDocument(world, [signer(ana)], { attachments })
      const { body: document } = await world.json('GET', `/api/documents/${id}`)
      for (const { id: attachmentId, name } of document.attachments) {
        const answer = await world.call('GET', `/api/documents/${id}/attachments/${attachmentId}`)
        expect(await answer.text()).toBe(name)
      }
      const unknown = await world.json('GET', `/api/documents/${id}/attachments/${crypto.randomUUID()}`)
      expect(unknown).toMatchObject({ status: 422, body: { code: 'AttachmentNotFound' } })
      const { key, ticket } = await ticketOf(world, id, ana.identifier)
      const action = await world.json('GET', `/api/documents/keys/${key}/action?ticket=${encodeURIComponent(ticket)}`)
      expect(action.body.attachments).toHaveLength(1)
      expect(await (await fetch(`${world.baseUrl}${action.body.attachments[0].location}`)).text()).toBe('anexo.txt')
    })

    test('another organization and a deleted document have nothing', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const { body } = await world.json('GET', `/api/documents/${id}/ticket?type=Original`)
      const other = await open()
      expect(other.organization.id).not.toBe(world.organization.id)
      expect(await read(other, id, 'Original')).toMatchObject({ status: 422, body: { code: 'DocumentNotFound' } })
      await world.call('DELETE', `/api/documents/${id}`)
      expect(await read(world, id, 'Original')).toMatchObject({ status: 422, body: { code: 'DocumentNotFound' } })
      expect((await fetch(`${world.baseUrl}${body.location}`)).status).toBe(422)
    })

    test('an upload is previewed at its location', async () => {
      const world = await open()
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(samplePdf('Prévia'))], { type: 'application/pdf' }), 'previa.pdf')
      const answer = await world.call('POST', '/api/uploads', { body: form })
      const { location } = (await answer.json()) as { location: string }
      const shown = await fetch(`${world.baseUrl}${location}`)
      expect(Buffer.from(await shown.arrayBuffer()).equals(samplePdf('Prévia'))).toBe(true)
    })

    test('the page of a participant learns the document, the action and where its files are', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana), approver(people.bruno, { step: 2 })], {
        description: 'Leia.',
      })
      const { key, ticket } = await ticketOf(world, id, ana.identifier)
      const path = `/api/documents/keys/${key}/action?ticket=${encodeURIComponent(ticket)}`
      const { status, body } = await world.json('GET', path, undefined, { 'X-Api-Key': '' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        document: { id, key, status: 'Pending', description: 'Leia.', organization: 'Hospital Santa Clara' },
        action: {
          type: 'Signer',
          status: 'Pending',
          isActing: true,
          canPlaceMark: true,
          allowElectronicSignature: false,
          participant: { name: ana.name, identifier: ana.identifier },
        },
        participants: [
          { name: ana.name, step: 1, type: 'Signer', status: 'Pending' },
          { name: 'Bruno Lima', step: 2, type: 'Approver', status: 'Created' },
        ],
        signedContentLocation: null,
      })
      const file = await fetch(`${world.baseUrl}${body.contentLocation}`)
      expect(Buffer.from(await file.arrayBuffer()).equals(samplePdf('Contrato'))).toBe(true)
      await signAs(world, id, 'ana-souza')
      const after = await world.json('GET', path)
      expect(after.body).toMatchObject({ action: { status: 'Completed', isActing: false } })
      expect((await fetch(`${world.baseUrl}${after.body.signedContentLocation}`)).status).toBe(200)
    })

    test('what a participant was given ends with the document, with their part in it, and with their address', async () => {
      const world = await open()
      const ended = { status: 422, body: { code: 'ActionTicketInvalidOrExpired' } }
      const endings = {
        cancellation: (id: string) => world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Engano.' }),
        removal: (id: string, flowActionId: string) =>
          world.json('POST', `/api/documents/${id}/flow`, {
            addedFlowActions: [signer(people.carla)],
            deletedFlowActionIds: [flowActionId],
          }),
        address: (id: string, flowActionId: string) =>
          world.json('POST', `/api/documents/${id}/flow`, {
            editedFlowActions: [{ flowActionId, participantEmailAddress: 'outra@example.com' }],
          }),
      }
      for (const [why, end] of Object.entries(endings)) {
        const file = await upload(world, Buffer.from('anexo'))
        const attachments = [{ id: file, name: 'anexo.txt', displayName: 'Anexo', contentType: 'text/plain' }]
        const id = await createDocument(world, [signer(ana), signer(people.bruno, { step: 2 })], { attachments })
        const { key, ticket } = await ticketOf(world, id, ana.identifier)
        const page = () => world.json('GET', `/api/documents/keys/${key}/action?ticket=${encodeURIComponent(ticket)}`)
        const { body } = await page()
        const given: string[] = [
          body.contentLocation,
          ...body.attachments.map((one: { location: string }) => one.location),
        ]
        for (const location of given) expect((await fetch(`${world.baseUrl}${location}`)).status).toBe(200)
        const [first] = (await world.json('GET', `/api/documents/${id}`)).body.flowActions
        expect([why, (await end(id, first.id)).status]).toEqual([why, 200])
        for (const location of given) expect([why, await world.json('GET', location)]).toMatchObject([why, ended])
        // Of a canceled one the page tells that it is.
        if (why === 'cancellation') expect(await page()).toMatchObject({ body: { document: { status: 'Canceled' } } })
        else expect([why, await page()]).toMatchObject([why, ended])
      }
    })

    test('a participant refuses with a reason, once, and by the ticket of that document alone', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const other = await createDocument(world, [signer(ana)])
      const { key, ticket } = await ticketOf(world, id, ana.identifier)
      const elsewhere = await ticketOf(world, other, ana.identifier)
      const refusal = (body: object) => world.json('POST', `/api/documents/keys/${key}/refusal`, body)
      expect(await refusal({ ticket: elsewhere.ticket, reason: 'Não.' })).toMatchObject({
        status: 422,
        body: { code: 'ActionTicketInvalidOrExpired' },
      })
      expect((await refusal({ ticket })).status).toBe(400)
      expect((await refusal({ ticket, reason: 'Não concordo.' })).status).toBe(200)
      expect((await world.json('GET', `/api/documents/${id}`)).body).toMatchObject({
        status: 'Refused',
        statusUpdateReason: 'Não concordo.',
        flowActions: [{ status: 'Refused', refusalReason: 'Não concordo.' }],
      })
      expect(await refusal({ ticket, reason: 'De novo.' })).toMatchObject({
        status: 422,
        body: { code: 'InvalidFlowAction' },
      })
    })

    test('an approver approves once, and a signer does not approve', async () => {
      const world = await open()
      const id = await createDocument(world, [approver(people.bruno), signer(ana)])
      const bruno = await ticketOf(world, id, people.bruno.identifier)
      const signs = await ticketOf(world, id, ana.identifier)
      const approve = (ticket: string) => world.json('POST', `/api/documents/keys/${bruno.key}/approval`, { ticket })
      expect(await approve(signs.ticket)).toMatchObject({ status: 422, body: { code: 'InvalidFlowAction' } })
      expect((await approve(bruno.ticket)).status).toBe(200)
      expect(await approve(bruno.ticket)).toMatchObject({ status: 422, body: { code: 'InvalidFlowAction' } })
    })
  })
}

describe('an instance that gives refused documents on SQLite', () => {
  const open = sharedPlatform('SQLite', {
    settings: { ...trusting(), Documents: { EnableRefusedDocumentDownload: true } },
    clock,
  })

  test('gives the original and the printable version', async () => {
    const world = await open()
    const id = await createDocument(world, [signer(ana)])
    await world.json('POST', `/api/documents/${id}/refusal`, { reason: 'Não.' })
    for (const type of ['Original', 'PrinterFriendlyVersion'])
      expect((await contentOf(world, id, type)).status).toBe(200)
    expect((await contentOf(world, id, 'SignaturesManifest')).status).toBe(422)
  })
})
