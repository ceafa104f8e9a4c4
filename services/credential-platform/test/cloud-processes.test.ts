// A process is killed in the middle of a cloud signing: before the hub's answer is kept nothing is signed, after it
// nothing is lost, and never is anything signed twice.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE } from '@chancela/service-kernel/clock'
import { callerOf, withSections } from '@chancela/testkit/service-world'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  beginCloud,
  comeBack,
  cpfOf,
  DEAN,
  ended,
  hubClock,
  sharedCloud,
  signerAt,
  waitingCurriculum,
} from './test-support/cloud.ts'
import { databases } from './test-support/credential-world.ts'
import { clerk, schoolAt, signAs } from './test-support/issuing.ts'
import { CNPJ, clock } from './test-support/pki.ts'
import { placeOf } from './test-support/processes.ts'
import { sampleFlow } from './test-support/samples.ts'

const patient = { interval: 50 }

const cloud = sharedCloud()

/** Stands before the hub; `between` is called when the hub has signed, and before anybody learns of it. */
async function hubBehind(endpoint: string, between: () => Promise<void>): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = { 'x-api-key': String(headers['x-api-key']), 'content-type': 'application/json' }
    const body = chunks.length === 0 ? null : Buffer.concat(chunks)
    const answer = await fetch(`${endpoint}${url}`, { method: method!, headers: sent, body })
    const content = Buffer.from(await answer.arrayBuffer())
    if (url!.startsWith('/api/sessions/sign-hash')) await between()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const database of databases) {
  describe(`a process on ${database}`, () => {
    /** A process with a school, a dean and documents that wait. */
    async function stage(between: () => Promise<void>, count: number) {
      const { baseUrl } = cloud().hub
      const behind = { CloudHub: { Endpoint: await hubBehind(baseUrl, () => between()) } }
      const place = await placeOf(database, withSections(cloud().settings, behind))
      const running = { now: await place.start() }
      await vi.waitUntil(
        async () => (await running.now.system.call('GET', '/api/subscriptions')).status === 200,
        patient,
      )
      const school = await schoolAt(running.now)
      const waiting = []
      for (let at = 0; at < count; at++) waiting.push(await waitingCurriculum(school))
      const person = await signerAt(running.now, school)
      const restart = async () => {
        await endLeases(place.store)
        running.now = await place.start()
        await vi.waitUntil(async () => (await school.call('GET', '/api/curriculums')).status === 200, patient)
      }
      const peopleSigned = () =>
        place.store.db
          .selectFrom('xml_document_version')
          .select('document_id')
          .where('step', '=', 'issuerPeople')
          .execute()
      return { ...place, running, school, waiting, person, restart, peopleSigned }
    }

    test('killed after the hub has signed and before that is kept has signed nothing; the next attempt signs once', async () => {
      let kill: () => Promise<void> = async () => {}
      const { running, school, waiting, person, restart, peopleSigned } = await stage(() => kill(), 2)
      const ids = waiting.map(({ document }) => document)
      kill = () => running.now.kill()
      const lost = await beginCloud(person, ids)
      const address = await cloud().back(lost.body.url)
      await expect(comeBack(address, lost.cookies)).rejects.toThrow()
      kill = async () => {}
      clock.advance(5 * MINUTE)
      hubClock.advance(5 * MINUTE)
      await restart()
      expect(await peopleSigned()).toEqual([])
      expect((await comeBack(address, lost.cookies)).outcome).toBe('under-way')
      expect(await ended(person, lost.body.id)).toMatchObject({
        outcome: 'interrupted',
        documents: [{ outcome: null }, { outcome: null }],
      })
      const again = await beginCloud(person, ids)
      expect((await comeBack(await cloud().back(again.body.url), again.cookies)).outcome).toBe('signed')
      for (const { path } of waiting) await school.reaches(path, 'Concluded')
      expect(await peopleSigned()).toHaveLength(2)
    })

    test('somebody else who signs the same document while the provider signs loses nothing, and nobody is lost', async () => {
      let between: () => Promise<void> = async () => {}
      const { school, person, peopleSigned } = await stage(() => between(), 0)
      const participants = [DEAN, cpfOf('helena-prado')].map((identifier) => ({ name: 'Pessoa', identifier }))
      const institution = [{ name: 'Universidade', identifier: CNPJ }]
      const steps = [
        { node: 'Document', certificateKind: 'eCpf', level: 'AD-RT', participants },
        { node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA', participants: institution },
      ]
      const flow = await school.json('POST', '/api/flows', sampleFlow({ documentKind: 'Curriculum', steps }))
      const { document, path } = await waitingCurriculum(school, { flowId: flow.body.id })
      between = async () => expect((await signAs(school, document, clerk())).status).toBe(200)
      const begun = await beginCloud(person, [document])
      expect((await comeBack(await cloud().back(begun.body.url), begun.cookies)).outcome).toBe('signed')
      expect((await ended(person, begun.body.id)).documents).toMatchObject([{ outcome: 'signed' }])
      await school.reaches(path, 'Concluded')
      expect(await peopleSigned()).toHaveLength(2)
    })

    test('killed at any moment after it was kept, the next one puts each signature in once', async () => {
      const { running, school, waiting, person, restart, peopleSigned } = await stage(async () => {}, 4)
      const ids = waiting.map(({ document }) => document)
      const begun = await beginCloud(person, ids)
      expect((await comeBack(await cloud().back(begun.body.url), begun.cookies)).outcome).toBe('signed')
      // The moment of the kill wanders over the work that follows.
      for (const wait of [0, 30, 80]) {
        await delay(wait)
        await running.now.kill()
        await restart()
      }
      const caller = callerOf(running.now.baseUrl, { cookie: person.cookie })
      const end = await ended(caller, begun.body.id)
      expect(end.documents.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(4).fill('signed'))
      for (const { path } of waiting) await school.reaches(path, 'Concluded')
      expect(await peopleSigned()).toHaveLength(4)
    })
  })
}

/** A lease that a killed process held ends by itself; the test does not wait for it. */
const endLeases = (store: Awaited<ReturnType<typeof placeOf>>['store']) =>
  store.db
    .updateTable('durable_job' as never)
    .set({ due_at: '2000-01-01T00:00:00.000Z' } as never)
    .where('state' as never, '=', 'claimed' as never)
    .execute()
