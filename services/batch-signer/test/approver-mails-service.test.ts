// Mails to approvers from the whole service: a file is uploaded, and people are told.
import { checkSettings } from '@chancela/service-kernel/config'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { startSmtpServer } from '@chancela/testkit/mail'
import { startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { batchSignerRules, batchSignerSettings } from '../src/settings.ts'
import { portalSettings } from './test-support/approvers.ts'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const profile = profileOf(demoHolders[0]!.label, {
  Name: 'default',
  InputFolder: 'default',
  Approval: {
    MinimumApprovers: 1,
    ExpiresAfter: '1.00:00:00',
    Approvers: [
      { Name: 'Ana Souza', Email: 'ana@hospital.example', Cpf: '52998224725' },
      { Name: 'Bruno Lima', Email: 'bruno@hospital.example', Cpf: '11144477735' },
    ],
  },
})

const Approvals = { Kinds: ['Waiting', 'Rejected'], Language: 'en-US', GatherSeconds: 0, PauseMinutes: 0 }

const mailing = (port: number) => ({
  ...portalSettings,
  Http: { Port: 0, PublicUrl: 'https://sign.hospital.example' },
  Notifications: { Approvals },
  Email: { Enabled: true, Host: '127.0.0.1', Port: port, Security: 'None', From: 'batch@hospital.example' },
})

async function upload(service: RunningBatchSigner, fileName = 'a.pdf'): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(samplePdf('A contract'))]), fileName)
  const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files', { body: form })
  const status = async () => (await service.full.json('GET', `/api/jobs/${body.jobId}`)).body['status']
  await expect.poll(status, { interval: 10 }).toBe('AwaitingApproval')
  return body.jobId
}

const reject = (service: RunningBatchSigner, id: string) =>
  service.full.json('POST', `/api/approvals/${id}`, {
    key: null,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'bruno@hospital.example', decision: 'rejected' }),
  })

for (const database of databases)
  describe(`the service on ${database}`, () => {
    test('tells approvers of a file that waits, with a link to the portal that opens nothing by itself', async () => {
      const smtp = await startSmtpServer()
      onTestFinished(() => smtp.stop())
      const service = await startBatchSigner({
        database,
        profiles: [profile],
        settings: mailing(smtp.port),
      })
      const arrived = async () => {
        await service.store.notify(service.store.db, LOOK_NOW)
        return smtp.inbox.map(({ subject, envelope }) => `${envelope.to[0]}: ${subject}`).toSorted()
      }
      const id = await upload(service)
      const waiting = ['ana', 'bruno'].map((who) => `${who}@hospital.example: 1 file waits for your approval`)
      await expect.poll(arrived, { interval: 20 }).toEqual(waiting)
      await expect.poll(() => service.log()).toContain('"to":"b***@hospital.example","msg":"mail sent"')
      expect(service.log()).not.toMatch(/(ana|bruno)@/)
      for (const { text } of smtp.inbox) {
        expect(text.match(/https?:\S+/g)).toEqual(['https://sign.hospital.example/approvals'])
        expect(text).not.toContain('a.pdf')
      }
      expect((await reject(service, id)).status).toBe(200)
      const rejected = 'ana@hospital.example: 1 file was rejected'
      await expect.poll(arrived, { interval: 20 }).toEqual([waiting[0], rejected, waiting[1]])
      expect(service.log()).not.toContain('52998224725')
    })

    test('writes nothing down for approvers unless it is asked to', async () => {
      const service = await startBatchSigner({ database, profiles: [profile] })
      await upload(service)
      expect(await service.store.db.selectFrom('approver_notice').selectAll().execute()).toEqual([])
    })
  })

test('two instances on PostgreSQL tell people and programs of each file once between them', async () => {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const { url, received } = await startReceiver()
  const Secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const settings = {
    ...mailing(smtp.port),
    Cluster: { Enabled: true },
    Webhooks: {
      Endpoints: [{ Name: 'erp', Url: url, Secret, Events: ['ApprovalParked'] }],
      AllowedHosts: ['127.0.0.1'],
    },
  }
  const profiles = [profile]
  const one = await startBatchSigner({ database: 'PostgreSQL', profiles, settings })
  const after = { store: one.store, dataFolder: one.folder }
  const two = await startBatchSigner({ database: 'PostgreSQL', profiles, settings, after })
  const jobs = await Promise.all([one, two, one, two].map((service, at) => upload(service, `${at}.pdf`)))
  const toldTo = async (who: string) => {
    await one.store.notify(one.store.db, LOOK_NOW)
    const mails = smtp.inbox.filter(({ envelope }) => envelope.to[0] === `${who}@hospital.example`)
    return mails.reduce((sum, { subject }) => sum + Number.parseInt(subject, 10), 0)
  }
  for (const who of ['ana', 'bruno']) await expect.poll(() => toldTo(who), { interval: 20 }).toBe(jobs.length)
  const idOf = ({ body }: { readonly body: string }) => JSON.parse(body).data.jobId
  await expect.poll(() => received.map(idOf).toSorted(), { interval: 20 }).toEqual(jobs.toSorted())
  const { deliveries } = (await two.full.json<{ deliveries: unknown[] }>('GET', '/dashboard/api/webhooks/deliveries'))
    .body
  expect(deliveries).toHaveLength(jobs.length)
  const mails = await one.store.db.selectFrom('approver_notice').select('told_in').distinct().execute()
  expect(mails.every(({ told_in }) => told_in !== null)).toBe(true)
  expect(smtp.inbox).toHaveLength(mails.length)
})

/** What the start says of these settings, by key. */
function problemsOf(approvals: object, more: Readonly<Record<string, object>> = {}): readonly string[] {
  const verdict = checkSettings({
    schemas: { 'batch-signer': batchSignerSettings },
    rules: { 'batch-signer': batchSignerRules },
    environment: {},
    defaults: { 'batch-signer': { Notifications: { Approvals: approvals }, ...more } },
  })
  return verdict.ok ? [] : verdict.problems.map(({ key }) => key)
}

test('mails to approvers need a mail server, an address of the portal and the portal itself', () => {
  const kinds = 'batch-signer Notifications:Approvals:Kinds'
  const met = {
    Http: { PublicUrl: 'https://sign.hospital.example' },
    Email: { Enabled: true, From: 'batch@hospital.example' },
    ApproverPortal: portalSettings.ApproverPortal,
  }
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ Kinds: ['Digest'] })).toEqual([kinds, kinds, kinds])
  expect(problemsOf({ Kinds: ['Digest'] }, met)).toEqual([])
  for (const name of Object.keys(met)) {
    const { [name]: _, ...rest } = met as Readonly<Record<string, object>>
    expect(problemsOf({ Kinds: ['Digest'] }, rest)).toEqual([kinds])
  }
  expect(problemsOf({ Amounts: true })).toEqual(['batch-signer Notifications:Approvals:Amounts'])
  expect(problemsOf({ Amounts: true, Details: true })).toEqual([])
  expect(problemsOf({ Kinds: ['Unknown'] })).toHaveLength(1)
})
