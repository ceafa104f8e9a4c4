// Two organizations of one instance that deal with the same people: each sees exactly what it would see alone.

import { startSmtpServer } from '@chancela/testkit/mail'
import { samplePdf } from '@chancela/testkit/samples'
import { type Answer, callerOf, readAnswer } from '@chancela/testkit/service-world'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { plainRoute, routesWithRights } from './test-support/contract-routes.ts'
import {
  databases,
  newOrganization,
  type PlatformWorld,
  startPlatform,
  untilKnown,
} from './test-support/platform-world.ts'
import { openReceiver } from './test-support/receive-events.ts'

/** What an organization calls the people whom both know, by the same CPFs and addresses. */
interface Wording {
  readonly ana: string
  readonly bruno: string
  readonly phone: string
}

const ours: Wording = { ana: 'Ana Maria Souza', bruno: 'Bruno Lima', phone: '+5511911110000' }
const theirs: Wording = { ana: 'Aninha', bruno: 'Dr. B. Lima Neto', phone: '+5521922220000' }

const CPF = { ana: '529.982.247-25', bruno: '111.444.777-35' }
const EMAIL = { ana: 'ana@shared.example', bruno: 'bruno@shared.example' }

interface TenantOptions extends Pick<PlatformWorld, 'baseUrl' | 'clock'> {
  readonly organization: { readonly id: string; readonly name: string; readonly apiKey: string }
  readonly events: () => readonly { readonly body: string }[]
  readonly receiverUrl: string
  readonly wording: Wording
}

/** An organization at work: every call is written down, as are the mails and events it leads to. */
class Tenant {
  readonly calls: { route: string; answer: Pick<Answer, 'status' | 'body'> }[] = []
  readonly organization: TenantOptions['organization']
  readonly events: TenantOptions['events']
  readonly receiverUrl: string
  readonly wording: Wording
  readonly #clock: PlatformWorld['clock']
  readonly #call: ReturnType<typeof callerOf>

  private constructor({ organization, baseUrl, events, receiverUrl, wording, clock }: TenantOptions) {
    this.organization = organization
    this.events = events
    this.receiverUrl = receiverUrl
    this.wording = wording
    this.#clock = clock
    this.#call = callerOf(baseUrl, { 'X-Api-Key': organization.apiKey })
  }

  static async of({ store, clock, baseUrl }: PlatformWorld, name: string, wording: Wording): Promise<Tenant> {
    const organization = await newOrganization(store, clock(), name)
    await untilKnown(baseUrl, organization.apiKey)
    const receiver = await openReceiver()
    const { events, url: receiverUrl } = receiver
    return new Tenant({ organization, baseUrl, events, receiverUrl, wording, clock })
  }

