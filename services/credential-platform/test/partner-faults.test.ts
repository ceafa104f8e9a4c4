// A partner that answers late, twice, at the same moment as the other side, or never (credentials-platform facts 2.2, 2.3).
import { DAY } from '@chancela/service-kernel/clock'
import { startReceiver } from '@chancela/testkit/receiver'
import { type Answer, callerOf, readAnswer } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { databases, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { clock, pki, signingSettings } from './test-support/pki.ts'
import { organizationHears, soon, types } from './test-support/receiving.ts'
import {
  closedDegree,
  closedDegreeAnyhow,
  closedDocumentation,
  issuer,
  newCode,
  registrar,
} from './test-support/registry.ts'
import {
  bookEntry,
  type Partners,
  partnersAt,
  registered,
  signAsClerk,
  signedEmission,
  signedRegistration,
  upload,
} from './test-support/two-institutes.ts'

const annulment = { reason: 'Documento falso', cancellationReason: 'ErroDeFato' }

for (const database of databases) {
  describe(`partners on ${database}`, () => {
    // Who waits for a receiver that hangs waits longer than a test may take.
    const open = sharedPlatform(database, { ...signingSettings, Webhooks: { TimeoutSeconds: 300 } }, clock)
    const once = testOnce(database)

    /** An emission at its registrar. */
    async function sent(partners: Partners, documented?: Buffer) {
      const { faculty, university } = partners
      const emissionId = await signedEmission(open(), faculty, documented ?? (await closedDocumentation()))
      const emission = `/api/emissions/${emissionId}`
      const request = { registrarInstituteId: university.instituteId }
      expect((await faculty.json('POST', `${emission}/send`, request)).status).toBe(200)
      const { items } = (await university.json('GET', '/api/registrations?status=AwaitingAcceptance')).body
      const id = items[0].id as string
      return { emission, id, path: `/api/registrations/${id}` }
    }

    /** Both sides, as each is shown its own. */
    const bothSides = async (
      { faculty, university }: Partners,
      { emission, path }: Awaited<ReturnType<typeof sent>>,
    ) => {
      const [own, request] = [await faculty.json('GET', emission), await university.json('GET', path)]
      return { emission: own.body, registration: request.body }
    }

    /** Whoever is late is told the state, and nothing breaks. */
    const expectDecided = (answers: readonly Answer[]) => {
      for (const { status, body } of answers)
        expect(status === 200 ? 'done' : body.code).toMatch(/^(done|invalid-transition|changed-meanwhile)$/)
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    }

    const bring = async ({ faculty }: Partners, emission: string, bytes: Buffer | string): Promise<Answer> =>
      readAnswer(
        await faculty.call('POST', `${emission}/registered-xml`, {
          body: Uint8Array.from(Buffer.from(bytes)),
          headers: { 'content-type': 'application/xml' },
        }),
      )

    once('a request that waited for weeks is granted as on the first day', async () => {
      const partners = await partnersAt(open())
      const late = await sent(partners)
      clock.advance(60 * DAY)
      expect((await registered(partners, late.id)).status).toBe(200)
      clock.advance(20 * DAY)
      await signedRegistration(partners, late.id)
      const { emission, registration } = await bothSides(partners, late)
      expect([emission.status, registration.status]).toEqual(['Registered', 'Signed'])
    })

    test('two people who decide at the same moment decide once, and the issuer hears it once', async () => {
      const partners = await partnersAt(open())
      const { faculty, university } = partners
      const hears = await organizationHears(faculty)
      const request = await sent(partners)
      const people = [university, await university.application('Administrador'), university.gerente]
      const entry = bookEntry()
      const steps = [
        ['acceptance', people, 'EmissionRegistrationAccepted'],
        ['approval', [await university.application('Gerente'), await university.application('Gerente')]],
        ['registration', people, 'EmissionRegistrationRegistered'],
      ] as const
      for (const [name, deciding, type] of steps) {
        const body = name === 'registration' ? entry : undefined
        const answers = await Promise.all(deciding.map(({ json }) => json('POST', `${request.path}/${name}`, body)))
        expectDecided(answers)
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        if (type) await vi.waitUntil(() => types(hears).includes(type), soon)
      }
      const signed = await Promise.all([1, 2, 3].map(() => signAsClerk(university, request.id)))
      expect(signed.filter(({ status }) => status === 200)).toHaveLength(1)
      await vi.waitUntil(() => types(hears).includes('EmissionRegistered'), soon)
      const counted = types(hears).filter((type) => /Accepted|EmissionRegistered$/.test(type))
      expect(counted.toSorted()).toEqual(['EmissionRegistered', 'EmissionRegistrationAccepted'])
    })

    test('both sides act at the same moment: each is done or told the state, and afterwards they agree', async () => {
      const partners = await partnersAt(open())
      const { faculty, university } = partners
      const withdraw = (emission: string) => faculty.json('POST', `${emission}/cancellation`, { reason: 'Engano' })
      const acts = [
        ['acceptance'],
        ['rejection', { reason: 'Falta o RG' }],
        ['cancellation', { reason: 'Em duplicidade' }],
      ] as const
      for (let round = 0; round < 2; round++)
        for (const [name, body] of acts) {
          const request = await sent(partners)
          expectDecided(
            await Promise.all([
              withdraw(request.emission),
              university.json('POST', `${request.path}/${name}`, body),
              withdraw(request.emission),
              university.gerente.json('POST', `${request.path}/${name}`, body),
            ]),
          )
          const { emission, registration } = await bothSides(partners, request)
          expect([name, emission.registrationStatus]).toEqual([name, registration.status])
          expect(emission.status).toBe('Canceled')
        }
    })

    test('an issuer that cancels while its registrar signs has either a degree or a canceled emission', async () => {
      const partners = await partnersAt(open())
      const { faculty, university } = partners
      for (let round = 0; round < 3; round++) {
        const request = await sent(partners)
        await registered(partners, request.id)
        const [, canceled] = await Promise.all([
          signAsClerk(university, request.id),
          new Promise((resolve) => setTimeout(resolve, round * 15)).then(() =>
            faculty.json('POST', `${request.emission}/cancellation`, { reason: 'Engano' }),
          ),
        ])
        expect([200, 409]).toContain(canceled.status)
        const { emission, registration } = await vi.waitUntil(async () => {
          const both = await bothSides(partners, request)
          return both.registration.status === 'Registered' ? undefined : both
        }, soon)
        expect(['Registered Signed Signed true', 'Canceled Canceled Canceled false']).toContain(
          `${emission.status} ${registration.status} ${emission.registrationStatus} ${emission.degreeId !== null}`,
        )
      }
    })

    once(
      'an issuer whose registrar never answers takes the request back, and nothing of it can be granted',
      async () => {
        const partners = await partnersAt(open())
        const { faculty, university } = partners
        const request = await sent(partners)
        clock.advance(90 * DAY)
        await faculty.json('POST', `${request.emission}/cancellation`, { reason: 'Sem resposta' })
        for (const [name, body] of [
          ['acceptance', undefined],
          ['approval', undefined],
          ['rejection', { reason: 'x' }],
          ['registration', bookEntry()],
          ['cancellation', { reason: 'x' }],
        ] as const)
          expect((await university.json('POST', `${request.path}/${name}`, body)).body.code).toBe('invalid-transition')
        const { registration } = await bothSides(partners, request)
        expect(registration).toMatchObject({ status: 'Canceled', reason: 'Cancelado pela instituição emissora.' })
      },
    )

    once('a registrar annuls although the issuer had suspended its degree', async () => {
      const partners = await partnersAt(open())
      const { faculty, university } = partners
      const request = await sent(partners)
      await registered(partners, request.id)
      await signedRegistration(partners, request.id)
      const { emission } = await bothSides(partners, request)
      const degree = `/api/degrees/${emission.degreeId}`
      const suspension = { temporary: true, reason: 'Em apuração' }
      expect((await faculty.json('POST', `${degree}/cancellation`, suspension)).status).toBe(200)
      await university.json('POST', `${request.path}/cancellation`, annulment)
      const second = await university.application('Administrador')
      expect((await second.json('POST', `${request.path}/cancellation`, annulment)).status).toBe(200)
      const { body } = await faculty.json('GET', degree)
      expect(body).toMatchObject({ status: 'Canceled', ...annulment })
      expect((await faculty.json('POST', `${degree}/restoration`, { reason: 'x' })).body.code).toBe(
        'invalid-transition',
      )
      const shown = await callerOf(open().baseUrl).json('GET', `/${body.verificationCode}`)
      expect(shown.body.status).toBe('Annulled')
    })

    test('a registrar whose receiver hangs does not keep the issuer from acting, nor from hearing', async () => {
      const partners = await partnersAt(open())
      const { faculty, university } = partners
      const hung = await startReceiver(() => {})
      const hook = `/api/subscriptions/${university.subscriptionId}/webhook`
      expect((await university.json('PUT', hook, { enabled: true, url: hung.url })).status).toBe(200)
      const hears = await organizationHears(faculty)
      const request = await sent(partners)
      await vi.waitUntil(() => hung.received.length > 0, soon)
      expect((await university.gerente.json('POST', `${request.path}/acceptance`)).status).toBe(200)
      await vi.waitUntil(() => types(hears).includes('EmissionRegistrationAccepted'), soon)
    })

    test('a documentation that comes several times at once is one request', async () => {
      const { university } = await partnersAt(open())
      const documented = await closedDocumentation()
      const answers = await Promise.all([1, 2, 3].map(() => upload(university, university.instituteId, documented)))
      expect(answers.map(({ status, body }) => (status === 201 ? 'taken' : body.code)).toSorted()).toEqual([
        'already-exists',
        'already-exists',
        'taken',
      ])
    })

    test('a registered degree that comes several times at once is one degree', async () => {
      const partners = await partnersAt(open())
      const documented = await closedDocumentation()
      const { emission } = await sent(partners, documented)
      const degree = await closedDegree(documented)
      const answers = await Promise.all([1, 2, 3].map(() => bring(partners, emission, degree)))
      const codes = answers.map(({ status, body }) => (status === 200 ? 'taken' : body.code))
      expect(codes.filter((code) => code === 'taken')).toHaveLength(1)
      for (const code of codes) expect(code).toMatch(/^(taken|changed-meanwhile|invalid-transition|already-exists)$/)
      const { items } = (await partners.faculty.json('GET', '/api/degrees')).body
      expect(items.map(({ status }: { status: string }) => status)).toEqual(['Concluded'])
      const own = (await partners.faculty.json('GET', emission)).body
      expect(own).toMatchObject({ status: 'Registered', registrationStatus: 'Canceled', degreeId: items[0].id })
    })

    test('of two degrees that came back with the same code, one is taken', async () => {
      const partners = await partnersAt(open())
      const code = `${issuer.code}.${registrar.code}.${newCode()}`
      const both = await Promise.all(
        [await closedDocumentation(), await closedDocumentation()].map(async (documented) => ({
          ...(await sent(partners, documented)),
          degree: await closedDegree(documented, { code }),
        })),
      )
      const answers = await Promise.all(both.map(({ emission, degree }) => bring(partners, emission, degree)))
      expect(answers.map(({ status, body }) => (status === 200 ? 'taken' : body.code)).toSorted()).toEqual([
        'already-exists',
        'taken',
      ])
    })

    once('a degree that came back is refused for its own reason, and the emission waits on', async () => {
      const partners = await partnersAt(open())
      const documented = await closedDocumentation()
      const { emission } = await sent(partners, documented)
      const text = (await closedDegree(documented)).toString()
      const reasons = async (bytes: Buffer | string) => {
        const { status, body } = await bring(partners, emission, bytes)
        expect([status, body.code]).toEqual([422, 'document-refused'])
        return Object.keys(body.errors)
      }
      const registration = text.slice(text.indexOf('<DadosRegistro '))
      const inner = registration.match(/<ds:Signature .*?<\/ds:Signature>/s)![0]
      const outer = text.slice(text.lastIndexOf('<ds:Signature '), text.lastIndexOf('</ds:Signature>') + 15)
      const swapped = text
        .replace(inner, '%inner')
        .replace(outer, '%outer')
        .replace('%inner', () => outer)
        .replace('%outer', () => inner)
      expect(await reasons(text.replaceAll('><', '>\n<'))).toContain('document-reformatted')
      expect(await reasons(swapped)).toContain('signature-moved')
      expect(await reasons(text.replace(inner, ''))).toContain('content-altered')
      expect(await reasons(text.replace(outer, ''))).toContain('signature-missing')
      expect(await reasons(text.slice(0, -1))).toContain('not-xml')
      expect(await reasons(documented)).toContain('kind-unexpected')
      expect(await reasons(await closedDegreeAnyhow(documented, { institution: issuer }))).toEqual(['cnpj-mismatch'])
      const expired = await closedDegreeAnyhow(documented, { person: pki.certificate('expired') })
      expect(await reasons(expired)).toContain('certificate-expired')
      const revoked = await closedDegreeAnyhow(documented, { person: pki.certificate('revoked') })
      expect(await reasons(revoked)).toContain('certificate-revoked')
      expect((await partners.faculty.json('GET', emission)).body.status).toBe('SentToRegistry')
      expect((await bring(partners, emission, text)).status).toBe(200)
    })
  })
}
