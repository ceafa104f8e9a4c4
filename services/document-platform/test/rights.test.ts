// Who may do what: every route of the API, called by every role.
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { plainRoute, routesWithRights } from './test-support/contract-routes.ts'
import {
  approver,
  createDocument,
  databases,
  newOrganization,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  testOnce,
  untilKnown,
  upload,
} from './test-support/platform-world.ts'
import { signedIn } from './test-support/users.ts'

const profiles = {
  administrator: { administrator: true, manager: false, operator: false },
  manager: { administrator: false, manager: true, operator: false },
  operator: { administrator: false, manager: false, operator: true },
  basic: { administrator: false, manager: false, operator: false },
} as const

/**
 * What each caller gets on a document of the organization that an application created. `y` is let in, `n` is forbidden,
 * `-` does not learn that the document exists. In the order administrator, manager, operator, basic, application,
 * application of another folder.
 */
const routes: Readonly<Record<string, string>> = {
  'POST /api/documents': 'yyynyy',
  'GET /api/documents': 'yyyyyy',
  'GET /api/documents/{id}': 'yy--y-',
  'DELETE /api/documents/{id}': 'yy-ny-',
  'GET /api/documents/{id}/content': 'yy--y-',
  'GET /api/documents/{id}/content-b64': 'yy--y-',
  'GET /api/documents/{id}/ticket': 'yy--y-',
  'GET /api/documents/{id}/attachments/{attachmentId}': 'yy--y-',
  'POST /api/documents/{id}/action-url': 'ynnny-',
  'POST /api/documents/{id}/action-url/revocation': 'ynnny-',
  'POST /api/documents/{id}/cancellation': 'yy-ny-',
  'POST /api/documents/{id}/refusal': 'yy-ny-',
  'POST /api/documents/{id}/versions': 'yy-ny-',
  'POST /api/documents/{id}/envelope/versions': 'yy-ny-',
  'POST /api/documents/{id}/flow': 'yy-ny-',
  'POST /api/documents/{id}/folder': 'yy-ny-',
  'POST /api/documents/batch/folder': 'yyynyy',
  'PUT /api/documents/{id}/notified-emails': 'yy-ny-',
  'POST /api/documents/date': 'yynnyn',
  'GET /api/documents/{id}/timeline': 'yy--y-',
  'GET /api/document-flows': 'yyynyy',
  'POST /api/document-flows': 'yyynyn',
  'GET /api/document-flows/{flowId}': 'yyynyy',
  'PUT /api/document-flows/{flowId}': 'yynnyn',
  'DELETE /api/document-flows/{flowId}': 'yynnyn',
  'POST /api/notifications/flow-action-reminder': 'yy-ny-',
  'POST /api/users/notify-pending': 'yynnyn',
  'POST /api/marks-sessions': 'yyynyy',
  'POST /api/marks-sessions/documents': 'yyynyy',
  'GET /api/marks-sessions/{sessionId}': 'yyynyy',
  'GET /api/marks-session/{sessionId}': 'yyynyy',
  'GET /api/folders': 'yyyyyy',
  'POST /api/folders': 'yyynyn',
  'GET /api/folders/{folderId}': 'yyyyyn',
  'GET /api/folders/{folderId}/details': 'yyyyyn',
  'PUT /api/folders/{folderId}': 'yynnyn',
  'POST /api/folders/{folderId}/delete': 'yynnyn',
  'GET /api/rights': 'yyyyyy',
  'GET /api/document-templates': 'yyynyy',
  'POST /api/document-templates': 'yynnyn',
  'GET /api/document-templates/{templateId}': 'yyynyy',
  'DELETE /api/document-templates/{templateId}': 'yynnyn',
  'POST /api/documents/generation': 'yyynyy',
  'GET /api/documents/generation/{generationId}': 'yyynyy',
  'POST /api/documents/generation/{generationId}/cancellation': 'yyynyy',
  'GET /api/security-contexts': 'yyyyyy',
  'GET /api/security-contexts/{contextId}': 'yyyyyy',
  'GET /api/organizations/{orgId}': 'yyyyyy',
  'PUT /api/organizations/{orgId}': 'ynnnyn',
  'GET /api/organizations/users': 'yynnyn',
  'POST /api/organizations/users': 'ynnnyn',
  'DELETE /api/organizations/users/{userId}': 'ynnnyn',
  'GET /api/organizations/{orgId}/users': 'yynnyn',
  'POST /api/organizations/{orgId}/users': 'ynnnyn',
  'GET /api/organizations/{orgId}/applications': 'ynnnyn',
  'POST /api/organizations/{orgId}/applications': 'ynnnyn',
  'POST /api/organizations/{orgId}/applications/{applicationId}/keys': 'ynnnyn',
  'DELETE /api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}': 'ynnnyn',
  'POST /api/documents/{id}/signature/certificate': 'nn--y-',
  'POST /api/documents/{id}/signature': 'nn--y-',
  'POST /api/documents/signature/certificate': 'nnnnyy',
  'POST /api/documents/signature': 'nnnnyy',
  'POST /api/documents/{id}/electronic-signature': 'nn--y-',
  'GET /api/documents/{id}/signatures-details': 'yy--y-',
  'POST /api/documents/validate-signatures': 'yyyyyy',
  'POST /api/uploads': 'yyynyy',
  'POST /api/uploads/bytes': 'yyynyy',
  'POST /api/uploads/segmented-upload-ticket': 'yyynyy',
  'POST /api/organizations/{orgId}/webhooks': 'ynnnyn',
  'PUT /api/organizations/{orgId}/webhooks/{webhookId}': 'ynnnyn',
  'DELETE /api/organizations/{orgId}/webhooks/{webhookId}': 'ynnnyn',
  'PUT /api/organizations/{orgId}/webhooks/{webhookId}/state': 'ynnnyn',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/secret': 'ynnnyn',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/test': 'ynnnyn',
  'GET /api/webhooks/event-types': 'ynnnyn',
  'GET /api/organizations/{orgId}/audit': 'ynnnyn',
  'GET /api/organizations/{orgId}/audit/verification': 'ynnnyn',
  'GET /api/organizations/{orgId}/audit/export.csv': 'ynnnyn',
  'GET /api/organizations/{orgId}/audit/export.jsonl': 'ynnnyn',
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries': 'ynnnyn',
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}': 'ynnnyn',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/replay': 'ynnnyn',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/cancel-waiting': 'ynnnyn',
}

