// Who may do what: every route of the API, called with every role.
import { routesOf } from '@chancela/service-kernel/http'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { operations, rootOperations } from '../src/rules/rights.ts'
import { coreSurface } from '../src/surfaces.ts'
import { clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { rootClient } from './test-support/management.ts'
import { bodies, fixture, type Made, pathOf, sameFor } from './test-support/route-fixture.ts'

/**
 * What each caller gets: `y` is let in, `n` is forbidden, `-` does not learn that it exists. In the order Admin, Manager,
 * Worker, Monitor of the subscription; Owner, Contributor, Reader of the instance, who name the subscription; Admin of
 * another one. What a route acts on has the role Worker, at most.
 */
const routes: Readonly<Record<string, string>> = {
  'POST /api/v2/authentication': 'yyynyyny',
  'POST /api/v2/authentication/completion': 'yyynyyny',
  'POST /Api/Authentications': 'yyynyyn-',
  'POST /Api/Authentications/{token}/Finalize': 'yyynyyn-',
  'POST /Api/Authentications/{token}/SignedBytes': 'yyynyyn-',
  'GET /Api/Authentication': 'yyynyyny',
  'POST /Api/Authentication': 'yyynyyn-',
  'POST /api/plain-uploads': 'yyynyyny',
  'POST /Api/MultipartUploads': 'yyynyyny',
  'POST /Api/MultipartUploads/{upload}/{part}': 'yyynyyn-',
  'POST /Api/MultipartUploads/{upload}': 'yyynyyn-',
  'POST /api/document-keys': 'yyynyyny',
  'POST /api/document-keys/batch': 'yyynyyny',
  'GET /api/document-keys/{documentKey}': 'yyyyyyy-',
  'GET /api/document-keys/unused': 'yyyyyyyy',
  'GET /api/documents/{document}': 'yyyyyyy-',
  'GET /api/documents/{document}/signers': 'yyyyyyy-',
  'GET /api/documents/keys/{documentKey}': 'yyyyyyy-',
  'PUT /api/documents/{document}/metadata': 'yyynyyn-',
  'GET /api/certificates/{thumbprint}': 'yyyyyyy-',
  'DELETE /api/documents/{document}': 'yynnyyn-',
  'POST /api/signature': 'yyynyyn-',
  'POST /api/signature/completion': 'yyynyyn-',
  'PUT /api/signature-inspection': 'yyyyyyy-',
  'POST /api/signature/archival-extension': 'yyynyyn-',
  ...sameFor('yyynyyny', [
    ...['liveness', 'enrollment', 'authentication', 'identification'].map((kind) => `POST /api/bio/sessions/${kind}`),
    'POST /Api/PadesSignatures',
    'POST /Api/v2/PadesSignatures',
    'POST /Api/CadesSignatures',
    'POST /Api/v2/CadesSignatures',
    'POST /Api/v3/CadesSignatures',
    'POST /Api/XmlSignatures/FullXmlSignature',
    'POST /Api/XmlSignatures/XmlElementSignature',
    'POST /api/tsp',
    'POST /api/tsp/{id}',
    'POST /Api/TimestampPlans/{id}/Issue',
    'POST /api/pdf/stamp',
    'POST /Api/Pdf/AddMarks',
    'POST /tsp',
    'POST /api/signature-sessions',
  ]),
  // Whose they are is tested with the signatures, sessions and subjects themselves.
  ...sameFor('---n--n-', [
    ...['PadesSignatures', 'CadesSignatures', 'v2/PadesSignatures', 'v2/CadesSignatures', 'XmlSignatures'].map(
      (kind) => `POST /Api/${kind}/{token}/SignedBytes`,
    ),
    ...['Pades', 'Cades', 'Xml'].map((kind) => `POST /Api/${kind}Signatures/{token}/Finalize`),
    'DELETE /api/signature-sessions/{id}',
    'POST /tsp/{id}',
    'GET /api/bio/sessions/{id}/result-data',
    'GET /api/bio/subjects/{id}/face',
  ]),
  ...sameFor('--------', [
    ...['liveness', 'enrollment', 'authentication', 'identification'].map(
      (kind) => `GET /api/bio/sessions/${kind}/{id}/status`,
    ),
    'GET /api/bio/subjects/{id}',
    'GET /api/signature-sessions/{id}',
    'GET /api/signature-sessions/{id}/when-completed',
  ]),
  'DELETE /api/bio/subjects/{id}': '--nn--n-',
  ...sameFor('yyyyyyyy', [
    'GET /api/bio/subjects',
    'POST /Api/PadesSignatures/Open',
    'POST /Api/CadesSignatures/Open',
    'POST /Api/CadesSignatures/RequiredHashes',
    'POST /Api/XmlSignatures/Open',
    'POST /Api/v2/XmlSignatures/Open',
    'GET /Api/PadesVisualPositioningPresets/Footnote',
    'GET /Api/PadesVisualPositioningPresets/FootnoteBottomUp',
    'GET /Api/PadesVisualPositioningPresets/NewPage',
    'POST /Api/Certificates/Open',
  ]),
  ...sameFor('--nn--n-', [
    'GET /api/subscriptions/{subscriptionId}/file-validation',
    'DELETE /api/subscriptions/{subscriptionId}/file-validation',
    'GET /api/subscriptions/{subscriptionId}/webhook',
    'DELETE /api/subscriptions/{subscriptionId}/webhook',
    'PUT /api/subscriptions/{subscriptionId}/webhook/state',
    'POST /api/subscriptions/{subscriptionId}/webhook/secret',
    'POST /api/subscriptions/{subscriptionId}/webhook/test',
    'GET /api/subscriptions/{subscriptionId}/webhook/deliveries',
    'GET /api/subscriptions/{subscriptionId}/webhook/deliveries/{part}',
    'POST /api/subscriptions/{subscriptionId}/webhook/replay',
    'POST /api/subscriptions/{subscriptionId}/webhook/cancel-waiting',
  ]),
  'PUT /api/subscriptions/{subscriptionId}/file-validation': 'yynnyyn-',
  'PUT /api/subscriptions/{subscriptionId}/webhook': 'yynnyyn-',
  'GET /api/applications': 'yynyyyyy',
  'POST /api/applications': 'yynnyyny',
  'GET /api/applications/name-availability': 'yynnyyny',
  'GET /api/applications/{id}': 'yynyyyy-',
  'DELETE /api/applications/{id}': 'yynnyyn-',
  'PUT /api/applications/{id}/authorization-data': 'yynnyyn-',
  'PUT /api/applications/{id}/root-authorization-data': 'nnnnynnn',
  'GET /api/applications/{id}/api-keys': 'yynyyyy-',
  'POST /api/applications/{id}/api-keys': 'yynnyyn-',
  'DELETE /api/applications/{id}/api-keys/{keyId}': 'yynnyyn-',
  'GET /api/applications/{id}/default-document-metadata': 'yynyyyy-',
  'PUT /api/applications/{id}/default-document-metadata': 'yynnyyn-',
  'GET /api/security-contexts': 'yyyyyyyy',
  'POST /api/security-contexts': 'ynnnynny',
  'PUT /api/security-contexts/default': 'ynnnynn-',
  'GET /api/security-contexts/{contextId}': 'yyyyyyy-',
  'PUT /api/security-contexts/{contextId}': 'ynnnynn-',
  'DELETE /api/security-contexts/{contextId}': 'ynnnynn-',
  'GET /api/subscriptions': 'nnnnyyyn',
  'POST /api/subscriptions': 'nnnnyynn',
  'GET /api/subscriptions/{subscriptionId}': 'nnnnyyyn',
  'PUT /api/subscriptions/{subscriptionId}': 'nnnnyynn',
  'GET /api/ready/details': 'nnnnyyyn',
  'GET /api/metrics': 'nnnnyyyn',
}

/** Names of parameters do not matter. */
const plainRoute = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}')

