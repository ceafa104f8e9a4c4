// The second factor of approvers (spec 2, Errors and Limits; batch-signer facts 5.5).
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { codeOf } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import type { Context } from '../src/context.ts'
import { SecondFactors } from '../src/parts/approvals/second-factors.ts'
import {
  type Browser,
  browserOf,
  comeByLink,
  joao,
  maria,
  portalSettings,
  ruleOf,
  SEED_SECRET,
  setRule,
} from './test-support/approvers.ts'
import {
  databases,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const FACTOR = '/approvals/api/second-factor'

const START = '2026-03-02T12:00:00.000Z'
const clock = testClock(START)

const withFactor = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...portalSettings,
  ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET, Issuer: 'Casa', ...more },
})

const verify = async (browser: Browser, code: string) => (await browser.json('POST', `${FACTOR}/verify`, { code })).body

const statusOf = async (browser: Browser) => (await browser.json('GET', '/approvals/api/me')).body.secondFactor

/** Enrols an app; time goes on, so that the next code is another. */
async function enrol(browser: Browser): Promise<string> {
  const { secret, enrolment } = (await browser.json('POST', FACTOR)).body
  const { body } = await browser.json('PUT', FACTOR, { enrolment, code: codeOf(secret, clock()) })
  if (!body.verified) throw new Error(`The app was not accepted: ${JSON.stringify(body)}.`)
  clock.advance(30 * SECOND)
  return secret
}

async function enrolled(service: RunningBatchSigner, who = maria) {
  await setRule(service.store, ruleOf([maria, joao]))
  const browser = await comeByLink(service, who)
  return { browser, secret: await enrol(browser) }
}

const reset = (service: RunningBatchSigner, email: string) =>
  service.full.json('POST', '/dashboard/api/approvers/second-factor/reset', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })

const eventsOf = async (service: RunningBatchSigner, type: string) =>
  (await service.full.json<{ items: object[] }>('GET', `/api/events?type=${type}`)).body.items

const invalid = { verified: false, code: 'approval.second-factor-invalid-code', until: null }
const lockedOut = { verified: false, code: 'approval.second-factor-locked-out', until: null }

/** A code that is not the right one, nor those beside it. */
const WRONG = 'x00000'

