// Approvers sign with cloud certificates: to the hub, through the provider's pages, and back (spec 2, Endpoints).
import { sign } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import type { Walk } from '@chancela/testkit/cloud-provider'
import { withSections } from '@chancela/testkit/service-world'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { type Browser, browserOf, comeByLink, portalSettings } from './test-support/approvers.ts'
import { sharedCloud } from './test-support/cloud.ts'
import {
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const ana = { name: 'Ana Beatriz Souza', email: 'ana@example.com', cpf: '52998224725', label: 'ana-souza' }
const bruno = { name: 'Bruno Carvalho Lima', email: 'bruno@example.com', cpf: '11144477735', label: 'bruno-lima' }

type Person = typeof ana

const seedOf = ({ name, email, cpf }: Person) => ({ Name: name, Email: email, Cpf: cpf })

const approval = (Signers: string, approvers = [ana, bruno]) => ({
  MinimumApprovers: approvers.length,
  Signers,
  Approvers: approvers.map(seedOf),
})

const profiles = [
  { Name: 'keyless', Format: 'Cades', Approval: approval('Approvers') },
  { Name: 'alone', Format: 'Cades', Approval: approval('Approvers', [ana]) },
  // The same person under another CPF.
  { Name: 'other-cpf', Format: 'Cades', Approval: approval('Approvers', [{ ...ana, cpf: bruno.cpf }]) },
  profileOf('davi-moreira', { Name: 'both', Format: 'Cades', Approval: approval('ProfileKeyAndApprovers') }),
  profileOf('davi-moreira', { Name: 'by-word', Format: 'Cades', Approval: approval('ProfileKey', [ana]) }),
]

const cloud = sharedCloud()

const settings = () =>
  withSections({ ...portalSettings, Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] } }, cloud().settings)

const UNMATCHED = '/approvals?cloud=unmatched'

const statusOf = async (service: RunningBatchSigner, id: string) =>
  (await service.full.json('GET', `/api/jobs/${id}`)).body['status']

let uploads = 0

/** A file that waits for its approvers. */
async function waiting(service: RunningBatchSigner, profile: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['payments of the day']), `day-${++uploads}.rem`)
  const path = `/api/files?profile=${profile}`
  const { body } = await service.full.json<{ jobId: string }>('POST', path, { body: form })
  await vi.waitUntil(async () => (await statusOf(service, body.jobId)) === 'AwaitingApproval')
  return body.jobId
}

const begin = (browser: Browser, ids: readonly string[], more: object = {}) =>
  browser.json('POST', '/approvals/api/signings/cloud', { ids, ...more })

/** Goes through the hub; the person has not come back yet. */
async function goThere(browser: Browser, ids: readonly string[], walk: Partial<Walk> = {}) {
  const { status, body } = await begin(browser, ids)
  expect([status, body]).toEqual([200, { id: expect.any(String), url: expect.any(String) }])
  const path = await cloud().back(body.url, { holder: ana.label, ...walk })
  expect(path).toMatch(/^\/approvals\/cloud\/return\?state=/)
  return { id: body.id as string, path }
}

/** Comes back; gives where the browser is sent. */
async function comeBack(browser: Browser, path: string): Promise<string> {
  const answer = await browser.call('GET', path)
  expect(answer.status).toBe(303)
  return answer.headers.get('location')!
}

const look = async (browser: Browser, id: string, headers: Record<string, string> = {}) =>
  (await browser.json('POST', `/approvals/api/signings/${id}/look`, undefined, headers)).body

const told = ({ files }: { files: { ok: boolean | null; code: string | null }[] }) =>
  files.map(({ ok, code }) => code ?? ok)

/** What the page of an approver does with a certificate file. */
async function approveByFile(service: RunningBatchSigner, id: string, { label, email }: Person) {
  const [browser, { pki }] = [await comeByLink(service, { email }), await demoPki()]
  const { der, key } = pki.certificate(label)
  const path = `/approvals/api/jobs/${id}/signature`
  const { toMake } = (await browser.json('POST', path, { certificate: der.toString('base64') })).body
  const signature = sign('sha256', Buffer.from(toMake.toSign, 'base64'), key.privateKey).toString('base64')
  return (await browser.json('PUT', path, { token: toMake.token, signature })).body.approved
}

