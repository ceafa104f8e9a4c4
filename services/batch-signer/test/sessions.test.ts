// Where operators and approvers are signed in, and the ends of it.
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { codeOf } from '@chancela/testkit/console'
import { sharedWorld } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import {
  type Browser,
  browserOf,
  comeByLink,
  joao,
  linkOf,
  maria,
  portalSettings,
  ruleOf,
  SEED_SECRET,
  setRule,
} from './test-support/approvers.ts'
import { idpSettings, newProvider, openFor, signedInAs } from './test-support/idp.ts'
import {
  API_KEY,
  databases,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const SESSIONS = '/dashboard/api/sessions'
const OWN = '/approvals/api/sessions'

interface Session {
  readonly id: string
  readonly kind: string
  readonly way: string
  readonly name: string
  readonly begunAt: string
  readonly lastUsedAt: string
  readonly address: string
  readonly userAgent: string
  readonly isCurrent: boolean
}

/** A browser of an operator who signed in with the key. */
async function operatorAt(service: RunningBatchSigner, agent = 'Firefox'): Promise<Browser> {
  const browser = browserOf(service)
  const login = await fetch(`${service.full.baseUrl}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ ApiKey: API_KEY }),
    redirect: 'manual',
    headers: { 'user-agent': agent },
  })
  browser.cookies.set('chancela-batch', login.headers.getSetCookie()[0]!.split(/[=;]/)[1]!)
  return browser
}

const statusOf = async ({ call }: Browser, path: string) => (await call('GET', path)).status

const sessionsOf = async ({ json }: Browser, path = SESSIONS): Promise<Session[]> =>
  (await json('GET', path)).body.items

const endedEvents = (service: RunningBatchSigner) =>
  service.store.db
    .selectFrom('audit_event')
    .select(['actor', 'address', 'subject_kind', 'subject_id'])
    .where('type', '=', 'SessionsEnded')
    .orderBy('at')
    .execute()

const clock = testClock()

for (const database of databases) {
  describe(`the sessions of operators and approvers on ${database}`, () => {
    const open = sharedBatchSigner({
      database,
      clock,
      settings: { ...portalSettings, ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET } },
    })

    test('are listed with who, how, since when, last use, address and browser', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const begun = clock().toISOString()
      const operator = await operatorAt(service, 'Firefox/140')
      const approver = await comeByLink(service, maria)
      clock.advance(HOUR)
      const used = clock().toISOString()
      expect(await statusOf(operator, '/api/whoami')).toBe(200)
      const listed = await sessionsOf(operator)
      const common = { id: expect.any(String), begunAt: begun, address: '127.0.0.1' }
      expect(listed).toHaveLength(2)
      expect(listed).toContainEqual({
        ...common,
        kind: 'operator',
        way: 'key',
        name: 'operator',
        lastUsedAt: used,
        userAgent: 'Firefox/140',
        isCurrent: true,
      })
      expect(listed).toContainEqual({
        ...common,
        kind: 'approver',
        way: 'link',
        name: 'maria@example.com',
        lastUsedAt: begun,
        userAgent: expect.any(String),
        isCurrent: false,
      })
      // The key has no session of its own.
      const byKey = (await service.full.json('GET', SESSIONS)).body.items as Session[]
      expect(byKey.map(({ isCurrent }) => isCurrent)).toEqual([false, false])
      expect(JSON.stringify(listed)).not.toContain([...approver.cookies.values()][0])
    })

    test('that an operator ends are over for every copy of their cookie, with the code that was given in them', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const operator = await operatorAt(service)
      const approver = await comeByLink(service, maria)
      const { secret, enrolment } = (await approver.json('POST', '/approvals/api/second-factor')).body
      const code = codeOf(secret, clock())
      await approver.json('PUT', '/approvals/api/second-factor', { enrolment, code })
      const { id } = (await sessionsOf(operator)).find(({ kind }) => kind === 'approver')!
      expect((await operator.json('DELETE', `${SESSIONS}/${id}`)).body).toEqual({ ended: 1 })
      expect(await statusOf(approver, '/approvals/api/me')).toBe(401)
      expect(await service.store.db.selectFrom('approver_window').selectAll().execute()).toEqual([])
      const again = await operator.json('DELETE', `${SESSIONS}/${id}`)
      expect([again.status, again.body.code]).toEqual([404, 'session.not-found'])
      expect(await endedEvents(service)).toEqual([
        { actor: 'operator', address: '127.0.0.1', subject_kind: 'approver', subject_id: 'maria@example.com' },
      ])
    })

    test('of one kind all end but that of the call, and those of the other kind stay', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria, joao]))
      const [operator, second, third] = [
        await operatorAt(service),
        await operatorAt(service),
        await operatorAt(service),
      ]
      const approvers = [
        await comeByLink(service, maria),
        await comeByLink(service, maria),
        await comeByLink(service, joao),
      ]
      expect((await operator.json('DELETE', `${SESSIONS}?kind=operator`)).body).toEqual({ ended: 2 })
      expect(await Promise.all([operator, second, third].map((one) => statusOf(one, '/api/whoami')))).toEqual([
        200, 401, 401,
      ])
      expect(await Promise.all(approvers.map((one) => statusOf(one, '/approvals/api/me')))).toEqual([200, 200, 200])
      expect((await operator.json('DELETE', `${SESSIONS}?kind=approver`)).body).toEqual({ ended: 3 })
      expect(await Promise.all(approvers.map((one) => statusOf(one, '/approvals/api/me')))).toEqual([401, 401, 401])
      // One event for each person, none for nobody.
      expect((await operator.json('DELETE', `${SESSIONS}?kind=approver`)).body).toEqual({ ended: 0 })
      expect((await endedEvents(service)).map(({ subject_id }) => subject_id).toSorted()).toEqual([
        'joao@example.com',
        'maria@example.com',
        'operator',
      ])
      expect((await operator.call('DELETE', SESSIONS)).status).toBe(400)
      expect((await operator.call('DELETE', `${SESSIONS}?kind=administrator`)).status).toBe(400)
    })

    test('of an approver are listed and ended in the portal, and nobody sees or ends those of others there', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria, joao]))
      const [here, there, lost] = [
        await comeByLink(service, maria),
        await comeByLink(service, maria),
        await comeByLink(service, maria),
      ]
      const other = await comeByLink(service, joao)
      const own = await sessionsOf(here, OWN)
      expect(own.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, false, true])
      expect(Object.keys(own[0]!).toSorted()).toEqual([
        'address',
        'begunAt',
        'id',
        'isCurrent',
        'lastUsedAt',
        'userAgent',
      ])
      const foreign = (await sessionsOf(other, OWN))[0]!
      expect((await here.call('DELETE', `${OWN}/${foreign.id}`)).status).toBe(404)
      const { id } = (await sessionsOf(there, OWN)).find(({ isCurrent }) => isCurrent)!
      expect((await here.json('DELETE', `${OWN}/${id}`)).body).toEqual({ ended: 1 })
      expect((await here.json('DELETE', OWN)).body).toEqual({ ended: 1 })
      expect(await Promise.all([here, there, lost, other].map((one) => statusOf(one, OWN)))).toEqual([
        200, 401, 401, 200,
      ])
      const event = {
        actor: 'maria@example.com',
        address: '127.0.0.1',
        subject_kind: 'approver',
        subject_id: 'maria@example.com',
      }
      expect(await endedEvents(service)).toEqual([event, event])
    })

    test('of one link are the latest twenty, however often it is opened', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const first = await comeByLink(service, maria)
      clock.advance(HOUR)
      let last = first
      for (let opened = 0; opened < 20; opened += 1) last = await comeByLink(service, maria)
      expect(await sessionsOf(last, OWN)).toHaveLength(20)
      expect(await statusOf(first, OWN)).toBe(401)
      // The same browser has one.
      await last.call('GET', linkOf(maria.email))
      expect(await sessionsOf(last, OWN)).toHaveLength(20)
    })

    test('that were not used are not listed any more', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      await operatorAt(service)
      await comeByLink(service, maria)
      clock.advance(2 * DAY)
      const listed = (await service.full.json('GET', SESSIONS)).body.items as Session[]
      expect(listed.map(({ kind }) => kind)).toEqual(['approver'])
      clock.advance(31 * DAY)
      expect((await service.full.json('GET', SESSIONS)).body.items).toEqual([])
    })
  })
}

test('sessions of another key or secret open nothing, and are not listed', async () => {
  const before = await startBatchSigner({ database: 'SQLite', settings: portalSettings })
  await setRule(before.store, ruleOf([maria]))
  const [operator, approver] = [await operatorAt(before), await comeByLink(before, maria)]
  await before.stop()
  const left = { store: before.store, dataFolder: before.folder }
  const other = { LinkSecret: 'another-secret-of-thirty-two-letters', Enabled: true }
  const settings = { ...portalSettings, ApproverPortal: other, Auth: { ApiKey: 'another-key-of-the-house' } }
  const service = await startBatchSigner({ database: 'SQLite', settings, after: left })
  const at = ({ cookies }: Browser) => {
    const browser = browserOf(service)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    return browser
  }
  expect(await statusOf(at(operator), '/api/whoami')).toBe(401)
  expect(await statusOf(at(approver), OWN)).toBe(401)
  const headers = { 'X-API-Key': 'another-key-of-the-house' }
  expect((await browserOf(service).json('GET', SESSIONS, undefined, headers)).body.items).toEqual([])
})

describe('sessions that began at the identity provider', () => {
  const provider = sharedWorld(async () => {
    const world = await newProvider()
    return { world, close: async () => void (await world.close()) }
  })
  const open = sharedBatchSigner(() => ({
    database: 'SQLite',
    settings: { ...portalSettings, Auth: { ApiKey: API_KEY, Idp: idpSettings(provider()) } },
  }))

  test('are of the person who signed in, an operator where the provider says so', async () => {
    const service = await open()
    openFor(provider(), service.full.baseUrl)
    const people = {
      ana: await signedInAs(service.full.baseUrl, 'ana'),
      rui: await signedInAs(service.full.baseUrl, 'rui'),
    }
    const browsers = Object.fromEntries(
      Object.entries(people).map(([name, { jar }]) => {
        const browser = browserOf(service)
        browser.cookies.set('chancela-batch-idp', jar.get('chancela-batch-idp')!)
        return [name, browser]
      }),
    ) as Record<keyof typeof people, Browser>
    const listed = await sessionsOf(browsers.ana)
    expect(listed.map(({ kind, way, name, isCurrent }) => [kind, way, name, isCurrent])).toEqual([
      ['approver', 'identity-provider', 'rui@casa', false],
      ['operator', 'identity-provider', 'ana@casa', true],
    ])
    expect((await sessionsOf(browsers.rui, OWN)).map(({ isCurrent }) => isCurrent)).toEqual([true])
    expect((await browsers.ana.json('DELETE', `${SESSIONS}/${listed[0]!.id}`)).body).toEqual({ ended: 1 })
    expect(await statusOf(browsers.rui, OWN)).toBe(401)
    expect(await statusOf(browsers.ana, '/api/whoami')).toBe(200)
  })
})