/** A counter of the second factor; labels as they are written. */
async function counted(service: RunningBatchSigner, name: string): Promise<number> {
  const text = await (await service.full.call('GET', '/api/metrics')).text()
  const line = text.split('\n').find((one) => one.startsWith(`bulk_second_factor_${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}

for (const database of databases) {
  describe(`the second factor on ${database}`, () => {
    const shared = sharedBatchSigner({ database, clock, settings: withFactor() })
    const open = async () => {
      clock.set(START)
      return shared()
    }

    test('is enrolled with a live code, and nothing is stored before', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const browser = await comeByLink(service, maria)
      const before = await counted(service, 'enrolments_total')
      const { uri, enrolment, secret } = (await browser.json('POST', FACTOR)).body
      expect(uri).toMatch(
        /^otpauth:\/\/totp\/Casa:maria%40example\.com\?issuer=Casa&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
      )
      expect((await browser.json('PUT', FACTOR, { enrolment, code: WRONG })).body).toMatchObject(invalid)
      expect(await service.store.db.selectFrom('approver_factor').selectAll().execute()).toEqual([])
      expect(await statusOf(browser)).toMatchObject({ enabled: true, enrolled: false })
      expect(await counted(service, 'enrolments_total')).toBe(before)
      const code = codeOf(secret, clock())
      expect((await browser.json('PUT', FACTOR, { enrolment, code })).body).toMatchObject({ verified: true })
      const verifiedUntil = '2026-03-02T12:20:00.000Z'
      expect(await statusOf(browser)).toEqual({ enabled: true, enrolled: true, verifiedUntil, lockedUntil: null })
      expect(await counted(service, 'enrolments_total')).toBe(before + 1)
      const [row] = await service.store.db.selectFrom('approver_factor').selectAll().execute()
      expect(JSON.stringify(row)).not.toContain(secret)
      expect(await eventsOf(service, 'SecondFactorEnrolled')).toMatchObject([
        { message: 'The approver maria@example.com enrolled an authenticator app.', actor: 'maria@example.com' },
      ])
    })

    test('is enrolled once: a second app needs the reset of an operator, which is an event', async () => {
      const service = await open()
      const { browser, secret } = await enrolled(service)
      expect((await browser.json('POST', FACTOR)).body.code).toBe('approval.second-factor-already-enrolled')
      const { status, body } = await reset(service, 'MARIA@example.com')
      expect([status, body]).toMatchObject([200, { enrolments: [] }])
      expect(await statusOf(browser)).toMatchObject({ enrolled: false, verifiedUntil: null })
      expect(await verify(browser, codeOf(secret, clock()))).toMatchObject({
        status: 409,
        code: 'approval.second-factor-not-enrolled',
      })
      expect(await eventsOf(service, 'SecondFactorReset')).toMatchObject([
        { message: 'The authenticator app of the approver maria@example.com was forgotten by api-key.' },
      ])
      expect((await reset(service, maria.email)).body).toMatchObject({ code: 'approval.second-factor-not-enrolled' })
      await enrol(browser)
    })

    test('of two that are begun at once, the first that is confirmed counts', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria]))
      const browsers = [await comeByLink(service, maria), await comeByLink(service, maria)]
      const begun = await Promise.all(browsers.map(async (one) => (await one.json('POST', FACTOR)).body))
      const answers = await Promise.all(
        browsers.map((one, at) =>
          one.json('PUT', FACTOR, { enrolment: begun[at].enrolment, code: codeOf(begun[at].secret, clock()) }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })

    test('an enrolment belongs to its person and browser, and ends after a quarter of an hour', async () => {
      const service = await open()
      await setRule(service.store, ruleOf([maria, joao]))
      const browser = await comeByLink(service, maria)
      const { enrolment, secret } = (await browser.json('POST', FACTOR)).body
      const given = () => ({ enrolment, code: codeOf(secret, clock()) })
      const expired = 'approval.second-factor-enrolment-expired'
      for (const other of [await comeByLink(service, maria), await comeByLink(service, joao)])
        expect((await other.json('PUT', FACTOR, given())).body.code).toBe(expired)
      clock.advance(15 * MINUTE)
      expect((await browser.json('PUT', FACTOR, given())).body).toMatchObject({ status: 409, code: expired })
    })

    test('a code is good once, and so is none before it', async () => {
      const service = await open()
      const { browser, secret } = await enrolled(service)
      const before = codeOf(secret, new Date(clock().getTime() - 30 * SECOND))
      expect(await verify(browser, before)).toMatchObject(invalid)
      const code = codeOf(secret, clock())
      expect(await verify(browser, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ verified: true })
      expect(await verify(browser, code)).toMatchObject(invalid)
      expect(await verify(browser, WRONG)).toMatchObject(invalid)
    })

    test('five wrong codes in a row close it for five minutes, for that approver alone', async () => {
      const service = await open()
      const { browser, secret } = await enrolled(service)
      const other = await enrolled(service, joao)
      const before = await counted(service, 'verifications_total{outcome="locked-out"}')
      for (let n = 0; n < 4; n++) expect(await verify(browser, WRONG)).toMatchObject({ ...invalid, lockedUntil: null })
      const lockedUntil = new Date(clock().getTime() + 5 * MINUTE).toISOString()
      expect(await verify(browser, WRONG)).toMatchObject({ ...invalid, lockedUntil })
      expect(await verify(browser, codeOf(secret, clock()))).toMatchObject({ ...lockedOut, lockedUntil })
      expect(await counted(service, 'verifications_total{outcome="locked-out"}')).toBe(before + 1)
      expect(await verify(other.browser, codeOf(other.secret, clock()))).toMatchObject({ verified: true })
      const { enrolments } = (await service.full.json('GET', '/dashboard/api/approvers')).body
      expect(enrolments).toMatchObject([
        { email: 'joao@example.com', lockedUntil: null, usable: true },
        { email: 'maria@example.com', lockedUntil },
      ])
      clock.advance(5 * MINUTE - SECOND)
      expect(await verify(browser, codeOf(secret, clock()))).toMatchObject(lockedOut)
      clock.advance(SECOND)
      expect(await verify(browser, codeOf(secret, clock()))).toMatchObject({ verified: true })
    })

    test('a right code between wrong ones begins the count anew, and so does the end of a closing', async () => {
      const service = await open()
      const { browser, secret } = await enrolled(service)
      const wrong = async (times: number) => {
        for (let n = 0; n < times; n++) expect(await verify(browser, WRONG)).toMatchObject({ lockedUntil: null })
      }
      await wrong(4)
      expect(await verify(browser, codeOf(secret, clock()))).toMatchObject({ verified: true })
      await wrong(4)
      await verify(browser, WRONG)
      clock.advance(5 * MINUTE)
      await wrong(4)
    })

    test('of many guesses at once no more than five are looked at', async () => {
      const service = await open()
      const { browser } = await enrolled(service)
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(browser, WRONG)))
      const codes = answers.map((answer) => answer.code as string).toSorted()
      expect(codes).toEqual([...Array(5).fill(invalid.code), ...Array(15).fill(lockedOut.code)])
    })

    test('one code given to several processes at once is accepted by one', async () => {
      const service = await open()
      const { secret } = await enrolled(service)
      const counter = { inc: () => undefined } as never
      const metrics = { bulk_second_factor_verifications_total: counter, bulk_second_factor_enrolments_total: counter }
      const ApproverSecondFactor = { ...withFactor().ApproverSecondFactor, VerificationWindow: '00:20:00' }
      const context = { store: service.store, settings: { ApproverSecondFactor } } as unknown as Context
      const code = codeOf(secret, clock())
      const verdicts = await Promise.all(
        ['a', 'b', 'c', 'd'].map((sessionId) =>
          new SecondFactors(context, metrics).verify({ email: maria.email, sessionId }, code, clock()),
        ),
      )
      expect(verdicts.filter(({ verified }) => verified)).toHaveLength(1)
    })

    test('its window is that of one browser, absolute, and ends with the sign-out', async () => {
      const service = await open()
      const { browser, secret } = await enrolled(service)
      const other = await comeByLink(service, maria)
      const windows = () => service.store.db.selectFrom('approver_window').selectAll().execute()
      expect((await statusOf(other)).verifiedUntil).toBeNull()
      await verify(other, codeOf(secret, clock()))
      clock.advance(20 * MINUTE - SECOND)
      expect((await statusOf(other)).verifiedUntil).not.toBeNull()
      expect((await statusOf(browser)).verifiedUntil).toBeNull()
      clock.advance(SECOND)
      expect((await statusOf(other)).verifiedUntil).toBeNull()
      await verify(other, codeOf(secret, clock()))
      expect(await windows()).toHaveLength(1)
      await other.call('POST', '/api/auth/logout')
      expect(await windows()).toEqual([])
    })
  })
}

test('counters and windows outlive a restart; another secret asks everybody to enrol anew', async () => {
  clock.set(START)
  const service = await startBatchSigner({ database: 'SQLite', clock, settings: withFactor() })
  const { browser, secret } = await enrolled(service)
  const { verifiedUntil } = await statusOf(browser)
  for (let n = 0; n < 5; n++) await verify(browser, WRONG)
  await service.stop()
  const restarted = async (settings: ReturnType<typeof withFactor>) => {
    const after = { store: service.store, dataFolder: service.folder }
    const again = await startBatchSigner({ database: 'SQLite', clock, after, settings })
    const same = browserOf(again)
    for (const [name, value] of browser.cookies) same.cookies.set(name, value)
    return { again, same }
  }
  const first = await restarted(withFactor({ VerificationWindow: '00:00:00' }))
  // A window is as long as it was when it was opened.
  expect(await statusOf(first.same)).toMatchObject({ enrolled: true, verifiedUntil })
  expect(await verify(first.same, codeOf(secret, clock()))).toMatchObject(lockedOut)
  await first.again.stop()
  const { again, same } = await restarted(withFactor({ SeedSecret: 'another-secret-to-seal-the-seeds-with' }))
  expect(await statusOf(same)).toMatchObject({ enrolled: false })
  const { enrolments } = (await again.full.json('GET', '/dashboard/api/approvers')).body
  expect(enrolments).toMatchObject([{ email: 'maria@example.com', usable: false }])
  await enrol(same)
  expect(await statusOf(same)).toMatchObject({ enrolled: true, lockedUntil: null })
})

test('two instances on PostgreSQL accept a code once between them, and count wrong ones together', async () => {
  clock.set(START)
  const settings = { ...withFactor(), Cluster: { Enabled: true } }
  const one = await startBatchSigner({ database: 'PostgreSQL', clock, settings })
  const after = { store: one.store, dataFolder: one.folder }
  const two = await startBatchSigner({ database: 'PostgreSQL', clock, settings, after })
  const { browser, secret } = await enrolled(one)
  const same = browserOf(two)
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  const both = [browser, same, browser, same]
  for (let n = 0; n < 3; n++) {
    const code = codeOf(secret, clock())
    const verdicts = await Promise.all(both.map((one) => verify(one, code)))
    expect(verdicts.filter(({ verified }) => verified)).toHaveLength(1)
    clock.advance(30 * SECOND)
    expect(await verify(same, codeOf(secret, clock()))).toMatchObject({ verified: true })
    clock.advance(30 * SECOND)
  }
  const guesses = await Promise.all([...both, ...both].map((one) => verify(one, WRONG)))
  expect(guesses.filter(({ code }) => code === invalid.code)).toHaveLength(5)
  expect(await verify(same, codeOf(secret, clock()))).toMatchObject(lockedOut)
})

test('operators see the link of everybody in a pool, which works', async () => {
  const service = await startBatchSigner({ database: 'SQLite', settings: portalSettings })
  await setRule(service.store, ruleOf([maria, joao]))
  const { body } = await service.full.json<{ links: { path: string }[] }>('GET', '/dashboard/api/approvers')
  expect(body).toMatchObject({
    portal: true,
    secondFactor: false,
    links: [
      { name: 'João Reis', email: 'joao@example.com', profiles: ['default'] },
      { name: 'Maria Lima', email: 'Maria@example.com' },
    ],
    enrolments: [],
  })
  const browser = browserOf(service)
  await browser.call('GET', body.links[1]!.path)
  expect((await browser.json('GET', '/approvals/api/me')).body).toMatchObject({ email: 'maria@example.com' })
  expect((await browser.json('POST', FACTOR)).body).toMatchObject({
    status: 409,
    code: 'approval.second-factor-not-enrolled',
  })
})
