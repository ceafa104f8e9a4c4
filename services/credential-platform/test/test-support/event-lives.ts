// How each of the 38 types of events is caused over HTTP, and who is told. Nothing is put into the store: a type that no
// client can cause would have no row here.
import { DAY } from '@chancela/service-kernel/clock'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import type { Answer, Caller } from '@chancela/testkit/service-world'
import { expect, vi } from 'vitest'
import type { EventType } from '../../src/contract/event-types.ts'
import type { CredentialWorld } from './credential-world.ts'
import {
  clerk,
  concludedDegree,
  curriculumData,
  dean,
  documentationData,
  documentOf,
  newDegree,
  schoolAt,
  signAs,
  transcriptData,
} from './issuing.ts'
import { clock, pki, running } from './pki.ts'
import { instituteHears, organizationHears, type Receiver } from './receiving.ts'
import { issuer, registrar } from './registry.ts'
import { bookEntry, partnersAt, signAsClerk, soon, storeCertificate } from './two-institutes.ts'

/** Who is told, of which item of theirs, and where its state can be read. */
export interface Hearer {
  readonly receiver: Receiver
  /** The organization; none where it is an institution that is told. */
  readonly subscriptionId?: string
  path: string
}

/** One thing that is done, and what is told of it: to whom, of which type, with which data among the others. */
interface Step<Scene> {
  readonly by: string
  readonly told: readonly (readonly [hearer: string, type: EventType, data?: object])[]
  act(scene: Scene): Promise<unknown>
}

export interface Life {
  readonly name: string
  /** The clock goes years ahead, so that nobody signs afterwards. */
  readonly isLast?: boolean
  open(world: CredentialWorld): Promise<{ readonly hearers: Readonly<Record<string, Hearer>> }>
  readonly steps: readonly Step<never>[]
}

const life = <Scene extends { readonly hearers: Readonly<Record<string, Hearer>> }>(
  open: (world: CredentialWorld) => Promise<Scene>,
  steps: readonly Step<Scene>[],
) => ({ open, steps })

/** What is asked is done. */
async function done(asking: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await asking
  expect([status, body]).toEqual([expect.toSatisfy((code: number) => code < 300, 'is done'), body])
  return body
}

/** The id of the item in a path that has only the kind yet. */
const made = async (hearer: Hearer, asking: Promise<Answer>) => {
  hearer.path += `/${(await done(asking)).id}`
}

const idIn = (path: string): string => path.split('/').at(-1)!

const annulment = { reason: 'Data incorreta', cancellationReason: 'ErroDeFato' }

async function organization(caller: Caller & { readonly subscriptionId: string }, path: string): Promise<Hearer> {
  return { receiver: await organizationHears(caller), subscriptionId: caller.subscriptionId, path }
}

/** An organization that issues and registers, with its certificate stored. */
async function alone(world: CredentialWorld, path: string) {
  const school = await schoolAt(world)
  const own = await organization(school, path)
  return { ...school, world, own, hearers: { organization: own } }
}

type Alone = Awaited<ReturnType<typeof alone>>

const ask = ({ json, own }: Alone, name: string, body: object) => done(json('POST', `${own.path}/${name}`, body))

/** One asks for it, another confirms. */
async function askTwice(school: Alone, name: string, body: object) {
  await ask(school, name, body)
  return ask({ ...school, ...(await school.application('Administrador')) }, name, body)
}

const sign = async ({ own, ...school }: Alone, kind?: string, by = dean()) => {
  const document = await vi.waitUntil(() => documentOf(school, idIn(own.path), kind), soon)
  await done(signAs(school, document.id, by))
}

