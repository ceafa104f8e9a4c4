// Documents are signed by processes that are killed at any moment, and by two at once: nothing twice, nothing lost.
import { setTimeout as delay } from 'node:timers/promises'
import { signingProgress } from '@chancela/academic-documents/signatures'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { databases } from './test-support/credential-world.ts'
import { curriculumData, dean, documentOf, schoolAt, signAs } from './test-support/issuing.ts'
import { endLeases, placeOf } from './test-support/processes.ts'

const patient = { interval: 50 }

for (const database of databases) {
  describe(`processes on ${database}`, () => {
    test('killed at any moment after the person signed, the next one closes each document once', async () => {
      const { store, start } = await placeOf(database)
      let running = await start()
      await vi.waitUntil(async () => (await running.system.call('GET', '/api/subscriptions')).status === 200, patient)
      const school = await schoolAt(running)
      const caller = () => callerOf(running.baseUrl, { 'X-Api-Key': school.apiKey })
      const ids: string[] = []
      // The moment of the kill wanders over the work that follows the signature.
      for (const wait of [0, 20, 50, 100]) {
        const data = curriculumData({ codigoCurriculo: `PED-${wait}` })
        const { body } = await caller().json('POST', '/api/curriculums', { instituteId: school.instituteId, data })
        ids.push(body.id)
        const document = await documentOf(caller(), body.id)
        expect((await signAs(caller(), document.id, dean())).status).toBe(200)
        await delay(wait)
        await running.kill()
        await endLeases(store)
        running = await start()
        await vi.waitUntil(async () => (await caller().call('GET', '/api/curriculums')).status === 200, patient)
      }
      await vi.waitUntil(async () => {
        const found = await Promise.all(ids.map((id) => caller().json('GET', `/api/curriculums/${id}`)))
        return found.every(({ body }) => body.status === 'Concluded')
      }, patient)
      await expectOneEach(store, ids, caller())
    })

    test('two processes at once sign each step once', async () => {
      const { store, start } = await placeOf(database)
      const both = await Promise.all([start(), start()])
      for (const { system } of both)
        await vi.waitUntil(async () => (await system.call('GET', '/api/subscriptions')).status === 200, patient)
      const school = await schoolAt(both[0]!)
      const callers = both.map(({ baseUrl }) => callerOf(baseUrl, { 'X-Api-Key': school.apiKey }))
      for (const caller of callers)
        await vi.waitUntil(async () => (await caller.call('GET', '/api/curriculums')).status === 200, patient)
      const ids = await Promise.all(
        [1, 2, 3, 4].map(async (number) => {
          const data = curriculumData({ codigoCurriculo: `PED-${number}` })
          const request = { instituteId: school.instituteId, data }
          const { body } = await callers[number % 2]!.json('POST', '/api/curriculums', request)
          const document = await documentOf(callers[0]!, body.id)
          // The same person at both: one wins.
          const signed = await Promise.all(callers.map((caller) => signAs(caller, document.id, dean())))
          expect(signed.map(({ status }) => status).toSorted()).toEqual([200, 409])
          return body.id as string
        }),
      )
      for (const id of ids) await school.reaches(`/api/curriculums/${id}`, 'Concluded')
      await expectOneEach(store, ids, callers[1]!)
    })
  })
}

/** Each document has its two signatures, and a version of each. */
async function expectOneEach(
  store: Awaited<ReturnType<typeof placeOf>>['store'],
  ids: readonly string[],
  caller: ReturnType<typeof callerOf>,
): Promise<void> {
  for (const id of ids) {
    const answer = await caller.call('GET', `/api/curriculums/${id}/files/xml`)
    const { steps, misplaced } = signingProgress(Buffer.from(await answer.arrayBuffer()))
    expect([steps.map(({ signatures }) => signatures.length), misplaced]).toEqual([[1, 1], []])
    const { id: documentId } = await documentOf(caller, id)
    const versions = await store.db
      .selectFrom('xml_document_version')
      .select('revision')
      .where('document_id', '=', documentId)
      .orderBy('revision')
      .execute()
    expect(versions.map(({ revision }) => revision)).toEqual([0, 1, 2])
  }
}
