// Own degrees by processes that are killed between their two documents, and by two at once: each goes on, once.
import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { databases, type Organization } from './test-support/credential-world.ts'
import {
  clerk,
  concludedDegree,
  dean,
  documentOf,
  madeDegree,
  newDegree,
  registrationData,
  schoolAt,
  signAs,
} from './test-support/issuing.ts'
import { endLeases, isServing, type Place, placeOf } from './test-support/processes.ts'

const patient = { interval: 50 }
const alone = { createAcademicTranscript: false }

for (const database of databases) {
  describe(`own degrees by processes on ${database}`, () => {
    test('killed between the two documents, a degree goes on with one public XML, one code and one conclusion', async () => {
      const { store, start } = await placeOf(database)
      let running = await start()
      await isServing(running.system, '/api/subscriptions')
      const school = await schoolAt(running)
      const caller = () => callerOf(running.baseUrl, { 'X-Api-Key': school.apiKey })
      const now = () => ({ ...school, ...caller() })
      const again = async () => {
        await running.kill()
        await endLeases(store)
        running = await start()
        await isServing(caller(), '/api/degrees')
      }
      const ids: string[] = []
      // The moment of the kill wanders from the person's signature to the making of the public XML, and past it.
      for (const wait of [0, 150]) {
        const { id, path } = await madeDegree(now(), alone)
        ids.push(id)
        const documentation = await documentOf(caller(), id, 'academicDocumentation')
        expect((await signAs(caller(), documentation.id, dean())).status).toBe(200)
        await delay(wait)
        await again()
        const second = await vi.waitUntil(() => documentOf(caller(), id, 'degree'), patient)
        expect((await signAs(caller(), second.id, clerk())).status).toBe(200)
        await delay(wait)
        await again()
        await vi.waitUntil(async () => (await caller().json('GET', path)).body.status === 'Concluded', patient)
      }
      await expectOneEach(store, ids)
    })

    test('two processes at once write a line once, and annul once when two people ask', async () => {
      const { store, start } = await placeOf(database)
      const both = await Promise.all([start(), start()])
      for (const { system } of both) await isServing(system, '/api/subscriptions')
      const school = await schoolAt(both[0]!)
      const [first, second] = [school, await atOther(both[1]!.baseUrl, school)]
      const onLine = { ...alone, registration: registrationData({ numeroFolhaDoDiploma: '900' }) }
      const asked = [first, second].map(({ json }) =>
        json('POST', '/api/degrees', newDegree(school.instituteId, onLine)),
      )
      expect((await Promise.all(asked)).map(({ status }) => status).toSorted()).toEqual([201, 409])
      expect(await store.db.selectFrom('book_entry').selectAll().execute()).toHaveLength(1)

      const { path, id } = await concludedDegree(school, alone)
      const annulment = { reason: 'Documento falso', cancellationReason: 'ErroDeFato' }
      const told = await Promise.all([first, second].map(({ json }) => json('POST', `${path}/cancellation`, annulment)))
      expect(told.map(({ status }) => status).toSorted()).toEqual([200, 202])
      const events = await store.db.selectFrom('entity_event').select('type').where('entity_id', '=', id).execute()
      expect(events.filter(({ type }) => type === 'DegreeCanceled')).toHaveLength(1)
      expect(await store.db.selectFrom('proposal').selectAll().execute()).toEqual([])
    })
  })
}

/** Another Administrador, at the other process. */
async function atOther(baseUrl: string, { application }: Pick<Organization, 'application'>): Promise<Caller> {
  const caller = callerOf(baseUrl, { 'X-Api-Key': (await application('Administrador')).apiKey })
  await isServing(caller, '/api/degrees')
  return caller
}

/** Each degree has its two documents, a code that no other has, its line, and was concluded once. */
async function expectOneEach({ db }: Place['store'], ids: readonly string[]): Promise<void> {
  const documents = await db.selectFrom('xml_document').select(['owner_id', 'document_kind', 'status']).execute()
  const events = await db.selectFrom('entity_event').select(['entity_id', 'type']).execute()
  for (const id of ids) {
    const own = documents.filter(({ owner_id }) => owner_id === id)
    expect(own.map(({ document_kind, status }) => [document_kind, status]).toSorted()).toEqual([
      ['academicDocumentation', 'Closed'],
      ['degree', 'Closed'],
    ])
    for (const type of ['DegreeCreated', 'DegreeDocumentationClosed', 'DegreeConcluded'])
      expect(events.filter((one) => one.entity_id === id && one.type === type)).toHaveLength(1)
  }
  const degrees = await db.selectFrom('degree').select('verification_code').execute()
  expect(new Set(degrees.map(({ verification_code }) => verification_code)).size).toBe(ids.length)
  expect(await db.selectFrom('book_entry').selectAll().execute()).toHaveLength(ids.length)
}