const degrees = life(
  (world) => alone(world, '/api/degrees'),
  [
    {
      by: 'a degree is asked for',
      told: [['organization', 'DegreeCreated', { status: 'Pending', reason: null, verificationCode: null }]],
      act: ({ own, json, instituteId }) => made(own, json('POST', own.path, newDegree(instituteId))),
    },
    {
      by: 'both of its XML are signed',
      told: [['organization', 'DegreeConcluded', { status: 'Concluded', verificationCode: expect.any(String) }]],
      act: async (school) => {
        await sign(school, 'academicDocumentation')
        await sign(school, 'degree', clerk())
      },
    },
    {
      by: 'it is suspended',
      told: [['organization', 'DegreeCanceledTemporarily', { status: 'CanceledTemporarily', reason: 'Em apuração' }]],
      act: (school) => ask(school, 'cancellation', { temporary: true, reason: 'Em apuração' }),
    },
    {
      by: 'two people restore it',
      told: [['organization', 'DegreeRestored', { status: 'Concluded', reason: 'Apurado' }]],
      act: (school) => askTwice(school, 'restoration', { reason: 'Apurado' }),
    },
    {
      by: 'two people annul it',
      told: [['organization', 'DegreeCanceled', { status: 'Canceled', ...annulment }]],
      act: (school) => askTwice(school, 'cancellation', annulment),
    },
  ],
)

const transcripts = life(
  (world) => alone(world, '/api/academic-transcripts'),
  [
    {
      by: 'a transcript is asked for',
      told: [['organization', 'AcademicTranscriptCreated', { status: 'Pending', type: 'Final' }]],
      act: ({ own, json, instituteId }) =>
        made(own, json('POST', own.path, { instituteId, type: 'Final', data: transcriptData() })),
    },
    {
      by: 'it is signed',
      told: [['organization', 'AcademicTranscriptConcluded', { status: 'Concluded', reason: null }]],
      act: (school) => sign(school),
    },
    {
      by: 'it is suspended',
      told: [['organization', 'AcademicTranscriptCanceledTemporarily', { reason: 'Nota em revisão' }]],
      act: (school) => ask(school, 'cancellation', { temporary: true, reason: 'Nota em revisão' }),
    },
    {
      by: 'it is restored, for which there is no type',
      told: [['organization', 'AcademicTranscriptConcluded', { status: 'Concluded', reason: 'Confirmada' }]],
      act: (school) => ask(school, 'restoration', { reason: 'Confirmada' }),
    },
    {
      by: 'it is canceled',
      told: [['organization', 'AcademicTranscriptCanceled', { status: 'Canceled', reason: 'De outra pessoa' }]],
      act: (school) => ask(school, 'cancellation', { reason: 'De outra pessoa' }),
    },
  ],
)

const curriculums = life(
  (world) => alone(world, '/api/curriculums'),
  [
    {
      by: 'a curriculum is asked for',
      told: [['organization', 'CurriculumCreated', { status: 'Pending', code: 'PED-2030' }]],
      act: ({ own, json, instituteId }) =>
        made(own, json('POST', own.path, { instituteId, data: curriculumData({ codigoCurriculo: 'PED-2030' }) })),
    },
    {
      by: 'it is signed',
      told: [['organization', 'CurriculumConcluded', { status: 'Concluded' }]],
      act: (school) => sign(school),
    },
    {
      by: 'it is canceled',
      told: [['organization', 'CurriculumCanceled', { status: 'Canceled', reason: 'Substituído' }]],
      act: (school) => ask(school, 'cancellation', { reason: 'Substituído' }),
    },
  ],
)

/** A faculty and the university that registers its degrees, both listening. */
async function exchange(world: CredentialWorld) {
  const partners = await partnersAt(world)
  await storeCertificate(partners.faculty, issuer)
  const hearers = {
    issuer: await organization(partners.faculty, '/api/emissions'),
    registrar: await organization(partners.university, '/api/registrations'),
    university: { receiver: await instituteHears(partners.university), path: '' },
  } satisfies Readonly<Record<string, Hearer>>
  return { world, ...partners, hearers }
}

type Exchange = Awaited<ReturnType<typeof exchange>>

const emit = ({ faculty, hearers }: Exchange) =>
  made(
    hearers.issuer,
    faculty.json('POST', '/api/emissions', { instituteId: faculty.instituteId, data: documentationData() }),
  )

const signEmission = async ({ faculty, hearers }: Exchange) =>
  done(signAs(faculty, (await documentOf(faculty, idIn(hearers.issuer.path))).id, dean()))

async function send({ faculty, university, hearers }: Exchange): Promise<void> {
  const request = { registrarInstituteId: university.instituteId, description: 'Turma de 2026' }
  await done(faculty.json('POST', `${hearers.issuer.path}/send`, request))
  const { items } = (await university.json('GET', '/api/registrations?status=AwaitingAcceptance')).body
  hearers.registrar.path += `/${items[0].id}`
}

