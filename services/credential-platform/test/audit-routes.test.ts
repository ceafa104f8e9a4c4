// Who did it, and from where: every route that changes something leaves an event that says so. One that is added later
// fails here until it is called below, or is listed with the reason why it is not.
import { routesOf } from '@chancela/service-kernel/http'
import { callerOf } from '@chancela/testkit/service-world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eventTexts } from '../src/rules/event-texts.ts'
import { credentialSurface } from '../src/surfaces.ts'
import {
  cookieOf,
  databases,
  instituteOf,
  type Organization,
  organizationAt,
  PASSWORD,
  personOf,
  sharedPlatform,
  testOnce,
} from './test-support/credential-world.ts'
import { curriculumData } from './test-support/issuing.ts'
import { clock, fileOf, issueInstitution, signingSettings } from './test-support/pki.ts'
import { bodies, fixture, type Made, pathOf, plainRoute } from './test-support/route-fixture.ts'
import { sampleFlow, sampleTemplate } from './test-support/samples.ts'

/** The client behind the proxy. */
const ADDRESS = '203.0.113.7'

interface Site {
  readonly organization: Organization
  readonly things: Made
}

/** What is sent where the body that gets a caller in changes nothing. */
type Body = (site: Site) => object | Promise<object>

/** What has to be done before; and what the path names, if not one of the fixture. */
type Before = (site: Site) => Promise<Partial<Made>>

type Deed = readonly [event: string, changed: 'changed' | 'same', body?: Body | undefined, before?: Before]

const hook = () => ({ enabled: true, url: 'https://127.0.0.1:9/hook', authType: 'Bearer', token: 'segredo-do-webhook' })

const hooked: Before = async ({ organization: { json }, things: { subscription, institute } }) => {
  await json('PUT', `/api/subscriptions/${subscription}/webhook`, hook())
  await json('POST', `/api/institutes/${institute}/integrations`, hook())
  return {}
}

