// Who may do what: every route of the API, called by every kind of caller.
import { routesOf } from '@chancela/service-kernel/http'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { operations, systemOperations } from '../src/rules/rights.ts'
import { credentialSurface } from '../src/surfaces.ts'
import { databases, organizationAt, personOf, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { bodies, fixture, type Made, pathOf, plainRoute } from './test-support/route-fixture.ts'
import {
  type CredentialWorld,
  databases,
  instituteOf,
  organizationAt,
  personOf,
  sharedPlatform,
  testOnce,
} from './test-support/credential-world.ts'
import { documentAt } from './test-support/documents.ts'
import { curriculumData, documentationData, newDegree, transcriptData } from './test-support/issuing.ts'
import { curriculumData, transcriptData } from './test-support/issuing.ts'
import { itemsAt } from './test-support/items.ts'
import { clock, fileOf, issueInstitution, signingSettings } from './test-support/pki.ts'
import { sampleCourse, sampleFlow, sampleInstitute, sampleTemplate } from './test-support/samples.ts'
import { bookEntry, giveFile } from './test-support/two-institutes.ts'

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
  'GET /api/documents?ownerId=x': 'yyyyyy?',
  'GET /api/documents/{document}': 'yyyyy-?',
  'GET /api/documents/{document}/content': 'yyyyy-?',
  'POST /api/documents/{document}/signatures': 'yyyyy-?',
  'POST /api/documents/{document}/signatures/completion': 'yyyyy-?',
  'GET /api/curriculums': 'yyyyyy?',
  'POST /api/curriculums': 'yyyyy-?',
  'GET /api/curriculums/{curriculum}': 'yyyyy-?',
  // Nobody has signed it, so that there is no file for anybody.
  'GET /api/curriculums/{curriculum}/files/{xml}': '------?',
  'POST /api/curriculums/{curriculum}/cancellation': 'yyyyy-?',
  'GET /api/academic-transcripts': 'yyyyyy?',
  'POST /api/academic-transcripts': 'yyyyy-?',
  'GET /api/academic-transcripts/{transcript}': 'yyyyy-?',
  'GET /api/academic-transcripts/{transcript}/files/{xml}': '------?',
  'POST /api/academic-transcripts/{transcript}/cancellation': 'yyyyy-?',
  'POST /api/academic-transcripts/{transcript}/restoration': 'yyyyy-?',
  'GET /api/degrees': 'yyyyyy?',
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
  'GET /api/ready/details': 'nnnnyn?',
  'GET /api/metrics': 'nnnnyn?',
}

/** Names of parameters do not matter. */
const plain = (route: string): string => route.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}')

const newTranscript = (instituteId: string) => ({ instituteId, type: 'Final', data: transcriptData() })

/** 415: whoever sends a form or an XML gets further. */
const letIn = [200, 201, 202, 204, 400, 409, 415, 422]

const outcome = ({ status, body }: Answer): string => {
  if (status === 401) return '?'
  if (status === 403) return 'n'
  if (status === 404 && /-not-found$/.test(body.code)) return '-'
  return letIn.includes(status) ? 'y' : `[${status} ${JSON.stringify(body)}]`
}

/** What is exchanged and published: a request, an emission, a list, an inspection file, and a file of each. */
async function exchanged(world: CredentialWorld, place: Parameters<typeof itemsAt>[1]) {
  const { create } = itemsAt(world, place)
  const registration = await create('Registration', {}, true)
  const list = await create('CancellationList', { status: 'Signed' }, true)
  const inspection = await create('InspectionFile', { status: 'Signed' }, true)
  await giveFile(world, registration, 'public-xml', Buffer.from('<a/>'))
  for (const id of [list, inspection]) await giveFile(world, id, 'xml', Buffer.from('<a/>'))
  const restamp = await create('Restamp', { status: 'ApplyingError' }, true)
  return { registration, list, inspection, restamp, file: 'public-xml', emission: await create('Emission', {}, true) }
}

