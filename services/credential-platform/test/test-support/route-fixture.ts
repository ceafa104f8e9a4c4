// What routes act on, and bodies that they take.
import { type CredentialWorld, instituteOf, type Organization } from './credential-world.ts'
import { documentAt } from './documents.ts'
import { curriculumData, documentationData, newDegree, transcriptData } from './issuing.ts'
import { itemsAt } from './items.ts'
import { fileOf, issueInstitution } from './pki.ts'
import { sampleCourse, sampleFlow, sampleInstitute, sampleTemplate } from './samples.ts'
import { bookEntry, giveFile } from './two-institutes.ts'

/** Names of parameters do not matter. */
export const plainRoute = (route: string): string => route.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}')

const newTranscript = (instituteId: string) => ({ instituteId, type: 'Final', data: transcriptData() })

/** What is exchanged and published: a request, a list, an inspection file, a restamp, and a file of each. */
async function exchanged(world: CredentialWorld, place: Parameters<typeof itemsAt>[1]) {
  const { create } = itemsAt(world, place)
  const registration = await create('Registration', {}, true)
  const list = await create('CancellationList', { status: 'Signed' }, true)
  const inspection = await create('InspectionFile', { status: 'Signed' }, true)
  await giveFile(world, registration, 'public-xml', Buffer.from('<a/>'))
  for (const id of [list, inspection]) await giveFile(world, id, 'xml', Buffer.from('<a/>'))
  const restamp = await create('Restamp', { status: 'ApplyingError' }, true)
  return { registration, list, inspection, restamp, file: 'public-xml' }
}

/** A batch of each kind. */
async function batchesAt({ json }: Organization, institute: string) {
  const rows = [{ data: {}, registration: {} }]
  const id = async (path: string): Promise<string> =>
    (await json('POST', `${path}&instituteId=${institute}`, { rows })).body.id
  return {
    degreeBatch: await id('/api/degrees/batches?createAcademicTranscript=false'),
    emissionBatch: await id('/api/emissions/batches?'),
    transcriptBatch: await id('/api/academic-transcripts/batches?type=Final'),
  }
}

/** Nobody listens there. */
const connection = { enabled: false, url: 'http://127.0.0.1:9', apiKey: 'key' }

const certificate = issueInstitution().then((issued) => fileOf(issued))

/** One of everything that routes act on. */
export async function fixture(world: CredentialWorld, organization: Organization) {
  const { json, subscriptionId } = organization
  const institute = (await instituteOf(organization)).id
  await json('PUT', `/api/institutes/${institute}/certificate`, await certificate)
  await json('PUT', `/api/subscriptions/${subscriptionId}/document-platform`, connection)
  const id = async (path: string, body: object): Promise<string> => (await json('POST', path, body)).body.id
  const email = `${crypto.randomUUID()}@example.com`
  const application = await id('/api/applications', { name: crypto.randomUUID(), role: 'Gerente' })
  const { body } = await json('POST', `/api/applications/${application}/keys`, { description: 'x' })
  return {
    subscription: subscriptionId,
    institute,
    xml: 'xml',
    templateKind: 'RVDD',
    publicXml: 'public-xml',
    documentation: 'academic-documentation',
    layout: '1.05',
    form: 'degrees',
    degree: await id('/api/degrees', newDegree(institute)),
    emission: await id('/api/emissions', { instituteId: institute, data: documentationData() }),
    curriculum: await id('/api/curriculums', { instituteId: institute, data: curriculumData() }),
    transcript: await id('/api/academic-transcripts', newTranscript(institute)),
    ...(await batchesAt(organization, institute)),
    ...(await exchanged(world, { subscriptionId, instituteId: institute })),
    document: await documentAt(world, { subscriptionId, instituteId: institute }),
    signing: crypto.randomUUID(),
    user: await id('/api/users', { name: 'Bruno', email, role: 'Gerente' }),
    application,
    key: body.info.id as string,
    walletKey: (await json('POST', `/api/institutes/${institute}/wallet-keys`)).body.keys[0].id as string,
    partnership: await id('/api/partnerships', {
      issuerInstituteId: institute,
      registrarInstituteId: (await instituteOf(organization)).id,
    }),
    course: await id('/api/courses', sampleCourse(institute)),
    flow: await id('/api/flows', sampleFlow()),
    template: await id('/api/templates', sampleTemplate()),
  }
}

export type Made = Awaited<ReturnType<typeof fixture>>

const draft = () => {
  const { kind, content } = sampleTemplate()
  return { kind, content }
}

/** A body that each route takes. */
export const bodies = (things: Made): Readonly<Record<string, object>> => ({
  'POST /api/subscriptions': { name: crypto.randomUUID() },
  'PUT /api/subscriptions/{subscription}': { disabled: false },
  'PUT /api/subscriptions/{subscription}/webhook': { enabled: false },
  'POST /api/subscriptions/{subscription}/webhook/test': {},
  'PUT /api/subscriptions/{subscription}/document-platform': connection,
  'POST /api/degrees/webhook': { type: 'DocumentConcluded', data: { id: 'x' } },
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
  'POST /api/degrees/check': newDegree(things.institute),
  'POST /api/emissions/check': { instituteId: things.institute, data: documentationData() },
  'POST /api/curriculums/check': { instituteId: things.institute, data: curriculumData() },
  'POST /api/academic-transcripts/check': newTranscript(things.institute),
  'POST /api/degrees/{degree}/academic-transcript': {},
  'POST /api/degrees/{degree}/cancellation': { reason: 'x' },
  'POST /api/degrees/{degree}/restoration': { reason: 'x' },
  'POST /api/emissions': { instituteId: things.institute, data: documentationData() },
  'POST /api/degrees/batches?instituteId={institute}': { rows: [{ data: {}, registration: {} }] },
  'POST /api/emissions/batches?instituteId={institute}': { rows: [{ data: {} }] },
  'POST /api/academic-transcripts/batches?type=Final&instituteId={institute}': { rows: [{ data: {} }] },
  'POST /api/emissions/{emission}/cancellation': { reason: 'x' },
  'POST /api/emissions/{emission}/restoration': { reason: 'x' },
  'POST /api/curriculums': { instituteId: things.institute, data: curriculumData() },
  'POST /api/curriculums/{curriculum}/cancellation': { reason: 'x' },
  'POST /api/academic-transcripts': newTranscript(things.institute),
  'POST /api/academic-transcripts/{transcript}/cancellation': { reason: 'x' },
  'POST /api/academic-transcripts/{transcript}/restoration': { reason: 'x' },
  'POST /api/documents/{document}/signatures': { certificate: 'AAAA' },
  'POST /api/documents/{document}/signatures/completion': { token: 'x', signature: 'AAAA' },
  'PUT /api/signer': { cpf: '11144477735' },
  'POST /api/signings/cloud': { documentIds: [things.document] },
  'POST /api/signings/token': { documentIds: [things.document] },
  'POST /api/documents/{document}/reopening': {},
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
  'POST /api/templates/preview': draft(),
})

/** The path of a route whose parameters are named after what they stand for. */
export const pathOf = (template: string, things: Made): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Made) => things[name])
