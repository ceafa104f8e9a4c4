// Approvals by signature, through the portal: the released file carries exactly the signatures of its approvers.
import { sign } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { type Browser, comeByLink, portalSettings } from './test-support/approvers.ts'
import {
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  sharedBatchSigner,
} from './test-support/running-service.ts'

const ana = { name: 'Ana Beatriz Souza', email: 'ana@example.com', cpf: '52998224725', label: 'ana-souza' }
const bruno = { name: 'Bruno Carvalho Lima', email: 'bruno@example.com', cpf: '11144477735', label: 'bruno-lima' }

type Person = typeof ana

const seedOf = ({ name, email, cpf }: Person) => ({ Name: name, Email: email, Cpf: cpf })

const approval = (Signers: string) => ({ MinimumApprovers: 2, Signers, Approvers: [ana, bruno].map(seedOf) })

const profiles = [
  { Name: 'keyless', Format: 'Cades', Approval: approval('Approvers') },
  profileOf('davi-moreira', { Name: 'both', Format: 'Cades', Approval: approval('ProfileKeyAndApprovers') }),
]

const settings = { ...portalSettings, Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] } }

for (const database of databases)
  describe(`approvals by signature on ${database}`, () => {
    const fresh = sharedBatchSigner({ database, profiles, settings })

    const statusOf = async (service: RunningBatchSigner, id: string) =>
      (await service.full.json('GET', `/api/jobs/${id}`)).body['status']

    async function waiting(service: RunningBatchSigner, profile: string): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob(['payments of the day']), 'day.rem')
      const { body } = await service.full.json<{ jobId: string }>('POST', `/api/files?profile=${profile}`, {
        body: form,
      })
      await vi.waitUntil(async () => (await statusOf(service, body.jobId)) === 'AwaitingApproval')
      return body.jobId
    }

    const certificateOf = async ({ label }: Person): Promise<IssuedCertificate> =>
      (await demoPki()).pki.certificate(label)

    const begin = async (browser: Browser, id: string, { der }: IssuedCertificate) =>
      (await browser.json('POST', `/approvals/api/jobs/${id}/signature`, { certificate: der.toString('base64') })).body

    const complete = async (browser: Browser, id: string, token: string, signature: Buffer) =>
      browser.json('PUT', `/approvals/api/jobs/${id}/signature`, { token, signature: signature.toString('base64') })

    /** What the page of an approver does with a certificate file. */
    async function approve(service: RunningBatchSigner, id: string, person: Person) {
      const [browser, certificate] = [await comeByLink(service, person), await certificateOf(person)]
      const { toMake, shown } = await begin(browser, id, certificate)
      expect(shown).toBeNull()
      const signature = sign('sha256', Buffer.from(toMake.toSign, 'base64'), certificate.key.privateKey)
      return complete(browser, id, toMake.token, signature)
    }

    test.each([
      ['keyless', 2],
      ['both', 3],
    ])('a released file of the profile %s carries exactly the signatures of the rule', async (profile, signers) => {
      const service = await fresh()
      const id = await waiting(service, profile)
      const first = await approve(service, id, ana)
      expect(first.body).toEqual({ approved: { jobId: id, ok: true, code: null, released: false }, shown: null })
      expect((await approve(service, id, bruno)).body.approved).toMatchObject({ released: true })
      await vi.waitUntil(async () => (await statusOf(service, id)) === 'Completed')
      const [name] = await readdir(service.output)
      const path = join(service.output, name!)
      const { ok, stdout } = await openssl(['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', path])
      expect([ok, stdout.toString()]).toEqual([true, 'payments of the day'])
      const { text } = await openssl(['cms', '-cmsout', '-print', '-inform', 'DER', '-in', path])
      expect(text.match(/d\.issuerAndSerialNumber|sid:/g)).toHaveLength(signers)
      const { body } = await service.full.json<{ decisions: { certificate: { subject: string } }[] }>(
        'GET',
        `/api/jobs/${id}/approvals`,
      )
      expect(body.decisions.map(({ certificate }) => certificate.subject)).toEqual([
        expect.stringContaining('ANA'),
        expect.stringContaining('BRUNO'),
      ])
      expect(JSON.stringify(body)).not.toMatch(/52998224725|11144477735/)
    })

    test('a certificate of somebody else is shown as such, a word is not enough, and a rejection is', async () => {
      const service = await fresh()
      const id = await waiting(service, 'keyless')
      const browser = await comeByLink(service, ana)
      const { toMake, shown } = await begin(browser, id, await certificateOf(bruno))
      expect([toMake, shown.code]).toEqual([null, 'approval.certificate-cpf-mismatch'])
      const word = await browser.json('POST', `/approvals/api/jobs/${id}/approve`)
      expect([word.status, word.body.code]).toEqual([403, 'approval.signature-required'])
      const own = await certificateOf(ana)
      const begun = await begin(browser, id, own)
      const other = sign('sha256', Buffer.from('something else'), own.key.privateKey)
      const answer = await complete(browser, id, begun.toMake.token, other)
      expect([answer.status, answer.body.approved, answer.body.shown.code]).toEqual([
        200,
        null,
        'approval.signature-invalid',
      ])
      expect((await browser.json('POST', `/approvals/api/jobs/${id}/reject`)).body).toEqual({
        jobId: id,
        terminated: true,
      })
      await vi.waitUntil(async () => (await readdir(service.output)).includes('day.reject.rem'))
      const late = await complete(browser, id, begun.toMake.token, other)
      expect([late.status, late.body.code]).toEqual([409, 'approval.not-pending'])
    })

    test('of two who begin at once the second is asked to sign again, and then counts', async () => {
      const service = await fresh()
      const id = await waiting(service, 'keyless')
      const [anas, brunos] = [await comeByLink(service, ana), await comeByLink(service, bruno)]
      const [a, b] = [await certificateOf(ana), await certificateOf(bruno)]
      const [one, two] = [await begin(anas, id, a), await begin(brunos, id, b)]
      const signed = ({ toMake }: { toMake: { toSign: string } }, { key }: IssuedCertificate) =>
        sign('sha256', Buffer.from(toMake.toSign, 'base64'), key.privateKey)
      expect((await complete(anas, id, one.toMake.token, signed(one, a))).body.approved).toMatchObject({ ok: true })
      const conflict = await complete(brunos, id, two.toMake.token, signed(two, b))
      expect([conflict.body.approved, conflict.body.shown.code]).toEqual([null, 'approval.signature-conflict'])
      expect((await approve(service, id, bruno)).body.approved).toMatchObject({ released: true })
      await vi.waitUntil(async () => (await statusOf(service, id)) === 'Completed')
    })
  })