for (const database of databases) {
  describe(`rights on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    const certificate = issueInstitution().then((issued) => fileOf(issued))

    /** One of everything that routes act on. */
    async function made(organization: Awaited<ReturnType<typeof organizationAt>>) {
      const { json, subscriptionId } = organization
      const institute = (await instituteOf(organization)).id
      await json('PUT', `/api/institutes/${institute}/certificate`, await certificate)
      const id = async (path: string, body: object): Promise<string> => (await json('POST', path, body)).body.id
      const email = `${crypto.randomUUID()}@example.com`
      const application = await id('/api/applications', { name: crypto.randomUUID(), role: 'Gerente' })
      const { body } = await json('POST', `/api/applications/${application}/keys`, { description: 'x' })
      return {
        subscription: subscriptionId,
        institute,
        xml: 'xml',
        publicXml: 'public-xml',
        documentation: 'academic-documentation',
        degree: await id('/api/degrees', newDegree(institute)),
        emission: await id('/api/emissions', { instituteId: institute, data: documentationData() }),
        curriculum: await id('/api/curriculums', { instituteId: institute, data: curriculumData() }),
        transcript: await id('/api/academic-transcripts', newTranscript(institute)),
        ...(await exchanged(open(), { subscriptionId, instituteId: institute })),
        document: await documentAt(open(), { subscriptionId, instituteId: institute }),
        user: await id('/api/users', { name: 'Bruno', email, role: 'Gerente' }),
        application,
        key: body.info.id as string,
        partnership: await id('/api/partnerships', {
          issuerInstituteId: institute,
          registrarInstituteId: (await instituteOf(organization)).id,
        }),
        course: await id('/api/courses', sampleCourse(institute)),
        flow: await id('/api/flows', sampleFlow()),
        template: await id('/api/templates', sampleTemplate()),
      }
    }

    type Made = Awaited<ReturnType<typeof made>>

    const bodies = (things: Made): Readonly<Record<string, object>> => ({
      'POST /api/subscriptions': { name: crypto.randomUUID() },
      'PUT /api/subscriptions/{subscription}': { disabled: false },
      'PUT /api/subscriptions/{subscription}/webhook': { enabled: false },
      'POST /api/subscriptions/{subscription}/webhook/test': {},
      'POST /api/institutes/{institute}/integrations': { enabled: false },
      'POST /api/webhooks/resend': { kind: 'Degree', ids: ['x'] },
      'POST /api/users': { name: 'Carla', email: `${crypto.randomUUID()}@example.com`, role: 'Gerente' },
      'PUT /api/users/{user}': { name: 'Bruna' },
      'POST /api/applications': { name: crypto.randomUUID(), role: 'Gerente' },
      'PUT /api/applications/{application}': { role: 'Gerente' },
      'POST /api/applications/{application}/keys': { description: 'y' },
      'POST /api/institutes': sampleInstitute(),
      'PUT /api/institutes/{institute}': sampleInstitute(),
      'PUT /api/institutes/{institute}/certificate': { content: 'AAAA', password: 'x' },
      'POST /api/degrees': newDegree(things.institute),
      'POST /api/degrees/{degree}/academic-transcript': {},
      'POST /api/degrees/{degree}/cancellation': { reason: 'x' },
      'POST /api/degrees/{degree}/restoration': { reason: 'x' },
      'POST /api/emissions': { instituteId: things.institute, data: documentationData() },
      'POST /api/emissions/{emission}/cancellation': { reason: 'x' },
      'POST /api/emissions/{emission}/restoration': { reason: 'x' },
      'POST /api/curriculums': { instituteId: things.institute, data: curriculumData() },
      'POST /api/curriculums/{curriculum}/cancellation': { reason: 'x' },
      'POST /api/academic-transcripts': newTranscript(things.institute),
      'POST /api/academic-transcripts/{transcript}/cancellation': { reason: 'x' },
      'POST /api/academic-transcripts/{transcript}/restoration': { reason: 'x' },
      'POST /api/documents/{document}/signatures': { certificate: 'AAAA' },
      'POST /api/documents/{document}/signatures/completion': { token: 'x', signature: 'AAAA' },
      'POST /api/institutes/{institute}/inspection-files': {
        type: 'Issuer',
        startDate: '2026-01-01',
        endDate: '2026-01-31',
      },
      'PUT /api/institutes/{institute}/registry-settings': { requireTwoPeople: false, annulledListDays: 30 },
      'POST /api/registrations/{registration}/registration': bookEntry(),
      'POST /api/registrations/{registration}/cancellation': { reason: 'x' },
      'POST /api/registrations/{registration}/rejection': { reason: 'x' },
      'POST /api/emissions/{emission}/send': { registrarInstituteId: things.institute },
      'POST /api/partnerships': { issuerInstituteId: things.institute, registrarInstituteId: things.institute },
      'POST /api/courses': sampleCourse(things.institute),
      'PUT /api/courses/{course}': sampleCourse(things.institute),
      'POST /api/flows': sampleFlow(),
      'PUT /api/flows/{flow}': sampleFlow(),
      'POST /api/templates': sampleTemplate(),
      'PUT /api/templates/{template}': sampleTemplate(),
    })

    const pathOf = (template: string, things: Made): string =>
      template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Made) => things[name])

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
          things ??= await fixture(organization)
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
