// Approvers sign with tokens at computers whose agents have dialled out: the real session server, agent and SoftHSM2.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withSections } from '@chancela/testkit/service-world'
import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { clock, rootsFile } from '../../session-server/test/test-support/pki.ts'
import { sharedSessionServer } from '../../session-server/test/test-support/session-world.ts'
import { newTokenStation, TOKEN_PIN, type TokenStation } from '../../session-server/test/test-support/workstation.ts'
import { type Browser, comeByLink, portalSettings } from './test-support/approvers.ts'
import { databases, type RunningBatchSigner, sharedBatchSigner } from './test-support/running-service.ts'

const ana = { name: 'Ana Beatriz Souza', email: 'ana@example.com', cpf: '52998224725' }

const Approvers = [{ Name: ana.name, Email: ana.email, Cpf: ana.cpf }]

const profiles = [
  { Name: 'alone', Format: 'Cades', Approval: { MinimumApprovers: 1, Signers: 'Approvers', Approvers } },
]

const sessions = sharedSessionServer('SQLite', { settings: { Approvals: { QuietSeconds: 0 } } })

const SITE = 'lote.example'

const settings = () =>
  withSections(portalSettings, {
    Http: { PublicUrl: `https://${SITE}` },
    Signing: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.0/8', 'localhost'] },
    SessionServer: { Endpoint: sessions().baseUrl, ApiKey: sessions().client.apiKey },
  })

const answer = async ({ desktop }: TokenStation, fields: Readonly<Record<string, string>>) => {
  const page = await desktop.nextPage()
  await page.send(fields)
  return page
}

const approve = (station: TokenStation) => answer(station, { action: 'continue', choice: '0', pin: TOKEN_PIN })

const lookAt = async (browser: Browser, id: string) =>
  (await browser.json('POST', `/approvals/api/signings/${id}/look`)).body

const ended = (browser: Browser, id: string) =>
  vi.waitUntil(
    async () => {
      const looked = await lookAt(browser, id)
      return looked.state === 'ended' && looked
    },
    { interval: 20 },
  )

const statusOf = async (service: RunningBatchSigner, id: string) =>
  (await service.full.json('GET', `/api/jobs/${id}`)).body['status']

let uploads = 0

for (const database of databases)
  describe(`approvals with tokens on ${database}`, () => {
    const fresh = sharedBatchSigner(() => ({ database, profiles, settings: settings(), clock }))

    /** A file that waits for the holder of a token, who is known to the pool by that CPF. */
    async function waiting(service: RunningBatchSigner, { cpf }: TokenStation): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob(['payments of the day']), `day-${++uploads}.rem`)
      const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files?profile=alone', { body: form })
      await vi.waitUntil(async () => (await statusOf(service, body.jobId)) === 'AwaitingApproval')
      const { db } = service.store
      const found = db.selectFrom('job_approval').select('rule').where('job_id', '=', body.jobId)
      const rule = (await found.executeTakeFirstOrThrow()).rule.replace(ana.cpf, cpf)
      await db.updateTable('job_approval').set({ rule }).where('job_id', '=', body.jobId).execute()
      return body.jobId
    }

    async function holderAt(service: RunningBatchSigner, count: number) {
      const station = await newTokenStation(sessions())
      const ids: string[] = []
      for (let at = 0; at < count; at++) ids.push(await waiting(service, station))
      const browser = await comeByLink(service, ana)
      const begin = (asked: readonly string[] = ids) =>
        browser.json('POST', '/approvals/api/signings/token', { ids: asked })
      return { station, ids, browser, begin }
    }

    test('one PIN at the computer approves every file that was shown there, and openssl verifies it', async () => {
      const service = await fresh()
      const { station, ids, browser, begin } = await holderAt(service, 3)
      expect((await browser.json('GET', '/approvals/api/me')).body.signatureWays).toEqual(['file', 'token'])
      const { status, body } = await begin()
      expect([status, body.code]).toEqual([200, expect.stringMatching(/^.{4}-.{4}$/)])
      expect(await lookAt(browser, body.id)).toMatchObject({ way: 'token', state: 'waiting', outcome: null })
      const page = await approve(station)
      for (const told of [body.code, SITE, `day-${uploads}.rem`]) expect(page.html).toContain(told)
      // Of many looks at once one signs.
      await Promise.all(Array.from({ length: 4 }, () => lookAt(browser, body.id)))
      const end = await ended(browser, body.id)
      expect([end.outcome, ...end.files.map(({ ok }: { ok: boolean }) => ok)]).toEqual(['done', true, true, true])
      for (const id of ids) await vi.waitUntil(async () => (await statusOf(service, id)) === 'Completed')
      const signed = join(service.output, (await readdir(service.output))[0]!)
      const verify = ['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', signed]
      const { ok, stdout } = await openssl(verify)
      expect([ok, stdout.toString()]).toEqual([true, 'payments of the day'])
      const { body: record } = await service.full.json<{ decisions: object[] }>('GET', `/api/jobs/${ids[0]}/approvals`)
      expect(record.decisions).toMatchObject([{ certificate: { cloudService: null } }])
      const metrics = await (await service.full.call('GET', '/api/metrics')).text()
      expect(metrics).toMatch(/bulk_approver_signatures_total\{outcome="signed",means="browser"\} [3-9]/)
    })

    test('a holder who declines approves nothing, and what changed meanwhile is not signed behind their back', async () => {
      const service = await fresh()
      const { station, ids, browser, begin } = await holderAt(service, 2)
      const declined = await begin()
      await answer(station, { action: 'decline' })
      expect(await ended(browser, declined.body.id)).toMatchObject({ outcome: 'declined', files: [{ ok: null }, {}] })
      const begun = await begin()
      await browser.json('POST', `/approvals/api/jobs/${ids[1]}/reject`)
      await approve(station)
      const end = await ended(browser, begun.body.id)
      expect(end).toMatchObject({ outcome: 'changed', files: [{ ok: null }, { code: 'approval.not-pending' }] })
      const again = await begin([ids[0]!])
      await approve(station)
      expect(await ended(browser, again.body.id)).toMatchObject({
        outcome: 'done',
        files: [{ ok: true, released: true }],
      })
      await vi.waitUntil(async () => (await statusOf(service, ids[0]!)) === 'Completed')
    })

    test('what is withdrawn, or begun anew, leaves the computer', async () => {
      const service = await fresh()
      const { ids, browser, begin } = await holderAt(service, 1)
      const [first, second] = [await begin(), await begin()]
      expect((await lookAt(browser, first.body.id)).outcome).toBe('canceled')
      expect((await browser.call('DELETE', `/approvals/api/signings/${second.body.id}`)).status).toBe(204)
      expect((await lookAt(browser, second.body.id)).outcome).toBe('canceled')
      expect(await statusOf(service, ids[0]!)).toBe('AwaitingApproval')
    })
  })
