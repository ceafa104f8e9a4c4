// Decisions in the approver portal, about files that really wait.
import { readdir } from 'node:fs/promises'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { codeOf } from '@chancela/testkit/console'
import { describe, expect, test, vi } from 'vitest'
import type { ApprovalRule } from '../src/rules/approval-rule.ts'
import { PROFILES_CHANNEL } from '../src/store/profiles.ts'
import {
  type Browser,
  comeByLink,
  joao,
  maria,
  portalSettings,
  rita,
  ruleOf,
  SEED_SECRET,
  setRule,
} from './test-support/approvers.ts'
import { databases, type RunningBatchSigner, sharedBatchSigner } from './test-support/running-service.ts'

async function inForce(service: RunningBatchSigner, rule: ApprovalRule): Promise<void> {
  await setRule(service.store, rule)
  await service.store.transaction((tx) => service.store.notify(tx, PROFILES_CHANNEL))
  await vi.waitUntil(async () => {
    const { body } = await service.full.json<{ approval: object | null }>('GET', '/api/profiles/default')
    return body.approval !== null
  })
}

const statusOf = async (service: RunningBatchSigner, id: string) =>
  (await service.full.json('GET', `/api/jobs/${id}`)).body['status']

let files = 0

/** A file that was uploaded and waits. */
async function waiting(service: RunningBatchSigner): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([`content ${++files}`]), `file-${files}.txt`)
  const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files', { body: form })
  await vi.waitUntil(async () => (await statusOf(service, body.jobId)) === 'AwaitingApproval')
  return body.jobId
}

const approve = (browser: Browser, id: string) => browser.json('POST', `/approvals/api/jobs/${id}/approve`)

const decisionsOf = ({ store: { db } }: RunningBatchSigner) =>
  db.selectFrom('approval_decision').selectAll().orderBy('decided_at').execute()

for (const database of databases) {
  describe(`decisions in the portal on ${database}`, () => {
    const open = sharedBatchSigner({ database, settings: portalSettings })

    test('release a file with the last approval it waits for, and say who decided from where', async () => {
      const service = await open()
      await inForce(service, ruleOf([maria, joao], { minimumApprovers: 2 }))
      const id = await waiting(service)
      const [browser, johns] = [await comeByLink(service, maria), await comeByLink(service, joao)]
      expect((await approve(browser, id)).body).toEqual({ jobId: id, ok: true, code: null, released: false })
      expect((await approve(browser, id)).body).toMatchObject({ code: 'approval.already-decided' })
      expect((await approve(johns, id)).body).toMatchObject({ ok: true, released: true })
      await vi.waitUntil(async () => (await statusOf(service, id)) === 'Completed')
      expect(await decisionsOf(service)).toMatchObject([
        { approver_key: 'maria@example.com', method: 'LinkDerivedEmail', ip_address: expect.stringMatching(/\d|:/) },
        { approver_key: 'joao@example.com', user_agent: expect.any(String), second_factor_at: null },
      ])
    })

    test('of a batch are tried one by one, each with its own result', async () => {
      const service = await open()
      await inForce(service, ruleOf([maria, joao], { minimumApprovers: 2 }))
      const [one, two] = [await waiting(service), await waiting(service)]
      const browser = await comeByLink(service, maria)
      await approve(browser, one)
      const missing = '00000000-0000-4000-8000-000000000000'
      const { body } = await browser.json('POST', '/approvals/api/approve', { ids: [one, missing, 'x', two, two] })
      expect(body.results).toEqual([
        { jobId: one, ok: false, code: 'approval.already-decided', released: false },
        { jobId: missing, ok: false, code: 'job.not-found', released: false },
        { jobId: 'x', ok: false, code: 'job.not-found', released: false },
        { jobId: two, ok: true, code: null, released: false },
      ])
      const other = await browser.json('POST', '/approvals/api/approve', { ids: [one], decision: 'rejected' })
      expect([other.status, other.body.code]).toEqual([400, 'request.invalid'])
    })

    test('reject a file with a reason; whoever its pool does not name decides nothing', async () => {
      const service = await open()
      await inForce(service, ruleOf([maria, joao]))
      const id = await waiting(service)
      await setRule(service.store, ruleOf([rita]))
      const stranger = await approve(await comeByLink(service, rita), id)
      expect([stranger.status, stranger.body.code]).toEqual([403, 'approval.unknown-approver'])
      await setRule(service.store, ruleOf([maria]))
      const browser = await comeByLink(service, maria)
      const path = `/approvals/api/jobs/${id}/reject`
      const long = await browser.json('POST', path, { reason: 'x'.repeat(513) })
      expect([long.status, long.body.code]).toEqual([400, 'validation.reason-too-long'])
      expect((await browser.json('POST', path, { reason: 'wrong account' })).body).toEqual({
        jobId: id,
        terminated: true,
      })
      await vi.waitUntil(async () => (await statusOf(service, id)) === 'Canceled')
      await vi.waitUntil(async () => (await readdir(service.output)).some((name) => name.includes('.reject')))
      expect(await decisionsOf(service)).toMatchObject([{ decision: 'rejected', reason: 'wrong account' }])
    })

    test('from a page of another site are not taken', async () => {
      const service = await open()
      await inForce(service, ruleOf([maria]))
      const id = await waiting(service)
      const browser = await comeByLink(service, maria)
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const answer = await browser.json('POST', `/approvals/api/jobs/${id}/approve`, undefined, foreign)
      expect([answer.status, await decisionsOf(service)]).toEqual([401, []])
    })
  })
}