/** Valid bodies, so that only the rights decide; the others are refused as malformed after the caller was let in. */
const bodies = (made: Made): Readonly<Record<string, object>> => ({
  'POST /api/documents/{id}/action-url': { identifier: people.ana.identifier },
  'POST /api/documents/{id}/cancellation': { reason: 'x' },
  'POST /api/documents/{id}/refusal': { reason: 'x' },
  'POST /api/documents/{id}/versions': { file: fileOf(made.uploadId) },
  'POST /api/documents/{id}/envelope/versions': { files: [fileOf(made.uploadId)] },
  'POST /api/documents/{id}/flow': {},
  'POST /api/documents/{id}/folder': { folderId: null },
  'POST /api/documents/batch/folder': { documents: [made.id], folderId: made.otherFolderId },
  'PUT /api/documents/{id}/notified-emails': { emails: [] },
  'POST /api/notifications/flow-action-reminder': { documentId: made.id, flowActionId: made.id },
  'PUT /api/document-flows/{flowId}': { name: 'x', flowActions: [approver(people.ana)] },
  'PUT /api/folders/{folderId}': { name: crypto.randomUUID() },
  'POST /api/folders': { name: crypto.randomUUID() },
  'POST /api/documents/{id}/signature/certificate': { certificate: 'AAAA' },
  'POST /api/documents/{id}/signature': { token: 'x', signature: 'AAAA' },
  'POST /api/documents/signature': { token: 'x', signature: 'AAAA' },
  'POST /api/documents/{id}/electronic-signature': {},
})

const fileOf = (id: string) => ({ id, name: 'a.pdf', displayName: 'a.pdf', contentType: 'application/pdf' })

type Made = Awaited<ReturnType<typeof fixture>>

/** What a route acts on. */
async function fixture(world: PlatformWorld, folderId: string, otherFolderId: string) {
  const id = await createDocument(world, [signer(people.ana)], { folderId })
  const flow = { name: crypto.randomUUID(), flowActions: [approver(people.ana)] }
  return {
    id,
    folderId,
    otherFolderId,
    flowId: (await world.json('POST', '/api/document-flows', flow)).body.id as string,
    uploadId: await upload(world),
    orgId: world.organization.id,
  }
}

/** The path with the ids of what was made; what was not made is unknown to everybody. */
const pathOf = (template: string, made: Made): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name) => String(made[name as keyof Made] ?? crypto.randomUUID()))

const outcome = ({ status, body }: { status: number; body: { code?: string } | undefined }): string =>
  status === 403 ? 'n' : status === 401 ? '?' : body?.code === 'DocumentNotFound' ? '-' : 'y'

