// A degree between two institutions: sent, judged, registered, signed, returned, annulled (credentials-platform facts 2).

import { Certificate } from '@chancela/signature-engine/x509'
import { startReceiver } from '@chancela/testkit/receiver'
import { callerOf, readAnswer } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { databases, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { clock, pki, signingSettings } from './test-support/pki.ts'
import {
  closedAnyhow,
  closedDegree,
  closedDocumentation,
  documentation,
  issuer,
  registrar,
} from './test-support/registry.ts'
import {
  bookEntry,
  partnersAt,
  registered,
  type School,
  signAsClerk,
  signedEmission,
  signedRegistration,
  soon,
  upload,
} from './test-support/two-institutes.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const types = ({ received }: Receiver): string[] => received.map(({ body }) => JSON.parse(body).type)

/** The organization is told of everything from now on. */
async function listening({ json, subscriptionId }: School): Promise<Receiver> {
  const receiver = await startReceiver()
  const path = `/api/subscriptions/${subscriptionId}/webhook`
  expect((await json('PUT', path, { enabled: true, url: receiver.url })).status).toBe(200)
  return receiver
}

/** One change after the other: what is told is the state when it is sent. */
const told = (receiver: Receiver, type: string) => vi.waitUntil(() => types(receiver).includes(type), soon)

for (const database of databases) {
  describe(`registrations on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    test('go from the issuer to the registrar and back, and both are told of every step', async () => {
      const world = open()
      const partners = await partnersAt(world)
      const { faculty, university } = partners
      const [issuerHears, registrarHears] = [await listening(faculty), await listening(university)]
      const documented = await closedDocumentation()
      const emissionId = await signedEmission(world, faculty, documented)
      const sent = await faculty.json('POST', `/api/emissions/${emissionId}/send`, {
        registrarInstituteId: university.instituteId,
        description: 'Turma de 2026',
      })
      expect([sent.status, sent.body.status, sent.body.registrationStatus]).toEqual([
        200,
        'SentToRegistry',
        'AwaitingAcceptance',
      ])
      await told(issuerHears, 'EmissionSentToRegistry')
      await told(registrarHears, 'RegistrationCreated')
      const again = { registrarInstituteId: university.instituteId }
      expect((await faculty.json('POST', `/api/emissions/${emissionId}/send`, again)).body.code).toBe(
        'invalid-transition',
      )

      const list = (await university.json('GET', '/api/registrations?q=maria&status=AwaitingAcceptance')).body
      expect(list.items).toHaveLength(1)
      const { id } = list.items[0]
      expect(list.items[0]).toMatchObject({ description: 'Turma de 2026', issuingIes: issuer.name, version: '1.05' })
      expect((await faculty.json('GET', `/api/registrations/${id}`)).status).toBe(404)
      const path = `/api/registrations/${id}`
      const early = await university.json('POST', `${path}/approval`)
      expect([early.status, early.body.code]).toEqual([409, 'invalid-transition'])
      expect(early.body.errors.status).toEqual(['is AwaitingAcceptance; this needs Accepted'])

      expect((await university.gerente.json('POST', `${path}/acceptance`)).body.status).toBe('Accepted')
      await told(issuerHears, 'EmissionRegistrationAccepted')
      await told(registrarHears, 'RegistrationAccepted')
      const alone = await university.gerente.json('POST', `${path}/approval`)
      expect([alone.status, alone.body.code]).toEqual([409, 'second-person-required'])
      expect((await university.json('POST', `${path}/approval`)).body.status).toBe('Approved')
      await told(issuerHears, 'EmissionRegistrationApproved')
      await told(registrarHears, 'RegistrationApproved')

      const backwards = bookEntry({ dataRegistroDiploma: '2026-01-01' })
      const wrong = await university.json('POST', `${path}/registration`, backwards)
      expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid-data'])
      const entry = bookEntry()
      expect((await university.json('POST', `${path}/registration`, entry)).body.status).toBe('Registered')
      await told(issuerHears, 'EmissionRegistrationRegistered')
      await told(registrarHears, 'RegistrationRegistered')
      expect((await university.json('POST', `${path}/registration`, entry)).body.code).toBe('invalid-transition')

      await signedRegistration(partners, id)
      await told(issuerHears, 'EmissionRegistered')
      await told(registrarHears, 'RegistrationSigned')
      const degree = (
        await world.store.db.selectFrom('degree').selectAll().where('emission_id', '=', emissionId).execute()
      )[0]!
      expect(degree).toMatchObject({
        status: 'Concluded',
        registering_ies: registrar.name,
        subscription_id: faculty.subscriptionId,
      })
      const lastEmission = issuerHears.received
        .map(({ body }) => JSON.parse(body))
        .find(({ type }) => type === 'EmissionRegistered')
      expect(lastEmission.data.degreeId).toBe(degree.id)
      const code = degree.verification_code!
      expect(code).toMatch(new RegExp(`^${issuer.code}\\.${registrar.code}\\.[0-9a-f]{12}$`))

      const xml = await university.call('GET', `${path}/files/public-xml`)
      const bytes = Buffer.from(await xml.arrayBuffer())
      const node = (text: Buffer) => /<DadosDiploma .*<\/DadosDiploma>/s.exec(text.toString())![0]
      expect(node(bytes)).toBe(node(documented))
      const root = Certificate.read(pki.certificate('root').der)
      expect(await xmlsecVerdicts(bytes, root, clock())).toEqual(Array(4).fill('OK'))
      expect((await callerOf(world.baseUrl).json('GET', `/${code}`)).body).toMatchObject({
        status: 'Valid',
        registeringIes: { name: registrar.name, code: registrar.code },
        hasRepresentation: true,
      })
      const shown = await callerOf(world.baseUrl).call('GET', `/${code}/rvdd`)
      expect([shown.status, (await shown.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
      const report = await readAnswer(
        await callerOf(world.baseUrl).call('POST', '/public/verify', {
          body: bytes,
          headers: { 'content-type': 'application/xml' },
        }),
      )
      expect(report.body).toMatchObject({ verdict: 'accepted', code, known: true, sameAsIssued: true })

      // Annulled by the registrar: an Administrador, for a reason of the norm, and two of them.
      const annulment = { reason: 'Documento falso', cancellationReason: 'ErroDeFato' }
      const cancel = `${path}/cancellation`
      expect((await university.gerente.json('POST', cancel, annulment)).status).toBe(403)
      expect((await university.json('POST', cancel, { reason: 'x' })).body.code).toBe('invalid-data')
      const proposed = await university.json('POST', cancel, annulment)
      expect([proposed.status, proposed.body.status]).toEqual([202, 'Signed'])
      expect((await university.json('POST', cancel, annulment)).body.code).toBe('second-person-required')
      const second = await university.application('Administrador')
      const annulled = await second.json('POST', cancel, annulment)
      expect([annulled.status, annulled.body]).toEqual([
        200,
        expect.objectContaining({ status: 'Canceled', cancellationReason: 'ErroDeFato' }),
      ])
      await told(registrarHears, 'RegistrationCanceled')
      await told(issuerHears, 'EmissionRegistrationCanceled')
      await told(issuerHears, 'DegreeCanceled')
      expect((await callerOf(world.baseUrl).json('GET', `/${code}`)).body).toMatchObject({
        status: 'Annulled',
        statusReason: 'Erro de Fato: Documento falso',
      })
    })

    once(
      'a degree that came of a request is annulled there, although issuer and registrar are one organization',
      async () => {
        const { faculty } = await partnersAt(open())
        const { items, instituteId } = faculty
        const emission_id = await items.create('Emission', { status: 'Registered' }, true)
        await items.create('Registration', { status: 'Signed', emission_id }, true)
        const concluded = { status: 'Concluded', emission_id, registrar_institute_id: instituteId }
        const degree = await items.create('Degree', concluded, true)
        const annulment = { reason: 'Documento falso', cancellationReason: 'ErroDeFato' }
        const refused = await faculty.json('POST', `/api/degrees/${degree}/cancellation`, annulment)
        expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
        expect((await faculty.json('GET', `/api/degrees/${degree}`)).body.status).toBe('Concluded')
      },
    )

    once('a rejection is final for the request, and the issuer sends another', async () => {
      const world = open()
      const { faculty, university } = await partnersAt(world)
      const hears = [await listening(faculty), await listening(university)] as const
      const documented = await closedDocumentation()
      const emissionId = await signedEmission(world, faculty, documented)
      const send = () =>
        faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
      await send()
      const open1 = (await university.json('GET', '/api/registrations')).body.items[0]
      expect((await university.json('POST', `/api/registrations/${open1.id}/rejection`, {})).status).toBe(400)
      const rejected = await university.json('POST', `/api/registrations/${open1.id}/rejection`, {
        reason: 'Falta o RG',
      })
      expect(rejected.body).toMatchObject({ status: 'Rejected', reason: 'Falta o RG' })
      await told(hears[0], 'EmissionRegistrationRejected')
      await told(hears[1], 'RegistrationRejected')
      expect((await university.json('POST', `/api/registrations/${open1.id}/acceptance`)).body.code).toBe(
        'invalid-transition',
      )
      expect((await send()).body.registrationStatus).toBe('AwaitingAcceptance')
      expect((await university.json('GET', '/api/registrations')).body.items).toHaveLength(2)
    })

    once('what one side cancels is canceled on the other', async () => {
      const world = open()
      const partners = await partnersAt(world)
      const { faculty, university } = partners
      const hears = [await listening(faculty), await listening(university)] as const
      const emissionId = await signedEmission(world, faculty, await closedDocumentation())
      await faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
      const { id } = (await university.json('GET', '/api/registrations')).body.items[0]
      await registered(partners, id)
      const path = `/api/registrations/${id}/cancellation`
      const unfit = await university.json('POST', path, { reason: 'x', cancellationReason: 'ErroDeFato' })
      expect(unfit.body.code).toBe('invalid-data')
      expect((await university.json('POST', path, { reason: 'Pedido em duplicidade' })).body.status).toBe('Canceled')
      await told(hears[0], 'EmissionRegistrationCanceled')
      await told(hears[0], 'EmissionCanceled')
      await told(hears[1], 'RegistrationCanceled')
      const row = await world.store.db
        .selectFrom('emission')
        .selectAll()
        .where('id', '=', emissionId)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({
        status: 'Canceled',
        status_before: 'SentToRegistry',
        registration_status: 'Canceled',
        registration_cancellation_reason: 'Pedido em duplicidade',
      })
      // Nobody signs what was canceled.
      expect((await signAsClerk(university, id)).status).toBeGreaterThanOrEqual(400)
    })

    once('an issuer that cancels takes its request back; restored, the emission is sent anew', async () => {
      const world = open()
      const { faculty, university } = await partnersAt(world)
      const hears = await listening(university)
      const emissionId = await signedEmission(world, faculty, await closedDocumentation())
      const send = () =>
        faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
      await send()
      const canceled = await faculty.json('POST', `/api/emissions/${emissionId}/cancellation`, {
        reason: 'Nome errado',
      })
      expect(canceled.body.status).toBe('Canceled')
      await told(hears, 'RegistrationCanceled')
      const [request] = (await university.json('GET', '/api/registrations')).body.items
      expect(request).toMatchObject({ status: 'Canceled', reason: 'Cancelado pela instituição emissora.' })
      const acceptance = await university.json('POST', `/api/registrations/${request.id}/acceptance`)
      expect(acceptance.body.code).toBe('invalid-transition')
      expect((await send()).body.code).toBe('invalid-transition')
      await faculty.json('POST', `/api/emissions/${emissionId}/restoration`, { reason: 'Conferido' })
      expect((await send()).body).toMatchObject({ status: 'SentToRegistry', registrationStatus: 'AwaitingAcceptance' })
    })

    once('a document is refused for its own reason, and nothing of it is kept', async () => {
      const world = open()
      const { faculty, university } = await partnersAt(world)
      const documented = await closedDocumentation()
      const text = documented.toString()
      const reasons = async (bytes: Buffer | string) => {
        const { status, body } = await upload(university, university.instituteId, bytes)
        expect([status, body.code]).toEqual([422, 'document-refused'])
        return Object.keys(body.errors)
      }
      const signatures = text.match(/<ds:Signature .*?<\/ds:Signature>/gs)!
      const swapped = text
        .replace(signatures[0]!, '%0')
        .replace(signatures[1]!, '%1')
        .replace('%0', () => signatures[1]!)
        .replace('%1', () => signatures[0]!)
      expect(await reasons(text.replace('Maria da', 'Mario da'))).toContain('content-altered')
      expect(await reasons(text.replaceAll('><', '>\n<'))).toContain('document-reformatted')
      expect(await reasons(swapped)).toContain('signature-order')
      expect(await reasons(documentation())).toContain('signature-missing')
      expect(await reasons(text.replace(/<ds:Signature .*?<\/ds:Signature>/s, ''))).toContain('content-altered')
      expect(await reasons(await closedDegree(documented))).toContain('kind-unexpected')
      expect(await reasons('no XML')).toContain('not-xml')
      expect(await reasons(await closedAnyhow({ institution: registrar }))).toEqual(['cnpj-mismatch'])
      const over = await closedAnyhow({ person: pki.certificate('expired') })
      expect(await reasons(over)).toContain('certificate-expired')
      const other = { name: 'Faculdade Desconhecida', code: '777', cnpj: '22333444000181' }
      const stranger = await upload(university, university.instituteId, await closedDocumentation({ issuer: other }))
      expect([stranger.status, stranger.body.code]).toEqual([422, 'partnership-required'])
      const byIssuer = await upload(faculty, faculty.instituteId, documented)
      expect(byIssuer.body.code).toBe('invalid-data')
      expect((await upload(faculty, university.instituteId, documented)).body.code).toBe('institute-not-found')
      const unknown = await upload(university, university.instituteId, documented, { colour: 'red' })
      expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([400, ['colour']])
      expect((await university.json('GET', '/api/registrations')).body.items).toEqual([])

      const key = { 'Idempotency-Key': crypto.randomUUID() }
      const taken = await upload(university, university.instituteId, documented, { description: 'Lote 1' }, key)
      expect([taken.status, taken.body.status]).toEqual([201, 'AwaitingAcceptance'])
      const repeated = await upload(university, university.instituteId, documented, { description: 'Lote 1' }, key)
      expect(repeated.body.id).toBe(taken.body.id)
      const twice = await upload(university, university.instituteId, documented)
      expect([twice.status, twice.body.code]).toEqual([409, 'already-exists'])
    })

    once("a line of the book is written once, and a code is nobody else's", async () => {
      const partners = await partnersAt(open())
      const { university } = partners
      const entry = bookEntry()
      const ids = []
      for (const bytes of [await closedDocumentation(), await closedDocumentation()])
        ids.push((await upload(university.gerente, university.instituteId, bytes)).body.id)
      expect((await registered(partners, ids[0], entry)).status).toBe(200)
      const taken = await registered(partners, ids[1], entry)
      expect([taken.status, taken.body.code]).toEqual([409, 'already-exists'])
      expect((await university.json('POST', `/api/registrations/${ids[1]}/registration`, bookEntry())).status).toBe(200)
    })

    once('the issuer brings a degree that was registered elsewhere, and every check is made', async () => {
      const world = open()
      const { faculty, university } = await partnersAt(world)
      const documented = await closedDocumentation()
      const emissionId = await signedEmission(world, faculty, documented)
      const bring = async (bytes: Buffer) =>
        readAnswer(
          await faculty.call('POST', `/api/emissions/${emissionId}/registered-xml`, {
            body: Uint8Array.from(bytes),
            headers: { 'content-type': 'application/xml' },
          }),
        )
      const degree = await closedDegree(documented)
      expect((await bring(degree)).body.code).toBe('invalid-transition')
      await faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
      const codes = async (bytes: Buffer) => Object.keys((await bring(bytes)).body.errors)
      expect(await codes(await closedDegree(await closedDocumentation()))).toContain('degree-data-differs')
      const another = { name: 'Outra Universidade', code: '999', cnpj: '22333444000181' }
      expect(await codes(await closedDegree(documented, { registrar: another }))).toContain('institution-unexpected')
      expect(await codes(Buffer.from(degree.toString().replace('L-2026/3', 'L-2026/4')))).toContain('content-altered')
      const brought = await bring(degree)
      expect([brought.status, brought.body.status]).toEqual([200, 'Registered'])
      const open1 = (await university.json('GET', '/api/registrations')).body.items[0]
      expect(open1.status).toBe('Canceled')
      expect((await bring(degree)).body.code).toBe('invalid-transition')
    })

    once('two organizations with the same student, course and partner see nothing of each other', async () => {
      const world = open()
      const { faculty, university } = await partnersAt(world)
      const stranger = await organizationAt(world)
      const emissionId = await signedEmission(world, faculty, await closedDocumentation())
      await faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
      const { id } = (await university.json('GET', '/api/registrations')).body.items[0]
      for (const caller of [stranger, faculty]) {
        expect((await caller.json('GET', '/api/registrations')).body.items).toEqual([])
        for (const [method, tail, body] of [
          ['GET', ''],
          ['GET', '/files/academic-documentation'],
          ['POST', '/acceptance'],
          ['POST', '/approval'],
          ['POST', '/rejection', { reason: 'x' }],
          ['POST', '/registration', bookEntry()],
          ['POST', '/cancellation', { reason: 'x' }],
        ] as const)
          expect((await caller.json(method, `/api/registrations/${id}${tail}`, body)).body.code).toBe(
            'registration-not-found',
          )
      }
      for (const caller of [stranger, university]) {
        const send = { registrarInstituteId: university.instituteId }
        expect((await caller.json('POST', `/api/emissions/${emissionId}/send`, send)).body.code).toBe(
          'emission-not-found',
        )
      }
      expect((await university.json('GET', `/api/registrations/${id}`)).body.status).toBe('AwaitingAcceptance')
    })

    once('a partnership that was ended takes no more requests; nothing that was sent is lost', async () => {
      const world = open()
      const { faculty, university, partnershipId } = await partnersAt(world)
      const documented = await closedDocumentation()
      const emissionId = await signedEmission(world, faculty, documented)
      await university.json('DELETE', `/api/partnerships/${partnershipId}`)
      const send = { registrarInstituteId: university.instituteId }
      expect((await faculty.json('POST', `/api/emissions/${emissionId}/send`, send)).body.code).toBe(
        'partnership-required',
      )
      const row = await world.store.db
        .selectFrom('emission')
        .select('status')
        .where('id', '=', emissionId)
        .executeTakeFirst()
      expect(row?.status).toBe('Signed')
    })
  })
}
