import { MINUTE } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import {
  approver,
  createDocument,
  databases,
  people,
  sharedPlatform,
  signer,
  upload,
} from './test-support/platform-world.ts'

const mark = { pageNumber: 1, topLeftX: 100, topLeftY: 200.5, width: 150, height: 60 }

for (const database of databases) {
  describe(`marks sessions on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('marks are placed on uploads by whoever has the address of the page', async () => {
      const world = await platform()
      const pdf = samplePdf('Marcas')
      const id = await upload(world, pdf)
      const file = { id, name: 'a.pdf', displayName: 'Contrato A', contentType: 'application/pdf' }
      const { body: begun } = await world.json('POST', '/api/marks-sessions', {
        files: [file],
        flowActions: [
          signer(people.ana),
          { type: 'SignRule', step: 2, ruleUsers: [people.bruno, people.carla], numberRequiredActions: 1 },
        ],
      })
      expect(new URL(begun.embedUrl).pathname).toBe(`/position-marks/${begun.id}`)
      expect(new URL(begun.embedUrl).search).toBe('?v=1')
      const { body: read } = await world.json('GET', `/api/marks-sessions/${begun.id}`)
      expect(read).toMatchObject({ id: begun.id, files: [file], isEnvelope: false, signatureType: null, data: null })
      expect((await fetch(`${world.baseUrl}${read.files[0].location}`)).status).toBe(200)
      const keyless = { 'X-Api-Key': 'nobody' }
      const page = (await world.json('GET', `/api/marks-sessions/${begun.id}/page`, undefined, keyless)).body
      expect(page.participants).toEqual([
        { flowActionId: null, name: 'Ana Souza', type: 'Signer' },
        { flowActionId: null, name: 'Bruno Lima', type: 'SignRule' },
        { flowActionId: null, name: 'Carla Dias', type: 'SignRule' },
      ])
      expect(page.files).toMatchObject([{ id, name: 'Contrato A', contentType: 'application/pdf' }])
      const bytes = await (await fetch(`${world.baseUrl}${page.files[0].location}`)).arrayBuffer()
      expect(Buffer.from(bytes).equals(pdf)).toBe(true)
      const data = [{ ...mark, uploadId: id, participant: 'Ana Souza' }]
      const saved = await fetch(`${world.baseUrl}/api/marks-sessions/${begun.id}/data`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      })
      expect(saved.status).toBe(200)
      for (const path of ['/api/marks-sessions', '/api/marks-session'])
        expect((await world.json('GET', `${path}/${begun.id}`)).body.data).toEqual(data)
    })

    test('on documents those who have still to act are offered', async () => {
      const world = await platform()
      const flow = [signer(people.ana), approver(people.bruno, { step: 2 })]
      const documentId = await createDocument(world, flow)
      const { body: begun } = await world.json('POST', '/api/marks-sessions/documents', { documents: [documentId] })
      const page = (await world.json('GET', `/api/marks-sessions/${begun.id}/page`)).body
      expect(page.participants.map(({ name }: { name: string }) => name)).toEqual(['Ana Souza', 'Bruno Lima'])
      const { flowActions } = (await world.json('GET', `/api/documents/${documentId}`)).body
      expect(page.participants[0].flowActionId).toBe(flowActions[0].id)
      const content = await fetch(`${world.baseUrl}${page.files[0].location}`)
      expect(content.headers.get('content-type')).toBe('application/pdf')
    })

    test('a creation request comes back with the marks in its actions, and creates the document with them', async () => {
      const world = await platform()
      const file = { id: await upload(world), name: 'a.pdf', displayName: 'A', contentType: 'application/pdf' }
      const stamp = { ...mark, type: 'AuthenticationStamp' }
      const request = {
        files: [file],
        flowActions: [
          signer(people.ana, { prePositionedMarks: [stamp] }),
          { type: 'SignRule', step: 2, ruleUsers: [people.bruno, people.carla], numberRequiredActions: 1 },
        ],
        description: 'Leia com calma.',
        signatureType: 'Qualified',
      }
      const { status, body: begun } = await world.json('POST', '/api/marks-sessions/documents', request)
      expect({ status, begun }).toEqual({
        status: 200,
        begun: { id: expect.any(String), embedUrl: expect.any(String) },
      })
      const { body: page } = await world.json('GET', `/api/marks-sessions/${begun.id}/page`)
      expect(page).toMatchObject({
        isEnvelope: false,
        signatureType: 'Qualified',
        data: [{ type: 'AuthenticationStamp', participant: 'Ana Souza' }],
      })
      const [ana, bruno] = page.participants
      const data = [
        ...page.data,
        { ...mark, uploadId: file.id, flowActionId: bruno.flowActionId, participant: bruno.name },
        { ...mark, uploadId: file.id, topLeftY: 300, flowActionId: ana.flowActionId },
      ]
      await world.json('PUT', `/api/marks-sessions/${begun.id}/data`, { data })
      const { body: placed } = await world.json('GET', `/api/marks-sessions/${begun.id}`)
      expect(placed.request).toMatchObject({ description: 'Leia com calma.', files: [file] })
      const created = await world.json('POST', '/api/documents', placed.request)
      expect(created.headers.get('warning')).toBeNull()
      const { body: document } = await world.json('GET', `/api/documents/${created.body[0].documentId}`)
      expect(document).toMatchObject({
        signatureType: 'Qualified',
        flowActions: [{ marks: [stamp, { topLeftY: 300 }] }, { marks: [mark] }],
      })
    })

    test('a session keeps ids of actions, envelope and type of signature as clients send them', async () => {
      const world = await platform()
      const files = [{ id: await upload(world), name: 'a.pdf', displayName: 'A', contentType: 'application/pdf' }]
      const flowActions = [{ id: 'action-1', ...signer(people.ana), prePositionedMarks: [mark] }]
      const request = { files, flowActions, isEnvelope: true, signatureType: 'Advanced' }
      const { body: begun } = await world.json('POST', '/api/marks-sessions', request)
      const { body } = await world.json('GET', `/api/marks-sessions/${begun.id}`)
      expect(body).toMatchObject({ isEnvelope: true, signatureType: 'Advanced', flowActions, request: null })
      expect((await world.json('GET', `/api/marks-sessions/${begun.id}/page`)).body).toMatchObject({
        isEnvelope: true,
        participants: [{ flowActionId: 'action-1' }],
        data: [{ ...mark, flowActionId: 'action-1' }],
      })
    })

    test('a creation request that creation would refuse is refused', async () => {
      const world = await platform()
      const files = [{ id: await upload(world), name: 'a.pdf', displayName: 'A', contentType: 'application/pdf' }]
      const send = (body: object) => world.json('POST', '/api/marks-sessions/documents', body)
      const sms = { allowElectronicSignature: true, requireSmsAuthenticationToSignElectronically: true }
      expect(await send({ files, flowActions: [signer(people.ana, sms)] })).toMatchObject({
        status: 422,
        body: { code: 'AuthenticationNotAvailable' },
      })
      expect(await send({ flowActions: [signer(people.ana)] })).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest', details: { files: expect.any(String) } },
      })
      expect(await send({ files, documents: [crypto.randomUUID()] })).toMatchObject({ status: 400 })
    })

    test('a session lasts 60 minutes, and is its organization’s', async () => {
      const [world, other] = [await platform(), await platform()]
      const file = { id: await upload(world), name: 'a.pdf' }
      const notFound = { status: 422, body: { code: 'MarksSessionNotFound' } }
      const { body: begun } = await world.json('POST', '/api/marks-sessions', { files: [file] })
      expect(await other.json('GET', `/api/marks-sessions/${begun.id}`)).toMatchObject(notFound)
      world.clock.advance(60 * MINUTE - 1)
      expect((await world.json('GET', `/api/marks-sessions/${begun.id}`)).status).toBe(200)
      world.clock.advance(1)
      expect(await world.json('GET', `/api/marks-sessions/${begun.id}`)).toMatchObject(notFound)
      expect(await world.json('GET', `/api/marks-sessions/${begun.id}/page`)).toMatchObject(notFound)
      expect(await world.json('PUT', `/api/marks-sessions/${begun.id}/data`, { data: [] })).toMatchObject(notFound)
    })

    test('files and documents of others are not found', async () => {
      const [world, other] = [await platform(), await platform()]
      const file = { id: await upload(other), name: 'a.pdf' }
      expect(await world.json('POST', '/api/marks-sessions', { files: [file] })).toMatchObject({
        status: 422,
        body: { code: 'UploadNotFound' },
      })
      const documents = [await createDocument(other, [approver(people.ana)])]
      expect(await world.json('POST', '/api/marks-sessions/documents', { documents })).toMatchObject({
        status: 422,
        body: { code: 'DocumentNotFound' },
      })
    })
  })
}