const needsRight = (access: string | undefined): boolean =>
  access !== undefined && (Object.hasOwn(operations, access) || Object.hasOwn(rootOperations, access))

/** Who was let in has changed, deleted or ended what the route acts on. */
const usesUp = /^DELETE|^PUT|Api\/Authentication|completion$/

const absent = [
  'EntityNotFound',
  'SecurityContextNotFound',
  'InvalidToken',
  'DocumentNotFound',
  'SignatureSessionNotFound',
  'BioSessionNotFound',
  'BioSubjectNotFound',
]

/** What only somebody who was let in gets to see: an answer, or that the request itself is not right. */
const letIn = [200, 400, 422]

const outcome = ({ status, body }: Answer): string => {
  if (status === 403) return 'n'
  if (status === 401) return '?'
  if (status === 422 && absent.includes(body.code)) return '-'
  if (body?.found === false) return '-'
  return letIn.includes(status) ? 'y' : `[${status} ${JSON.stringify(body)}]`
}

for (const database of databases) {
  describe(`rights on ${database}`, () => {
    const open = sharedCore(database)
    const once = testOnce(database)

    once('every route is let in, forbidden or hidden as its operation says', async () => {
      const world = open()
      const admin = await clientAt(world, { roles: ['Admin'] })
      const { subscriptionId } = admin
      const others = ['Manager', 'Worker', 'Monitor'].map((role) => clientAt(world, { roles: [role], subscriptionId }))
      const ofInstance = ['Owner', 'Contributor', 'Reader'].map((role) => rootClient(world, [role], subscriptionId))
      const foreign = await clientAt(world, { roles: ['Admin'] })
      const callers = [admin, ...(await Promise.all(others)), ...(await Promise.all(ofInstance)), foreign]
      const found: Record<string, string> = {}
      let made: Made | undefined
      for (const route of Object.keys(routes)) {
        const [method, template] = route.split(' ') as [string, string]
        const outcomes: string[] = []
        for (const { json } of callers) {
          made ??= await fixture(admin, admin)
          const body = method === 'GET' ? undefined : bodies(made)[route]
          outcomes.push(outcome(await json(method, pathOf(template, made), body)))
          if (usesUp.test(route) && outcomes.at(-1) === 'y') made = undefined
        }
        found[route] = outcomes.join('')
      }
      expect(found).toEqual(routes)
    })

    once('no route that needs a right is missing here', () => {
      const listed = new Set(Object.keys(routes).map(plainRoute))
      const needing = routesOf(open().apps[coreSurface.name]!)
        .filter(({ route }) => needsRight(route.access))
        .map(({ route, template }) => plainRoute(`${route.method} ${template}`))
      expect(needing.length).toBeGreaterThan(30)
      expect(needing.filter((route) => !listed.has(route))).toEqual([])
    })

    once('every route of the page of a session needs the token of that session, which no key replaces', async () => {
      const world = open()
      const pages = routesOf(world.apps[coreSurface.name]!).filter(({ route }) => route.access === 'session-page')
      expect(pages.length).toBeGreaterThan(11)
      const bad = callerOf(world.baseUrl, { 'X-Signature-Session-Token': 'x'.repeat(43) })
      for (const { route, template } of pages) {
        const path = template.replaceAll(/\{\w+\}/g, crypto.randomUUID())
        expect([path, (await world.json(route.method, path)).body.code]).toEqual([
          path,
          'SignatureSessionTokenRequired',
        ])
        expect([path, (await bad.json(route.method, path)).body.code]).toEqual([path, 'BadSignatureSessionToken'])
      }
    })

    once('every operation with a key describes 200, 400, 401, 403 and 422', async () => {
      const { body } = await callerOf(open().baseUrl).json('GET', '/openapi/v1.json')
      type Described = Record<string, { responses: object; security?: object[]; tags: string[] }>
      const described = Object.entries(body.paths as Record<string, Described>).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
      )
      const needing = described.filter(
        ({ security, tags }) => security?.some((one) => 'X-Api-Key' in one) && !tags.includes('Operations'),
      )
      expect(needing.length).toBeGreaterThan(25)
      for (const { name, responses } of needing)
        expect([name, Object.keys(responses)]).toEqual([
          name,
          expect.arrayContaining(['200', '400', '401', '403', '422']),
        ])
      expect(body.info.version).toBe('5.0.4')
    })

    test('a disabled subscription does nothing until it is enabled again', async () => {
      const world = open()
      const client = await clientAt(world)
      const owner = await rootClient(world, ['Owner'])
      const switched = (disabled: boolean) =>
        owner.json('PUT', `/api/subscriptions/${client.subscriptionId.toUpperCase()}`, { disabled })
      expect((await client.json('GET', '/Api/Authentication')).status).toBe(200)
      expect((await switched(true)).body).toMatchObject({ disabled: true })
      expect((await client.json('GET', '/Api/Authentication')).status).toBe(403)
      const there = { 'X-Subscription': client.subscriptionId }
      expect((await owner.json('GET', '/Api/Authentication', undefined, there)).status).toBe(403)
      expect((await switched(false)).body).toMatchObject({ disabled: false })
      expect((await client.json('GET', '/Api/Authentication')).status).toBe(200)
    })
  })
}
