import { beforeAll, describe, expect, test } from 'vitest'
import { ticketOf } from '../src/rules/bio/tokens.ts'
import { obeying, pageAt, type Shows } from './test-support/bio.ts'
import { type CoreWorld, clientAt, sharedCore } from './test-support/core-world.ts'
import { held } from './test-support/faces/actor.ts'
import { actorOf, jpegOf, sceneOf, tilts } from './test-support/faces/people.ts'

const returnUrl = 'https://app.example/back'
const start = '/api/bio/sessions/liveness'

let ana: Shows
beforeAll(async () => {
  ana = obeying(await actorOf('ana'))
})

const world = sharedCore('SQLite', { Biometrics: { Challenges: 2, Attempts: 2, ReturnUrls: ['https://app.example/'] } })

const started = async (client: Pick<CoreWorld, 'json'> = world(), request: object = { returnUrl }) =>
  (await client.json('POST', start, request)).body as { sessionId: string; sessionUrl: string }

describe('a start', () => {
  test.each([
    ['neither origin nor address', {}, 'returnUrl'],
    ['both', { trustedOrigin: 'https://app.example', returnUrl }, 'returnUrl'],
    ['an origin with a path', { trustedOrigin: 'https://app.example/page' }, 'trustedOrigin'],
    ['an address that is not of the web', { returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    ['an unknown name', { returnUrl, platformPreference: 'Fax' }, 'platformPreference'],
  ])('with %s is wrong, by the name of the field', async (_, request, field) => {
    const { status, body } = await world().json('POST', start, request)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test.each([
    ['platformPreference', 'RequireMobile'],
    ['platformPreference', 2],
    ['captureIdentificationDocument', true],
    ['geolocationCaptureType', 'Required'],
  ])('with %s %s, which is not built, is refused by name', async (option, value) => {
    const { status, body } = await world().json('POST', start, { returnUrl, [option]: value })
    expect([status, body.code, body.details]).toEqual([422, 'BioOptionNotAvailable', { option }])
  })

  test('to an address outside of those accepted is refused', async () => {
    for (const address of ['https://other.example/', 'https://app.example.evil.example/'])
      expect((await world().json('POST', start, { returnUrl: address })).body.code).toBe('BioReturnUrlNotAccepted')
  })

  test('takes nulls, names and numbers of what it does not need', async () => {
    const request = { faceCaptureProvider: 'FaceTecLiveness3d', faceLivenessProvider: 2, geolocationCaptureType: 0 }
    const { status } = await world().json('POST', start, { returnUrl, trustedOrigin: null, ...request })
    expect(status).toBe(200)
  })

  test('needs the role for it, which reading does not', async () => {
    const monitor = await clientAt(world(), { roles: ['Monitor'], subscriptionId: world().client.subscriptionId })
    expect((await monitor.json('POST', start, { returnUrl })).status).toBe(403)
    const { sessionId } = await started()
    const status = await monitor.json('GET', `${start}/${sessionId}/status`)
    expect(status.body).toMatchObject({
      success: null,
      sessionId,
      faceLivenessStatus: { success: null, attemptCount: 0 },
    })
  })
})

describe('a page', () => {
  test('is opened by the token of its session only', async () => {
    const page = async (headers: Record<string, string>) =>
      (await (await fetch(`${world().baseUrl}/api/bio/page`, { headers })).json()).code
    expect(await page({ 'X-Api-Key': world().client.apiKey })).toBe('BioSessionTokenRequired')
    expect(await page({ 'X-Bio-Session-Token': 'nobody-has-this' })).toBe('BadBioSessionToken')
  })

  test('takes no frame before the person agreed', async () => {
    const { sessionUrl } = await started()
    const refused = await pageAt(world(), sessionUrl).frame(0, ana('LookStraight'))
    expect([refused.status, refused.body.code]).toEqual([422, 'BadBioSessionOperation'])
  })

  test('takes frames in their order, each once', async () => {
    const page = pageAt(world(), (await started()).sessionUrl)
    await page.consent()
    const both = await Promise.all([page.frame(0, ana('LookStraight')), page.frame(0, ana('LookStraight'))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    const late = await page.frame(0, ana('LookStraight'))
    expect(late.body).toMatchObject({ code: 'BioFrameOutOfTurn', details: { expected: '1' } })
  })

  test('takes bytes that are no picture for a frame without a face', async () => {
    const page = pageAt(world(), (await started()).sessionUrl)
    await page.consent()
    const { body } = await page.frame(0, Buffer.from('no picture'))
    expect(body).toMatchObject({ state: 'InProgress', hint: 'NoFace', frame: 1 })
  })

  test('whose person gives up ends; the application learns it by the ticket', async () => {
    const page = pageAt(world(), (await started()).sessionUrl)
    await page.consent()
    await page.frame(0, ana('LookStraight'))
    const { body } = await page.call('POST', '/abort')
    expect(body).toMatchObject({ state: 'Aborted', completeTicket: expect.any(String) })
    const completed = await world().json('POST', `${start}/completion`, { ticket: body.completeTicket })
    expect(completed.body).toMatchObject({ success: false, resultDataAvailable: false })
    const row = await world()
      .store.db.selectFrom('bio_session')
      .selectAll()
      .where('id', '=', completed.body.sessionId)
      .executeTakeFirstOrThrow()
    expect([row.capture, row.face_image]).toEqual([null, null])
  })

  test('is completed without X-Subscription, by an application of the session only', async () => {
    const [client, second] = [await clientAt(world()), await clientAt(world())]
    const roles = { application_id: client.applicationId, subscription_id: second.subscriptionId, roles: '["Worker"]' }
    await world().store.db.insertInto('application_role').values(roles).execute()
    world().clock.advance(6_000)
    const header = { 'X-Subscription': second.subscriptionId }
    const { sessionUrl } = (await client.json('POST', start, { returnUrl }, header)).body
    const { completeTicket: ticket } = (await pageAt(world(), sessionUrl).call('POST', '/abort')).body
    expect((await world().json('POST', `${start}/completion`, { ticket })).body.code).toBe('BadBioTicket')
    const elsewhere = { 'X-Subscription': client.subscriptionId }
    expect((await client.json('POST', `${start}/completion`, { ticket }, elsewhere)).body.code).toBe('BadBioTicket')
    expect((await client.json('POST', '/api/bio/sessions/enrollment/completion', { ticket })).body.code).toBe(
      'BadBioTicket',
    )
    expect((await client.json('POST', `${start}/completion`, { ticket })).body).toMatchObject({ success: false })
  })

  test('keeps its ticket while the session runs', async () => {
    const page = pageAt(world(), (await started()).sessionUrl)
    const { body } = await page.consent()
    expect(body).toMatchObject({ completeTicket: null, returnUrl: null })
    const early = await world().json('POST', `${start}/completion`, { ticket: ticketOf(page.token) })
    expect(early.body.code).toBe('BadBioSessionOperation')
  })

  test('whose time is over says so', async () => {
    const page = pageAt(world(), (await started()).sessionUrl)
    await page.consent()
    world().clock.advance(16 * 60_000)
    const refused = await page.frame(0, ana('LookStraight'))
    expect(refused.body.code).toBe('ExpiredBioSessionToken')
    expect((await page.call('GET', '')).body).toMatchObject({ state: 'Expired', completeTicket: expect.any(String) })
  })
})

describe('what is no person', () => {
  const scene = sceneOf('ana')
  const tilted = Object.fromEntries(Object.entries(tilts).map(([name, tilt]) => [name, jpegOf(held(scene, tilt))]))

  test.each([
    ['a picture that is held still', () => tilted.LookStraight!],
    ['a picture that is tilted as asked', (instruction: string) => tilted[instruction]!],
  ])('%s fails, and leaves nothing', async (_, shows) => {
    const { sessionId, sessionUrl } = await started()
    const { last, seen } = await pageAt(world(), sessionUrl).perform(shows, () => void world().clock.advance(2_000))
    expect(last.state).toBe('Failed')
    expect(seen.map(({ attemptFailure }) => attemptFailure).filter(Boolean)).toEqual(['TookTooLong', 'TookTooLong'])
    const status = (await world().json('GET', `${start}/${sessionId}/status`)).body
    expect(status).toMatchObject({
      success: false,
      resultDataAvailable: false,
      faceLivenessStatus: { attemptCount: 2 },
    })
    expect((await world().json('GET', `/api/bio/sessions/${sessionId}/result-data`)).body.code).toBe(
      'BioResultDataNotAvailable',
    )
    const row = await world()
      .store.db.selectFrom('bio_session')
      .selectAll()
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect([row.capture, row.face_image]).toEqual([null, null])
  })
})
