// The approver portal on the server: lists, one file, spreadsheets (batch-signer facts 5.3).
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DAY, MINUTE, plus } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { describe, expect, test } from 'vitest'
import { type Approver, approverKey } from '../src/rules/approval-rule.ts'
import type { JobStatus } from '../src/rules/job.ts'
import {
  type Browser,
  browserOf,
  comeByLink,
  joao,
  maria,
  portalSettings,
  rita,
  ruleOf,
  setRule,
} from './test-support/approvers.ts'
import {
  API_KEY,
  databases,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const run = promisify(execFile)

const NOON = '2026-03-02T12:00:00.000Z'
const clock = testClock(NOON)

const remittance = {
  totalCentavos: 123_456,
  totalFormatted: 'R$ 1.234,56',
  paymentCount: 3,
  cancellationCount: 1,
  earliestPaymentDate: '2026-03-05',
  latestPaymentDate: '2026-03-06',
  payerName: 'PADARIA AURORA LTDA',
  payerId: '11222333000181',
  largestCentavos: 100_000,
}

const payment = {
  payeeName: 'ANA SOUZA',
  payeeId: '52998224725',
  payeeBranch: '01234-3',
  payeeAccount: '0000123456-7',
  barcode: null,
  amountCentavos: 100_000,
}

interface Waiting {
  readonly fileName?: string
  readonly status?: JobStatus
  readonly pool?: readonly Approver[]
  readonly decisions?: readonly (readonly [Approver, 'approved' | 'rejected', Date?])[]
  readonly rule?: Parameters<typeof ruleOf>[1]
  readonly withoutFigures?: boolean
}

/** A job that waits or waited, as the pipeline leaves it. */
async function parked({ store: { db } }: RunningBatchSigner, over: Waiting = {}): Promise<string> {
  const { fileName = 'salaries.rem', status = 'AwaitingApproval', pool = [maria, joao], decisions = [] } = over
  const [id, at] = [randomUUID(), clock().toISOString()]
  const rule = ruleOf(pool, { minimumApprovers: Math.min(2, pool.length), ...over.rule })
  await db
    .insertInto('job')
    .values({
      id,
      file_name: fileName,
      name_key: `${fileName}-${id}`,
      format: 'Cades',
      source: 'Upload',
      status,
      profile_name: 'default',
      created_at: at,
      updated_at: at,
      queued_at: at,
      output_encrypted: 0,
      input_disposal: 'none',
      cnab240: over.withoutFigures ? null : JSON.stringify(remittance),
    } as never)
    .execute()
  await db
    .insertInto('job_approval')
    .values({
      job_id: id,
      file_name: fileName,
      profile_name: 'default',
      rule: JSON.stringify(rule),
      content_sha256: 'ab'.repeat(32),
      content_length: 480,
      staged_name: fileName,
      parked_at: at,
      expires_at: null,
      envelope_sha256: null,
    })
    .execute()
  for (const { email } of pool)
    await db
      .insertInto('approval_member')
      .values({ approver_key: approverKey(email), job_id: id })
      .execute()
  for (const [who, decision, when = clock()] of decisions)
    await db
      .insertInto('approval_decision')
      .values({
        job_id: id,
        approver_key: approverKey(who.email),
        name: who.name,
        cpf: who.cpf,
        decision,
        reason: decision === 'rejected' ? 'twice' : null,
        method: 'LinkDerivedEmail',
        content_sha256: 'ab'.repeat(32),
        decided_at: when.toISOString(),
        ip_address: null,
        user_agent: null,
        second_factor_at: null,
        certificate: null,
      })
      .execute()
  if (!over.withoutFigures)
    await db
      .insertInto('job_payments')
      .values({ job_id: id, payments: JSON.stringify([payment]) })
      .execute()
  return id
}

const listOf = async (browser: Browser, list: string) =>
  (await browser.json('GET', `/approvals/api/lists/${list}`)).body.items as { jobId: string }[]

const idsOf = async (browser: Browser, list: string) => (await listOf(browser, list)).map(({ jobId }) => jobId)

for (const database of databases) {
  describe(`the portal on ${database}`, () => {
    const shared = sharedBatchSigner({ database, clock, settings: portalSettings })
    const open = async () => {
      clock.set(NOON)
      const service = await shared()
      await setRule(service.store, ruleOf([maria, joao, rita]))
      return service
    }

    test('lists what the frozen pool asks the caller for, cut by their own decision', async () => {
      const service = await open()
      const first = await parked(service)
      clock.advance(MINUTE)
      const second = await parked(service, { decisions: [[joao, 'approved']] })
      const others = await parked(service, { pool: [joao], decisions: [] })
      const mine = await parked(service, { decisions: [[maria, 'approved']] })
      const done = await parked(service, {
        status: 'Completed',
        decisions: [
          [maria, 'approved'],
          [joao, 'approved'],
        ],
      })
      await parked(service, { status: 'Completed', decisions: [[joao, 'approved']] })
      const browser = await comeByLink(service, maria)
      expect(await idsOf(browser, 'needs-you')).toEqual([first, second])
      expect(await idsOf(browser, 'waiting-on-others')).toEqual([mine])
      expect(await idsOf(browser, 'decided')).toEqual([done])
      const johns = await comeByLink(service, joao)
      expect(new Set(await idsOf(johns, 'needs-you'))).toEqual(new Set([first, others, mine]))
      expect(await idsOf(await comeByLink(service, rita), 'needs-you')).toEqual([])
      const wrong = await browser.json('GET', '/approvals/api/lists/all')
      expect([wrong.status, wrong.body.code]).toEqual([400, 'validation.filter-invalid'])
    })

    test('says of each file what it pays, how far it is and until when it waits', async () => {
      const service = await open()
      const jobId = await parked(service, { decisions: [[joao, 'approved']], rule: { signers: 'Approvers' } })
      const [row] = await listOf(await comeByLink(service, maria), 'needs-you')
      expect(row).toEqual({
        jobId,
        fileName: 'salaries.rem',
        profile: 'default',
        status: 'AwaitingApproval',
        totalCentavos: 123_456,
        totalFormatted: 'R$ 1.234,56',
        paymentCount: 3,
        cancellationCount: 1,
        largestCentavos: 100_000,
        payerName: 'PADARIA AURORA LTDA',
        payerId: '11222333000181',
        tally: {
          required: 2,
          poolSize: 2,
          approved: 1,
          rejected: 0,
          outstanding: 1,
          quorumReached: false,
          vetoed: false,
        },
        parkedSince: NOON,
        expiresAt: null,
        signatureRequired: true,
        ownDecision: null,
      })
    })

    test('forgets decisions after DecidedLookback, not with the job', async () => {
      const service = await open()
      const old = plus(clock(), -90 * DAY)
      const kept = await parked(service, { status: 'Completed', decisions: [[maria, 'approved', old]] })
      await parked(service, { status: 'Completed', decisions: [[maria, 'approved', plus(old, -1)]] })
      const browser = await comeByLink(service, maria)
      expect(await idsOf(browser, 'decided')).toEqual([kept])
      await service.store.db.deleteFrom('job').execute()
      expect(await listOf(browser, 'decided')).toMatchObject([{ jobId: kept, status: null, totalCentavos: null }])
    })

    test('lists at most 200 decisions, the last ones, and says that there are more', async () => {
      const { store, ...service } = await open()
      const ids = Array.from({ length: 201 }, () => randomUUID())
      const first = await parked({ store, ...service }, { status: 'Completed', decisions: [[maria, 'approved']] })
      const [approval, decision] = [
        await store.db.selectFrom('job_approval').selectAll().executeTakeFirstOrThrow(),
        await store.db.selectFrom('approval_decision').selectAll().executeTakeFirstOrThrow(),
      ]
      const at = plus(clock(), MINUTE).toISOString()
      const members = ids.map((job_id) => ({ job_id, approver_key: approverKey(maria.email) }))
      await store.db
        .insertInto('job_approval')
        .values(ids.map((job_id) => ({ ...approval, job_id })))
        .execute()
      await store.db.insertInto('approval_member').values(members).execute()
      await store.db
        .insertInto('approval_decision')
        .values(ids.map((job_id) => ({ ...decision, job_id, decided_at: at })))
        .execute()
      const browser = await comeByLink({ ...service }, maria)
      const { items, cut } = (await browser.json('GET', '/approvals/api/lists/decided')).body
      expect([items.length, cut, items.some(({ jobId }: { jobId: string }) => jobId === first)]).toEqual([
        200,
        true,
        false,
      ])
    })

    test('shows one file whole to those who decide, and masked to other approvers', async () => {
      const service = await open()
      const jobId = await parked(service, { decisions: [[joao, 'approved']] })
      const path = `/approvals/api/jobs/${jobId}`
      const own = (await (await comeByLink(service, maria)).json('GET', path)).body
      expect(own).toMatchObject({ isMember: true, mayDecide: true, payments: [payment], payerId: remittance.payerId })
      expect(own.pool).toEqual([
        { name: 'Maria Lima', isYou: true, decision: null, reason: null, decidedAt: null },
        { name: 'João Reis', isYou: false, decision: 'approved', reason: null, decidedAt: NOON },
      ])
      expect(JSON.stringify(own)).not.toContain(joao.cpf)
      expect((await (await comeByLink(service, joao)).json('GET', path)).body.mayDecide).toBe(false)
      const other = (await (await comeByLink(service, rita)).json('GET', path)).body
      expect(other).toMatchObject({ isMember: false, mayDecide: false, pool: [], payerId: '************81' })
      expect(other.payments).toMatchObject([
        { payeeId: '*********25', payeeBranch: null, payeeAccount: '*********6-7' },
      ])
    })

    test('warns of a payment date that has passed since, for as long as the file waits', async () => {
      const service = await open()
      const [waiting, over] = [await parked(service), await parked(service, { status: 'Canceled' })]
      const browser = await comeByLink(service, maria)
      const warned = async (id: string) => (await browser.json('GET', `/approvals/api/jobs/${id}`)).body.dateWarning
      expect(await warned(waiting)).toBeNull()
      clock.advance(4 * DAY)
      // Its profile does not look at dates.
      expect(await warned(waiting)).toBe('will-be-signed')
      expect(await warned(over)).toBeNull()
    })

    test('a file that never waited looks like one that is not there', async () => {
      const service = await open()
      const jobId = await parked(service)
      await service.store.db.deleteFrom('job_approval').execute()
      const browser = await comeByLink(service, maria)
      for (const id of [jobId, randomUUID(), 'x']) {
        const { status, body } = await browser.json('GET', `/approvals/api/jobs/${id}`)
        expect([status, body.code]).toEqual([404, 'job.not-found'])
      }
    })

    test('hands a list out as a spreadsheet, with empty cells where a file has no figures', async () => {
      const service = await open()
      await parked(service, { fileName: '=danger.rem', decisions: [[joao, 'approved']] })
      clock.advance(MINUTE)
      await parked(service, { fileName: 'contract.pdf', withoutFigures: true })
      const browser = await comeByLink(service, maria)
      const answer = await browser.call('GET', '/approvals/export/needs-you', undefined, { 'accept-language': 'en-US' })
      expect(answer.headers.get('content-disposition')).toContain('approvals-needs-you-2026-03-02.xlsx')
      const file = join(service.folder, `${randomUUID()}.xlsx`)
      await writeFile(file, Buffer.from(await answer.arrayBuffer()))
      const xml = (await run('unzip', ['-p', file, 'xl/worksheets/sheet1.xml'])).stdout
      expect(xml).toContain("'=danger.rem")
      expect(xml).toContain('<v>1234.56</v>')
      expect(xml).toContain('>1/2<')
      const bare = xml.slice(xml.indexOf('contract.pdf'))
      expect(bare).not.toContain('<v>0</v>')
      expect(bare).not.toMatch(/r="F\d+"/)
    })
  })
}

test('spreadsheets of the portal take the session of an approver, ten a minute', async () => {
  const service = await startBatchSigner({
    database: 'SQLite',
    settings: { ...portalSettings, RateLimiting: { Enabled: true } },
  })
  await setRule(service.store, ruleOf([maria]))
  const path = '/approvals/export/decided'
  expect((await browserOf(service).call('GET', path, undefined, { 'X-API-Key': API_KEY })).status).toBe(401)
  const browser = await comeByLink(service, maria)
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await browser.call('GET', path)).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
})
