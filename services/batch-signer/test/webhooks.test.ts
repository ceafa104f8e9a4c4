// Webhooks of jobs and approvals: the whole service tells a real receiver.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DAY } from '@chancela/service-kernel/clock'
import { checkSettings } from '@chancela/service-kernel/config'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { type Received, startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { webhookEvents, webhookEventTypes } from '../src/contract/webhook-events.ts'
import { batchSignerRules, batchSignerSettings } from '../src/settings.ts'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const KEY = Buffer.alloc(32, 7)
const SECRET = `whsec_${KEY.toString('base64')}`

const pool = [
  { Name: 'Ana Souza', Email: 'ana@hospital.example', Cpf: '52998224725' },
  { Name: 'Bruno Lima', Email: 'bruno@hospital.example', Cpf: '11144477735' },
]

const withApproval = (over: object = {}) =>
  profileOf(demoHolders[0]!.label, {
    Name: 'default',
    InputFolder: 'default',
    Approval: { MinimumApprovers: 2, Approvers: pool, ...over },
  })

const endpoint = (url: string, over: object = {}) => ({
  Name: 'erp',
  Url: url,
  Secret: SECRET,
  Events: webhookEventTypes,
  ...over,
})

const settingsOf = (...endpoints: object[]) => ({
  Webhooks: { Endpoints: endpoints, AllowedHosts: ['127.0.0.1'] },
  Pipeline: { PollIntervalSeconds: 1 },
})

async function upload(service: RunningBatchSigner, fileName = 'a.pdf'): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(samplePdf('A contract'))]), fileName)
  return (await service.full.json<{ jobId: string }>('POST', '/api/files', { body: form })).body.jobId
}

const until = (service: RunningBatchSigner, id: string, status: string) =>
  expect
    .poll(async () => (await service.full.json('GET', `/api/jobs/${id}`)).body['status'], { interval: 10 })
    .toBe(status)

