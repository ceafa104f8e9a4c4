import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { endpointsOf, listDeliveries } from '@chancela/outbox/webhooks'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import { later, laterSwept } from './test-support/look-now.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  startPlatform,
  upload,
} from './test-support/platform-world.ts'
import { receiveEvents } from './test-support/receive-events.ts'

async function storedBlobs({ dataFolder }: PlatformWorld): Promise<readonly string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return names.filter((name) => /^[0-9a-f]{64}$/.test(name)).sort()
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

for (const database of databases) {
  describe(`retention on ${database}`, () => {
    test('unused uploads are swept after their time, with their bytes; what documents use stays', async () => {
      const world = await startPlatform(database)
      const [used, unused, attached] = ['usado', 'esquecido', 'anexo'].map((text) => Buffer.from(text)) as [
        Buffer,
        Buffer,
        Buffer,
      ]
      const attachment = { id: await upload(world, attached), name: 'anexo.txt', displayName: 'Anexo' }
      await createDocument(world, [approver(people.ana)], { file: used, name: 'a.txt', attachments: [attachment] })
      const id = await upload(world, unused)
      await later(world, 24 * HOUR)
      const files = [{ id, name: 'b.txt', displayName: 'b', contentType: 'text/plain' }]
      const late = await world.json('POST', '/api/documents', { files, flowActions: [approver(people.ana)] })
      expect(late).toMatchObject({ status: 422, body: { code: 'UploadNotFound' } })
      await laterSwept(world, 40 * DAY)
      expect(await world.store.db.selectFrom('upload').selectAll().execute()).toEqual([])
      expect(await storedBlobs(world)).toEqual([sha256(used), sha256(attached)].sort())
    })

    test('uploads in segments and marks sessions end, and the segments go', async () => {
      const world = await startPlatform(database)
      const { body: ticket } = await world.json('POST', '/api/uploads/segmented-upload-ticket')
      const form = new FormData()
      form.set('content', new Blob(['abc']), 'a.txt')
      const headers = { 'Content-Range': 'bytes 0-2/10' }
      expect((await world.call('POST', `/api/uploads?ticket=${ticket}`, { body: form, headers })).status).toBe(202)
      const file = { id: await upload(world, Buffer.from('x')), name: 'a.txt' }
      await world.json('POST', '/api/marks-sessions', { files: [file] })
      expect(await storedBlobs(world)).toHaveLength(2)
      await laterSwept(world, 26 * HOUR)
      expect(await world.store.db.selectFrom('segmented_upload').selectAll().execute()).toEqual([])
      expect(await world.store.db.selectFrom('marks_session').selectAll().execute()).toEqual([])
      expect(await storedBlobs(world)).toEqual([])
    })

    test('the bytes of a deleted document stay for DeletedDocumentsLifeDays', async () => {
      const world = await startPlatform(database)
      const bytes = Buffer.from('apagado')
      const id = await createDocument(world, [approver(people.ana)], { file: bytes, name: 'a.txt' })
      await world.json('DELETE', `/api/documents/${id}`)
      await laterSwept(world, 29 * DAY)
      expect(await storedBlobs(world)).toEqual([sha256(bytes)])
      await laterSwept(world, 2 * DAY)
      expect(await storedBlobs(world)).toEqual([])
    })

    test('the webhooks of a deleted organization go once they have been told', async () => {
      const world = await startPlatform(database)
      const admin = administration(world)
      const events = await receiveEvents(world)
      await createDocument(world, [approver(people.ana)])
      await admin('DELETE', `/api/admin/organizations/${world.organization.id}`)
      await events.next('DocumentDeleted')
      expect(await endpointsOf(world.store.db, world.organization.id)).toHaveLength(1)
      const isToldOf = async () =>
        (await listDeliveries(world.store.db, { ownerId: world.organization.id, states: ['waiting'], limit: 1 }))
          .length === 0
      await vi.waitUntil(isToldOf, { interval: 20 })
      await later(world, HOUR)
      await vi.waitUntil(async () => (await endpointsOf(world.store.db, world.organization.id)).length === 0)
    })
  })
}