  /** Calls a route; `{}` in its path stands for the ids, in their order. */
  async call(
    route: string,
    ids: readonly string[] = [],
    content?: unknown,
    query = '',
  ): Promise<Pick<Answer, 'status' | 'body'>> {
    const [method, template] = route.split(' ') as [string, string]
    // What happens later is listed later.
    this.#clock.advance(1000)
    const left = [...ids]
    const path = template.replaceAll('{}', () => left.shift()!)
    const { status, body, headers } =
      content instanceof FormData
        ? await readAnswer(await this.#call.call(method, `${path}${query}`, { body: content }))
        : await this.#call.json(method, `${path}${query}`, content)
    const isJson = headers.get('content-type')?.includes('json') ?? false
    const answer = { status, body: isJson ? body : typeof body }
    this.calls.push({ route: `${route}${query}`, answer })
    return answer
  }

  /** Waits, without writing it down: how long something takes is not compared. */
  until = (documentId: string, status: string): Promise<unknown> =>
    vi.waitUntil(async () => (await this.#call.json('GET', `/api/documents/${documentId}`)).body.status === status, {
      interval: 20,
    })

  untilDelivered = (hook: string, deliveryId: string): Promise<unknown> => {
    const path = `/api/organizations/${this.organization.id}/webhooks/${hook}/deliveries/${deliveryId}`
    return vi.waitUntil(async () => (await this.#call.json('GET', path)).body.state === 'delivered', { interval: 20 })
  }

  get ana() {
    return { name: this.wording.ana, identifier: CPF.ana, email: EMAIL.ana, phone: this.wording.phone }
  }

  get bruno() {
    return { name: this.wording.bruno, identifier: CPF.bruno, email: EMAIL.bruno }
  }
}

const file = (id: string) => ({ id, name: 'contrato.pdf', displayName: 'contrato.pdf', contentType: 'application/pdf' })
const bytes = Buffer.from(samplePdf('Contrato')).toString('base64')

async function uploaded(tenant: Tenant): Promise<string> {
  return (await tenant.call('POST /api/uploads/bytes', [], { bytes })).body.id
}

async function created(tenant: Tenant, flowActions: readonly object[], over: object = {}): Promise<string> {
  const files = [file(await uploaded(tenant))]
  return (await tenant.call('POST /api/documents', [], { files, flowActions, ...over })).body[0].documentId
}

const signer = (user: object, over: object = {}) => ({ type: 'Signer', step: 1, user, ...over })
const approver = (user: object, over: object = {}) => ({ type: 'Approver', step: 1, user, ...over })
const electronic = { allowElectronicSignature: true, disableEmailAuthenticationToSignElectronically: true }

/** Flows, folders and settings of the organization. */
async function settle(tenant: Tenant) {
  const { id } = tenant.organization
  await tenant.call('GET /api/rights')
  await tenant.call('PUT /api/organizations/{}', [id], { name: tenant.organization.name })
  const hook = (await tenant.call('POST /api/organizations/{}/webhooks', [id], { url: tenant.receiverUrl })).body.id
  await tenant.call('PUT /api/organizations/{}/webhooks/{}', [id, hook], {
    url: tenant.receiverUrl,
    authType: 'NoAuth',
  })
  await tenant.call('PUT /api/organizations/{}/webhooks/{}/state', [id, hook], { state: 'enabled' })
  await tenant.call('POST /api/organizations/{}/webhooks/{}/secret', [id, hook])
  await tenant.call('GET /api/organizations/{}/audit', [id])
  await tenant.call('GET /api/organizations/{}/audit/verification', [id])
  await tenant.call('GET /api/organizations/{}/audit/export.csv', [id])
  await tenant.call('GET /api/organizations/{}/audit/export.jsonl', [id])
  await tenant.call('GET /api/webhooks/event-types')
  const folder = (await tenant.call('POST /api/folders', [], { name: 'Contratos' })).body.id
  const spare = (await tenant.call('POST /api/folders', [], { name: 'Velhos' })).body.id
  await tenant.call('PUT /api/folders/{}', [spare], { name: 'Antigos' })
  await tenant.call('GET /api/folders')
  await tenant.call('GET /api/folders/{}', [folder])
  await tenant.call('GET /api/folders/{}/details', [folder])
  const flow = { name: 'Padrão', flowActions: [signer(tenant.ana)] }
  const flowId = (await tenant.call('POST /api/document-flows', [], flow)).body.id
  await tenant.call('PUT /api/document-flows/{}', [flowId], flow)
  await tenant.call('GET /api/document-flows')
  await tenant.call('GET /api/document-flows/{}', [flowId])
  await tenant.call('DELETE /api/document-flows/{}', [flowId])
  return { hook, folder, spare }
}

/** Users with the shared CPF and address, and an application whose name both use. */
async function people(tenant: Tenant) {
  const { id } = tenant.organization
  const added = await tenant.call('POST /api/organizations/users', [], tenant.ana)
  await tenant.call('POST /api/organizations/{}/users', [id], {
    ...tenant.bruno,
    accessProfile: { administrator: true },
  })
  await tenant.call('GET /api/organizations/users')
  await tenant.call('GET /api/organizations/{}/users', [id], undefined, `?q=${encodeURIComponent(EMAIL.ana)}`)
  await tenant.call('DELETE /api/organizations/users/{}', [added.body.id])
  const application = await tenant.call('POST /api/organizations/{}/applications', [id], { name: 'integração' })
  const applicationId = application.body.application.id
  const keys = 'POST /api/organizations/{}/applications/{}/keys'
  const key = await tenant.call(keys, [id, applicationId], { description: 'segunda' })
  await tenant.call('DELETE /api/organizations/{}/applications/{}/keys/{}', [id, applicationId, key.body.id])
  await tenant.call('GET /api/organizations/{}/applications', [id])
}

/** Documents from creation to their end, with the people named in every way a request can. */
async function documents(tenant: Tenant, { folder, spare }: { folder: string; spare: string }) {
  const attachment = { ...file(await uploaded(tenant)), isPrivate: true }
  const first = await created(tenant, [signer(tenant.ana), approver(tenant.bruno, { step: 2 })], {
    attachments: [attachment],
    observers: [{ user: { name: 'Observador', email: EMAIL.bruno } }],
    folderId: folder,
  })
  const byCpf = await created(tenant, [signer({ name: tenant.wording.ana, identifier: CPF.ana })])
  const byEmail = await created(tenant, [signer({ name: 'Só e-mail', email: EMAIL.bruno }, electronic)])
  const { body } = await tenant.call('GET /api/documents/{}', [first])
  await tenant.call('GET /api/documents/{}', [byCpf])
  for (const query of ['', `?participantQ=${CPF.ana}&participantQueryType=Identifier`, '?participantQ=Bruno'])
    await tenant.call('GET /api/documents', [], undefined, query)
  await tenant.call('GET /api/documents/{}/content', [first], undefined, '?type=Original')
  await tenant.call('GET /api/documents/{}/content-b64', [first], undefined, '?type=Original')
  await tenant.call('GET /api/documents/{}/ticket', [first], undefined, '?type=Original')
  await tenant.call('GET /api/documents/{}/attachments/{}', [first, body.attachments[0].id])
  await tenant.call('POST /api/notifications/flow-action-reminder', [], {
    documentId: first,
    flowActionId: body.flowActions[0].id,
  })
  await tenant.call('POST /api/users/notify-pending', [], { emails: [EMAIL.ana, EMAIL.bruno] })
  const added = approver({ name: 'Outro nome', identifier: CPF.bruno, email: EMAIL.bruno }, { step: 3 })
  await tenant.call('POST /api/documents/{}/flow', [first], { addedFlowActions: [added] })
  await tenant.call('PUT /api/documents/{}/notified-emails', [first], { emails: [EMAIL.ana] })
  await tenant.call('POST /api/documents/{}/folder', [byCpf], { folderId: spare })
  await tenant.call('POST /api/documents/batch/folder', [], { documents: [byCpf, byEmail], folderId: folder })
  await tenant.call('POST /api/folders/{}/delete', [spare], {})
  await act(tenant, byEmail)
  await tenant.call('POST /api/documents/{}/versions', [byCpf], { file: file(await uploaded(tenant)) })
  await tenant.call('POST /api/documents/{}/refusal', [byCpf], { reason: 'Não confere.' })
  // Of the shared person, in this document alone.
  await tenant.call('POST /api/documents/{}/action-url/revocation', [first], { identifier: CPF.ana })
  await tenant.call('POST /api/documents/{}/cancellation', [first], { reason: 'Trocado.' })
  await tenant.call('GET /api/documents/{}/timeline', [first])
  await tenant.call('DELETE /api/documents/{}', [first])
  const envelope = await created(tenant, [signer(tenant.ana)], { isEnvelope: true, envelopeName: 'Envelope' })
  const files = [file(await uploaded(tenant))]
  await tenant.call('POST /api/documents/{}/envelope/versions', [envelope], { files })
  await tenant.call('POST /api/documents/date', [], { startDateUtc: '2026-01-01', endDateUtc: '2027-01-01' })
}

/** A participant of the organization's document signs electronically. */
async function act(tenant: Tenant, documentId: string) {
  const asked = { emailAddress: EMAIL.bruno }
  await tenant.call('POST /api/documents/{}/action-url', [documentId], asked)
  await tenant.call('POST /api/documents/{}/signature/certificate', [documentId], { certificate: 'AAAA' })
  await tenant.call('POST /api/documents/{}/signature', [documentId], { token: 'x', signature: 'AAAA' })
  await tenant.call('POST /api/documents/signature/certificate', [], {})
  await tenant.call('POST /api/documents/signature', [], { token: 'x', signature: 'AAAA' })
  await tenant.call('POST /api/documents/{}/electronic-signature', [documentId], {})
  await tenant.until(documentId, 'Concluded')
  await tenant.call('GET /api/documents/{}/signatures-details', [documentId])
  await tenant.call('GET /api/documents/{}', [documentId])
}

/** What else the API offers. */
async function theRest(tenant: Tenant, { hook }: { hook: string }) {
  const { id } = tenant.organization
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(samplePdf('Contrato'))], { type: 'application/pdf' }), 'contrato.pdf')
  await tenant.call('POST /api/uploads', [], form)
  await tenant.call('POST /api/uploads/segmented-upload-ticket')
  const fileId = await uploaded(tenant)
  await tenant.call('POST /api/documents/validate-signatures', [], { fileId, mimeType: 'application/pdf' })
  const session = await tenant.call('POST /api/marks-sessions', [], {
    files: [file(fileId)],
    flowActions: [signer(tenant.ana)],
  })
  await tenant.call('POST /api/marks-sessions/documents', [], { documents: [] })
  const nobody = crypto.randomUUID()
  await tenant.call('GET /api/document-templates')
  await tenant.call('POST /api/document-templates', [], { name: 'Ficha', file: file(fileId) })
  await tenant.call('GET /api/document-templates/{}', [nobody])
  await tenant.call('DELETE /api/document-templates/{}', [nobody])
  await tenant.call('POST /api/documents/generation', [], {})
  await tenant.call('GET /api/documents/generation/{}', [nobody])
  await tenant.call('POST /api/documents/generation/{}/cancellation', [nobody])
  const contexts = await tenant.call('GET /api/security-contexts')
  await tenant.call('GET /api/security-contexts/{}', [contexts.body[0].id])
  for (const path of ['marks-sessions', 'marks-session'])
    await tenant.call(`GET /api/${path}/{}`, [session.body?.id ?? crypto.randomUUID()])
  const sent = await tenant.call('POST /api/organizations/{}/webhooks/{}/test', [id, hook], { type: 'DocumentSigned' })
  await tenant.untilDelivered(hook, sent.body.deliveryId)
  await tenant.call('POST /api/organizations/{}/webhooks/{}/replay', [id, hook], {})
  await tenant.call('POST /api/organizations/{}/webhooks/{}/cancel-waiting', [id, hook], {})
  await tenant.call('GET /api/organizations/{}/webhooks/{}/deliveries/{}', [id, hook, '999999999'])
}

