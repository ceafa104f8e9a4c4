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
      expect((await world.json('GET', `/api/marks-sessions/${begun.id}`)).body).toEqual({
        id: begun.id,
        files: [file],
        data: null,
      })
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
