// A registration between two institutions, by processes that are killed at every step: no state is lost, no code or line
// of the book is used twice, no number of a list is skipped.
import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { type CredentialWorld, databases } from './test-support/credential-world.ts'
import { dean, documentationData, documentOf, signAs } from './test-support/issuing.ts'
import { endLeases, placeOf } from './test-support/processes.ts'
import { issuer } from './test-support/registry.ts'
import { bookEntry, partnersAt, signAsClerk, storeCertificate } from './test-support/two-institutes.ts'

const patient = { interval: 50 }

for (const database of databases) {
  describe(`registrations by processes on ${database}`, () => {
    test('killed at every step, the two sides agree, and whatever is asked again happens once', async () => {
      const { store, start } = await placeOf(database)
      let running = await start()
      const isReady = (caller: Caller) =>
        vi.waitUntil(async () => (await caller.call('GET', '/api/institutes')).status === 200, patient)
      await vi.waitUntil(async () => (await running.system.call('GET', '/api/subscriptions')).status === 200, patient)
      // Everything here is done over HTTP: what the worlds of other tests have besides is not needed.
      const { faculty, university } = await partnersAt(running as unknown as CredentialWorld)
      await storeCertificate(faculty, issuer)
      const as = ({ apiKey }: { readonly apiKey: string }) => callerOf(running.baseUrl, { 'X-Api-Key': apiKey })

      const made = await faculty.json('POST', '/api/emissions', {
        instituteId: faculty.instituteId,
        data: documentationData(),
      })
      expect(made.status).toBe(201)
      const emissionPath = `/api/emissions/${made.body.id}`
      await signAs(faculty, (await documentOf(faculty, made.body.id)).id, dean())
      await vi.waitUntil(async () => (await faculty.json('GET', emissionPath)).body.status === 'Signed', patient)

      /** Asks, kills the process while it works, and lets the next one see what happened. */
      const killedWhile = async (ask: () => Promise<unknown>, wait: number) => {
        const asked = ask().catch(() => undefined)
        await delay(wait)
        await running.kill()
        await asked
        running = await start()
        for (const caller of [faculty, university, university.gerente]) await isReady(as(caller))
        await endLeases(store)
      }
      const requests = () => store.db.selectFrom('registration').selectAll().execute()
      const emission = () => store.db.selectFrom('emission').selectAll().executeTakeFirstOrThrow()
      const expectAgreement = async () => {
        const [rows, { status, registration_status }] = [await requests(), await emission()]
        expect(rows.length).toBe(status === 'Signed' ? 0 : 1)
        expect(registration_status).toBe(rows[0]?.status ?? null)
      }

      const entry = bookEntry()
      const pathOf = async () => `/api/registrations/${(await requests())[0]?.id}`
      const registrarStep = (who: { readonly apiKey: string }, name: string, body?: object) => async () =>
        as(who).json('POST', `${await pathOf()}/${name}`, body)
      const steps = [
        [() => as(faculty).json('POST', `${emissionPath}/send`, { registrarInstituteId: university.instituteId }), 60],
        [registrarStep(university.gerente, 'acceptance'), 4],
        [registrarStep(university, 'approval'), 8],
        [registrarStep(university, 'registration', entry), 25],
      ] as const
      for (const [step, wait] of steps) {
        await killedWhile(step, wait)
        await expectAgreement()
        const again = await step()
        expect([200, 409]).toContain(again.status)
        if (again.status === 409) expect(again.body.code).toBe('invalid-transition')
        await expectAgreement()
      }

      const [registration] = await requests()
      await killedWhile(() => signAsClerk(as(university), registration!.id), 120)
      // The person signs again, unless the signature was kept.
      const signedAgain = await signAsClerk(as(university), registration!.id)
      expect([200, 409]).toContain(signedAgain.status)
      await killedWhile(() => delay(30), 30)
      await vi.waitUntil(async () => (await requests())[0]!.status === 'Signed', patient)
      const degrees = await store.db.selectFrom('degree').selectAll().execute()
      expect(degrees.map(({ verification_code }) => verification_code)).toEqual([registration!.verification_code])
      expect(await emission()).toMatchObject({ status: 'Registered', degree_id: degrees[0]!.id })
      expect(await store.db.selectFrom('book_entry').selectAll().execute()).toHaveLength(1)

      const lists = `/api/institutes/${university.instituteId}/cancellation-lists`
      const numbers = () =>
        store.db
          .selectFrom('cancellation_list')
          .select(['sequence_number', 'status'])
          .orderBy('sequence_number')
          .execute()
      for (const wait of [10, 40]) await killedWhile(() => as(university).json('POST', lists), wait)
      await vi.waitUntil(async () => {
        const all = await numbers()
        return all.length > 0 && all.every(({ status }) => status === 'Signed')
      }, patient)
      expect((await as(university).json('POST', lists)).status).toBe(201)
      const found = (await numbers()).map(({ sequence_number }) => sequence_number)
      expect(found).toEqual(found.map((_, at) => at + 1))
    })
  })
}
