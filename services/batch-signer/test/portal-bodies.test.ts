// Every member of the bodies that approvers send, with every kind of value that it does not have.
import { describe, expect, test } from 'vitest'
import type { ApprovalRule } from '../src/rules/approval-rule.ts'
import { browserOf, comeByLink, joao, maria, portalSettings, ruleOf, SEED_SECRET } from './test-support/approvers.ts'
import {
  API_KEY,
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const values = {
  null: null,
  number: -1.5,
  flag: true,
  text: 'not that',
  empty: '',
  nul: 'a\u0000b',
  long: 'x'.repeat(200_000),
  list: [7],
  object: { x: 1 },
}

type Kind = keyof typeof values | 'absent'

/** What each kind of value is answered; every other kind is refused by the name of the member. */
type Answers = Readonly<Partial<Record<Kind, string>>>

type Body = Record<string, unknown>

interface Form {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Body
  readonly members: Readonly<Record<string, Answers>>
  /** Whether it may come without a body. */
  readonly bare?: boolean
}

/** Of any text that is none of the known ones. */
const anyText = (answer: string): Answers => ({
  text: answer,
  empty: answer,
  nul: answer,
  long: answer,
})

/** The same, where its length is bounded. */
const shortText = (answer: string): Answers => ({ ...anyText(answer), long: 'request.invalid' })

const tooLong = 'validation.reason-too-long'

/** Each with a body that is right but for the one member that is tried, about a job that takes no approval. */
const formsOf = (job: string, certificate: string): readonly Form[] => {
  const decided = 'approval.not-pending'
  const reason: Answers = { null: decided, absent: decided, text: decided, empty: decided, long: tooLong }
  const bytes = shortText(decided)
  const about = `/approvals/api/jobs/${job}`
  return [
    {
      method: 'POST',
      path: `/api/approvals/${job}`,
      body: { email: maria.email },
      members: {
        email: anyText(decided),
        decision: { ...anyText(decided), absent: decided },
        reason,
      },
    },
    { method: 'POST', path: `${about}/approve`, body: {}, members: { reason }, bare: true },
    { method: 'POST', path: `${about}/reject`, body: {}, members: { reason }, bare: true },
    { method: 'POST', path: '/approvals/api/approve', body: { ids: [job] }, members: { ids: {} } },
    {
      method: 'POST',
      path: `${about}/signature`,
      body: { certificate },
      members: { certificate: bytes, chain: { absent: decided } },
    },
    {
      method: 'PUT',
      path: `${about}/signature`,
      body: { token: 'a', signature: 'b' },
      members: { token: bytes, signature: bytes, reason: { ...reason, nul: decided, long: decided } },
    },
    { method: 'POST', path: `${about}/signature/ended`, body: { outcome: 'abandoned' }, members: { outcome: {} } },
  ]
}

const factorForms: readonly Form[] = [
  {
    method: 'PUT',
    path: '/approvals/api/second-factor',
    body: { enrolment: 'a', code: '123456' },
    members: {
      enrolment: shortText('approval.second-factor-enrolment-expired'),
      code: shortText('approval.second-factor-enrolment-expired'),
    },
  },
  {
    method: 'POST',
    path: '/approvals/api/second-factor/verify',
    body: { code: '123456' },
    members: { code: shortText('approval.second-factor-not-enrolled') },
  },
]

const kinds: readonly Kind[] = [...(Object.keys(values) as Kind[]), 'absent']

const changed = ({ ...body }: Body, member: string, kind: Kind): Body => {
  delete body[member]
  return kind === 'absent' ? body : { ...body, [member]: values[kind] }
}

type Send = (method: string, path: string, body: unknown) => Promise<{ status: number; body: Body | null }>

/** The code of a refusal, or the status. */
const answerOf = ({ status, body }: Awaited<ReturnType<Send>>) => (body?.['code'] as string | undefined) ?? status

async function tryForm(send: Send, { method, path, body, members, bare }: Form): Promise<void> {
  const tried: readonly (readonly [member: string, right: Answers, kinds: readonly Kind[]])[] = [
    ...Object.entries(members).map(([member, right]) => [member, right, kinds] as const),
    ['surplus', {}, kinds.filter((kind) => kind !== 'absent')],
  ]
  for (const [member, right, wrongs] of tried)
    for (const kind of wrongs) {
      const answer = await send(method, path, changed(body, member, kind))
      const told = `${method} ${path} ${member} ${kind}: ${JSON.stringify(answer.body)?.slice(0, 500)}`
      const expected = right[kind] ?? 'request.invalid'
      expect(answerOf(answer), told).toBe(expected)
      if (expected === 'request.invalid') expect(Object.keys(answer.body!['errors'] as object)[0], told).toMatch(member)
    }
  for (const whole of [null, [], 'text', 7, true, ...(bare ? [] : [undefined])])
    expect(answerOf(await send(method, path, whole)), `${method} ${path} ${JSON.stringify(whole)}`).toBe(
      'request.invalid',
    )
}

/** As the page of an approver sends it; in production only `errors` tells a name. */
const settingsOf = (more: object = {}) => ({ ...portalSettings, ...more, Environment: 'production' as never })

const seedOf = (rule: ApprovalRule) => ({
  MinimumApprovers: rule.minimumApprovers,
  Approvers: rule.approvers.map(({ name, email, cpf }) => ({ Name: name, Email: email, Cpf: cpf })),
})

/** Maria has the CPF of a certificate of the demo PKI. */
const profiles = [
  profileOf('ana-souza', { Name: 'default', InputFolder: 'default' }),
  {
    Name: 'signed',
    Format: 'Cades',
    Level: 'B-B',
    Approval: { ...seedOf(ruleOf([maria, joao])), Signers: 'Approvers' },
  },
]

async function waitingJob({ full }: RunningBatchSigner): Promise<string> {
  const upload = new FormData()
  upload.append('file', new Blob(['a file']), 'a.txt')
  const { jobId } = (await full.json<{ jobId: string }>('POST', '/api/files?profile=signed', { body: upload })).body
  const status = async () => (await full.json('GET', `/api/jobs/${jobId}`)).body['status']
  await expect.poll(status, { interval: 10 }).toBe('AwaitingApproval')
  return jobId
}

/** A job that is over: nothing that is sent about it changes anything. */
async function endedJob(service: RunningBatchSigner): Promise<string> {
  const jobId = await waitingJob(service)
  expect((await service.full.json('POST', `/api/jobs/${jobId}/cancel`)).status).toBe(200)
  return jobId
}

for (const database of databases)
  describe(`bodies of the portal on ${database}`, () => {
    test('a value of the wrong kind is refused by the name of its member, and any other as the specification says', async () => {
      const service = await startBatchSigner({ database, profiles, settings: settingsOf() })
      const job = await endedJob(service)
      const { pki } = await demoPki()
      const browser = await comeByLink(service, maria)
      for (const form of formsOf(job, pki.certificate('ana-souza').der.toString('base64')))
        await tryForm(browser.json as Send, form)
      expect(await service.store.db.selectFrom('approval_decision').selectAll().execute()).toEqual([])
    })

    test('and what only looks right is shown to who signs, or is the result of its file', async () => {
      const settings = settingsOf({ Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] } })
      const service = await startBatchSigner({ database, profiles, settings })
      const job = await waitingJob(service)
      const { json } = await comeByLink(service, maria)
      const path = `/approvals/api/jobs/${job}/signature`
      const certificate = (await demoPki()).pki.certificate('ana-souza').der.toString('base64')
      const shown = async (method: 'POST' | 'PUT', body: Body) => (await json(method, path, body)).body.shown?.code
      const { token } = (await json('POST', path, { certificate })).body.toMake
      for (const text of ['', 'not that', 'a\u0000b', certificate.slice(0, -8)]) {
        expect(await shown('POST', { certificate: text })).toBe('approval.certificate-invalid')
        expect(await shown('POST', { certificate, chain: [text] })).toBe('approval.certificate-invalid')
        expect(await shown('PUT', { token: text, signature: 'AAAA' })).toBe('approval.signature-invalid')
        expect(await shown('PUT', { token, signature: text })).toBe('approval.signature-invalid')
      }
      for (const chain of [null, [null], Array(11).fill(certificate)])
        expect((await json('POST', path, { certificate, chain })).body).toMatchObject({ code: 'request.invalid' })
      const ids = ['', 'not that', 'a\u0000b', 'x'.repeat(2_000), job]
      const { results } = (await json('POST', '/approvals/api/approve', { ids })).body
      expect(results.map(({ code }: { code: string }) => code)).toEqual([
        ...ids.slice(1).map(() => 'job.not-found'),
        'approval.signature-required',
      ])
      for (const wrong of [[], [null], [[job]], Array(201).fill(job)])
        expect((await json('POST', '/approvals/api/approve', { ids: wrong })).body.code).toBe('request.invalid')
      expect(await service.store.db.selectFrom('approval_decision').selectAll().execute()).toEqual([])
    })

    test('and so of the second factor, for approvers and for operators', async () => {
      const settings = settingsOf({ ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET } })
      const service = await startBatchSigner({ database, profiles, settings })
      const browser = await comeByLink(service, maria)
      for (const form of factorForms) await tryForm(browser.json as Send, form)
      const { json } = browserOf(service)
      const operator: Send = (method, path, body) => json(method, path, body, { 'X-API-Key': API_KEY })
      const path = '/dashboard/api/approvers/second-factor/reset'
      const email = { text: 'approval.second-factor-not-enrolled' }
      await tryForm(operator, { method: 'POST', path, body: { email: maria.email }, members: { email } })
    })
  })
