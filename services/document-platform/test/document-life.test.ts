import { DAY, MINUTE, plus } from '@chancela/service-kernel/clock'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { type Received, startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { later } from './test-support/look-now.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  ticketOf,
  upload,
} from './test-support/platform-world.ts'

const read = async (world: PlatformWorld, id: string) => (await world.json('GET', `/api/documents/${id}`)).body

/** Replaces the file of a document. */
async function addVersion(world: PlatformWorld, id: string): Promise<void> {
  const file = { id: await upload(world, samplePdf('Outra')), name: 'b.pdf', contentType: 'application/pdf' }
  expect((await world.json('POST', `/api/documents/${id}/versions`, { file })).status).toBe(200)
}

async function watched(world: PlatformWorld) {
  const receiver = await startReceiver()
  const path = `/api/organizations/${world.organization.id}/webhooks`
  await world.json('POST', path, { url: receiver.url, authType: 'NoAuth' })
  return receiver.received
}

/** Waits for `count` events of a type and returns them. */
async function eventsOf(received: readonly Received[], type: string, count: number) {
  const found = () => received.filter(({ body }) => JSON.parse(body).type === type).map(({ body }) => body)
  await vi.waitUntil(() => found().length >= count, { interval: 10 })
  return found()
}

for (const database of databases) {
  describe(`the life of a document on ${database}`, () => {
    const open = sharedPlatform(database)

    test('DocumentsCreated carries a hundred documents at most', async () => {
      const world = await open()
      const received = await watched(world)
      const id = await upload(world)
      const files = Array.from({ length: 120 }, (_, n) => ({
        id,
        name: `${n}.pdf`,
        displayName: `Contrato ${n}`,
        contentType: 'application/pdf',
      }))
      const { body } = await world.json('POST', '/api/documents', { files, flowActions: [signer(people.ana)] })
      const events = await eventsOf(received, 'DocumentsCreated', 2)
      const lists = events.map((text) => JSON.parse(text).data.documents as { id: string; name: string }[])
      expect(lists.map(({ length }) => length).sort((a, b) => a - b)).toEqual([20, 100])
      expect(new Set(lists.flat().map((document) => document.id))).toEqual(
        new Set((body as { documentId: string }[]).map(({ documentId }) => documentId)),
      )
    })

    test('DocumentsCreated is told byte by byte', async () => {
      const world = await open()
      const received = await watched(world)
      const id = await createDocument(world, [signer(people.ana)], { name: 'Ação.pdf' })
      const [body] = await eventsOf(received, 'DocumentsCreated', 1)
      const { organization } = world
      expect(body).toBe(
        JSON.stringify({
          type: 'DocumentsCreated',
          data: {
            documents: [
              {
                id,
                name: 'Ação.pdf',
                creationDate: world.clock().toISOString(),
                updateDate: world.clock().toISOString(),
                folder: null,
                organization: { id: organization.id, name: organization.name, identifier: null, owner: null },
                createdBy: { id: organization.applicationId, name: organization.application },
              },
            ],
          },
        }),
      )
    })

    test('cancellation needs a reason, ends a pending document and is told', async () => {
      const world = await open()
      const received = await watched(world)
      const id = await createDocument(world, [signer(people.ana)])
      expect((await world.json('POST', `/api/documents/${id}/cancellation`, {})).status).toBe(400)
      expect((await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Erro.' })).status).toBe(200)
      expect(await read(world, id)).toMatchObject({
        status: 'Canceled',
        statusUpdateReason: 'Erro.',
        statusUpdatedBy: { id: world.organization.applicationId, type: 'Application' },
      })
      const [body] = await eventsOf(received, 'DocumentCanceled', 1)
      expect(JSON.parse(body!)).toMatchObject({
        data: {
          id,
          canceledBy: {
            id: world.organization.applicationId,
            name: world.organization.application,
            type: 'Application',
          },
          reason: 'Erro.',
        },
      })
      const again = await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Erro.' })
      expect([again.status, again.body.code]).toEqual([422, 'DocumentNotPending'])
    })

    test('refusal through the API is told without a flow action', async () => {
      const world = await open()
      const received = await watched(world)
      const id = await createDocument(world, [signer(people.ana)])
      expect((await world.json('POST', `/api/documents/${id}/refusal`, { reason: 'Não.' })).status).toBe(200)
      const [body] = await eventsOf(received, 'DocumentRefused', 1)
      expect(JSON.parse(body!).data.refusal).toEqual({
        flowActionId: null,
        date: world.clock().toISOString(),
        userId: world.organization.applicationId,
        name: world.organization.application,
        identifier: null,
        emailAddress: null,
        reason: 'Não.',
      })
      expect((await read(world, id)).status).toBe('Refused')
    })

    test('a document expires at the end of its day and is told with both dates', async () => {
      const world = await open()
      const received = await watched(world)
      const id = await createDocument(world, [signer(people.ana)], { expirationDate: '2026-11-15T10:00:00-03:00' })
      expect(await read(world, id)).toMatchObject({
        expirationDate: '2026-11-16T02:59:59.999Z',
        expirationDateWithoutTime: '2026-11-15',
      })
      world.clock.set('2026-11-16T02:59:59.999Z')
      expect((await read(world, id)).status).toBe('Pending')
      world.clock.set('2026-11-16T03:00:00.000Z')
      await world.store.notify(world.store.db, LOOK_NOW)
      const [body] = await eventsOf(received, 'DocumentExpired', 1)
      expect(JSON.parse(body!).data).toMatchObject({
        id,
        expirationDate: '2026-11-16T02:59:59.999Z',
        expirationDateWithoutTime: '2026-11-15',
      })
      expect((await read(world, id)).status).toBe('Expired')
    })

    test('nobody acts once the day of a document is over, also before it is told as expired', async () => {
      const world = await open()
      const received = await watched(world)
      const expirationDate = world.clock().toISOString()
      const id = await createDocument(world, [approver(people.ana)], { expirationDate })
      const end = new Date((await read(world, id)).expirationDate)
      world.clock.set(plus(end, -MINUTE))
      const { key, ticket } = await ticketOf(world, id, people.ana.identifier)
      world.clock.set(plus(end, 1))
      for (const act of ['approval', 'refusal']) {
        const asked = { ticket, ...(act === 'refusal' && { reason: 'Tarde.' }) }
        const { status, body } = await world.json('POST', `/api/documents/keys/${key}/${act}`, asked)
        expect([act, status, body?.code]).toEqual([act, 422, 'InvalidFlowAction'])
      }
      await later(world, 0)
      expect(JSON.parse((await eventsOf(received, 'DocumentExpired', 1))[0]!).data.id).toBe(id)
    })

    test('DELETE answers 200, marks the document and is told with its action', async () => {
      const world = await open()
      const received = await watched(world)
      const id = await createDocument(world, [signer(people.ana)])
      expect((await world.json('DELETE', `/api/documents/${id}`)).status).toBe(200)
      expect((await read(world, id)).isDeleted).toBe(true)
      const [body] = await eventsOf(received, 'DocumentDeleted', 1)
      expect(JSON.parse(body!).data).toMatchObject({ action: 'DeletedByUserOrApplication', documents: [{ id }] })
      expect((await world.json('DELETE', `/api/documents/${id}`)).body.code).toBe('DocumentNotFound')
      expect((await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'x' })).body.code).toBe(
        'DocumentNotFound',
      )
    })

    test('a new version replaces the file and begins the flow again', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana), approver(people.bruno, { step: 2 })])
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Outra versão.' })
      await addVersion(world, id)
      expect(await read(world, id)).toMatchObject({
        status: 'Pending',
        filename: 'b.pdf',
        statusUpdateReason: null,
        flowActions: [{ status: 'Pending' }, { status: 'Created' }],
      })
    })

    test('a new version leaves a day that is over behind, and keeps one that is to come', async () => {
      const world = await open()
      const received = await watched(world)
      const expirationDate = world.clock().toISOString()
      const concluded = await createDocument(world, [approver(people.ana)], { expirationDate })
      const expired = await createDocument(world, [approver(people.ana)], { expirationDate })
      const { key, ticket } = await ticketOf(world, concluded, people.ana.identifier)
      await world.json('POST', `/api/documents/keys/${key}/approval`, { ticket })
      await eventsOf(received, 'DocumentConcluded', 1)
      await later(world, 2 * DAY)
      await eventsOf(received, 'DocumentExpired', 1)
      const today = world.clock().toISOString()
      const expiring = await createDocument(world, [approver(people.ana)], { expirationDate: today })
      for (const id of [concluded, expired, expiring]) await addVersion(world, id)
      await later(world, 2 * DAY)
      const told = (await eventsOf(received, 'DocumentExpired', 2)).map((body) => JSON.parse(body).data.id)
      expect(told).toEqual([expired, expiring])
      for (const id of [concluded, expired])
        expect(await read(world, id)).toMatchObject({
          status: 'Pending',
          expirationDate: null,
          expirationDateWithoutTime: null,
        })
    })

    test('the flow of a pending document is edited, and the names of users of the organization stand', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana), signer(people.bruno, { step: 2 })])
      const [first, second] = (await read(world, id)).flowActions
      const { status, body } = await world.json('POST', `/api/documents/${id}/flow`, {
        addedFlowActions: [approver({ ...people.carla, name: 'Carla D.' }, { step: 3 })],
        editedFlowActions: [
          { flowActionId: first.id, participantEmailAddress: 'Ana.Nova@Example.com', title: 'Gerente' },
        ],
        deletedFlowActionIds: [second.id],
      })
      expect([status, body]).toEqual([200, { rectifiedParticipants: [] }])
      expect((await read(world, id)).flowActions).toMatchObject([
        { title: 'Gerente', status: 'Pending', user: { email: 'ana.nova@example.com' } },
        { type: 'Approver', status: 'Created', user: { name: 'Carla D.' } },
      ])
      const add = async (name: string) =>
        (
          await world.json('POST', `/api/documents/${id}/flow`, {
            addedFlowActions: [approver({ ...people.carla, name }, { step: 4 })],
          })
        ).body.rectifiedParticipants
      expect(await add('Carla Dias')).toEqual([])
      await world.json('POST', '/api/organizations/users', people.carla)
      expect(await add('Outro Nome')).toMatchObject([
        { requested: { name: 'Outro Nome' }, rectified: { name: people.carla.name } },
      ])
    })

    test('an edit that cannot be is refused whole', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana)])
      const [only] = (await read(world, id)).flowActions
      const cases: readonly (readonly [string, object])[] = [
        ['FlowRequired', { deletedFlowActionIds: [only.id] }],
        ['FlowActionNotFound', { deletedFlowActionIds: [crypto.randomUUID()] }],
        ['ObserverNotFound', { deletedObserverIds: [crypto.randomUUID()] }],
        ['InvalidFlowAction', { addedFlowActions: [approver({ name: 'x' })] }],
      ]
      for (const [code, request] of cases)
        expect((await world.json('POST', `/api/documents/${id}/flow`, request)).body.code).toBe(code)
      expect((await read(world, id)).flowActions).toHaveLength(1)
    })

    test('documents move to folders, one and several', async () => {
      const world = await open()
      const [one, two] = [
        await createDocument(world, [signer(people.ana)]),
        await createDocument(world, [signer(people.ana)]),
      ]
      expect((await world.json('POST', `/api/documents/${one}/folder`, { newFolderName: 'Nova' })).status).toBe(200)
      const { folder } = await read(world, one)
      expect(folder).toMatchObject({ name: 'Nova', parentId: null })
      const stranger = crypto.randomUUID()
      const { body } = await world.json('POST', '/api/documents/batch/folder', {
        documents: [two, stranger],
        folderId: folder.id,
      })
      expect(body).toEqual([
        { id: two, success: true, errorMessage: null },
        { id: stranger, success: false, errorMessage: 'No document has this id.' },
      ])
      expect((await read(world, two)).folder.id).toBe(folder.id)
      await world.json('POST', `/api/documents/${two}/folder`, { folderId: null })
      expect((await read(world, two)).folder).toBeNull()
      const unknown = await world.json('POST', `/api/documents/${two}/folder`, { folderId: stranger })
      expect([unknown.status, unknown.body.code]).toEqual([422, 'FolderNotFound'])
    })

    test('notified e-mails are set, each once', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana)])
      const path = `/api/documents/${id}/notified-emails`
      expect((await world.json('PUT', path, { emails: ['A@example.com', 'a@example.com'] })).status).toBe(200)
      expect((await read(world, id)).notifiedEmails).toEqual(['a@example.com'])
      expect((await world.json('PUT', path, { emails: ['no address'] })).status).toBe(400)
    })

    test('the timeline tells what happened, the oldest first', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana)])
      await world.json('POST', `/api/documents/${id}/folder`, { newFolderName: 'T' })
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Fim.' })
      const { body } = await world.json('GET', `/api/documents/${id}/timeline`)
      expect(body.map(({ type }: { type: string }) => type)).toEqual(['Created', 'Moved', 'Canceled'])
      expect(body[2]).toMatchObject({ agent: { type: 'Application' }, detail: 'Fim.' })
    })

    test('documents of a time are counted', async () => {
      const world = await open()
      await createDocument(world, [signer(people.ana)])
      const from = world.clock()
      const request = { startDateUtc: from.toISOString(), endDateUtc: new Date(from.getTime() + 1000).toISOString() }
      const { body } = await world.json('POST', '/api/documents/date', request)
      expect(body).toEqual({ totalDocuments: 1, totalEnvelopes: 0 })
    })
  })
}
