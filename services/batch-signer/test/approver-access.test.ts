// Links and sessions of approvers (spec 2, Authentication).
import { DAY } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { type BatchSignerSettings, batchSignerRules, batchSignerSettings } from '../src/settings.ts'
import {
  browserOf,
  comeByLink,
  joao,
  linkOf,
  maria,
  portalSettings,
  ruleOf,
  setRule,
} from './test-support/approvers.ts'
import {
  databases,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const ME = '/approvals/api/me'

const meOf = async (browser: ReturnType<typeof browserOf>) => (await browser.call('GET', ME)).status

/** What a link answers, without what differs by time. */
async function answerTo(service: RunningBatchSigner, path: string) {
  const answer = await browserOf(service).call('GET', path)
  const { date: _, 'x-correlation-id': __, ...headers } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

for (const database of databases) {
  describe(`the link of an approver on ${database}`, () => {
    const open = sharedBatchSigner({ database, settings: portalSettings })

    test('is exchanged for a session of the portal', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const answer = await browserOf(service).call('GET', linkOf(' MARIA@example.com'))
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/approvals'])
      expect(answer.headers.get('set-cookie')).toMatch(
        /^chancela-approver=v1\.[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      )
      const { body } = await (await comeByLink(service, maria)).json('GET', ME)
      expect(body).toMatchObject({ email: 'maria@example.com', name: 'Maria Lima', method: 'LinkDerivedEmail' })
      expect(service.log()).not.toContain(linkOf(maria.email).split('/').at(-1))
    })

    test('that is wrong, of another secret, or of nobody in a pool answers like any other', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const refused = await answerTo(service, linkOf(joao.email))
      expect([refused.status, refused.headers['location']]).toEqual([302, '/approvals/link-required'])
      expect(refused.headers).not.toHaveProperty('set-cookie')
      for (const path of [
        linkOf(maria.email, 'another-secret-of-thirty-two-letters'),
        '/approvals/link/x',
        `/approvals/link/${'a'.repeat(3000)}`,
        '/approvals/link/%00',
      ])
        expect(await answerTo(service, path)).toEqual(refused)
    })

    test('ends with the removal from every pool, not with the disabling of a profile', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria, joao]), { enabled: false })
      const browser = await comeByLink(service, maria)
      await setRule(service.store, ruleOf([joao]))
      expect((await answerTo(service, linkOf(maria.email))).headers['location']).toBe('/approvals/link-required')
      // The session goes on; what it may decide is up to the pools that were frozen.
      expect(await meOf(browser)).toBe(200)
    })

    test('signs out for every copy of its cookie, and leads to where a link is asked for', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const browser = await comeByLink(service, maria)
      const copy = browserOf(service)
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      const foreign = await browser.call('POST', '/api/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' })
      expect([foreign.headers.get('location'), await meOf(copy)]).toEqual(['/login', 200])
      const out = await browser.call('POST', '/api/auth/logout')
      expect([out.headers.get('location'), browser.cookies.size]).toEqual(['/approvals/link-required', 0])
      expect(await meOf(copy)).toBe(401)
    })
  })
}

test('a session slides by SessionLifetime, and ends after a year of use', async () => {
  const clock = testClock('2026-03-02T12:00:00.000Z')
  const service = await startBatchSigner({
    database: 'SQLite',
    clock,
    settings: { ...portalSettings, ApproverPortal: { ...portalSettings.ApproverPortal, SessionLifetime: 'P40D' } },
  })
  await setRule(service.store, ruleOf([maria]))
  const browser = await comeByLink(service, maria)
  for (let days = 39; days < 365; days += 39) {
    clock.advance(39 * DAY)
    expect([days, await meOf(browser)]).toEqual([days, 200])
  }
  clock.advance(14 * DAY)
  expect(await meOf(browser)).toBe(401)
  const idle = await comeByLink(service, maria)
  clock.advance(40 * DAY)
  expect(await meOf(idle)).toBe(401)
})

test('another LinkSecret ends links and sessions; without the portal there are none', async () => {
  const service = await startBatchSigner({ database: 'SQLite', settings: portalSettings })
  await setRule(service.store, ruleOf([maria]))
  const { cookies } = await comeByLink(service, maria)
  await service.stop()
  const left = { store: service.store, dataFolder: service.folder }
  const again = async (ApproverPortal: object) => {
    const changed = await startBatchSigner({
      database: 'SQLite',
      after: left,
      settings: { ...portalSettings, ApproverPortal } as never,
    })
    const browser = browserOf(changed)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const [me, link] = [await meOf(browser), await answerTo(changed, linkOf(maria.email))]
    await changed.stop()
    return [me, link.headers['location']]
  }
  const ended = [401, '/approvals/link-required']
  expect(await again({ Enabled: true, LinkSecret: 'another-secret-of-thirty-two-letters' })).toEqual(ended)
  expect(await again({ Enabled: false, LinkSecret: portalSettings.ApproverPortal.LinkSecret })).toEqual(ended)
  expect(await again(portalSettings.ApproverPortal)).toEqual([200, '/approvals'])
})

test('links are exchanged ten times a minute, counted apart from what operators do', async () => {
  const service = await startBatchSigner({
    database: 'SQLite',
    settings: { ...portalSettings, RateLimiting: { Enabled: true } },
  })
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await answerTo(service, '/approvals/link/x')).status)
  expect(statuses).toEqual([...Array(10).fill(302), 429])
  expect((await service.full.call('POST', '/api/pipeline/pause')).status).toBe(200)
})

test('settings that could never work refuse the start, each by its name', async () => {
  const values = { LinkSecret: 'short', PollInterval: '00:06:00', SessionLifetime: '30:00:00' }
  const refused = startBatchSigner({ database: 'SQLite', settings: { ApproverPortal: values } })
  await expect(refused).rejects.toThrow(/ApproverPortal:PollInterval/)
  await expect(refused).rejects.toThrow(/ApproverPortal:SessionLifetime/)
})

test('rules that span several settings name the one to change', () => {
  const { Auth, ApproverPortal, ...others } = everyDefault()
  const breaches = (over: Partial<BatchSignerSettings>) =>
    batchSignerRules.flatMap((rule) => rule({ ...others, Auth, ApproverPortal, ...over })).map(({ key }) => key)
  expect(breaches({})).toEqual([])
  expect(breaches({ Auth: { ...Auth, CookieName: 'chancela-approver' } })).toEqual(['Auth:CookieName'])
  expect(breaches({ ApproverPortal: { ...ApproverPortal, Enabled: true } })).toEqual(['ApproverPortal:LinkSecret'])
  const ApproverSecondFactor = { ...others.ApproverSecondFactor, Enabled: true }
  expect(breaches({ ApproverSecondFactor })).toEqual([
    'ApproverSecondFactor:SeedSecret',
    'ApproverSecondFactor:Enabled',
  ])
  const CloudHub = { ...others.CloudHub, ApiKey: 'a key of the hub' }
  expect(breaches({ CloudHub })).toEqual(['CloudHub:PublicBaseUrl'])
  const LinkSecret = 'too short a secret'
  expect(breaches({ ApproverPortal: { ...ApproverPortal, LinkSecret } })).toEqual(['ApproverPortal:LinkSecret'])
})

const everyDefault = () => Value.Create(batchSignerSettings) as BatchSignerSettings