/** Each route with the event that it leaves, and whether that says what was and what is. */
const deeds: Readonly<Record<string, Deed>> = {
  'PUT /api/subscriptions/{subscription}/webhook': ['WebhookConfigured', 'changed', hook],
  'POST /api/subscriptions/{subscription}/webhook/test': ['WebhookTested', 'same', undefined, hooked],
  'POST /api/institutes/{institute}/integrations': ['WebhookConfigured', 'changed', hook],
  'POST /api/webhooks/resend': [
    'WebhookResent',
    'same',
    ({ things: { transcript } }) => ({ kind: 'AcademicTranscript', ids: [transcript] }),
    hooked,
  ],
  'PUT /api/subscriptions/{subscription}/document-platform': [
    'DocumentPlatformConnected',
    'changed',
    () => ({ enabled: false, url: 'http://127.0.0.1:10', apiKey: 'chave-da-plataforma' }),
  ],
  'DELETE /api/subscriptions/{subscription}/document-platform': ['DocumentPlatformDisconnected', 'changed'],
  'POST /api/users': ['UserInvited', 'changed'],
  'PUT /api/users/{user}': ['UserChanged', 'changed', () => ({ role: 'Administrador' })],
  'POST /api/users/{user}/invitation': ['UserInvited', 'same'],
  'DELETE /api/users/{user}': ['UserRemoved', 'changed'],
  'POST /api/applications': ['ApplicationCreated', 'changed'],
  'PUT /api/applications/{application}': ['ApplicationChanged', 'changed', () => ({ role: 'Administrador' })],
  'POST /api/applications/{application}/keys': ['ApplicationKeyCreated', 'changed'],
  'DELETE /api/applications/{application}/keys/{key}': ['ApplicationKeyRevoked', 'changed'],
  'DELETE /api/applications/{application}': ['ApplicationDeleted', 'changed'],
  'POST /api/institutes': ['InstituteCreated', 'changed'],
  'PUT /api/institutes/{institute}': ['InstituteChanged', 'changed'],
  'DELETE /api/institutes/{institute}': [
    'InstituteDeleted',
    'changed',
    undefined,
    async ({ organization }) => ({ institute: (await instituteOf(organization)).id }),
  ],
  'PUT /api/institutes/{institute}/certificate': [
    'InstituteCertificateStored',
    'changed',
    async () => fileOf(await issueInstitution()),
  ],
  'DELETE /api/institutes/{institute}/certificate': ['InstituteCertificateDeleted', 'changed'],
  'POST /api/institutes/{institute}/wallet-keys': ['WalletKeyCreated', 'changed'],
  'DELETE /api/institutes/{institute}/wallet-keys/{walletKey}': ['WalletKeyRevoked', 'changed'],
  'PUT /api/institutes/{institute}/registry-settings': [
    'RegistrySettingsChanged',
    'changed',
    () => ({
      requireTwoPeople: false,
      annulledListDays: 11,
    }),
  ],
  'POST /api/partnerships': [
    'PartnershipProposed',
    'changed',
    async ({ organization, things: { institute } }) => ({
      issuerInstituteId: institute,
      registrarInstituteId: (await instituteOf(organization)).id,
    }),
  ],
  'DELETE /api/partnerships/{partnership}': ['PartnershipEnded', 'changed'],
  'POST /api/courses': ['CourseCreated', 'changed'],
  'PUT /api/courses/{course}': ['CourseChanged', 'changed'],
  'DELETE /api/courses/{course}': ['CourseDeleted', 'changed'],
  'POST /api/flows': ['FlowCreated', 'changed'],
  'PUT /api/flows/{flow}': ['FlowChanged', 'changed', () => ({ ...sampleFlow(), name: crypto.randomUUID() })],
  'DELETE /api/flows/{flow}': ['FlowDeleted', 'changed'],
  'POST /api/templates': ['TemplateCreated', 'changed'],
  'PUT /api/templates/{template}': [
    'TemplateChanged',
    'changed',
    () => ({ ...sampleTemplate(), name: crypto.randomUUID() }),
  ],
  'DELETE /api/templates/{template}': ['TemplateDeleted', 'changed'],
  'POST /api/degrees': ['DegreeCreated', 'same'],
  'POST /api/emissions': ['EmissionCreated', 'same'],
  'POST /api/curriculums': [
    'CurriculumCreated',
    'same',
    ({ things: { institute } }) => ({
      instituteId: institute,
      data: { ...curriculumData(), codigoCurriculo: crypto.randomUUID() },
    }),
  ],
  'POST /api/academic-transcripts': ['AcademicTranscriptCreated', 'same'],
  'POST /api/degrees/{degree}/cancellation': ['DegreeCanceled', 'changed'],
  'POST /api/emissions/{emission}/cancellation': ['EmissionCanceled', 'changed'],
  'POST /api/curriculums/{curriculum}/cancellation': ['CurriculumCanceled', 'changed'],
  'POST /api/academic-transcripts/{transcript}/cancellation': ['AcademicTranscriptCanceled', 'changed'],
  'POST /api/degrees/batches?instituteId={institute}': ['BatchCreated', 'same'],
  'POST /api/emissions/batches?instituteId={institute}': ['BatchCreated', 'same'],
  'POST /api/academic-transcripts/batches?type=Final&instituteId={institute}': ['BatchCreated', 'same'],
  'POST /api/registrations/{registration}/acceptance': ['RegistrationAccepted', 'changed'],
  'POST /api/registrations/{registration}/approval': [
    'RegistrationApproved',
    'changed',
    undefined,
    // Two people are asked for: another accepts it.
    async ({ organization, things: { registration } }) => {
      await organization.operator.json('POST', `/api/registrations/${registration}/acceptance`)
      return {}
    },
  ],
  'POST /api/registrations/{registration}/rejection': ['RegistrationRejected', 'changed'],
  'POST /api/registrations/{registration}/cancellation': ['RegistrationCanceled', 'changed'],
  'POST /api/restamps/{restamp}/retry': ['RestampRetried', 'changed'],
  'POST /api/institutes/{institute}/cancellation-lists': ['CancellationListCreated', 'same'],
  'POST /api/institutes/{institute}/inspection-files': ['InspectionFileRequested', 'same'],
}

/** What a person does, with their own session; the event is of the accounts that all consoles share. */
const ofPeople: Readonly<Record<string, string>> = {
  'POST /api/session': 'AdministratorSignedIn',
  'PUT /api/session/password': 'PasswordChanged',
  'DELETE /api/session/sessions/{id}': 'SessionsEnded',
  'DELETE /api/session/sessions': 'SessionsEnded',
  'POST /api/session/invitation': 'InvitationAccepted',
  'PUT /api/signer': 'SignerChanged',
}

const ofTheOperator: Readonly<Record<string, string>> = {
  'POST /api/subscriptions': 'SubscriptionCreated',
  'PUT /api/subscriptions/{subscription}': 'SubscriptionChanged',
}

interface EventSeen {
  readonly type: string
  readonly address: string | null
  readonly actor: { readonly type: string }
}

const told = (changed: 'changed' | 'same') =>
  expect.objectContaining({
    address: ADDRESS,
    actor: {
      type: expect.stringMatching(/^(application|user|system)$/),
      id: expect.any(String),
      name: expect.any(String),
    },
    changes: changed === 'changed' ? { before: expect.any(Object), after: expect.any(Object) } : null,
  })

