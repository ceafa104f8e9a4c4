// What the document platform tells, does not tell, tells twice, or changes on the way.
import { MINUTE } from '@chancela/service-kernel/clock'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { describe, expect, test, vi } from 'vitest'
import { ticketOf } from '../../document-platform/test/test-support/platform-world.ts'
import { databases, organizationAt, sharedPlatform } from './test-support/credential-world.ts'
import {
  connect,
  flowThere,
  madeFlow,
  type PlatformWorld,
  personOf,
  reachedOf,
  sentOf,
  sharedDocumentPlatform,
  signThere,
  startProxy,
} from './test-support/document-platform.ts'
import { curriculumData, dean, documentOf, schoolAt, signAs } from './test-support/issuing.ts'
import { clock, pki, signingSettings } from './test-support/pki.ts'

const BRUNO = 'bruno-lima'

for (const database of databases) {
  describe(`faults of the document platform on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const openDocuments = sharedDocumentPlatform(database)

    type School = Awaited<ReturnType<typeof schoolAt>>

    /** A curriculum that goes to the platform; `before` is the address it is reached at. */
    async function madeCurriculum(before: (there: PlatformWorld) => Promise<string> = async ({ baseUrl }) => baseUrl) {
      const school = await schoolAt(open())
      const there = await openDocuments()
      await connect(school, there, { url: await before(there) })
      const flowId = await madeFlow(school, flowThere('Curriculum', [BRUNO]))
      const request = { instituteId: school.instituteId, data: curriculumData(), flowId }
      const { body } = await school.json('POST', '/api/curriculums', request)
      return { school, there, id: body.id as string, path: `/api/curriculums/${body.id}` }
    }

    /** Signs, and waits until the platform has concluded the document: only then it tells of it. */
    const signAsBruno = async (there: PlatformWorld, documentId: string) => {
      await signThere(there, documentId, pki.certificate(BRUNO), personOf(BRUNO).identifier)
      const status = async () => (await there.json('GET', `/api/documents/${documentId}`)).body.status
      await vi.waitUntil(async () => (await status()) === 'Concluded', { interval: 20 })
    }

    const hear = ({ json }: Pick<School, 'json'>, type: string, data: unknown) =>
      json('POST', '/api/degrees/webhook', { type, data })

    /** Lets time go on, and the workers see it. */
    const later = async (milliseconds: number) => {
      clock.advance(milliseconds)
      const { store } = open()
      await store.notify(store.db, LOOK_NOW)
    }

    const titles = async ({ json }: PlatformWorld) =>
      (await json('GET', '/api/documents')).body.items.map(({ status }: { status: string }) => status)

    test('events that come early, twice, of other kinds and of other documents are taken and change nothing', async () => {
      const { school, there, id, path } = await madeCurriculum()
      const { documentId } = (await sentOf(school, id)).platform
      for (const [type, data] of [
        ['DocumentConcluded', { id: documentId }],
        ['DocumentsCreated', { documents: [{ id: documentId }, { id: crypto.randomUUID() }, null] }],
        ['DocumentRefused', { id: crypto.randomUUID() }],
        ['InvoiceClosed', { id: 42 }],
        ['SomethingNew', undefined],
      ] as const)
        expect((await hear(school, type, data)).status).toBe(202)
      expect((await school.json('GET', path)).body.status).toBe('Pending')
      await signAsBruno(there, documentId)
      for (const type of ['DocumentConcluded', 'DocumentSigned', 'DocumentConcluded'])
        expect((await hear(school, type, { id: documentId })).status).toBe(202)
      await school.reaches(path, 'Concluded')
      const { id: ownId } = await documentOf(school, id)
      const versions = await open()
        .store.db.selectFrom('xml_document_version')
        .select('revision')
        .where('document_id', '=', ownId)
        .execute()
      expect(versions).toHaveLength(3)
      const refusal = await hear(school, 'DocumentRefused', { id: documentId })
      expect([refusal.status, (await school.json('GET', path)).body.status]).toEqual([202, 'Concluded'])
    })

    test('a key of another organization changes nothing; what nobody tells of is asked for after a while', async () => {
      const { school, there, id, path } = await madeCurriculum()
      const { documentId } = (await sentOf(school, id)).platform
      await signAsBruno(there, documentId)
      const foreign = await organizationAt(open())
      expect((await hear(foreign, 'DocumentConcluded', { id: documentId })).status).toBe(202)
      expect((await hear({ json: open().system.json } as School, 'DocumentConcluded', {})).status).toBe(403)
      await later(5 * MINUTE)
      expect((await school.json('GET', path)).body.status).toBe('Pending')
      await later(20 * MINUTE)
      await school.reaches(path, 'Concluded')
    })

    test('a refusal fails the document with its reason, and somebody has it signed there again', async () => {
      const { school, there, id, path } = await madeCurriculum()
      const first = await sentOf(school, id)
      const { key, ticket } = await ticketOf(there, first.platform.documentId, personOf(BRUNO).identifier)
      const said = { ticket, reason: 'O nome do curso está errado.' }
      expect((await there.json('POST', `/api/documents/keys/${key}/refusal`, said)).status).toBe(200)
      await hear(school, 'DocumentRefused', { id: first.platform.documentId })
      const failed = await reachedOf(school, id, 'Failed')
      expect([failed.error, failed.platform.status]).toEqual([expect.stringContaining(said.reason), 'Failed'])
      expect((await school.json('GET', path)).body.status).toBe('Pending')
      const { items } = (await school.json('GET', `/api/events?entityId=${id}`)).body
      expect(items[0]).toMatchObject({ type: 'DocumentSigningFailed', data: { reason: failed.error } })
      const reopening = `/api/documents/${first.id}/reopening`
      expect((await school.json('POST', reopening, {})).body).toMatchObject({ status: 'Open', error: null })
      expect((await school.json('POST', reopening, {})).body.code).toBe('invalid-transition')
      const second = await sentOf(school, id)
      expect(second.platform.documentId).not.toBe(first.platform.documentId)
      await signAsBruno(there, second.platform.documentId)
      await hear(school, 'DocumentConcluded', { id: second.platform.documentId })
      await school.reaches(path, 'Concluded')
    })

    test('a document that was deleted there, or canceled, fails, and may be signed here', async () => {
      for (const end of ['DELETE', 'POST'] as const) {
        const { school, there, id, path } = await madeCurriculum()
        const { id: ownId, platform } = await sentOf(school, id)
        const at = `/api/documents/${platform.documentId}`
        const ended = await there.json(end, end === 'POST' ? `${at}/cancellation` : at, { reason: 'Engano.' })
        expect(ended.status).toBe(200)
        await hear(school, 'DocumentDeleted', { documents: [{ id: platform.documentId }] })
        expect((await reachedOf(school, id, 'Failed')).error).toMatch(/deleted|canceled/)
        const answer = await school.json('POST', `/api/documents/${ownId}/reopening`, { signedAt: 'Here' })
        expect(answer.body.next).toEqual(['issuerPeople'])
        expect((await signAs(school, ownId, dean())).status).toBe(200)
        await school.reaches(path, 'Concluded')
      }
    })

    test('what was changed on the way back is refused with its reason, and nothing of it is kept', async () => {
      const alter = (body: Buffer) => Buffer.from(body.toString().replace('Pedagogia', 'Pedagogja'))
      const { school, there, id } = await madeCurriculum(({ baseUrl }) =>
        startProxy(baseUrl, ({ url = '' }, { body }) => (url.includes('/content') ? alter(body) : body)),
      )
      const sent = await sentOf(school, id)
      await signAsBruno(there, sent.platform.documentId)
      await hear(school, 'DocumentConcluded', { id: sent.platform.documentId })
      const failed = await reachedOf(school, id, 'Failed')
      expect([failed.error, failed.revision]).toEqual([expect.stringContaining('besides signatures'), 0])
    })

    test('a creation whose answer is lost is found again: one document for one XML', async () => {
      let cut = 0
      const { school, there, id, path } = await madeCurriculum(({ baseUrl }) =>
        startProxy(baseUrl, ({ method, url }, { body }) =>
          method === 'POST' && url === '/api/documents' && cut++ === 0 ? undefined : body,
        ),
      )
      await vi.waitUntil(async () => (await documentOf(school, id)).platform.error !== null)
      expect(await titles(there)).toEqual(['Pending'])
      await later(20 * MINUTE)
      const { documentId } = (await sentOf(school, id)).platform
      expect([await titles(there), cut]).toEqual([['Pending'], 1])
      await signAsBruno(there, documentId)
      await hear(school, 'DocumentConcluded', { id: documentId })
      await school.reaches(path, 'Concluded')
    })

    test('a curriculum that is canceled is withdrawn there, and the connection stays while something is there', async () => {
      const { school, there, id, path } = await madeCurriculum()
      await sentOf(school, id)
      const connection = `/api/subscriptions/${school.subscriptionId}/document-platform`
      expect((await school.json('DELETE', connection)).body.code).toBe('in-use')
      expect((await school.json('POST', `${path}/cancellation`, { reason: 'Engano.' })).status).toBe(200)
      await vi.waitUntil(async () => (await titles(there))[0] === 'Canceled', { interval: 20 })
      expect((await school.json('DELETE', connection)).status).toBe(204)
    })

    test('without a connection the document fails at once and says so', async () => {
      const school = await schoolAt(open())
      const flowId = await madeFlow(school, flowThere('Curriculum', [BRUNO]))
      const request = { instituteId: school.instituteId, data: curriculumData(), flowId }
      const { body } = await school.json('POST', '/api/curriculums', request)
      expect((await reachedOf(school, body.id, 'Failed')).error).toMatch(/no document platform/)
    })
  })
}
