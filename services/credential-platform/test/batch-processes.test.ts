// Batches in processes that are killed at any moment, and in two at once: every row once, nothing twice, nothing lost.
import { setTimeout as delay } from 'node:timers/promises'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { csvOf, emissionCells, finished, upload } from './test-support/batches.ts'
import { databases, instituteOf, organizationAt } from './test-support/credential-world.ts'
import { placeOf } from './test-support/processes.ts'

const patient = { interval: 50 }
const ROWS = 120
const BAD = 7

/** Every seventh row has no CPF that there could be. */
const file = csvOf(
  Array.from({ length: ROWS }, (_, at) =>
    emissionCells(`Aluno ${at + 1}`, at % BAD === 0 ? { 'registroReq.dadosDiploma.diplomado.cpf': '1' } : {}),
  ),
)

type Place = Awaited<ReturnType<typeof placeOf>>

/** A lease that a killed process held ends by itself; the test does not wait for it. */
const endLeases = ({ store }: Place) =>
  store.db
    .updateTable('durable_job' as never)
    .set({ due_at: '2000-01-01T00:00:00.000Z' } as never)
    .where('state' as never, '=', 'claimed' as never)
    .execute()

async function expectEachOnce({ store }: Place, batchId: string): Promise<void> {
  const rows = await store.db
    .selectFrom('batch_row')
    .selectAll()
    .where('batch_id', '=', batchId)
    .orderBy('number')
    .execute()
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1))
  const bad = rows.filter(({ status }) => status === 'Failed').map(({ number }) => number)
  expect(bad).toEqual(rows.map(({ number }) => number).filter((number) => (number - 1) % BAD === 0))
  const items = await store.db
    .selectFrom('emission')
    .select(['id', 'student_name'])
    .where('batch_id', '=', batchId)
    .execute()
  const made = rows.filter(({ status }) => status === 'Done').map(({ item_id, number }) => [item_id, `Aluno ${number}`])
  expect(items.map(({ id, student_name }) => [id, student_name]).toSorted()).toEqual(made.toSorted())
  const documents = await store.db.selectFrom('xml_document').select('owner_id').execute()
  expect(documents.map(({ owner_id }) => owner_id).toSorted()).toEqual(items.map(({ id }) => id).toSorted())
}

for (const database of databases) {
  describe(`batches by processes on ${database}`, () => {
    test('killed at any moment, the next process goes on with the next row', async () => {
      const place = await placeOf(database)
      let running = await place.start()
      await vi.waitUntil(async () => (await running.system.call('GET', '/api/subscriptions')).status === 200, patient)
      const organization = await organizationAt(running)
      const { id: instituteId } = await instituteOf(organization)
      const { body } = await upload(organization, `/api/emissions/batches?instituteId=${instituteId}`, file)
      const path = `/api/emissions/batches/${body.id}`
      const caller = () => callerOf(running.baseUrl, { 'X-Api-Key': organization.apiKey })
      const counts: number[] = []
      for (const wait of [30, 120, 250]) {
        await delay(wait)
        await running.kill()
        await endLeases(place)
        running = await place.start()
        await vi.waitUntil(async () => (await caller().call('GET', path)).status === 200, patient)
        counts.push((await caller().json('GET', path)).body.done)
      }
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      const bad = Math.ceil(ROWS / BAD)
      expect(await finished(caller(), path)).toMatchObject({ status: 'Finished', failed: bad, done: ROWS - bad })
      await expectEachOnce(place, body.id)
    })

    test('two processes at once make every row once', async () => {
      const place = await placeOf(database)
      const both = await Promise.all([place.start(), place.start()])
      for (const { system } of both)
        await vi.waitUntil(async () => (await system.call('GET', '/api/subscriptions')).status === 200, patient)
      const organization = await organizationAt(both[0]!)
      const { id: instituteId } = await instituteOf(organization)
      const second = callerOf(both[1]!.baseUrl, { 'X-Api-Key': organization.apiKey })
      await vi.waitUntil(async () => (await second.call('GET', '/api/institutes')).status === 200, patient)
      const ids: string[] = []
      for (const caller of [organization, second])
        ids.push((await upload(caller, `/api/emissions/batches?instituteId=${instituteId}`, file)).body.id)
      // The same round in both: whoever is second finds that it is written.
      await endLeases(place)
      for (const id of ids) await finished(second, `/api/emissions/batches/${id}`)
      const documents = await place.store.db.selectFrom('xml_document').select('id').execute()
      const items = await place.store.db.selectFrom('emission').select('id').execute()
      const good = ROWS - Math.ceil(ROWS / BAD)
      expect([items.length, documents.length]).toEqual([2 * good, 2 * good])
    })
  })
}