/** What they need is in the file named. */
const toldElsewhere: Readonly<Record<string, string>> = {
  'POST /api/partnerships/{partnership}/acceptance': 'partnerships.test.ts: by the other organization',
  'POST /api/documents/{document}/signatures/completion': 'own-degrees.test.ts: DocumentSigned, with a key',
  'POST /api/documents/{document}/reopening': 'document-platform-signing.test.ts: a signing that failed',
  'POST /api/academic-transcripts/{transcript}/restoration': 'suspensions.test.ts: one that was suspended',
  'POST /api/degrees/{degree}/restoration': 'suspensions.test.ts: one that was suspended',
  'POST /api/emissions/{emission}/restoration': 'suspensions.test.ts: one that was canceled',
  'POST /api/degrees/{degree}/wallet-offers': 'wallet-offers.test.ts: a degree that was concluded',
  'POST /api/academic-transcripts/{transcript}/wallet-offers': 'wallet-offers.test.ts: one that was concluded',
  'POST /api/degrees/{degree}/representation': 'templates.test.ts: a degree that was concluded',
  'POST /api/academic-transcripts/{transcript}/representation': 'templates.test.ts: one that was concluded',
  'POST /api/curriculums/{curriculum}/representation': 'templates.test.ts: one that was concluded',
  'POST /api/degrees/{degree}/academic-transcript': 'transcripts.test.ts: AcademicTranscriptCreated, of a degree',
  'POST /api/degrees/batches/{degreeBatch}/cancellation': 'batches.test.ts: one that is under way',
  'POST /api/emissions/batches/{emissionBatch}/cancellation': 'batches.test.ts: one that is under way',
  'POST /api/academic-transcripts/batches/{transcriptBatch}/cancellation': 'batches.test.ts: one that is under way',
  'POST /api/registrations': 'registrations.test.ts: RegistrationCreated, with a file',
  'POST /api/registrations/{registration}/registration': 'registrations.test.ts: RegistrationRegistered, with a file',
  'POST /api/emissions/{emission}/send': 'registrations.test.ts: EmissionSentToRegistry, with a signed one',
  'POST /api/emissions/{emission}/registered-xml': 'registrations.test.ts: EmissionRegistered, with a file',
  'POST /api/session/second-factor': 'people.test.ts; nothing is set before the code is confirmed',
  'PUT /api/session/second-factor': 'people.test.ts: SecondFactorEnrolled, as every console',
  'POST /api/session/proof': 'people.test.ts; wrong ones are told as wrong sign-ins are',
}

/** They read, or leave nothing that outlives the call. */
const silent: Readonly<Record<string, string>> = {
  'POST /api/degrees/check': 'it looks at a form',
  'POST /api/emissions/check': 'it looks at a form',
  'POST /api/curriculums/check': 'it looks at a form',
  'POST /api/academic-transcripts/check': 'it looks at a form',
  'POST /api/templates/preview': 'it draws a draft, and keeps nothing',
  'POST /api/subscriptions/{subscription}/document-platform/test': 'it asks the platform whether it answers',
  'POST /api/degrees/webhook': 'a platform tells that there is news, which is fetched',
  'POST /api/documents/{document}/signatures': 'it prepares what the completion ends',
  'POST /api/signings/cloud': 'it begins what ends as DocumentSigned',
  'POST /api/signings/token': 'it begins what ends as DocumentSigned',
  'POST /api/signings/{signing}/look': 'it looks at once instead of soon',
  'DELETE /api/signings/{signing}': 'it ends what had signed nothing',
  'DELETE /api/session': 'the session is gone from the list',
  'POST /public/verify': 'it looks at a file',
  'POST /wallet/{ticket}': 'a wallet takes what the organization offered',
}

const changing = (app: Parameters<typeof routesOf>[0]): string[] =>
  routesOf(app)
    .filter(({ route }) => route.method !== 'GET')
    .map(({ route, template }) => plainRoute(`${route.method} ${template}`))