describe('with the second factor', () => {
  const clock = testClock(new Date().toISOString())
  const settings = (VerificationWindow: string) => ({
    ...portalSettings,
    ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET, VerificationWindow },
  })
  const lasting = sharedBatchSigner({ database: 'SQLite', clock, settings: settings('00:20:00') })
  const every = sharedBatchSigner({ database: 'SQLite', clock, settings: settings('00:00:00') })

  async function begin(service: RunningBatchSigner) {
    await inForce(service, ruleOf([maria, joao], { minimumApprovers: 2 }))
    const browser = await comeByLink(service, maria)
    const refused = await approve(browser, await waiting(service))
    expect([refused.status, refused.body.code]).toEqual([403, 'approval.second-factor-required'])
    const { secret, enrolment } = (await browser.json('POST', '/approvals/api/second-factor')).body
    await browser.json('PUT', '/approvals/api/second-factor', { enrolment, code: codeOf(secret, clock()) })
    const verify = async () => {
      clock.advance(30 * SECOND)
      const code = codeOf(secret, clock())
      expect((await browser.json('POST', '/approvals/api/second-factor/verify', { code })).body.verified).toBe(true)
    }
    return { browser, verify }
  }

  test('decisions are made within the window, and say when the code was given', async () => {
    const service = await lasting()
    const { browser, verify } = await begin(service)
    await verify()
    const at = clock().toISOString()
    clock.advance(19 * MINUTE)
    const id = await waiting(service)
    expect((await approve(browser, id)).body).toMatchObject({ ok: true })
    expect(await decisionsOf(service)).toMatchObject([{ second_factor_at: at }])
    clock.advance(MINUTE)
    expect((await approve(browser, await waiting(service))).body.code).toBe('approval.second-factor-required')
  })

  test('the route without a session is withdrawn, whatever it is sent; the record is read as before', async () => {
    const service = await lasting()
    await inForce(service, ruleOf([maria]))
    const id = await waiting(service)
    const path = `/api/approvals/${id}`
    for (const [where, body] of [
      [path, JSON.stringify({ email: maria.email })],
      [path, 'no JSON at all'],
      ['/api/approvals/x', undefined],
    ] as const) {
      const answer = await service.full.json('POST', where, { key: null, ...(body && { body }) })
      expect([answer.status, answer.body['code']]).toEqual([403, 'approval.second-factor-required'])
    }
    expect((await service.full.json('GET', `/api/jobs/${id}/approvals`)).body).toMatchObject({ decisions: [] })
  })

  test('a window of nothing asks for a code with every decision, and once for a batch', async () => {
    const service = await every()
    const { browser, verify } = await begin(service)
    const ids = [await waiting(service), await waiting(service), await waiting(service)]
    // The code that confirmed the enrolment is good for one decision, too.
    expect((await approve(browser, ids[0]!)).body).toMatchObject({ ok: true })
    expect((await approve(browser, ids[1]!)).body.code).toBe('approval.second-factor-required')
    await verify()
    const { body } = await browser.json('POST', '/approvals/api/approve', { ids: ids.slice(1) })
    expect(body.results).toMatchObject([{ ok: true }, { ok: true }])
    await verify()
    const last = [await waiting(service), await waiting(service)]
    const both = await Promise.all(last.map((id) => approve(browser, id)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    await verify()
    clock.advance(2 * MINUTE)
    expect((await approve(browser, await waiting(service))).status).toBe(403)
  })
})