/** What an organization sees of itself, read only. */
async function look(tenant: Tenant, { hook }: { hook: string }) {
  const { id } = tenant.organization
  await tenant.call('GET /api/organizations/{}', [id])
  await tenant.call('GET /api/organizations/users')
  await tenant.call('GET /api/organizations/{}/applications', [id])
  await tenant.call('GET /api/documents')
  await tenant.call('GET /api/documents', [], undefined, `?participantQ=${CPF.ana}&participantQueryType=Identifier`)
  for (const item of (await tenant.call('GET /api/documents')).body.items)
    await tenant.call('GET /api/documents/{}', [item.id])
  await tenant.call('GET /api/organizations/{}/webhooks/{}/deliveries', [id, hook], undefined, '?limit=1')
  await tenant.call('DELETE /api/organizations/{}/webhooks/{}', [id, hook])
}

async function day(tenant: Tenant) {
  const made = await settle(tenant)
  await people(tenant)
  await documents(tenant, made)
  await theRest(tenant, made)
  return made
}

/** Ids and keys by the order in which they appear, tickets, secrets and times as such: two days can be compared. */
function comparable(value: unknown): string {
  const names = new Map<string, string>()
  const named = (kind: string) => (text: string) => {
    if (!names.has(text)) names.set(text, `<${kind} ${names.size + 1}>`)
    return names.get(text)!
  }
  return (
    JSON.stringify(value, null, 1)
      .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, '<host>')
      .replaceAll(/(access_ticket|ticket)=[^"\\\s&]+/g, '$1=<ticket>')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named('id'))
      .replaceAll(/\b[A-Z2-9]{20}\b/g, named('key'))
      .replaceAll(/[\w+/-]{43,}={0,2}/g, '<secret>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      // Deliveries are numbered by the instance.
      .replaceAll(/"(deliveryId|nextCursor|id)": "\d+"/g, '"$1": "<number>"')
  )
}

/** What is sent arrives in any order. */
const unordered = (values: readonly unknown[]): string => values.map(comparable).toSorted().join('\n')

interface Seen {
  readonly calls: string
  readonly events: string
  readonly mails: string
}

/** Starts an instance and lets organizations work in it, one after the other; what the first one saw. */
async function seenBy(database: (typeof databases)[number], others: boolean): Promise<Seen> {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const Email = { Enabled: true, Host: '127.0.0.1', Port: smtp.port, Security: 'None', From: 'documents@example.com' }
  const world = await startPlatform(database, { settings: { Email } })
  if (others) await day(await Tenant.of(world, 'Banco Alheio', theirs))
  const tenant = await Tenant.of(world, 'Hospital Nosso', ours)
  const made = await day(tenant)
  if (others) await day(await Tenant.of(world, 'Cartório Terceiro', theirs))
  await look(tenant, made)
  const mails = () => smtp.inbox.filter(({ text }) => text.includes('Hospital Nosso'))
  const settled = async (count: () => number) => {
    let before = -1
    while (before !== count()) {
      before = count()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  await settled(() => mails().length + tenant.events().length)
  return {
    calls: comparable(tenant.calls),
    events: unordered(tenant.events().map(({ body }) => JSON.parse(body))),
    mails: unordered(mails().map(({ to, subject, text }) => ({ to, subject, text }))),
  }
}

for (const database of databases) {
  describe(`organizations that share people on ${database}`, () => {
    test('each sees what it would see alone: every answer, event and mail', async () => {
      const [alone, beside] = [await seenBy(database, false), await seenBy(database, true)]
      expect(beside.calls).toBe(alone.calls)
      expect(beside.events).toBe(alone.events)
      expect(beside.mails).toBe(alone.mails)
      expect(alone.mails).toContain('Ana Maria Souza')
      const called = new Set(JSON.parse(alone.calls).map(({ route }: { route: string }) => route.split('?')[0]))
      expect(routesWithRights().filter((route) => !called.has(plainRoute(route)))).toEqual([])
    })
  })
}
