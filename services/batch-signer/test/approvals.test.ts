import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { lyingIn } from './test-support/lying-in.ts'
import {
  databases,
  profileOf,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const [ana] = demoHolders

const pool = [
  { Name: 'Ana Souza', Email: 'ana@hospital.example', Cpf: '52998224725' },
  { Name: 'Bruno Lima', Email: 'Bruno@Hospital.Example', Cpf: '11144477735' },
]

const profile = profileOf(ana!.label, {
  Name: 'default',
  InputFolder: 'default',
  Approval: { MinimumApprovers: 2, ExpiresAfter: '1.00:00:00', Approvers: pool },
})

const settings = { RateLimiting: { Approval: { PermitsPerWindow: 1_000 } } }

const PDF = samplePdf('A contract')
const SHA256 = createHash('sha256').update(PDF).digest('hex')

for (const database of databases)
  describe(`approvals over HTTP on ${database}`, () => {
    const fresh = sharedBatchSigner({ database, profiles: [profile], settings })

    const read = async (service: RunningBatchSigner, id: string) =>
      (await service.full.json<Record<string, unknown>>('GET', `/api/jobs/${id}`)).body

    const until = (service: RunningBatchSigner, id: string, status: string) =>
      expect.poll(async () => (await read(service, id))['status'], { interval: 10 }).toBe(status)

    async function uploaded(service: RunningBatchSigner, fileName: string, query = ''): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(PDF)]), fileName)
      return (await service.full.json<{ jobId: string }>('POST', `/api/files${query}`, { body: form })).body.jobId
    }

    async function parked(service: RunningBatchSigner, fileName = 'a.pdf'): Promise<string> {
      const id = await uploaded(service, fileName)
      await until(service, id, 'AwaitingApproval')
      return id
    }

    const decide = (service: RunningBatchSigner, id: string, body: object) =>
      service.full.json<Record<string, unknown>>('POST', `/api/approvals/${id}`, {
        key: null,
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'a browser' },
        body: JSON.stringify(body),
      })

    test('a decision needs no key, and a quorum has the file signed', async () => {
      const service = await fresh()
      const id = await parked(service)
      expect(await read(service, id)).toMatchObject({
        status: 'AwaitingApproval',
        contentSha256: SHA256,
        approval: {
          required: 2,
          poolSize: 2,
          approved: 0,
          rejected: 0,
          outstanding: 2,
          quorumReached: false,
          vetoed: false,
          expiresAfterSeconds: 86_400,
          signers: 'ProfileKey',
        },
      })
      expect(await decide(service, id, { email: 'ana@hospital.example' })).toMatchObject({
        status: 200,
        body: { jobId: id, approverName: 'Ana Souza', approved: 1, required: 2, outstanding: 1, quorumMet: false },
      })
      const { body } = await decide(service, id, { email: 'bruno@hospital.example', decision: 'APPROVED' })
      expect(body).toEqual({
        jobId: id,
        approverName: 'Bruno Lima',
        approved: 2,
        required: 2,
        outstanding: 0,
        quorumMet: true,
        released: true,
      })
      await until(service, id, 'Completed')
      expect(lyingIn(service.output)).toEqual(['a.signed.pdf'])
    })

    test('the record tells rule, pool and decisions; CPFs are masked, and where somebody sat is not told', async () => {
      const service = await fresh()
      const id = await parked(service)
      const record = () => service.full.json<Record<string, unknown>>('GET', `/api/jobs/${id}/approvals`)
      expect(await record()).toMatchObject({ status: 200, body: { decisions: [] } })
      await decide(service, id, { email: 'ana@hospital.example', reason: 'checked' })
      const { body } = await record()
      expect(body).toEqual({
        jobId: id,
        rule: {
          required: 2,
          poolSize: 2,
          signers: 'ProfileKey',
          expiresAfterSeconds: 86_400,
          frozenAt: expect.any(String),
          contentSha256: SHA256,
        },
        pool: [
          { name: 'Ana Souza', email: 'ana@hospital.example', cpfMasked: '***.***.***-25', decision: 'approved' },
          { name: 'Bruno Lima', email: 'Bruno@Hospital.Example', cpfMasked: '***.***.***-35', decision: null },
        ],
        decisions: [
          {
            approverName: 'Ana Souza',
            approverEmail: 'ana@hospital.example',
            cpfMasked: '***.***.***-25',
            decision: 'approved',
            reason: 'checked',
            identificationMethod: 'SelfDeclaredEmail',
            decidedAt: expect.any(String),
            secondFactorVerifiedAt: null,
            certificate: null,
          },
        ],
      })
      expect((await service.full.call('GET', `/api/jobs/${id}/approvals`, { key: null })).status).toBe(401)
    })

    test('a rejected file comes back, and its job cannot be retried', async () => {
      const service = await fresh()
      await writeFile(join(service.input(), 'b.pdf'), PDF)
      const found = async () => (await service.full.json<{ items: { id: string }[] }>('GET', '/api/jobs')).body.items[0]
      await expect.poll(found, { interval: 20 }).toBeDefined()
      const { id } = (await found())!
      await until(service, id, 'AwaitingApproval')
      const { status, body } = await decide(service, id, {
        email: 'ana@hospital.example',
        decision: 'rejected',
        reason: 'wrong payee',
      })
      expect([status, body]).toEqual([
        200,
        { jobId: id, approverName: 'Ana Souza', reason: 'wrong payee', terminated: true },
      ])
      await expect.poll(() => lyingIn(service.output), { interval: 10 }).toEqual(['b.reject.pdf'])
      expect(await readFile(join(service.output, 'b.reject.pdf'))).toEqual(Buffer.from(PDF))
      await expect.poll(() => lyingIn(service.input()), { interval: 10 }).toEqual([])
      const retry = await service.full.json<{ code: string }>('POST', `/api/jobs/${id}/retry`)
      expect([retry.status, retry.body.code]).toEqual([409, 'job.rejected-not-retriable'])
    })

    test('each refusal has its code, and an unknown name in the body is refused', async () => {
      const service = await fresh()
      const id = await parked(service)
      const refusal = async (body: object, jobId = id) => {
        const answer = await decide(service, jobId, body)
        return [answer.status, answer.body['code']]
      }
      const email = 'ana@hospital.example'
      expect(await refusal({ email }, '00000000-0000-4000-8000-000000000000')).toEqual([404, 'job.not-found'])
      expect(await refusal({ email }, 'nothing')).toEqual([404, 'job.not-found'])
      expect(await refusal({ email: 'eve@hospital.example' })).toEqual([403, 'approval.unknown-approver'])
      for (const malformed of ['not an address', '', ' ', '@', 'a\u0000@b', `${'a'.repeat(2_000)}@hospital.example`])
        expect(await refusal({ email: malformed })).toEqual([403, 'approval.unknown-approver'])
      for (const decision of ['later', '', 'approved ', 'x'.repeat(2_000)])
        expect(await refusal({ email, decision })).toEqual([400, 'approval.unknown-decision'])
      expect(await refusal({ email, reason: 'x'.repeat(513) })).toEqual([400, 'validation.reason-too-long'])
      expect(await refusal({ email, verdict: 'approved' })).toEqual([400, 'request.invalid'])
      expect(await refusal({})).toEqual([400, 'request.invalid'])
      await decide(service, id, { email })
      expect(await refusal({ email })).toEqual([409, 'approval.already-decided'])
      await service.full.json('POST', `/api/jobs/${id}/cancel`)
      expect(await refusal({ email: 'bruno@hospital.example' })).toEqual([409, 'approval.not-pending'])
    })

    test('a job that never parked has no record and accepts no decision', async () => {
      const service = await startBatchSigner({ database })
      const id = await uploaded(service, 'a.pdf')
      await until(service, id, 'Completed')
      const record = await service.full.json<{ code: string }>('GET', `/api/jobs/${id}/approvals`)
      expect([record.status, record.body.code]).toEqual([404, 'approval.not-required'])
      const decision = await decide(service, id, { email: 'ana@hospital.example' })
      expect([decision.status, decision.body['code']]).toEqual([409, 'approval.not-pending'])
      expect((await read(service, id))['approval']).toBeNull()
    })

    test('every way out of the wait is counted as what it is, and only an operator’s cancel as one', async () => {
      const hasty = { Format: 'Pades', Approval: { MinimumApprovers: 1, ExpiresAfter: '0.00:00:01', Approvers: pool } }
      const service = await startBatchSigner({
        database,
        profiles: [profile, profileOf(ana!.label, { Name: 'hasty', ...hasty })],
        settings: { ...settings, Pipeline: { PollIntervalSeconds: 1 } },
      })
      const [canceled, rejected, released] = [
        await parked(service),
        await parked(service, 'b.pdf'),
        await parked(service, 'c.pdf'),
      ]
      await service.full.json('POST', `/api/jobs/${canceled}/cancel`)
      await decide(service, rejected, { email: 'ana@hospital.example', decision: 'rejected' })
      for (const one of pool) await decide(service, released, { email: one.Email })
      await decide(service, released, { email: 'ana@hospital.example' })
      const expired = await uploaded(service, 'd.pdf', '?profile=hasty')
      await until(service, expired, 'Canceled')
      await until(service, released, 'Completed')
      const text = await (await service.full.call('GET', '/api/metrics')).text()
      for (const line of [
        'bulk_jobs_canceled_total 1',
        'bulk_jobs_parked_for_approval_total{profile="default"} 3',
        'bulk_jobs_parked_for_approval_total{profile="hasty"} 1',
        'bulk_approvals_recorded_total{profile="default"} 3',
        'bulk_approvals_rejected_total{profile="default"} 1',
        'bulk_jobs_released_by_approval_total{profile="default"} 1',
        'bulk_approvals_expired_total{profile="hasty"} 1',
        'bulk_jobs_awaiting_approval 0',
      ])
        expect(text).toContain(`${line}\n`)
    })

    test('an operator who cancels puts the copy into error/; one who deletes leaves no record', async () => {
      const service = await fresh()
      const [canceled, deleted] = [await parked(service), await parked(service, 'b.pdf')]
      expect((await service.full.json('POST', `/api/jobs/${canceled}/cancel`)).status).toBe(200)
      expect(await readdir(join(service.error, canceled))).toEqual(['a.pdf'])
      expect((await service.full.json('POST', `/api/jobs/${canceled}/retry`)).body).toMatchObject({
        code: 'job.not-failed',
      })
      expect((await service.full.call('DELETE', `/dashboard/api/jobs/${deleted}`)).status).toBe(200)
      const record = await service.full.json<{ code: string }>('GET', `/api/jobs/${deleted}/approvals`)
      expect([record.status, record.body.code]).toEqual([404, 'job.not-found'])
    })
  })
