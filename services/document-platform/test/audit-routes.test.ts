// Every route that changes something is told of: in the audit, in the history of a document, or it is said here why not.
import { routesOf } from '@chancela/service-kernel/http'
import { describe, expect, test } from 'vitest'
import { formPdf } from '../src/parts/renditions/test-support/sample-documents.ts'
import { platformSurface } from '../src/surfaces.ts'
import { administration } from './test-support/administration.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  approver,
  createDocument,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  upload,
} from './test-support/platform-world.ts'
import { browserOf, newUser, PASSWORD, signedIn } from './test-support/users.ts'

const { Email } = await fileMailbox()

/** What a deed may use, made anew for each. */
async function siteOf(world: PlatformWorld) {
  const helena = await signedIn(world, { name: 'Helena Prado' })
  const org = `/api/organizations/${world.organization.id}`
  const made = async (path: string, body: object) => {
    const answer = await helena.call('POST', path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const idOf = async (path: string, body: object) => `${path}/${(await made(path, body)).id}`
  const template = async () => {
    const id = await upload(world, await formPdf())
    const file = { id, name: 'a.pdf', displayName: 'a.pdf', contentType: 'application/pdf' }
    return { name: 'modelo', file }
  }
  return {
    world,
    org,
    made,
    idOf,
    template,
    call: helena.call,
    email: helena.email,
    admin: administration(world),
    document: async () => `/api/documents/${await createDocument(world, [signer(people.ana)])}`,
    hook: () => idOf(`${org}/webhooks`, { url: 'http://127.0.0.1:1/hook' }),
    keys: async () =>
      `${org}/applications/${(await made(`${org}/applications`, aName())).application.id as string}/keys`,
  }
}

type Site = Awaited<ReturnType<typeof siteOf>>
type Deed = (site: Site) => Promise<{ readonly status: number; readonly body: unknown }>

const flow = () => ({ name: crypto.randomUUID(), flowActions: [approver(people.ana)] })
const someone = () => ({ name: 'Bia Reis', email: `${crypto.randomUUID()}@example.com` })
const aName = () => ({ name: crypto.randomUUID() })
const reason = { reason: 'engano' }
const users = '/api/organizations/users'
const flows = '/api/document-flows'
const templates = '/api/document-templates'
const hooks = '/api/organizations/{orgId}/webhooks'

/** Each route with the kind of its entry, and a call that changes something. */
const deeds: Readonly<Record<string, readonly [kind: string, deed: Deed]>> = {
  'PUT /api/organizations/{orgId}': ['OrganizationChanged', ({ call, org }) => call('PUT', org, aName())],
  'POST /api/organizations/users': ['UserAdded', ({ call }) => call('POST', users, someone())],
  'POST /api/organizations/{orgId}/users': ['UserAdded', ({ call, org }) => call('POST', `${org}/users`, someone())],
  'DELETE /api/organizations/users/{userId}': [
    'UserRemoved',
    async ({ call, idOf }) => call('DELETE', await idOf(users, someone())),
  ],
  'DELETE /api/admin/organizations/{orgId}/users/{userId}': [
    'UserRemoved',
    async ({ admin, made, org }) =>
      admin('DELETE', `${org.replace('/api', '/api/admin')}/users/${(await made(users, someone())).id}`),
  ],
  'POST /api/organizations/{orgId}/applications': [
    'ApplicationCreated',
    ({ call, org }) => call('POST', `${org}/applications`, aName()),
  ],
  'POST /api/organizations/{orgId}/applications/{applicationId}/keys': [
    'ApiKeyCreated',
    async ({ call, keys }) => call('POST', await keys(), { description: 'nova' }),
  ],
  'DELETE /api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}': [
    'ApiKeyRevoked',
    async ({ call, keys, idOf }) => call('DELETE', await idOf(await keys(), { description: 'nova' })),
  ],
  [`POST ${hooks}`]: [
    'WebhookCreated',
    ({ call, org }) => call('POST', `${org}/webhooks`, { url: 'http://127.0.0.1:1/hook' }),
  ],
  [`PUT ${hooks}/{webhookId}`]: [
    'WebhookChanged',
    async ({ call, hook }) => call('PUT', await hook(), { url: 'http://127.0.0.1:1/other' }),
  ],
  [`DELETE ${hooks}/{webhookId}`]: ['WebhookDeleted', async ({ call, hook }) => call('DELETE', await hook())],
  [`PUT ${hooks}/{webhookId}/state`]: [
    'WebhookSwitched',
    async ({ call, hook }) => call('PUT', `${await hook()}/state`, { state: 'paused' }),
  ],
  [`POST ${hooks}/{webhookId}/secret`]: [
    'WebhookSecretRotated',
    async ({ call, hook }) => call('POST', `${await hook()}/secret`),
  ],
  [`POST ${hooks}/{webhookId}/test`]: [
    'WebhookTested',
    async ({ call, hook }) => call('POST', `${await hook()}/test`, { type: 'DocumentConcluded' }),
  ],
  [`POST ${hooks}/{webhookId}/replay`]: [
    'WebhookReplayed',
    async ({ call, hook }) => call('POST', `${await hook()}/replay`, { failedSince: '2026-01-01T00:00:00.000Z' }),
  ],
  [`POST ${hooks}/{webhookId}/cancel-waiting`]: [
    'WebhookDeliveriesCanceled',
    async ({ call, hook }) => call('POST', `${await hook()}/cancel-waiting`, {}),
  ],
  'POST /api/folders': ['FolderCreated', ({ call }) => call('POST', '/api/folders', aName())],
  'PUT /api/folders/{id}': [
    'FolderChanged',
    async ({ call, idOf }) => call('PUT', await idOf('/api/folders', aName()), aName()),
  ],
  'POST /api/folders/{id}/delete': [
    'FolderDeleted',
    async ({ call, idOf }) => call('POST', `${await idOf('/api/folders', aName())}/delete`, {}),
  ],
  'POST /api/document-flows': ['FlowCreated', ({ call }) => call('POST', flows, flow())],
  'PUT /api/document-flows/{id}': [
    'FlowChanged',
    async ({ call, idOf }) => call('PUT', await idOf(flows, flow()), flow()),
  ],
  'DELETE /api/document-flows/{id}': [
    'FlowDeleted',
    async ({ call, idOf }) => call('DELETE', await idOf(flows, flow())),
  ],
  'POST /api/document-templates': [
    'TemplateCreated',
    async ({ call, template }) => call('POST', templates, await template()),
  ],
  'DELETE /api/document-templates/{id}': [
    'TemplateDeleted',
    async ({ call, idOf, template }) => call('DELETE', await idOf(templates, await template())),
  ],
  'DELETE /api/documents/{id}': ['DocumentDeleted', async ({ call, document }) => call('DELETE', await document())],
  'POST /api/documents/{id}/cancellation': [
    'DocumentCanceled',
    async ({ call, document }) => call('POST', `${await document()}/cancellation`, reason),
  ],
  'POST /api/documents/{id}/refusal': [
    'DocumentRefused',
    async ({ call, document }) => call('POST', `${await document()}/refusal`, reason),
  ],
  'POST /api/documents/{id}/action-url': [
    'ActionUrlCreated',
    async ({ call, document }) => call('POST', `${await document()}/action-url`, { identifier: people.ana.identifier }),
  ],
  'POST /api/documents/{id}/action-url/revocation': [
    'ActionUrlRevoked',
    async ({ call, document }) => call('POST', `${await document()}/action-url/revocation`, {}),
  ],
  'POST /api/session': ['SignedIn', async ({ world }) => browserOf(world).signIn((await newUser(world)).email)],
  'DELETE /api/session': ['SignedOut', ({ call }) => call('DELETE', '/api/session')],
  'DELETE /api/session/sessions': [
    'SessionsEnded',
    async ({ call, email, world }) => {
      await browserOf(world).signIn(email)
      return call('DELETE', '/api/session/sessions')
    },
  ],
  'PUT /api/session/password': [
    'PasswordChanged',
    ({ call }) => call('PUT', '/api/session/password', { password: PASSWORD, newPassword: 'um trem para as onze' }),
  ],
  'POST /api/session/password-reset': [
    'PasswordResetRequested',
    ({ call, email }) => call('POST', '/api/session/password-reset', { email }),
  ],
}

/** The audit tells of these; what they need (mail, an authenticator app, another organization) is in the test named. */
const shownIn: Readonly<Record<string, string>> = {
  'POST /api/admin/organizations': 'audit: outlives its organization',
  'DELETE /api/admin/organizations/{orgId}': 'audit: outlives its organization',
  'PUT /api/users/{subject}': 'passwords',
  'DELETE /api/users/{subject}/second-factor': 'second-factor',
  'POST /api/invitation': 'people',
  'POST /api/session/password': 'passwords',
  'POST /api/session/second-factor': 'second-factor; nothing is set before the code is confirmed',
  'PUT /api/session/second-factor': 'second-factor',
  'POST /api/session/second-factor/removal': 'second-factor',
  'POST /api/session/second-factor/recovery-codes': 'second-factor',
  'DELETE /api/session/sessions/{id}': 'session',
  'PUT /api/session/organization': 'audit: is an organization’s own',
  'PUT /api/invoices/{id}/payment': 'invoices',
  'PUT /api/admin/billing-webhook': 'invoices',
  'POST /api/reports/documents/date': 'the last one here: it is of the instance, not of an organization',
  'POST /api/documents/generation/{id}/cancellation': 'generation',
}

/** The history of the document tells who did it; documents are made and signed all day, and wait for no chain. */
const inTheHistory = [
  'POST /api/documents',
  'POST /api/documents/{id}/versions',
  'POST /api/documents/{id}/envelope/versions',
  'POST /api/documents/{id}/flow',
  'POST /api/documents/{id}/folder',
  'POST /api/documents/batch/folder',
  'PUT /api/documents/{id}/notified-emails',
  'POST /api/documents/generation',
  'POST /api/notifications/flow-action-reminder',
  'POST /api/users/notify-pending',
  'POST /api/documents/{id}/signature/certificate',
  'POST /api/documents/{id}/signature',
  'POST /api/documents/signature',
  'POST /api/documents/{id}/electronic-signature',
  'POST /api/documents/sms-authentication-code',
  ...[
    ...['signature/certificate', 'signature', 'electronic-signature', 'authentication-code', 'action-link', 'approval'],
    ...['refusal', 'signature/cloud', 'signature/token', 'signature/token/{id}'],
  ].map((act) => `POST /api/documents/keys/{key}/${act}`),
  'DELETE /api/documents/keys/{key}/signature/token/{id}',
]

/** They read, or keep something for the next call only. */
const changeNothing = [
  'POST /api/uploads',
  'POST /api/uploads/bytes',
  'POST /api/uploads/segmented-upload-ticket',
  'POST /api/documents/signature/certificate',
  'POST /api/marks-sessions',
  'POST /api/marks-sessions/documents',
  'PUT /api/marks-sessions/{id}/data',
  'POST /api/documents/date',
  'POST /api/validation',
  // Wrong ones count as wrong sign-ins, which the audit tells of.
  'POST /api/session/proof',
  'POST /api/documents/validate-signatures',
  'POST /api/computer-tests',
  'POST /api/computer-tests/look',
]

/** Names of parameters do not matter. */
const plain = (names: readonly string[]) =>
  [...new Set(names.map((name) => name.replaceAll(/\{\w+\}|:\w+/g, '{}')))].sort()

describe('every route that may change something', () => {
  const platform = sharedPlatform('SQLite', { settings: { Email } })

  test('is told of, or it is said why not', async () => {
    const { apps } = await platform()
    const served = routesOf(apps[platformSurface.name]!)
      .map(({ route }) => `${route.method} ${route.path}`)
      .filter((name) => !name.startsWith('GET '))
    const said = [...Object.keys(deeds), ...Object.keys(shownIn), ...inTheHistory, ...changeNothing]
    expect(plain(said)).toEqual(plain(served))
  })

  test.each(Object.entries(deeds))('%s tells who did it, and from where', async (_route, [kind, deed]) => {
    const world = await platform()
    const site = await siteOf(world)
    const { status, body } = await deed(site)
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`)
    const { body: page } = await world.json('GET', `${site.org}/audit?kind=${kind}&limit=1`)
    const [entry] = page.items
    expect(entry).toMatchObject({ kind, ipAddress: '127.0.0.1', actor: { type: expect.any(String) } })
    if (kind !== 'PasswordResetRequested') expect(entry.actor.id).toEqual(expect.any(String))
    if (/Changed$|Canceled$|Refused$|Switched$/.test(kind) && !/^Password|Deliveries/.test(kind))
      expect([entry.before, entry.after]).toEqual([expect.any(Object), expect.any(Object)])
    expect(JSON.stringify(entry)).not.toContain(PASSWORD)
  })

  test('tells of reports of the instance in the audit of its administration', async () => {
    const world = await platform()
    const time = { startDateUtc: '2026-11-01T00:00:00Z', endDateUtc: '2026-11-30T00:00:00Z' }
    const admin = administration(world)
    expect((await admin('POST', '/api/reports/documents/date', time)).status).toBe(200)
    const path = '/api/organizations/00000000-0000-0000-0000-000000000001/audit?kind=ReportRequested'
    expect((await admin('GET', path)).body.items[0]).toMatchObject({
      actor: { type: 'Application' },
      ipAddress: '127.0.0.1',
    })
  })
})