const decide = (service: RunningBatchSigner, id: string, body: object) =>
  service.full.json('POST', `/api/approvals/${id}`, {
    key: null,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

interface Told {
  readonly type: keyof typeof webhookEvents
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

const read = ({ body }: Received): Told => JSON.parse(body)

const typesOf = (received: readonly Received[]) => received.map((one) => read(one).type)

/** As the Standard Webhooks scheme says; and every body is what the contract says. */
function expectGenuine({ headers, body }: Received): void {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`)
  const { type, data } = JSON.parse(body) as Told
  const schema: TSchema = webhookEvents[type].data
  expect([...Value.Errors(schema, data)], body).toEqual([])
}

for (const database of databases)
  describe(`webhooks on ${database}`, () => {
    test('a file that is approved is told of step by step, signed, and without who the people are', async () => {
      const { url, received } = await startReceiver()
      const service = await startBatchSigner({
        database,
        profiles: [withApproval()],
        settings: settingsOf(endpoint(url)),
      })
      const id = await upload(service)
      await until(service, id, 'AwaitingApproval')
      await decide(service, id, { email: 'ana@hospital.example', reason: 'checked with the bank' })
      await decide(service, id, { email: 'bruno@hospital.example' })
      const story = ['ApprovalParked', 'ApprovalDecided', 'ApprovalDecided', 'ApprovalReleased', 'JobCompleted']
      await expect.poll(() => typesOf(received), { interval: 20 }).toEqual(story)
      received.forEach(expectGenuine)
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(story.length)
      const job = { jobId: id, fileName: 'a.pdf', profileName: 'default', externalReference: null }
      expect(received.map((one) => read(one).data)).toEqual([
        { ...job, required: 2, poolSize: 2, expiresAt: null, contentSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { ...job, decision: 'approved', approverName: 'Ana Souza', approved: 1, required: 2 },
        { ...job, decision: 'approved', approverName: 'Bruno Lima', approved: 2, required: 2 },
        job,
        { ...job, outputName: 'a.signed.pdf', encrypted: false },
      ])
      for (const { body } of received) expect(body).not.toMatch(/hospital\.example|52998224725|checked with/)
    })

    test('rejections, ends of waits and failures are told', async () => {
      const { url, received } = await startReceiver()
      let ahead = 0
      const clock = () => new Date(Date.now() + ahead)
      const profiles = [withApproval({ ExpiresAfter: '1.00:00:00' })]
      const service = await startBatchSigner({ database, clock, profiles, settings: settingsOf(endpoint(url)) })
      const [rejected, expired] = [await upload(service, 'b.pdf'), await upload(service, 'c.pdf')]
      await until(service, rejected, 'AwaitingApproval')
      await decide(service, rejected, { email: 'ana@hospital.example', decision: 'rejected', reason: 'wrong payee' })
      await until(service, expired, 'AwaitingApproval')
      ahead = 2 * DAY
      await until(service, expired, 'Canceled')
      const of = (id: string) => received.map(read).filter(({ data }) => data['jobId'] === id)
      const told = (id: string) => of(id).map(({ type }) => type)
      await expect
        .poll(() => told(rejected), { interval: 20 })
        .toEqual(['ApprovalParked', 'ApprovalDecided', 'ApprovalRejected', 'JobCanceled'])
      await expect
        .poll(() => told(expired), { interval: 20 })
        .toEqual(['ApprovalParked', 'ApprovalExpired', 'JobCanceled'])
      expect([...of(rejected), ...of(expired)].flatMap(({ data }) => data['code'] ?? [])).toEqual(['approval.rejected'])
      received.forEach(expectGenuine)
      for (const { body } of received) expect(body).not.toContain('wrong payee')
    })

    test('what no endpoint asks for is not written down', async () => {
      const { url, received } = await startReceiver()
      const service = await startBatchSigner({
        database,
        settings: settingsOf(endpoint(url, { Events: ['JobFailed'] })),
      })
      const form = new FormData()
      form.append('file', new Blob(['no pdf']), 'broken.pdf')
      await until(service, await upload(service), 'Completed')
      const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files', { body: form })
      await until(service, body.jobId, 'Failed')
      await expect.poll(() => typesOf(received), { interval: 20 }).toEqual(['JobFailed'])
      expectGenuine(received[0]!)
      const { deliveries } = await log(service)
      expect(deliveries).toMatchObject([{ type: 'JobFailed', jobId: body.jobId, endpoint: 'erp' }])
    })

    test('what waits is sent after a restart in its order, and operators see it and send it again', async () => {
      let isDown = true
      const { url, received } = await startReceiver((_, response) => response.writeHead(isDown ? 503 : 200).end())
      const settings = settingsOf(endpoint(`${url}?token=secret`, { AuthType: 'Bearer', Token: 'from the erp' }))
      let ahead = 0
      const clock = () => new Date(Date.now() + ahead)
      const first = await startBatchSigner({ database, clock, profiles: [withApproval()], settings })
      const id = await upload(first)
      await until(first, id, 'AwaitingApproval')
      await decide(first, id, { email: 'ana@hospital.example', decision: 'rejected' })
      await expect.poll(async () => (await log(first)).deliveries.at(-1)?.lastStatus, { interval: 20 }).toBe(503)
      expect(typesOf(received)).toEqual(['ApprovalParked'])
      await first.stop()
      isDown = false
      ahead = 120_000
      const after = { store: first.store, dataFolder: first.folder }
      const again = await startBatchSigner({ database, clock, after, profiles: [withApproval()], settings })
      const story = ['ApprovalParked', 'ApprovalParked', 'ApprovalDecided', 'ApprovalRejected', 'JobCanceled']
      await expect.poll(() => typesOf(received), { interval: 20 }).toEqual(story)
      const ids = received.map(({ headers }) => headers['webhook-id'])
      expect(ids[0]).toBe(ids[1])
      expect(received.every(({ headers }) => headers.authorization === 'Bearer from the erp')).toBe(true)
      await expect
        .poll(async () => (await log(again)).deliveries.map(({ state }) => state), { interval: 20 })
        .toEqual(Array(4).fill('delivered'))

      const { body } = await again.full.json('GET', '/dashboard/api/webhooks')
      expect(body).toEqual({
        endpoints: [
          { name: 'erp', url, events: webhookEventTypes, failures: 0, failingSince: null, pausedUntil: null },
        ],
      })
      const [last] = (await log(again)).deliveries
      const replay = await again.full.json('POST', '/dashboard/api/webhooks/replay', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ endpoint: 'erp', deliveryIds: [last!.id] }),
      })
      expect(replay.body).toEqual({ replayed: 1 })
      await expect.poll(() => received.length, { interval: 20 }).toBe(story.length + 1)
      expect(received.at(-1)!.headers['webhook-id']).toBe(last!.eventId)
      expect((await again.full.call('GET', '/dashboard/api/webhooks', { key: null })).status).toBe(401)
    })
  })

interface Delivery {
  readonly id: number
  readonly eventId: string
  readonly type: string
  readonly state: string
  readonly jobId: string
  readonly endpoint: string
  readonly lastStatus: number | null
}

const log = async (service: RunningBatchSigner) =>
  (await service.full.json<{ deliveries: readonly Delivery[] }>('GET', '/dashboard/api/webhooks/deliveries')).body

/** What the start says of these endpoints. */
function problemsOf(endpoints: readonly object[], more: object = {}): readonly string[] {
  const verdict = checkSettings({
    schemas: { 'batch-signer': batchSignerSettings },
    rules: { 'batch-signer': batchSignerRules },
    environment: {},
    defaults: { 'batch-signer': { Webhooks: { Endpoints: endpoints, ...more } } },
  })
  return verdict.ok ? [] : verdict.problems.map(({ key }) => key)
}

test('an endpoint that could not be sent to stops the start', () => {
  const good = endpoint('https://erp.example.com/hooks')
  expect(problemsOf([good])).toEqual([])
  expect(problemsOf([{ ...good, AuthType: 'Bearer', Token: 'abc' }])).toEqual([])
  for (const over of [
    { Url: 'https://10.1.2.3/hooks' },
    { Url: 'http://erp.example.com/hooks' },
    { Url: 'nonsense' },
    { Secret: 'whsec_c2hvcnQ=' },
    { Secret: 'a secret without its form, but long enough' },
    { Events: [] },
    { Events: ['DocumentSigned'] },
    { AuthType: 'Bearer' },
    { Token: 'abc' },
    { AuthType: 'Bearer', Token: 'a\nb' },
    { Name: 'No Slug' },
  ])
    expect(problemsOf([{ ...good, ...over }]), JSON.stringify(over)).toHaveLength(1)
  expect(problemsOf([good, good])).toEqual(['batch-signer Webhooks:Endpoints'])
  for (const Url of ['https://10.1.2.3/hooks', 'http://10.1.2.3/hooks'])
    expect(problemsOf([{ ...good, Url }], { AllowedHosts: ['10.1.0.0/16'] })).toEqual([])
  expect(problemsOf([{ ...good, Url: 'http://erp.example.com/hooks' }], { AllowHttp: true })).toEqual([])
})

test('the README names every event with what it tells', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const common = ['jobId', 'fileName', 'profileName', 'externalReference']
  for (const [type, { data }] of Object.entries(webhookEvents)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${type}\` |`))
    const named = [...(row?.split('|').at(-2) ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named, type).toEqual(Object.keys(data.properties).filter((name) => !common.includes(name)))
  }
})