const decide = (caller: Caller, { hearers }: Exchange, name: string, body?: object) =>
  done(caller.json('POST', `${hearers.registrar.path}/${name}`, body))

const beforeRegistrar: readonly Step<Exchange>[] = [
  {
    by: 'an emission is asked for',
    told: [['issuer', 'EmissionCreated', { status: 'Created', degreeId: null, reason: null }]],
    act: emit,
  },
  { by: 'it is signed', told: [['issuer', 'EmissionSigned', { status: 'Signed' }]], act: signEmission },
  {
    by: 'it is sent to the registrar',
    told: [
      ['issuer', 'EmissionSentToRegistry', { status: 'SentToRegistry' }],
      ['registrar', 'RegistrationCreated', { status: 'AwaitingAcceptance', description: 'Turma de 2026' }],
    ],
    act: send,
  },
]

const registrations = life(exchange, [
  ...beforeRegistrar,
  {
    by: 'the registrar accepts',
    told: [
      ['issuer', 'EmissionRegistrationAccepted', { status: 'SentToRegistry', registrationStatus: 'Accepted' }],
      ['registrar', 'RegistrationAccepted', { status: 'Accepted' }],
    ],
    act: (scene) => decide(scene.university.gerente, scene, 'acceptance'),
  },
  {
    by: 'the registrar approves',
    told: [
      ['issuer', 'EmissionRegistrationApproved', { registrationStatus: 'Approved' }],
      ['registrar', 'RegistrationApproved', { status: 'Approved' }],
    ],
    act: (scene) => decide(scene.university, scene, 'approval'),
  },
  {
    by: 'the registrar writes the book',
    told: [
      ['issuer', 'EmissionRegistrationRegistered', { registrationStatus: 'Registered', degreeId: null }],
      ['registrar', 'RegistrationRegistered', { status: 'Registered' }],
    ],
    act: (scene) => decide(scene.university.gerente, scene, 'registration', bookEntry()),
  },
  {
    by: 'the registrar signs',
    told: [
      ['issuer', 'EmissionRegistered', { status: 'Registered', degreeId: expect.any(String) }],
      ['registrar', 'RegistrationSigned', { status: 'Signed' }],
    ],
    act: ({ university, hearers }) => done(signAsClerk(university, idIn(hearers.registrar.path))),
  },
  {
    by: 'an inspection file is asked for while the institution has no certificate to sign it with',
    told: [['university', 'InspectionFileCreated', { status: 'Created', inspectedDegreesNumber: 1, details: null }]],
    act: async (scene) => {
      await withdrawCertificate(scene)
      await auxiliary(scene, 'inspection-files', { type: 'Registrar', startDate: '2026-08-01', endDate: '2026-08-31' })
    },
  },
  {
    by: 'the institution stores its certificate',
    told: [['university', 'InspectionFileSigned', { status: 'Signed', type: 'Registrar', iesCode: registrar.code }]],
    act: ({ university }) => storeCertificate(university, registrar),
  },
  {
    by: 'one is asked for of a period without degrees',
    told: [['university', 'InspectionFileGenerationError', { status: 'GenerationError', details: expect.any(String) }]],
    act: (scene) =>
      auxiliary(scene, 'inspection-files', { type: 'Registrar', startDate: '2020-01-01', endDate: '2020-01-31' }),
  },
  {
    by: 'two Administradores annul it',
    told: [
      ['issuer', 'EmissionRegistrationCanceled', { registrationStatus: 'Canceled' }],
      ['registrar', 'RegistrationCanceled', { status: 'Canceled', ...annulment }],
    ],
    act: async (scene) => {
      await decide(scene.university, scene, 'cancellation', annulment)
      await decide(await scene.university.application('Administrador'), scene, 'cancellation', annulment)
    },
  },
  {
    by: 'a list of annulled degrees is asked for while the institution has no certificate to sign it with',
    told: [
      ['university', 'CancellationListCreated', { status: 'Created', sequenceNumber: 1, iesCode: registrar.code }],
    ],
    act: async (scene) => {
      await withdrawCertificate(scene)
      await auxiliary(scene, 'cancellation-lists')
    },
  },
  {
    by: 'the institution stores its certificate',
    told: [['university', 'CancellationListSigned', { status: 'Signed', sequenceNumber: 1, iesName: registrar.name }]],
    act: ({ university }) => storeCertificate(university, registrar),
  },
])

