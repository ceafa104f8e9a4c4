// Who did it, and from where: every route that changes something, as the running service names them. One that is added
// later fails here until it is called below, or is listed with the reason why it leaves no event.
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { routesOf } from '@chancela/service-kernel/http'
import { codeOf } from '@chancela/testkit/console'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
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
  API_KEY,
  databases,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

/** The client behind the proxy. */
const ADDRESS = '203.0.113.7'

const CLIENT = { 'X-Forwarded-For': ADDRESS }

/** What leaves no event, and why. */
const silent: Readonly<Record<string, string>> = {
  'POST /api/auth/logout': 'the session is gone from the list',
  'POST /api/culture': 'it sets a cookie of the browser',
  'POST /api/files': 'it makes a job, whose history begins with it',
  'POST /dashboard/api/profiles/{name}/try': 'it changes nothing: what is held is tried sooner',
  'POST /dashboard/api/folders/{name}/try': 'it changes nothing: what is held is tried sooner',
  'POST /dashboard/api/profiles/test-certificate': 'it changes nothing',
  'POST /dashboard/api/profiles/{name}/test-certificate': 'it changes nothing',
  'POST /approvals/api/second-factor': 'nothing is stored before a code was given',
  'POST /approvals/api/second-factor/verify': 'it opens a window of minutes; wrong codes lock',
  'POST /approvals/api/jobs/{id}/signature': 'it begins what the other half ends',
  'POST /approvals/api/jobs/{id}/signature/ended': 'it counts an attempt that ended in the browser',
  'POST /approvals/api/signings/cloud': 'it begins what a decision ends',
  'POST /approvals/api/signings/token': 'it begins what a decision ends',
  'DELETE /approvals/api/signings/{id}': 'it ends what had not become a decision',
}

/** What is told, but needs more than is here; the files that show it. */
const toldElsewhere: Readonly<Record<string, string>> = {
  'POST /api/backup/cancel': 'backup.test.ts',
  'PUT /approvals/api/jobs/{id}/signature': 'approver-signing.test.ts: a decision as any other',
  'POST /approvals/api/signings/{id}/look': 'approver-token.test.ts: a decision as any other',
}

/** What is called below, and the event of each. */
const told: Readonly<Record<string, string>> = {
  'POST /api/auth/login': 'OperatorSignedIn',
  'POST /dashboard/api/folders': 'FolderAdded',
  'PUT /dashboard/api/folders/{name}': 'FolderEdited',
  'POST /dashboard/api/folders/{name}/pause': 'FolderPaused',
  'POST /dashboard/api/folders/{name}/resume': 'FolderResumed',
  'POST /api/folders/{name}/release': 'FilesReleased',
  'DELETE /dashboard/api/folders/{name}': 'FolderRemoved',
  'POST /dashboard/api/profiles': 'SigningProfileCreated',
  'PUT /dashboard/api/profiles/{name}': 'SigningProfileEdited',
  'POST /api/pipeline/pause': 'PipelinePaused',
  'POST /api/jobs/{id}/retry': 'JobRetried',
  'POST /api/jobs/{id}/cancel': 'JobCanceled',
  'POST /dashboard/api/jobs/bulk': 'JobDeleted',
  'POST /dashboard/api/failures/retry': 'FailuresRetried',
  'DELETE /dashboard/api/jobs/{id}': 'JobDeleted',
  'POST /api/pipeline/resume': 'PipelineResumed',
  'POST /api/rescan': 'RescanCompleted',
  'POST /api/cleanup': 'RetentionCompleted',
  'POST /api/backup': 'BackupCompleted',
  'POST /dashboard/api/webhooks/replay': 'WebhooksReplayed',
  'DELETE /dashboard/api/sessions/{id}': 'SessionsEnded',
  'DELETE /dashboard/api/sessions': 'SessionsEnded',
  'DELETE /api/jobs': 'JobsCleared',
  'POST /api/approvals/{id}': 'ApprovalRecorded',
  'POST /approvals/api/jobs/{id}/approve': 'ApprovalRecorded',
  'POST /approvals/api/approve': 'ApprovalRecorded',
  'POST /approvals/api/jobs/{id}/reject': 'ApprovalRejected',
  'PUT /approvals/api/second-factor': 'SecondFactorEnrolled',
  'POST /dashboard/api/approvers/second-factor/reset': 'SecondFactorReset',
  'DELETE /approvals/api/sessions/{id}': 'SessionsEnded',
  'DELETE /approvals/api/sessions': 'SessionsEnded',
}

/** The same of the compact surface. */
const toldByCompact: Readonly<Record<string, string>> = {
  'POST /api/jobs/{jobId}/retry': 'JobRetried',
  'POST /api/input/rescan': 'RescanCompleted',
  'POST /api/cleanup/run': 'RetentionCompleted',
}