const counted = async (service: RunningBatchSigner, outcome: string, means = 'cloud'): Promise<number> => {
  const line = `bulk_approver_signatures_total{outcome="${outcome}",means="${means}"} `
  const text = await (await service.full.call('GET', '/api/metrics')).text()
  const found = text.split('\n').find((one) => one.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}

for (const database of databases)
  describe(`approvals by cloud certificates on ${database}`, () => {
    const fresh = sharedBatchSigner(() => ({ database, profiles, settings: settings() }))

    test('a released file has the cloud signature among three, and openssl verifies them all', async () => {
      const service = await fresh()
      const before = [cloud().signatures(), await counted(service, 'signed')]
      const id = await waiting(service, 'both')
      const browser = await comeByLink(service, ana)
      expect((await browser.json('GET', '/approvals/api/me')).body.signatureWays).toEqual(['file', 'cloud'])
      const { id: signing, path } = await goThere(browser, [id])
      // Nothing is approved before the return.
      expect((await service.full.json('GET', `/api/jobs/${id}/approvals`)).body['decisions']).toEqual([])
      expect(await comeBack(browser, path)).toBe(`/approvals?signing=${signing}`)
      const ended = await look(browser, signing)
      expect(ended).toMatchObject({ way: 'cloud', state: 'ended', outcome: 'done' })
      expect(ended.files).toEqual([
        { jobId: id, fileName: `day-${uploads}.rem`, ok: true, code: null, message: null, released: false },
      ])
      expect(await approveByFile(service, id, bruno)).toMatchObject({ released: true })
      await vi.waitUntil(async () => (await statusOf(service, id)) === 'Completed')
      expect([cloud().signatures(), await counted(service, 'signed')]).toEqual(before.map((count) => count! + 1))
      const folder = temporaryFolder()
      await writeFile(join(folder, 'roots.pem'), (await demoPki()).pki.trustAnchors())
      const signed = join(service.output, (await readdir(service.output))[0]!)
      const form = ['-inform', 'DER', '-in', signed]
      const verify = ['cms', '-verify', '-binary', '-purpose', 'any', '-CAfile', 'roots.pem', ...form]
      const { ok, stdout } = await openssl(verify, { folder })
      expect([ok, stdout.toString()]).toEqual([true, 'payments of the day'])
      const { text } = await openssl(['cms', '-cmsout', '-print', '-noout', ...form], { folder })
      expect(text.match(/d\.issuerAndSerialNumber/g)).toHaveLength(3)
      const { body } = await service.full.json<{ decisions: { certificate: object }[] }>(
        'GET',
        `/api/jobs/${id}/approvals`,
      )
      expect(body.decisions.map(({ certificate }) => certificate)).toEqual([
        expect.objectContaining({ cloudService: 'nuvem' }),
        expect.objectContaining({ cloudService: null }),
      ])
    })

    test('one authorization signs many, and each file has its own end', async () => {
      const service = await fresh()
      const before = cloud().signatures()
      const browser = await comeByLink(service, ana)
      const ids: string[] = []
      for (let n = 0; n < 4; n++) ids.push(await waiting(service, 'keyless'))
      const byWord = await waiting(service, 'by-word')
      const { id, path } = await goThere(browser, [...ids, byWord, crypto.randomUUID()])
      // Meanwhile one is approved with a file, another rejected by a colleague, and a third has a signature more.
      await approveByFile(service, ids[1]!, ana)
      await (await comeByLink(service, bruno)).json('POST', `/approvals/api/jobs/${ids[2]}/reject`)
      await approveByFile(service, ids[3]!, bruno)
      expect(await comeBack(browser, path)).toBe(`/approvals?signing=${id}`)
      expect(told(await look(browser, id))).toEqual([
        true,
        'approval.already-decided',
        'approval.not-pending',
        true,
        'request.invalid',
        'job.not-found',
      ])
      expect(cloud().signatures() - before).toBe(1)
      await vi.waitUntil(async () => (await statusOf(service, ids[3]!)) === 'Completed')
    })

    test('files of which none can be signed, or that name two people, are refused before anybody goes anywhere', async () => {
      const service = await fresh()
      const browser = await comeByLink(service, ana)
      const [id, other, byWord] = [
        await waiting(service, 'alone'),
        await waiting(service, 'other-cpf'),
        await waiting(service, 'by-word'),
      ]
      const codes = []
      for (const ids of [[crypto.randomUUID()], ['x'], [byWord], [id, other]]) {
        const { status, body } = await begin(browser, ids)
        codes.push([status, body.code])
      }
      expect(codes).toEqual([
        [404, 'job.not-found'],
        [404, 'job.not-found'],
        [400, 'request.invalid'],
        [400, 'request.invalid'],
      ])
      expect((await begin(browser, [id], { reason: 'x'.repeat(513) })).body.code).toBe('validation.reason-too-long')
      expect((await begin(browserOf(service), [id])).status).toBe(401)
      const mine = await begin(browser, [id])
      const stranger = await comeByLink(service, bruno)
      expect((await stranger.json('POST', `/approvals/api/signings/${mine.body.id}/look`)).body.code).toBe(
        'approval.signing-not-found',
      )
    })

    test('a state is good once, for the approver and the browser it was given to; the log alone says why', async () => {
      const service = await fresh()
      const before = cloud().signatures()
      const [id, second] = [await waiting(service, 'keyless'), await waiting(service, 'keyless')]
      const browser = await comeByLink(service, ana)
      const { path } = await goThere(browser, [id])
      const other = await goThere(browser, [second])
      const [colleague, elsewhere] = [await comeByLink(service, bruno), await comeByLink(service, ana)]
      const withKey = () => service.full.call('GET', path, { redirect: 'manual' })
      expect((await withKey()).headers.get('location')).toBe(UNMATCHED)
      expect(await comeBack(browserOf(service), path)).toBe(UNMATCHED)
      expect(await comeBack(colleague, path)).toBe(UNMATCHED)
      expect(await comeBack(elsewhere, path)).toBe(UNMATCHED)
      for (const query of ['', '?state=', '?state=x&session=y', '?state=a&state=b', '?more=1'])
        expect(await comeBack(browser, `/approvals/cloud/return${query}`)).toBe(UNMATCHED)
      // A session that was authorized for one request does not sign another.
      const session = new URL(path, 'http://x').searchParams.get('session')!
      const planted = new URL(other.path, 'http://x')
      planted.searchParams.set('session', session)
      expect(await comeBack(browser, `${planted.pathname}${planted.search}`)).toBe(UNMATCHED)
      expect(cloud().signatures()).toBe(before)
      expect(await comeBack(browser, path)).toMatch(/\?signing=/)
      expect(await comeBack(browser, path)).toBe(UNMATCHED)
      expect(cloud().signatures()).toBe(before + 1)
      const log = service.log()
      for (const reason of ['no-session', 'unknown', 'other-approver', 'used', 'other-session'])
        expect(log).toContain(`"reason":"${reason}"`)
      for (const secret of [session, new URL(path, 'http://x').searchParams.get('state')!])
        expect(log).not.toContain(secret)
    })

    test('who denies, and a provider that fails, leave the file as it was, and the approver may begin again', async () => {
      const service = await fresh()
      const id = await waiting(service, 'alone')
      const browser = await comeByLink(service, ana)
      const counts = async () => [await counted(service, 'abandoned'), await counted(service, 'provider-failed')]
      const [abandoned, failed] = await counts()
      const denied = await goThere(browser, [id], { decision: 'deny' })
      await comeBack(browser, denied.path)
      expect(await look(browser, denied.id)).toMatchObject({ state: 'ended', outcome: 'denied', files: [{ ok: null }] })
      cloud().provider.fail('signature', { status: 503 })
      const down = await goThere(browser, [id])
      await comeBack(browser, down.path)
      expect(await look(browser, down.id)).toMatchObject({ outcome: 'provider-failed', files: [{ ok: null }] })
      expect(await counts()).toEqual([abandoned! + 1, failed! + 1])
      const canceled = await begin(browser, [id])
      expect((await browser.call('DELETE', `/approvals/api/signings/${canceled.body.id}`)).status).toBe(204)
      expect((await look(browser, canceled.body.id)).outcome).toBe('canceled')
      const again = await goThere(browser, [id])
      await comeBack(browser, again.path)
      expect((await look(browser, again.id)).files).toMatchObject([{ ok: true, released: true }])
      await vi.waitUntil(async () => (await statusOf(service, id)) === 'Completed')
    })

    test('the certificate of somebody else, or a wrong signature, approves nothing and is shown in both languages', async () => {
      const service = await fresh()
      const id = await waiting(service, 'keyless')
      const browser = await comeByLink(service, bruno)
      const before = [cloud().signatures(), await counted(service, 'cpf-mismatch')]
      // Somebody else, and a company that a colleague answers for: the hub finds no certificate of the person.
      for (const holder of [ana.label, 'padaria-aurora']) {
        const other = await goThere(browser, [id], { holder })
        await comeBack(browser, other.path)
        expect(await look(browser, other.id)).toMatchObject({
          outcome: expect.stringMatching(/^(denied|expired)$/),
          files: [{ ok: null }],
        })
      }
      // Whatever the hub says, the certificate is compared with the CPF of the pool.
      const { id: signing, path } = await goThere(browser, [id], { holder: bruno.label })
      const { db } = service.store
      const frozen = db.selectFrom('job_approval').select('rule').where('job_id', '=', id)
      const { rule } = await frozen.executeTakeFirstOrThrow()
      const setRule = (changed: string) =>
        db.updateTable('job_approval').set({ rule: changed }).where('job_id', '=', id).execute()
      await setRule(rule.replace(bruno.cpf, '98765432100'))
      await comeBack(browser, path)
      const shown = await look(browser, signing)
      expect(told(shown)).toEqual(['approval.certificate-cpf-mismatch'])
      expect([cloud().signatures(), await counted(service, 'cpf-mismatch')]).toEqual([before[0], before[1]! + 1])
      await setRule(rule)
      const inPortuguese = await look(browser, signing, { 'accept-language': 'pt-BR' })
      expect(inPortuguese.files[0].message).not.toBe(shown.files[0].message)
      cloud().provider.fail('signature', 'wrong-signature')
      const wrong = await goThere(browser, [id], { holder: bruno.label })
      await comeBack(browser, wrong.path)
      expect(await look(browser, wrong.id)).toMatchObject({ outcome: 'provider-failed', files: [{ ok: null }] })
      expect((await service.full.json('GET', `/api/jobs/${id}/approvals`)).body['decisions']).toEqual([])
    })

    test('signatures that were kept and not recorded are recorded after a restart; unsigned ones are given up', async () => {
      const service = await startBatchSigner({ database, profiles, settings: settings() })
      const ids = [await waiting(service, 'alone'), await waiting(service, 'alone')]
      const browser = await comeByLink(service, ana)
      const { id, path } = await goThere(browser, ids)
      let release = () => {}
      cloud().provider.fail('signature', { until: new Promise<void>((resolve) => (release = resolve)) })
      const before = cloud().signatures()
      const back = comeBack(browser, path)
      await vi.waitUntil(() => cloud().signatures() > before)
      // While the provider signs, the table of decisions is lost.
      await sql`alter table approval_decision rename to hidden_decision`.execute(service.store.db)
      release()
      expect(await back).toBe(`/approvals?signing=${id}`)
      expect(await look(browser, id)).toMatchObject({ state: 'signing', outcome: null, files: [{ ok: null }, {}] })
      await sql`alter table hidden_decision rename to approval_decision`.execute(service.store.db)
      const lost = await goThere(browser, ids)
      await service.stop()
      const past = new Date(Date.now() - MINUTE).toISOString()
      const rows = service.store.db.updateTable('approver_signing')
      await rows.set({ busy_until: past }).where('id', '=', id).execute()
      await rows.set({ taken_at: past, busy_until: past }).where('id', '=', lost.id).execute()
      const again = await startBatchSigner({
        database,
        profiles,
        settings: settings(),
        after: { store: service.store, dataFolder: service.folder },
      })
      const same = browserOf(again)
      for (const [name, value] of browser.cookies) same.cookies.set(name, value)
      await expect.poll(async () => (await look(same, id)).outcome).toBe('done')
      expect(told(await look(same, id))).toEqual([true, true])
      for (const one of ids) await vi.waitUntil(async () => (await statusOf(again, one)) === 'Completed')
      expect((await look(same, lost.id)).outcome).toBe('interrupted')
      expect(await comeBack(same, lost.path)).toBe(UNMATCHED)
    })

    test('of two instances that get the same return at once, one signs', async () => {
      const cluster = withSections(settings(), { Cluster: { Enabled: true } })
      const one = await startBatchSigner({ database, profiles, settings: cluster })
      const two = await startBatchSigner({
        database,
        profiles,
        settings: cluster,
        after: { store: one.store, dataFolder: one.folder },
      })
      const id = await waiting(one, 'alone')
      const browser = await comeByLink(one, ana)
      const twin = browserOf(two)
      for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
      const before = cloud().signatures()
      const { id: signing, path } = await goThere(browser, [id])
      const both = await Promise.all([comeBack(browser, path), comeBack(twin, path)])
      expect(both.sort()).toEqual([UNMATCHED, `/approvals?signing=${signing}`])
      expect(cloud().signatures()).toBe(before + 1)
      expect((await look(twin, signing)).files).toMatchObject([{ ok: true, released: true }])
      await vi.waitUntil(async () => (await statusOf(one, id)) === 'Completed')
    })
  })

test('a state is good for fifteen minutes', async () => {
  const clock = testClock(new Date())
  const service = await startBatchSigner({ database: 'SQLite', profiles, settings: settings(), clock })
  const id = await waiting(service, 'alone')
  const browser = await comeByLink(service, ana)
  const { id: signing, path } = await goThere(browser, [id])
  clock.advance(15 * MINUTE)
  expect(await comeBack(browser, path)).toBe(UNMATCHED)
  expect(service.log()).toContain('"reason":"expired"')
  expect(await look(browser, signing)).toMatchObject({ state: 'ended', outcome: 'expired' })
})

test('without a hub nobody is offered it, and of one that is down nobody hears more than that', async () => {
  const service = await startBatchSigner({
    database: 'SQLite',
    profiles,
    settings: withSections(settings(), { CloudHub: { Endpoint: 'http://127.0.0.1:9' } }),
  })
  const id = await waiting(service, 'alone')
  const { status, body } = await begin(await comeByLink(service, ana), [id])
  expect([status, body.code]).toEqual([503, 'approval.cloud-unavailable'])
  const none = await startBatchSigner({ database: 'SQLite', profiles, settings: portalSettings })
  const browser = await comeByLink(none, ana)
  expect((await browser.json('GET', '/approvals/api/me')).body.signatureWays).toEqual(['file'])
  expect((await begin(browser, [await waiting(none, 'alone')])).body.code).toBe('approval.cloud-unavailable')
})

test('returns are counted with the decisions: ten in a minute', async () => {
  const service = await startBatchSigner({
    database: 'SQLite',
    settings: { ...portalSettings, RateLimiting: { Enabled: true } },
  })
  const statuses = []
  for (let n = 0; n < 11; n++)
    statuses.push((await service.full.call('GET', '/approvals/cloud/return', { redirect: 'manual' })).status)
  expect(statuses).toEqual([...Array(10).fill(303), 429])
})
