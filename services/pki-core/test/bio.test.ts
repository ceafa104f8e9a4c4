import { join } from 'node:path'
import { openSecrets, resealTable, rotateMasterKey } from '@chancela/service-kernel/secrets'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sealedBioTables } from '../src/store/bio/sealed.ts'
import { obeying, pageAt, type Shows } from './test-support/bio.ts'
import { type CoreWorld, clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { actorOf } from './test-support/faces/people.ts'

const returnUrl = 'https://app.example/back?state=7'
const people = {} as Record<'ana' | 'bia', Shows>
beforeAll(async () => {
  for (const name of ['ana', 'bia'] as const) people[name] = obeying(await actorOf(name))
})

/** Two movements instead of four: what four prove, `npm run prove:biometrics` shows. */
const settings = { Biometrics: { Challenges: 2 } }

type Client = Pick<CoreWorld, 'json'>
type Kind = 'liveness' | 'enrollment' | 'authentication' | 'identification'

async function session(client: Client, kind: Kind, request: object = {}) {
  const { body } = await client.json('POST', `/api/bio/sessions/${kind}`, { returnUrl, ...request })
  return body as { sessionType: string; sessionId: string; sessionUrl: string }
}

/** A whole session: the model its completion answers. */
async function performed(world: CoreWorld, client: Client, kind: Kind, shows: Shows, request: object = {}) {
  const { sessionUrl } = await session(client, kind, request)
  const { last } = await pageAt(world, sessionUrl).perform(shows)
  const { body } = await client.json('POST', `/api/bio/sessions/${kind}/completion`, { ticket: last.completeTicket })
  return body
}

const refusal = async (client: Client, method: string, path: string, body?: object) => {
  const answer = await client.json(method, path, body)
  return [answer.status, answer.body.code]
}

for (const database of databases)
  describe(`biometric sessions on ${database}`, () => {
    const world = sharedCore(database, settings)

    test('a person who does as asked passes liveness; the ticket completes it, once', async () => {
      const started = await session(world(), 'liveness')
      expect(started).toMatchObject({ sessionType: 'Liveness', sessionId: expect.any(String) })
      const { pathname, search } = new URL(started.sessionUrl)
      await fetch(`${world().baseUrl}${pathname}${search}`)
      const { last } = await pageAt(world(), started.sessionUrl).perform(people.ana)
      expect(last).toMatchObject({ state: 'Succeeded', progress: 1 })
      const back = new URL(last.returnUrl!).searchParams
      expect([back.get('state'), back.get('completeTicket')]).toEqual(['7', last.completeTicket])
      const completion = () =>
        world().json('POST', '/api/bio/sessions/liveness/completion', { ticket: last.completeTicket })
      const both = await Promise.all([completion(), completion()])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
      expect(both.find(({ status }) => status === 422)?.body.code).toBe('BadBioTicket')
      expect(both.find(({ status }) => status === 200)?.body).toEqual({
        faceLivenessStatus: { provider: null, engine: 'chancela-mesh-1', success: true, attemptCount: 1 },
        idCaptureStatus: null,
        sessionId: started.sessionId,
        success: true,
        resultDataAvailable: true,
      })
      await expectPictureToGo(started.sessionId)
      // Whoever reads the log can open no page and complete nothing.
      for (const secret of [pageAt(world(), started.sessionUrl).token, last.completeTicket!])
        expect(world().log()).not.toContain(secret)
    })

    /** The picture is there for a while after the end, and then it is not, for nobody. */
    async function expectPictureToGo(sessionId: string): Promise<void> {
      const path = `/api/bio/sessions/${sessionId}/result-data`
      const { faceImage } = (await world().json('GET', path)).body.faceData
      expect(faceImage).toMatchObject({ contentType: 'image/jpeg', content: expect.stringMatching(/^\/9j\//) })
      world().clock.advance(61 * 60_000)
      expect(await refusal(world(), 'GET', path)).toEqual([422, 'BioResultDataNotAvailable'])
      const kept = () =>
        world().store.db.selectFrom('bio_session').selectAll().where('id', '=', sessionId).executeTakeFirst()
      await vi.waitUntil(async () => (await kept())?.face_image === null)
      world().clock.advance(91 * 86_400_000)
      await vi.waitUntil(async () => (await kept()) === undefined)
    }

    test('ids and identifiers that nobody can have are refused, not a failure', async () => {
      for (const path of [
        'sessions/liveness/%00/status',
        'sessions/x%00/result-data',
        'subjects/%00',
        'subjects?identifier=%00',
      ])
        expect([400, 404, 422]).toContain((await world().json('GET', `/api/bio/${path}`)).status)
      const subject = { id: 'x\u0000' }
      const unknown = await refusal(world(), 'POST', '/api/bio/sessions/authentication', { returnUrl, subject })
      expect(unknown).toEqual([422, 'BioSubjectNotFound'])
      const request = { returnUrl, subjectIdentifier: 'a\u0000' }
      expect((await world().json('POST', '/api/bio/sessions/enrollment', request)).status).toBe(400)
    })

    test('of two enrollments of one subject at the same time one succeeds', async () => {
      const client = await clientAt(world())
      const request = { subjectIdentifier: 'z' }
      const both = await Promise.all(
        [people.ana, people.bia].map((shows) => performed(world(), client, 'enrollment', shows, request)),
      )
      expect(both.map(({ success }) => success).sort()).toEqual([false, true])
      expect(both.find(({ success }) => !success).failure).toBe('DuplicatesFound')
      const start = '/api/bio/sessions/enrollment'
      expect(await refusal(client, 'POST', start, { returnUrl, ...request })).toEqual([422, 'SubjectAlreadyEnrolled'])
      const override = { ...request, dangerousOverrideIfAlreadyEnrolled: true }
      expect((await client.json('POST', start, { returnUrl, ...override })).status).toBe(200)
    })
  })

describe('an enrolled person', () => {
  const world = sharedCore('SQLite', settings)
  const identifier = '52998224725'
  let enrolled: Record<string, string>
  let one: Awaited<ReturnType<typeof clientAt>>
  let other: Awaited<ReturnType<typeof clientAt>>

  beforeAll(async () => {
    one = await clientAt(world(), { roles: ['Manager'] })
    other = await clientAt(world())
    enrolled = await performed(world(), one, 'enrollment', people.ana, { subjectIdentifier: identifier })
  })

  test('is known with the consent that was given', async () => {
    expect(enrolled).toMatchObject({ success: true, failure: null, subjectIdentifier: identifier })
    expect((await one.json('GET', `/api/bio/subjects?identifier=${identifier}`)).body).toMatchObject({
      id: enrolled.subjectId,
      subscriptionId: one.subscriptionId,
      deleted: false,
      currentFaceId: expect.any(String),
      consent: { textVersion: expect.any(String), address: '127.0.0.1', date: expect.any(String) },
    })
    const face = (await one.json('GET', `/api/bio/subjects/${enrolled.subjectId}/face`)).body
    expect(Buffer.from(face.content, 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  })

  test('is recognized, also after a rotation of the master key', async () => {
    const { dataFolder, settings, store } = world()
    const file = { service: 'pki-core', masterKeyFile: join(dataFolder, settings.Secrets.MasterKeyFile) }
    rotateMasterKey(file)
    for (const table of sealedBioTables) {
      const report = await resealTable(store, openSecrets(file), table)
      expect([report.unopened, report.resealed > 0]).toEqual([[], true])
    }
    const subject = { id: enrolled.subjectId }
    expect(await performed(world(), one, 'authentication', people.ana, { subject })).toMatchObject({
      success: true,
      failure: null,
      subjectId: enrolled.subjectId,
    })
    expect(await performed(world(), one, 'identification', people.ana)).toMatchObject({
      success: true,
      identifiedSubjectId: enrolled.subjectId,
      identifiedSubjectIdentifier: identifier,
    })
  })

  test('is not taken for another, who looks alike', async () => {
    const failed = await performed(world(), one, 'authentication', people.bia, { subject: { identifier } })
    expect(failed).toMatchObject({ success: false, failure: 'NoMatch', resultDataAvailable: false })
  })

  test('is nobody in another subscription, even where the template was carried there', async () => {
    const { subjectId, sessionId } = enrolled
    const subject = { identifier }
    const start = '/api/bio/sessions/authentication'
    expect(await refusal(other, 'POST', start, { returnUrl, subject })).toEqual([422, 'BioSubjectNotFound'])
    for (const path of [`/${subjectId}`, `?identifier=${identifier}`, `/${subjectId}/face`])
      expect(await refusal(other, 'GET', `/api/bio/subjects${path}`)).toEqual([422, 'BioSubjectNotFound'])
    for (const path of [`enrollment/${sessionId}/status`, `${sessionId}/result-data`])
      expect(await refusal(other, 'GET', `/api/bio/sessions/${path}`)).toEqual([422, 'BioSessionNotFound'])

    const { db } = world().store
    const row = await db.selectFrom('bio_subject').selectAll().where('id', '=', subjectId!).executeTakeFirstOrThrow()
    expect([row.template, row.face_image].map((text) => text?.slice(0, 3))).toEqual(['v1.', 'v1.'])
    const stolen = { ...row, id: crypto.randomUUID(), subscription_id: other.subscriptionId }
    await db.insertInto('bio_subject').values(stolen).execute()
    const failed = await performed(world(), other, 'identification', people.ana)
    expect(failed).toMatchObject({ success: false, failure: 'NoMatch', identifiedSubjectId: null })
  })

  test('can be deleted: template, picture and identifier go, that there was a subject remains', async () => {
    const worker = await clientAt(world(), { roles: ['Worker'], subscriptionId: one.subscriptionId })
    const path = `/api/bio/subjects/${enrolled.subjectId}`
    expect(await refusal(worker, 'DELETE', path)).toEqual([403, undefined])
    expect(await refusal(other, 'DELETE', path)).toEqual([403, undefined])
    const gone = { id: enrolled.subjectId, deleted: true, identifier: null, currentFaceId: null, consent: null }
    for (const _ of [1, 2]) expect((await one.json('DELETE', path)).body).toMatchObject(gone)
    expect((await one.json('GET', path)).body).toMatchObject(gone)
    expect(await refusal(one, 'GET', `${path}/face`)).toEqual([422, 'BioSubjectNotFound'])
    const { db } = world().store
    const row = await db.selectFrom('bio_subject').selectAll().where('id', '=', enrolled.subjectId!).executeTakeFirst()
    expect([row?.template, row?.face_image, row?.identifier]).toEqual([null, null, null])
    const start = { returnUrl, subjectIdentifier: identifier }
    expect((await one.json('POST', '/api/bio/sessions/enrollment', start)).status).toBe(200)
  })
})