const proxied = { TrustedProxies: ['127.0.0.1'] }

type Walk = Awaited<ReturnType<typeof walkOf>>

/** Calls routes by their names, and looks at the event that each leaves. */
async function walkOf(service: RunningBatchSigner) {
  const walked = new Set<string>()
  const latest = (type: string, seen: ReadonlySet<string>) =>
    service.store.db
      .selectFrom('audit_event')
      .selectAll()
      .where('type', '=', type)
      .execute()
      .then((rows) => rows.find(({ id }) => !seen.has(id)))
  const known = async () =>
    new Set((await service.store.db.selectFrom('audit_event').select('id').execute()).map(({ id }) => id))

  /** Calls a route as somebody; its event, which has their name and their address. */
  async function act(
    route: string,
    given: {
      params?: Record<string, string>
      query?: string
      body?: object
      by?: Browser
      as?: string
      surface?: 'compact'
    } = {},
  ) {
    const { params = {}, query = '', body, by, as = 'api-key', surface = 'full' } = given
    const [method = '', template = ''] = route.split(' ')
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!)) + query
    const seen = await known()
    const headers = { ...CLIENT, ...(body && { 'Content-Type': 'application/json' }) }
    const answer = by
      ? await by.call(method, path, body, CLIENT)
      : await service[surface].call(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
    expect([route, answer.status < 400 ? 'done' : await answer.text()]).toEqual([route, 'done'])
    const type = (surface === 'compact' ? toldByCompact : told)[route]!
    await expect.poll(() => latest(type, seen), { interval: 10 }).toBeDefined()
    const event = (await latest(type, seen))!
    expect([route, event.actor, event.address]).toEqual([route, as, ADDRESS])
    walked.add(route)
    return {
      answer: (await answer.json().catch(() => undefined)) as Record<string, never>,
      changes: event.changes === null ? null : (JSON.parse(event.changes) as { before: object; after: object }),
    }
  }
  return { walked, act }
}

async function upload(service: RunningBatchSigner, name: string, content: Buffer | string, profile = 'default') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  return (await service.full.json<{ jobId: string }>('POST', `/api/files?profile=${profile}`, { body: form })).body
    .jobId
}

const until = (service: RunningBatchSigner, id: string, status: string) =>
  expect
    .poll(async () => (await service.full.json('GET', `/api/jobs/${id}`)).body['status'], { interval: 10 })
    .toBe(status)

/** A file that no profile can sign. */
async function failed(service: RunningBatchSigner, name: string): Promise<string> {
  const id = await upload(service, name, 'not a PDF')
  await until(service, id, 'Failed')
  return id
}

async function receiver(): Promise<string> {
  const server = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(200).end()),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const holder = demoHolders[0]!

const profileForm = {
  enabled: true,
  inputFolder: null,
  format: 'Cades',
  method: 'Local',
  level: 'B-B',
  ...Object.fromEntries(
    ['verify', 'validateCertificate', 'preserveFileExtension', 'saveAsPem', 'checkCnab240', 'encrypt'].map((name) => [
      name,
      false,
    ]),
  ),
  checkCnab240PaymentDates: false,
  encryptionCertificates: [],
  timestampAuthority: null,
  certificate: { kind: 'Pkcs12', path: `${holder.label}.p12` },
  secret: holder.pin,
}

async function folderActs({ act }: Walk, service: RunningBatchSigner): Promise<void> {
  const [name, path] = ['b', join(service.folder, 'in', 'b')]
  await mkdir(path, { recursive: true })
  const params = { name }
  const { changes: added } = await act('POST /dashboard/api/folders', { body: { name, options: { path } } })
  expect(added).toMatchObject({ before: {}, after: { Name: name, Path: path } })
  const options = { path, pollIntervalSeconds: 60 }
  const { changes } = await act('PUT /dashboard/api/folders/{name}', { params, body: { version: 1, options } })
  expect(changes).toEqual({ before: { PollIntervalSeconds: null }, after: { PollIntervalSeconds: 60 } })
  const paused = await act('POST /dashboard/api/folders/{name}/pause', { params, body: {} })
  expect(paused.changes).toEqual({ before: { paused: false }, after: { paused: true } })
  await act('POST /dashboard/api/folders/{name}/resume', { params, body: {} })
  await act('POST /api/folders/{name}/release', { params })
  const { changes: removed } = await act('DELETE /dashboard/api/folders/{name}', { params })
  expect(removed).toMatchObject({ before: { Path: path, PollIntervalSeconds: 60 }, after: {} })
}

