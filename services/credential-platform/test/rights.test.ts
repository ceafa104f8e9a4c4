// Who may do what: every route of the API, called by every kind of caller.
import { routesOf } from '@chancela/service-kernel/http'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { operations, systemOperations } from '../src/rules/rights.ts'
import { credentialSurface } from '../src/surfaces.ts'
import { databases, organizationAt, personOf, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { bodies, fixture, type Made, pathOf, plainRoute } from './test-support/route-fixture.ts'

/**
 * What each caller gets: `y` is let in, `n` is forbidden, `-` does not learn that it exists, `?` is nobody. In the order:
 * a person who is Administrador, one who is Gerente; an application that is Administrador, one that is Gerente; the
 * operator, who names the organization; Administrador of another organization; anonymous.
 */
const routes: Readonly<Record<string, string>> = {
  'GET /api/subscriptions': 'nnnnyn?',
  'POST /api/subscriptions': 'nnnnyn?',
  'PUT /api/subscriptions/{subscription}': 'nnnnyn?',
  'GET /api/subscriptions/{subscription}': 'yyyyy-?',
  'GET /api/subscriptions/{subscription}/webhook': 'ynyny-?',
  'PUT /api/subscriptions/{subscription}/webhook': 'ynyny-?',
  'POST /api/subscriptions/{subscription}/webhook/test': 'ynyny-?',
  'GET /api/subscriptions/{subscription}/document-platform': 'ynyny-?',
  'PUT /api/subscriptions/{subscription}/document-platform': 'ynyny-?',
  'POST /api/subscriptions/{subscription}/document-platform/test': 'ynyny-?',
  'DELETE /api/subscriptions/{subscription}/document-platform': 'ynyny-?',
  'POST /api/degrees/webhook': 'yyyyyy?',
  'GET /api/institutes/{institute}/integrations': 'ynyny-?',
  'POST /api/institutes/{institute}/integrations': 'ynyny-?',
  'POST /api/webhooks/resend': 'yyyyyy?',
  'GET /api/users': 'yyyyyy?',
  'POST /api/users': 'ynynyy?',
  'GET /api/users/{user}': 'yyyyy-?',
  'PUT /api/users/{user}': 'ynyny-?',
  'POST /api/users/{user}/invitation': 'ynyny-?',
  'DELETE /api/users/{user}': 'ynyny-?',
  'GET /api/applications': 'ynynyy?',
  'POST /api/applications': 'ynynyy?',
  'GET /api/applications/{application}': 'ynyny-?',
  'PUT /api/applications/{application}': 'ynyny-?',
  'GET /api/applications/{application}/keys': 'ynyny-?',
  'POST /api/applications/{application}/keys': 'ynyny-?',
  'DELETE /api/applications/{application}/keys/{key}': 'ynyny-?',
  'DELETE /api/applications/{application}': 'ynyny-?',
  'GET /api/institutes': 'yyyyyy?',
  'POST /api/institutes': 'ynynyy?',
  'GET /api/institutes/{institute}': 'yyyyy-?',
  'PUT /api/institutes/{institute}': 'ynyny-?',
  'GET /api/institutes/{institute}/certificate': 'yyyyy-?',
  'PUT /api/institutes/{institute}/certificate': 'ynyny-?',
  'DELETE /api/institutes/{institute}/certificate': 'ynyny-?',
  'GET /api/institutes/{institute}/wallet-keys': 'yyyyy-?',
  'POST /api/institutes/{institute}/wallet-keys': 'ynyny-?',
  'DELETE /api/institutes/{institute}/wallet-keys/{walletKey}': 'ynyny-?',
  'GET /api/documents?ownerId=x': 'yyyyyy?',
  'GET /api/documents/{document}': 'yyyyy-?',
  'GET /api/documents/{document}/content': 'yyyyy-?',
  'POST /api/documents/{document}/signatures': 'yyyyy-?',
  'POST /api/documents/{document}/signatures/completion': 'yyyyy-?',
  'GET /api/signer': 'yynnnn?',
  // Before the people said their CPF: they are told to, whatever else is missing.
  'POST /api/signings/cloud': 'yynnnn?',
  'POST /api/signings/token': 'yynnnn?',
  'PUT /api/signer': 'yynnnn?',
  'GET /api/signer/documents': 'yynnnn?',
  'POST /api/signings/{signing}/look': '--nnnn?',
  'DELETE /api/signings/{signing}': '--nnnn?',
  'POST /api/documents/{document}/reopening': 'yyyyy-?',
  'GET /api/curriculums': 'yyyyyy?',
  'POST /api/curriculums': 'yyyyy-?',
  'GET /api/curriculums/{curriculum}': 'yyyyy-?',
  // Nobody has signed it, so that there is no file for anybody.
  'GET /api/curriculums/{curriculum}/files/{xml}': '------?',
  'GET /api/curriculums/{curriculum}/data': 'yyyyy-?',
  'POST /api/curriculums/{curriculum}/cancellation': 'yyyyy-?',
  'GET /api/academic-transcripts': 'yyyyyy?',
  'POST /api/academic-transcripts': 'yyyyy-?',
  'GET /api/academic-transcripts/{transcript}': 'yyyyy-?',
  'GET /api/academic-transcripts/{transcript}/files/{xml}': '------?',
  'POST /api/academic-transcripts/{transcript}/cancellation': 'yyyyy-?',
  'POST /api/academic-transcripts/{transcript}/restoration': 'yyyyy-?',
  'GET /api/academic-transcripts/{transcript}/credential': 'yyyyy-?',
  'POST /api/academic-transcripts/{transcript}/wallet-offers': 'yyyyy-?',
  'GET /api/degrees': 'yyyyyy?',
  'GET /api/degrees/{degree}/credential': 'yyyyy-?',
  'POST /api/degrees/{degree}/wallet-offers': 'yyyyy-?',
  'POST /api/degrees': 'yyyyy-?',
  'GET /api/degrees/{degree}': 'yyyyy-?',
  'GET /api/degrees/{degree}/files/{publicXml}': '------?',
  'POST /api/degrees/{degree}/academic-transcript': 'yyyyy-?',
  'POST /api/degrees/{degree}/cancellation': 'yyyyy-?',
  'POST /api/degrees/{degree}/restoration': 'yyyyy-?',
  'GET /api/emissions': 'yyyyyy?',
  'POST /api/emissions': 'yyyyy-?',
  'GET /api/emissions/{emission}': 'yyyyy-?',
  'GET /api/emissions/{emission}/files/{documentation}': '------?',
  'POST /api/emissions/{emission}/cancellation': 'yyyyy-?',
  'POST /api/emissions/{emission}/restoration': 'yyyyy-?',
  'POST /api/degrees/batches?instituteId={institute}': 'yyyyy-?',
  'GET /api/degrees/batches': 'yyyyyy?',
  'GET /api/degrees/batches/csv-template': 'yyyyyy?',
  'GET /api/degrees/batches/{degreeBatch}': 'yyyyy-?',
  'GET /api/degrees/batches/{degreeBatch}/rows': 'yyyyy-?',
  'GET /api/degrees/batches/{degreeBatch}/errors': 'yyyyy-?',
  'POST /api/degrees/batches/{degreeBatch}/cancellation': 'yyyyy-?',
  'POST /api/emissions/batches?instituteId={institute}': 'yyyyy-?',
  'GET /api/emissions/batches': 'yyyyyy?',
  'GET /api/emissions/batches/csv-template': 'yyyyyy?',
  'GET /api/emissions/batches/{emissionBatch}': 'yyyyy-?',
  'GET /api/emissions/batches/{emissionBatch}/rows': 'yyyyy-?',
  'GET /api/emissions/batches/{emissionBatch}/errors': 'yyyyy-?',
  'POST /api/emissions/batches/{emissionBatch}/cancellation': 'yyyyy-?',
  'POST /api/academic-transcripts/batches?type=Final&instituteId={institute}': 'yyyyy-?',
  'GET /api/academic-transcripts/batches': 'yyyyyy?',
  'GET /api/academic-transcripts/batches/csv-template': 'yyyyyy?',
  'GET /api/academic-transcripts/batches/{transcriptBatch}': 'yyyyy-?',
  'GET /api/academic-transcripts/batches/{transcriptBatch}/rows': 'yyyyy-?',
  'GET /api/academic-transcripts/batches/{transcriptBatch}/errors': 'yyyyy-?',
  'POST /api/academic-transcripts/batches/{transcriptBatch}/cancellation': 'yyyyy-?',
  'GET /api/partnerships': 'yyyyyy?',
  'POST /api/partnerships': 'ynyny-?',
  'POST /api/partnerships/{partnership}/acceptance': 'ynyny-?',
  'DELETE /api/partnerships/{partnership}': 'ynyny-?',
  'GET /api/courses': 'yyyyyy?',
  'POST /api/courses': 'yyyyy-?',
  'GET /api/courses/{course}': 'yyyyy-?',
  'PUT /api/courses/{course}': 'yyyyy-?',
  'DELETE /api/courses/{course}': 'yyyyy-?',
  'GET /api/flows': 'yyyyyy?',
  'POST /api/flows': 'ynynyy?',
  'GET /api/flows/{flow}': 'yyyyy-?',
  'PUT /api/flows/{flow}': 'ynyny-?',
  'DELETE /api/flows/{flow}': 'ynyny-?',
  'GET /api/templates': 'yyyyyy?',
  'POST /api/templates': 'yyyyyy?',
  'GET /api/templates/{template}': 'yyyyy-?',
  'PUT /api/templates/{template}': 'yyyyy-?',
  'DELETE /api/templates/{template}': 'yyyyy-?',
  'GET /api/template-guides/{templateKind}': 'yyyyyy?',
  'POST /api/templates/preview': 'yyyyyy?',
  'POST /api/degrees/{degree}/representation': 'yyyyy-?',
  'POST /api/academic-transcripts/{transcript}/representation': 'yyyyy-?',
  'POST /api/curriculums/{curriculum}/representation': 'yyyyy-?',
  'GET /api/events': 'yyyyyy?',
  'DELETE /api/institutes/{institute}': 'ynyny-?',
  'GET /api/institutes/{institute}/registry-settings': 'yyyyy-?',
  'PUT /api/institutes/{institute}/registry-settings': 'ynyny-?',
  'GET /api/registrations': 'yyyyyy?',
  'POST /api/registrations': 'yyyyyy?',
  'GET /api/registrations/{registration}': 'yyyyy-?',
  'GET /api/registrations/{registration}/files/{file}': 'yyyyy-?',
  'POST /api/registrations/{registration}/acceptance': 'yyyyy-?',
  'POST /api/registrations/{registration}/approval': 'yyyyy-?',
  'POST /api/registrations/{registration}/rejection': 'yyyyy-?',
  'POST /api/registrations/{registration}/registration': 'yyyyy-?',
  'POST /api/registrations/{registration}/cancellation': 'yyyyy-?',
  'GET /api/restamps': 'yyyyyy?',
  'POST /api/restamps/{restamp}/retry': 'ynyny-?',
  'GET /api/institutes/{institute}/cancellation-lists': 'yyyyy-?',
  'POST /api/institutes/{institute}/cancellation-lists': 'ynyny-?',
  'GET /api/institutes/{institute}/cancellation-lists/{list}': 'yyyyy-?',
  'GET /api/institutes/{institute}/cancellation-lists/{list}/file': 'yyyyy-?',
  'GET /api/institutes/{institute}/inspection-files': 'yyyyy-?',
  'POST /api/institutes/{institute}/inspection-files': 'ynyny-?',
  'GET /api/institutes/{institute}/inspection-files/{inspection}': 'yyyyy-?',
  'GET /api/institutes/{institute}/inspection-files/{inspection}/file': 'yyyyy-?',
  'POST /api/emissions/{emission}/send': 'yyyyy-?',
  'POST /api/emissions/{emission}/registered-xml': 'yyyyy-?',
  'GET /api/layouts/{layout}/forms/{form}': 'yyyyyy?',
  'POST /api/degrees/check': 'yyyyy-?',
  'POST /api/emissions/check': 'yyyyy-?',
  'POST /api/academic-transcripts/check': 'yyyyy-?',
  'POST /api/curriculums/check': 'yyyyy-?',
  'GET /api/ready/details': 'nnnnyn?',
  'GET /api/metrics': 'nnnnyn?',
}

/** 415: whoever sends a form or an XML gets further. */
const letIn = [200, 201, 202, 204, 400, 409, 415, 422]

const outcome = ({ status, body }: Answer): string => {
  if (status === 401) return '?'
  if (status === 403) return 'n'
  if (status === 404 && /-not-found$/.test(body.code)) return '-'
  return letIn.includes(status) ? 'y' : `[${status} ${JSON.stringify(body)}]`
}

for (const database of databases) {
  describe(`rights on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    once('every route lets in, forbids or hides as its operation says', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const people = [
        await personOf(world, organization, 'Administrador'),
        await personOf(world, organization, 'Gerente'),
      ]
      const applications = [organization, await organization.application('Gerente')]
      const foreign = await organizationAt(world)
      const callers = [...people, ...applications, organization.operator, foreign, callerOf(world.baseUrl)]
      const found: Record<string, string> = {}
      let things: Made | undefined
      for (const route of Object.keys(routes)) {
        const [method, template] = route.split(' ') as [string, string]
        const outcomes: string[] = []
        for (const { json } of callers) {
          things ??= await fixture(world, organization)
          outcomes.push(outcome(await json(method, pathOf(template, things), bodies(things)[route])))
          if (method === 'DELETE' && outcomes.at(-1) === 'y') things = undefined
        }
        found[route] = outcomes.join('')
      }
      expect(found).toEqual(routes)
    })

    once('the table has every route that needs a right', () => {
      const named = new Set<string>([...Object.keys(operations), ...systemOperations])
      const served = routesOf(open().apps[credentialSurface.name]!)
        .filter(({ route: { access } }) => access !== undefined && named.has(access))
        .map(({ route, template }) => plainRoute(`${route.method} ${template}`))
      expect(served.toSorted()).toEqual(Object.keys(routes).map(plainRoute).toSorted())
    })

    test('a key of one organization is of no use in another, whatever it names', async () => {
      const [one, other] = [await organizationAt(open()), await organizationAt(open())]
      const named = await one.json('GET', '/api/institutes', undefined, { 'X-Subscription': other.subscriptionId })
      expect([named.status, named.body.code]).toEqual([403, 'forbidden'])
      const { system } = open()
      expect((await system.json('GET', '/api/institutes')).status).toBe(403)
      const absent = await system.json('GET', '/api/institutes', undefined, { 'X-Subscription': crypto.randomUUID() })
      expect(absent.status).toBe(403)
    })
  })
}