for (const database of databases) {
  describe(`rights on ${database}`, () => {
    const platform = sharedPlatform(database)
    const once = testOnce(database)

    const folderOf = async ({ json }: PlatformWorld) =>
      (await json('POST', '/api/folders', { name: crypto.randomUUID() })).body.id as string

    once('every route of the table of rights is let in, forbidden or hidden as its operation says', async () => {
      const world = await platform()
      const [folderId, otherFolderId] = [await folderOf(world), await folderOf(world)]
      const users = await Promise.all(
        Object.values(profiles).map((accessProfile) => signedIn(world, { accessProfile })),
      )
      const limited = await limitedApplication(world, otherFolderId)
      const callers = [
        ...users.map(({ call }) => call),
        (method: string, path: string, body?: object) => world.json(method, path, body),
        limited,
      ]
      const found: Record<string, string> = {}
      for (const route of Object.keys(routes)) {
        const [method, template] = route.split(' ') as [string, string]
        const outcomes: string[] = []
        let made: Made | undefined
        for (const call of callers) {
          made ??= await fixture(world, folderId, otherFolderId)
          const body = method === 'GET' ? undefined : (bodies(made)[route] ?? {})
          outcomes.push(outcome(await call(method, pathOf(template, made), body)))
          // Who was let in may have changed or deleted it.
          if (method !== 'GET' && outcomes.at(-1) === 'y') made = undefined
        }
        found[route] = outcomes.join('')
      }
      expect(found).toEqual(routes)
    })

    once('no route of the contract that needs a right is missing here', async () => {
      const listed = new Set(Object.keys(routes).map(plainRoute))
      const needing = routesWithRights()
      expect(needing.length).toBeGreaterThan(60)
      expect(needing.filter((route) => !listed.has(route))).toEqual([])
    })

    test('an operator reads what involves the operator, and changes what the operator created', async () => {
      const world = await platform()
      const operator = await signedIn(world, { accessProfile: profiles.operator, identifier: people.bruno.identifier })
      const sent = { bytes: Buffer.from(samplePdf('Contrato')).toString('base64') }
      const { id } = (await operator.call('POST', '/api/uploads/bytes', sent)).body
      const own = await operator.call('POST', '/api/documents', {
        files: [fileOf(id)],
        flowActions: [signer(people.ana)],
      })
      const ownId = own.body[0].documentId
      const involving = await createDocument(world, [signer({ id: operator.id }), signer(people.ana)])
      const observed = await createDocument(world, [signer(people.ana)], { observers: [{ user: { id: operator.id } }] })
      const colleagues = await createDocument(world, [signer(people.ana)])
      const { body } = await operator.call('GET', '/api/documents')
      expect(body).toMatchObject({ totalCount: 3, items: [{ id: observed }, { id: involving }, { id: ownId }] })
      expect((await operator.call('GET', `/api/documents?q=${colleagues}&queryType=Id`)).body.totalCount).toBe(0)
      const cancel = (document: string) =>
        operator.call('POST', `/api/documents/${document}/cancellation`, { reason: 'x' })
      expect([await cancel(colleagues), await cancel(involving), await cancel(observed)]).toMatchObject([
        { status: 422, body: { code: 'DocumentNotFound' } },
        { status: 403 },
        { status: 403 },
      ])
      expect((await cancel(ownId)).status).toBe(200)
    })

    test('who leaves a flow no longer reads the document', async () => {
      const world = await platform()
      const basic = await signedIn(world, { accessProfile: profiles.basic, identifier: people.bruno.identifier })
      const id = await createDocument(world, [signer(people.ana), signer({ id: basic.id }, { step: 2 })])
      expect((await basic.call('GET', `/api/documents/${id}`)).status).toBe(200)
      const { body } = await world.json('GET', `/api/documents/${id}`)
      await world.json('POST', `/api/documents/${id}/flow`, { deletedFlowActionIds: [body.flowActions[1].id] })
      expect((await basic.call('GET', `/api/documents/${id}`)).body.code).toBe('DocumentNotFound')
      expect((await basic.call('GET', '/api/documents')).body.totalCount).toBe(0)
    })

    test('the timeline tells who asked for the address of an action', async () => {
      const world = await platform()
      const administrator = await signedIn(world, { name: 'Helena Prado', accessProfile: profiles.administrator })
      const id = await createDocument(world, [signer(people.ana)])
      const asked = { identifier: people.ana.identifier }
      expect((await administrator.call('POST', `/api/documents/${id}/action-url`, asked)).status).toBe(200)
      expect((await world.json('GET', `/api/documents/${id}/timeline`)).body.at(-1)).toMatchObject({
        type: 'ActionUrlCreated',
        agent: { id: administrator.id, name: 'Helena Prado', type: 'User' },
        detail: people.ana.name,
      })
    })

    test('an application without a scope has no rights', async () => {
      const world = await platform()
      const { apiKey, applicationId } = await newOrganization(world.store, world.clock(), 'Outra')
      await untilKnown(world.baseUrl, apiKey)
      await world.store.db.deleteFrom('application_scope').where('application_id', '=', applicationId).execute()
      world.clock.advance(6_000)
      const headers = { 'X-Api-Key': apiKey }
      expect((await world.json('GET', '/api/documents', undefined, headers)).status).toBe(401)
      expect((await world.json('GET', '/api/admin/organizations', undefined, headers)).status).toBe(401)
    })
  })
}

/** Calls of an application that is restricted to one folder. */
async function limitedApplication(world: PlatformWorld, folderId: string) {
  const body = { name: 'limitada', folderIds: [folderId] }
  const made = await world.json('POST', `/api/organizations/${world.organization.id}/applications`, body)
  const headers = { 'X-Api-Key': made.body.apiKey as string }
  return (method: string, path: string, body?: object) => world.json(method, path, body, headers)
}