const withdrawCertificate = ({ university: { json, instituteId } }: Exchange) =>
  done(json('DELETE', `/api/institutes/${instituteId}/certificate`))

/** Asks for a list or an inspection file of the university. */
function auxiliary({ university: { json, instituteId }, hearers }: Exchange, name: string, body?: object) {
  hearers.university.path = `/api/institutes/${instituteId}/${name}`
  return made(hearers.university, json('POST', hearers.university.path, body))
}

const rejected = life(exchange, [
  ...beforeRegistrar,
  {
    by: 'the registrar rejects',
    told: [
      ['issuer', 'EmissionRegistrationRejected', { registrationStatus: 'Rejected' }],
      ['registrar', 'RegistrationRejected', { status: 'Rejected', reason: 'Falta o RG' }],
    ],
    act: (scene) => decide(scene.university, scene, 'rejection', { reason: 'Falta o RG' }),
  },
  {
    by: 'the issuer cancels',
    told: [['issuer', 'EmissionCanceled', { status: 'Canceled', reason: 'Engano' }]],
    act: ({ faculty, hearers }) =>
      done(faculty.json('POST', `${hearers.issuer.path}/cancellation`, { reason: 'Engano' })),
  },
])

/** The workers look; what they find is the clock's. */
const lookAt = ({ world: { store } }: { readonly world: CredentialWorld }, days: number) => {
  clock.set(new Date(new Date(pki.certificate('tsa').x509.validTo).getTime() - days * DAY))
  return store.transaction((tx) => store.notify(tx, LOOK_NOW))
}

/** The timestamp authority gets a certificate that lives longer than its last one. */
const renewAuthority = () =>
  pki.issueService(
    'tsa',
    { name: 'Carimbo do Tempo', issuer: 'level-2', key: 'RSA-2048', usage: 'timeStamping', policy: 'T3' },
    pki.certificate('tsa').key,
  )

const restamps = life(
  async (world) => {
    const scene = await alone(world, '/api/restamps')
    const { id } = await concludedDegree(scene, { createAcademicTranscript: false })
    return { ...scene, degreeId: id }
  },
  [
    {
      by: 'the archive of a degree ends in half a year',
      told: [['organization', 'RestampCreated', { status: 'Scheduled', errorReason: null }]],
      act: async (scene) => {
        await lookAt(scene, 179)
        const found = async () => (await scene.json('GET', '/api/restamps')).body.items
        const mine = (one: { readonly documentType: string }) => one.documentType === 'Degree'
        await vi.waitUntil(async () => (await found()).some(mine), soon)
        scene.own.path += `/${(await found()).find(mine).id}`
      },
    },
    {
      by: 'it is due and no authority answers',
      told: [['organization', 'RestampApplyingError', { errorReason: expect.any(String) }]],
      act: (scene) => {
        running.faults.set('tsa', { kind: 'http-500' })
        return lookAt(scene, 89)
      },
    },
    {
      by: 'somebody has it tried again',
      told: [['organization', 'RestampUpdated', { status: 'Scheduled' }]],
      act: (scene) => ask(scene, 'retry', {}),
    },
    {
      by: 'an authority with a newer certificate answers',
      told: [['organization', 'RestampApplied', { status: 'Applied', errorReason: null }]],
      act: async ({ world: { store } }) => {
        running.faults.clear()
        await renewAuthority()
        await store.transaction((tx) => store.notify(tx, LOOK_NOW))
      },
    },
  ],
)

export const lives: readonly Life[] = [
  { name: 'a degree', ...degrees },
  { name: 'a transcript', ...transcripts },
  { name: 'a curriculum', ...curriculums },
  { name: 'an emission that is registered, and what the registrar publishes', ...registrations },
  { name: 'an emission that is rejected and canceled', ...rejected },
  { name: 'the renewal of an archive', ...restamps, isLast: true },
]