for (const database of databases)
  describe(`every route that may change something, on ${database}`, () => {
    const open = sharedPlatform(database, { ...signingSettings, Http: { TrustedProxies: ['127.0.0.1'] } }, clock)
    const once = testOnce(database)

    once('is told of, or it is said why not', () => {
      const said = [deeds, ofPeople, ofTheOperator, toldElsewhere, silent].flatMap((table) => Object.keys(table))
      expect(said.map(plainRoute).toSorted()).toEqual(changing(open().apps[credentialSurface.name]!).toSorted())
    })

    once('is told of in a sentence of both languages', () => {
      const types = Object.values(deeds).map(([type]) => type)
      expect(types.filter((type) => !Object.hasOwn(eventTexts, type))).toEqual([])
    })

    once('tells who did it, from where, and what was and what is', async () => {
      const world = open()
      const found: Record<string, unknown> = {}
      for (const [route, [type, , body, before]] of Object.entries(deeds)) {
        const organization = await organizationAt(world)
        const made = await fixture(world, organization)
        const things = { ...made, ...(await before?.({ organization, things: made })) }
        const { json } = callerOf(world.baseUrl, { 'X-Api-Key': organization.apiKey, 'X-Forwarded-For': ADDRESS })
        const [method, template] = route.split(' ') as [string, string]
        const sent = (await body?.({ organization, things })) ?? bodies(things)[route]
        const { status, text } = await json(method, pathOf(template, things), sent)
        const { items } = (await json('GET', '/api/events?pageSize=5')).body
        const event = items.find((item: { type: string }) => item.type === type)
        found[route] = status < 300 ? (event ?? items.map((item: { type: string }) => item.type)) : text
        expect(JSON.stringify(event) ?? '').not.toMatch(/segredo-do-webhook|chave-da-plataforma|password|BEGIN/)
      }
      expect(found).toEqual(
        Object.fromEntries(Object.entries(deeds).map(([route, [, changed]]) => [route, told(changed)])),
      )
    })

    test('tells what people do with their sessions, and what the operator does', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const person = await personOf(world, organization, 'Administrador')
      const at = (headers: object) => callerOf(world.baseUrl, { ...headers, 'X-Forwarded-For': ADDRESS })
      const signedIn = async () => {
        const credentials = { email: person.email, password: PASSWORD }
        return at({ cookie: cookieOf((await at({}).json('POST', '/api/session', credentials)).headers) })
      }
      const browser = await signedIn()
      await signedIn()
      const { body: sessions } = await browser.json('GET', '/api/session/sessions')
      const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
      await browser.json('DELETE', `/api/session/sessions/${id}`)
      await signedIn()
      await browser.json('DELETE', '/api/session/sessions')
      await browser.json('PUT', '/api/signer', { cpf: '11144477735' })
      const events = async () => (await browser.json('GET', '/api/events?pageSize=20')).body.items
      expect((await events())[0]).toMatchObject({
        type: 'SignerChanged',
        address: ADDRESS,
        actor: { type: 'user', name: 'Ana Souza' },
        changes: { before: { cpf: null }, after: { cpf: '11144477735' } },
      })
      const password = { password: PASSWORD, newPassword: 'outra senha bem longa de teste' }
      await browser.json('PUT', '/api/session/password', password)
      const { rows } = await sql<{ type: string; address: string }>`select type, address from audit_event
        where actor = ${person.email} and address = ${ADDRESS}`.execute(world.store.db)
      const ofConsoles = ['AdministratorSignedIn', 'PasswordChanged', 'SessionsEnded', 'SessionsEnded']
      expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(ofConsoles))
    })

    test('tells which client accepted an invitation, and which one the operator has', async () => {
      const world = open()
      const operator = callerOf(world.baseUrl, { 'X-Api-Key': world.systemKey, 'X-Forwarded-For': ADDRESS })
      const { id } = (await operator.json('POST', '/api/subscriptions', { name: crypto.randomUUID() })).body
      await operator.json('PUT', `/api/subscriptions/${id}`, { disabled: false, name: `Outro ${id}` })
      const own = { 'X-Subscription': id }
      const invited = { name: 'Ana Souza', email: `${crypto.randomUUID()}@example.com`, role: 'Gerente' }
      const { body: user } = await operator.json('POST', '/api/users', invited, own)
      const ticket = new URL(user.invitationUrl).searchParams.get('ticket')
      const client = callerOf(world.baseUrl, { 'X-Forwarded-For': ADDRESS })
      expect((await client.json('POST', '/api/session/invitation', { ticket, password: PASSWORD })).status).toBe(200)
      const { items } = (await operator.json('GET', '/api/events', undefined, own)).body
      const told = items.map(({ type, address, actor }: EventSeen) => [type, actor.type, address])
      expect(told).toEqual([
        ['InvitationAccepted', 'user', ADDRESS],
        ['UserInvited', 'system', ADDRESS],
        ['SubscriptionChanged', 'system', ADDRESS],
        ['SubscriptionCreated', 'system', ADDRESS],
      ])
      expect(items[2].changes.after).toEqual({ name: `Outro ${id}` })
    })
  })