async function profileActs({ act }: Walk, service: RunningBatchSigner): Promise<void> {
  const created = await act('POST /dashboard/api/profiles', { body: { name: 'other', ...profileForm } })
  expect(created.changes).toMatchObject({ before: {}, after: { format: 'Cades', enabled: true } })
  const approval = {
    minimumApprovers: 1,
    expiresAfterSeconds: null,
    signers: 'ProfileKey',
    approvers: [maria],
  }
  const edited = {
    ...profileForm,
    enabled: false,
    timestampAuthority: 'https://who:what@tsa.example/',
    approval,
    secret: 'x',
  }
  const { changes } = await act('PUT /dashboard/api/profiles/{name}', {
    params: { name: 'other' },
    body: { version: 1, ...edited },
  })
  expect(changes).toEqual({
    before: { enabled: true, timestampAuthority: null },
    after: { enabled: false, timestampAuthority: 'https://tsa.example/' },
  })
  const rows = await service.store.db
    .selectFrom('audit_event')
    .select(['type', 'address', 'changes'])
    .where('subject_id', '=', 'other')
    .where('actor', '=', 'api-key')
    .execute()
  const changesOf = (type: string) => JSON.parse(rows.find((row) => row.type === type)!.changes!)
  const pool = [{ name: maria.name, email: expect.stringMatching(/^maria@/i) }]
  expect(changesOf('SigningProfileApprovalEdited')).toMatchObject({
    before: { approval: null },
    after: { approval: { minimumApprovers: 1, approvers: pool } },
  })
  expect(changesOf('SigningProfileCertificateEdited').after).toMatchObject({ replaced: ['secret'] })
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${maria.cpf}|who:what|"${holder.pin}"`))
  expect(rows.map(({ address }) => address)).toEqual(rows.map(() => ADDRESS))
}

async function jobActs({ act }: Walk, service: RunningBatchSigner): Promise<void> {
  const [one, two] = [await failed(service, 'one.pdf'), await failed(service, 'two.pdf')]
  const { changes } = await act('POST /api/pipeline/pause', { body: { reason: 'a walk' } })
  expect(changes).toEqual({ before: { paused: false }, after: { paused: true } })
  const again = await act('POST /api/jobs/{id}/retry', { params: { id: one } })
  const retried = (again.answer as unknown as { newJobId: string }).newJobId
  await act('POST /api/jobs/{id}/cancel', { params: { id: retried }, body: { reason: 'a walk' } })
  await act('POST /dashboard/api/jobs/bulk', { body: { action: 'delete', ids: [retried] } })
  const row = await service.store.db
    .selectFrom('job')
    .select('error_cause')
    .where('id', '=', two)
    .executeTakeFirstOrThrow()
  await act('POST /dashboard/api/failures/retry', { body: { cause: row.error_cause, since: '2020-01-01T00:00:00Z' } })
  await act('DELETE /dashboard/api/jobs/{id}', { params: { id: one }, body: {} })
  await act('POST /api/pipeline/resume', { body: {} })
  await act('POST /api/rescan')
  await act('POST /api/cleanup')
}

for (const database of databases)
  describe(`every act of an operator on ${database}`, () => {
    test('is an event with who and the address of the client, and changes with what was and what is', async () => {
      const service = await startBatchSigner({
        database,
        profiles: [profileOf(holder.label, { Name: 'default', InputFolder: 'default' })],
        settings: {
          ...portalSettings,
          Http: proxied,
          Compact: { Port: 0, ...proxied },
          Backup: { Enabled: database === 'SQLite', Path: 'backups' },
          Webhooks: {
            Endpoints: [
              {
                Name: 'erp',
                Url: await receiver(),
                Secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
                Events: ['JobFailed'],
              },
            ],
            AllowedHosts: ['127.0.0.1'],
          },
          Pipeline: { PollIntervalSeconds: 1 },
        },
      })
      const walk = await walkOf(service)
      const { act, walked } = walk
      const operator = browserOf(service)
      const login = await fetch(`${service.full.baseUrl}/api/auth/login`, {
        method: 'POST',
        body: new URLSearchParams({ ApiKey: API_KEY }),
        redirect: 'manual',
        headers: CLIENT,
      })
      operator.cookies.set('chancela-batch', login.headers.getSetCookie()[0]!.split(/[=;]/)[1]!)
      const entered = await service.store.db
        .selectFrom('audit_event')
        .select(['actor', 'address'])
        .where('type', '=', 'OperatorSignedIn')
        .execute()
      expect(entered).toEqual([{ actor: 'operator', address: ADDRESS }])
      walked.add('POST /api/auth/login')

      await folderActs(walk, service)
      await profileActs(walk, service)
      await jobActs(walk, service)
      if (database === 'SQLite') await act('POST /api/backup')
      else walked.add('POST /api/backup')
      const deliveries = () =>
        service.full.json<{ deliveries: { id: number }[] }>('GET', '/dashboard/api/webhooks/deliveries?state=delivered')
      await expect.poll(async () => (await deliveries()).body.deliveries.length, { interval: 20 }).toBeGreaterThan(0)
      const [{ id } = { id: 0 }] = (await deliveries()).body.deliveries
      await act('POST /dashboard/api/webhooks/replay', { body: { endpoint: 'erp', deliveryIds: [id] } })

      await setRule(service.store, ruleOf([maria, joao]))
      await comeByLink(service, maria)
      await comeByLink(service, joao)
      const { items } = (
        await service.full.json<{ items: { id: string; name: string }[] }>('GET', '/dashboard/api/sessions')
      ).body
      const marias = items.find(({ name }) => name.startsWith('maria'))!.id
      await act('DELETE /dashboard/api/sessions/{id}', { params: { id: marias }, by: operator, as: 'operator' })
      await act('DELETE /dashboard/api/sessions', { query: '?kind=approver', by: operator, as: 'operator' })
      await setRule(service.store, null)

      const third = await failed(service, 'three.pdf')
      await act('POST /api/jobs/{jobId}/retry', { params: { jobId: third }, surface: 'compact' })
      await act('POST /api/input/rescan', { surface: 'compact' })
      await act('POST /api/cleanup/run', { surface: 'compact' })
      await act('DELETE /api/jobs')

      await portalActs(walk, database)
      const named = (names: Readonly<Record<string, string>>) => Object.keys(names)
      expect([...walked].toSorted()).toEqual([...named(told), ...named(toldByCompact)].toSorted())
      const compact = routesOf(service.apps['batch-signer-compact']!).map(({ route }) => route)
      expect(changing(compact).toSorted()).toEqual(['POST /api/files', ...named(toldByCompact)].toSorted())
      expect(changing(service.routes).toSorted()).toEqual(
        [...named(told), ...named(silent), ...named(toldElsewhere)].toSorted(),
      )
    })
  })

/** The acts of approvers, and of operators about their apps, with a service of their own. */
async function portalActs({ walked }: Walk, database: (typeof databases)[number]): Promise<void> {
  const rule = {
    MinimumApprovers: 1,
    Approvers: [maria, joao].map(({ name, email, cpf }) => ({ Name: name, Email: email, Cpf: cpf })),
  }
  const settings = { ...portalSettings, Http: proxied }
  const profiles = [profileOf(holder.label, { Name: 'default', InputFolder: 'default', Approval: rule })]
  const service = await startBatchSigner({ database, settings, profiles })
  const { act, walked: decided } = await walkOf(service)
  const park = async (name: string) => {
    const id = await upload(service, name, samplePdf(name))
    await until(service, id, 'AwaitingApproval')
    return id
  }
  const email = maria.email.toLowerCase()
  const stated = { body: { email, decision: 'approved' }, as: expect.stringMatching(/^maria@example.com$/i) }
  await act('POST /api/approvals/{id}', { params: { id: await park('a.pdf') }, ...stated })
  const browser = await comeByLink(service, maria)
  const own = { by: browser, as: stated.as }
  await act('POST /approvals/api/jobs/{id}/approve', { params: { id: await park('b.pdf') }, body: {}, ...own })
  await act('POST /approvals/api/approve', { body: { ids: [await park('c.pdf')] }, ...own })
  await act('POST /approvals/api/jobs/{id}/reject', {
    params: { id: await park('d.pdf') },
    body: { reason: 'no' },
    ...own,
  })
  await comeByLink(service, maria)
  await comeByLink(service, maria)
  const sessions = (await browser.json('GET', '/approvals/api/sessions')).body.items as {
    id: string
    isCurrent: boolean
  }[]
  const { id } = sessions.find(({ isCurrent }) => !isCurrent)!
  await act('DELETE /approvals/api/sessions/{id}', { params: { id }, ...own })
  await act('DELETE /approvals/api/sessions', own)
  await factorActs(decided, database)
  for (const route of decided) walked.add(route)
}

async function factorActs(walked: Set<string>, database: (typeof databases)[number]): Promise<void> {
  const settings = {
    ...portalSettings,
    Http: proxied,
    ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET },
  }
  const service = await startBatchSigner({ database, settings })
  await setRule(service.store, ruleOf([maria]))
  const { act, walked: enrolled } = await walkOf(service)
  const browser = await comeByLink(service, maria)
  const { secret, enrolment } = (await browser.json('POST', '/approvals/api/second-factor')).body
  const body = { enrolment, code: codeOf(secret, new Date()) }
  await act('PUT /approvals/api/second-factor', { body, by: browser, as: 'maria@example.com' })
  const { changes } = await act('POST /dashboard/api/approvers/second-factor/reset', { body: { email: maria.email } })
  expect(changes).toEqual({ before: { enrolledAt: expect.any(String) }, after: { enrolledAt: null } })
  for (const route of enrolled) walked.add(route)
}

/** The routes that change something, as the service names them. */
const changing = (routes: RunningBatchSigner['routes']): string[] =>
  routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
