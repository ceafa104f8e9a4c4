// What registrars publish and the ministry asks for (credentials-platform facts 2.6, 2.7).
import { DAY } from '@chancela/service-kernel/clock'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { startReceiver } from '@chancela/testkit/receiver'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { type CredentialWorld, databases, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDocumentation, issuer, registrar } from './test-support/registry.ts'
import {
  type Partners,
  partnersAt,
  registered,
  type School,
  signedEmission,
  signedRegistration,
  soon,
  storeCertificate,
} from './test-support/two-institutes.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>
const told = ({ received }: Receiver, type: string) =>
  vi.waitUntil(() => received.map(({ body }) => JSON.parse(body)).find((event) => event.type === type), soon)

/** The institution's own webhook. */
async function listening({ json, instituteId }: School): Promise<Receiver> {
  const receiver = await startReceiver()
  const path = `/api/institutes/${instituteId}/integrations`
  expect((await json('POST', path, { enabled: true, url: receiver.url })).status).toBe(200)
  return receiver
}

/** A degree that went all the way. */
async function concluded(world: CredentialWorld, partners: Partners): Promise<string> {
  const { faculty, university } = partners
  const emissionId = await signedEmission(world, faculty, await closedDocumentation())
  await faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
  const { items } = (await university.json('GET', '/api/registrations?status=AwaitingAcceptance')).body
  await registered(partners, items[0].id)
  await signedRegistration(partners, items[0].id)
  return items[0].id
}

const lookNow = ({ store }: CredentialWorld) => store.transaction((tx) => store.notify(tx, LOOK_NOW))

for (const database of databases) {
  describe(`auxiliary documents on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    test('lists are numbered one by one, hold everything annulled, and are renewed before their limit', async () => {
      const world = open()
      const partners = await partnersAt(world)
      const { university } = partners
      const receiver = await listening(university)
      const path = `/api/institutes/${university.instituteId}/cancellation-lists`
      const lists = async () => (await university.json('GET', path)).body.items
      const signed = (count: number) =>
        vi.waitUntil(async () => {
          const all = await lists()
          return all.length === count && all.every(({ status }: { status: string }) => status === 'Signed') && all
        }, soon)

      const first = await university.json('POST', path)
      expect([first.status, first.body.sequenceNumber, first.body.iesCode]).toEqual([201, 1, registrar.code])
      await told(receiver, 'CancellationListSigned')
      await signed(1)
      const publicPath = `/public/${registrar.code}/annulled-degrees.xml`
      const text = async () => (await callerOf(world.baseUrl).call('GET', publicPath)).text()
      if (database === databases[0]) expect(await text()).toContain('<NumeroDeSequencia>1</NumeroDeSequencia>')

      const id = await concluded(world, partners)
      await lookNow(world)
      const annulment = { reason: 'Fraude', cancellationReason: 'DecisaoJudicial' }
      await university.json('POST', `/api/registrations/${id}/cancellation`, annulment)
      const second = await university.application('Administrador')
      expect((await second.json('POST', `/api/registrations/${id}/cancellation`, annulment)).status).toBe(200)
      await lookNow(world)
      const [newest] = await signed(2)
      expect(newest.sequenceNumber).toBe(2)
      const file = await (await university.call('GET', `${path}/${newest.id}/file`)).text()
      expect(file).toContain('<MotivoAnulacao>Decisão Judicial</MotivoAnulacao>')
      expect(file).toContain(newest.maximumNextUpdateDate)

      // Nothing is due, however often somebody looks; three days before the limit it is.
      await lookNow(world)
      clock.advance(26 * DAY)
      await lookNow(world)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await lists()).toHaveLength(2)
      clock.advance(2 * DAY)
      await lookNow(world)
      const [third] = await signed(3)
      expect(third.sequenceNumber).toBe(3)
      expect(await (await university.call('GET', `${path}/${third.id}/file`)).text()).toContain('Decisão Judicial')
    })

    once('one list at a time waits for its signature; without a certificate its number is kept', async () => {
      const { faculty, university } = await partnersAt(open())
      const path = `/api/institutes/${university.instituteId}/cancellation-lists`
      await university.json('DELETE', `/api/institutes/${university.instituteId}/certificate`)
      const made = await Promise.all([university.json('POST', path), university.json('POST', path)])
      expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409])
      expect((await university.json('POST', path)).body.code).toBe('already-exists')
      const [list] = (await university.json('GET', path)).body.items
      expect((await university.json('GET', `${path}/${list.id}/file`)).body.code).toBe('file-not-found')
      await storeCertificate(university, registrar)
      const status = async () => (await university.json('GET', `${path}/${list.id}`)).body
      await vi.waitUntil(async () => (await status()).status === 'Signed', soon)
      expect((await status()).sequenceNumber).toBe(1)
      expect((await faculty.json('POST', `/api/institutes/${faculty.instituteId}/cancellation-lists`)).status).toBe(422)
      expect((await faculty.json('GET', path)).body.code).toBe('institute-not-found')
    })

    once('an inspection file has what was issued or registered in a period, or says why not', async () => {
      const world = open()
      const partners = await partnersAt(world)
      const { faculty, university } = partners
      await storeCertificate(faculty, issuer)
      const hears = [await listening(faculty), await listening(university)] as const
      await concluded(world, partners)
      const period = { startDate: '2026-08-01', endDate: '2026-08-31' }
      const ask = ({ json, instituteId }: School, body: object) =>
        json('POST', `/api/institutes/${instituteId}/inspection-files`, body)
      const read = async ({ json, instituteId }: School, id: string) =>
        (await json('GET', `/api/institutes/${instituteId}/inspection-files/${id}`)).body
      const asked = [
        [faculty, 'Issuer', '<URLXMLdoDiplomado>https://'],
        [university, 'Registrar', '<NumeroSequenciaDoDiploma>1</NumeroSequenciaDoDiploma>'],
      ] as const
      for (const [school, type, expected] of asked) {
        const made = await ask(school, { type, ...period })
        expect([made.status, made.body.status]).toEqual([201, 'Generating'])
        await vi.waitUntil(async () => (await read(school, made.body.id)).status === 'Signed', soon)
        expect((await read(school, made.body.id)).inspectedDegreesNumber).toBe(1)
        const path = `/api/institutes/${school.instituteId}/inspection-files/${made.body.id}/file`
        expect(await (await school.call('GET', path)).text()).toContain(expected)
      }
      await told(hears[0], 'InspectionFileSigned')
      const empty = await ask(university, { type: 'Registrar', startDate: '2020-01-01', endDate: '2020-01-31' })
      const failed = await told(hears[1], 'InspectionFileGenerationError')
      expect(failed.data).toMatchObject({ id: empty.body.id, details: expect.stringContaining('no degree') })
      const wrong = await ask(university, { type: 'Issuer', ...period })
      expect(Object.keys(wrong.body.errors)).toEqual(['type'])
      const reversed = await ask(university, { type: 'Registrar', startDate: '2026-02-01', endDate: '2026-01-01' })
      expect(Object.keys(reversed.body.errors)).toEqual(['endDate'])
    })
  })
}
