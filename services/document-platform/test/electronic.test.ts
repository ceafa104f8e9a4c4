import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { sampleXml } from '@chancela/testkit/samples'
import { modificationRules, temporaryFolder, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import { pdfText } from './test-support/pdf-text.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  ticketOf,
  upload,
} from './test-support/platform-world.ts'
import { certificateOf, clock, contentOf, holder, judges, running, signAs, trusting } from './test-support/signers.ts'

const ana = holder('ana-souza')
const electronic = { allowElectronicSignature: true }
const byTicket = { ...electronic, disableEmailAuthenticationToSignElectronically: true }

const { Email, fromNowOn } = await fileMailbox()

/** Waits for the code that is sent to an address. */
const codeFor = (email: string, { inbox }: ReturnType<typeof fromNowOn>): Promise<string> =>
  vi.waitUntil(
    () =>
      inbox()
        .filter(({ to }) => to.some(({ address }) => address === email))
        .map(({ text }) => /\b(\d{6})\b/.exec(text)?.[1])
        .findLast((code) => code !== undefined),
    { interval: 20 },
  )

const askCode = ({ json }: PlatformWorld, { key, ticket }: { key: string; ticket: string }) =>
  json('POST', `/api/documents/keys/${key}/authentication-code`, { ticket })

const sign = (
  { json }: PlatformWorld,
  { key, ticket }: { key: string; ticket: string },
  over: Readonly<Record<string, unknown>> = {},
) => json('POST', `/api/documents/keys/${key}/electronic-signature`, { ticket, ...over })

for (const database of databases) {
  describe(`electronic signatures on ${database}`, () => {
    const open = sharedPlatform(database, { settings: { ...trusting(), Email }, clock })
    const once = testOnce(database)

    const sentCode = async (world: PlatformWorld, action: { key: string; ticket: string }, email: string) => {
      const mails = fromNowOn()
      const { status, body } = await askCode(world, action)
      expect({ status, body }).toMatchObject({ status: 200 })
      return { code: await codeFor(email, mails), ...body }
    }

    once('the code sent by e-mail signs, and the document shows who, how and with what evidence', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, electronic)])
      const action = await ticketOf(world, id, people.carla.identifier)
      const sent = await sentCode(world, action, people.carla.email)
      expect(sent).toMatchObject({ sentTo: 'c****@example.com', expiresAt: expect.any(String) })
      const signaturePosition = { pageNumber: 1, topLeftX: 50, topLeftY: 200, width: 240, height: 60 }
      const geolocation = { latitude: -23.5, longitude: -46.6 }
      const signed = await sign(world, action, { emailCode: sent.code, signaturePosition, evidences: { geolocation } })
      expect(signed.status).toBe(200)
      const { bytes } = await contentOf(world, id)
      await judges.pdf(bytes, 1)
      expect(await pdfText(bytes)).toMatch(/Assinado eletronicamente por\s+[^\n]*\n?\s*Carla Dias/)
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body.signers).toMatchObject([
        {
          subjectName: 'Carla Dias',
          emailAddress: people.carla.email,
          identifier: '93541134780',
          isElectronic: true,
          evidences: {
            ipAddress: '127.0.0.1',
            authenticationTypes: ['Email'],
            authenticatedEmail: people.carla.email,
            geolocation,
            evidencesSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
          validationResults: { isValid: true, errors: [] },
        },
      ])
      expect(bytes.toString('latin1')).toContain(body.signers[0].evidences.evidencesSha256)
      expect((await world.json('GET', `/api/documents/${id}`)).body.flowActions[0]).toMatchObject({
        status: 'Completed',
        isElectronic: true,
      })
    })

    test('a wrong code is refused, after five even the right one, and a new one soon after is not sent', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, electronic)])
      const action = await ticketOf(world, id, people.carla.identifier)
      const refused = { status: 422, body: { code: 'AuthenticationCodeInvalidOrExpired' } }
      expect(await sign(world, action)).toMatchObject(refused)
      const { code } = await sentCode(world, action, people.carla.email)
      const wrong = code === '000000' ? '000001' : '000000'
      for (let attempt = 0; attempt < 5; attempt++)
        expect(await sign(world, action, { emailCode: wrong })).toMatchObject(refused)
      expect(await sign(world, action, { emailCode: code })).toMatchObject(refused)
      expect((await askCode(world, action)).status).toBe(429)
      clock.advance(61 * SECOND)
      const second = await sentCode(world, action, people.carla.email)
      expect(await sign(world, action, { emailCode: second.code })).toMatchObject(refused)
      clock.advance(10 * MINUTE)
      const third = await sentCode(world, action, people.carla.email)
      expect((await sign(world, action, { emailCode: third.code })).status).toBe(200)
    })

    test('a code ends after ten minutes, and belongs to its participant', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, electronic), signer(people.bruno, electronic)])
      const [carla, bruno] = await Promise.all([
        ticketOf(world, id, people.carla.identifier),
        ticketOf(world, id, people.bruno.identifier),
      ])
      const { code } = await sentCode(world, carla!, people.carla.email)
      const refused = { status: 422, body: { code: 'AuthenticationCodeInvalidOrExpired' } }
      expect(await sign(world, bruno!, { emailCode: code })).toMatchObject(refused)
      clock.advance(10 * MINUTE + SECOND)
      expect(await sign(world, carla!, { emailCode: code })).toMatchObject(refused)
    })

    once('the ticket alone is enough where the sender says so, with a drawn signature and initials', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, byTicket)])
      const action = await ticketOf(world, id, people.carla.identifier)
      const place = { pageNumber: 1, topLeftX: 50, width: 200, height: 50 }
      const answer = await sign(world, action, {
        signaturePositions: [
          { ...place, topLeftY: 100 },
          { ...place, topLeftY: 200 },
        ],
        signatureInitialsPositions: [{ ...place, topLeftY: 300, width: 60 }],
        signatureImage: { id: await upload(world, PNG), contentType: 'image/png' },
      })
      expect(answer.status).toBe(200)
      const { bytes } = await contentOf(world, id)
      await judges.pdf(bytes, 1)
      expect(await pdfText(bytes)).toMatch(/\bCD\b/)
      // Nobody stamps anything after the only signer: the rule is the one the official validator looks for.
      expect(await modificationRules(bytes)).toEqual({ permissions: undefined, references: [WANTED_REFERENCE] })
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body.signers[0].evidences.authenticationTypes).toEqual(['AccessCode'])
    })

    once('a mark that was placed beyond its page is moved onto it, and nobody is kept from signing by it', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, byTicket)])
      const action = await ticketOf(world, id, people.carla.identifier)
      const place = { pageNumber: 1, topLeftX: 5000, width: 200, height: 50 }
      const positions = {
        signaturePositions: [{ ...place, topLeftY: 1000 }],
        signatureInitialsPositions: [{ ...place, topLeftY: 0, width: 9000, height: 900 }],
      }
      expect((await sign(world, action, positions)).status).toBe(200)
      const { bytes } = await contentOf(world, id)
      await judges.pdf(bytes, 1)
      const words = await pdfText(bytes)
      expect(words).toMatch(/Carla Dias/)
      expect(words).toMatch(/\bCD\b/)
    })

    once('stamps of later signers are allowed by the first signature, and leave all of them valid', async () => {
      const world = await open()
      const flow = [signer(ana), signer(people.bruno, { ...byTicket, step: 2 })]
      const id = await createDocument(world, [...flow, signer(people.carla, { ...byTicket, step: 3 })])
      const place = { pageNumber: 1, topLeftX: 50, width: 200, height: 50 }
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      for (const [index, { identifier }] of [people.bruno, people.carla].entries()) {
        const over = { signatureInitialsPositions: [{ ...place, topLeftY: 300 + 100 * index, width: 60 }] }
        const signaturePosition = { ...place, topLeftY: 100 + 100 * index }
        const action = await ticketOf(world, id, identifier)
        expect((await sign(world, action, { ...over, signaturePosition })).status).toBe(200)
      }
      const { bytes } = await contentOf(world, id)
      await judges.pdf(bytes, 3)
      const { permissions, references } = await modificationRules(bytes)
      expect(permissions).toBeUndefined()
      expect(references).toMatchObject([
        [{ '/TransformMethod': '/DocMDP', '/TransformParams': { '/P': 3 } }],
        null,
        null,
      ])
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body.signers).toHaveLength(3)
      for (const one of body.signers) expect(one.validationResults).toMatchObject({ isValid: true, errors: [] })
    })

    once('an image that is none is refused, and nothing changes', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, byTicket)])
      const action = await ticketOf(world, id, people.carla.identifier)
      const position = { pageNumber: 1, topLeftX: 50, topLeftY: 50, width: 200, height: 50 }
      const image = { id: await upload(world, Buffer.from('no image')) }
      expect(await sign(world, action, { signaturePosition: position, signatureImage: image })).toMatchObject({
        status: 422,
        body: { code: 'DocumentTypeNotSupported' },
      })
      const foreign = { id: crypto.randomUUID() }
      expect(await sign(world, action, { signaturePosition: position, signatureImage: foreign })).toMatchObject({
        status: 422,
        body: { code: 'UploadNotFound' },
      })
    })

    once('electronic signatures stand beside those with certificates, in every format', async () => {
      const world = await open()
      for (const over of [{}, { name: 'a.bin', file: Buffer.from('bytes') }, { name: 'a.xml', file: sampleXml() }]) {
        const id = await createDocument(
          world,
          [signer(people.carla, byTicket), signer(ana, { step: 2 }), signer(people.bruno, { ...byTicket, step: 3 })],
          over,
        )
        expect((await sign(world, await ticketOf(world, id, people.carla.identifier))).status).toBe(200)
        expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
        clock.advance(SECOND)
        expect((await sign(world, await ticketOf(world, id, people.bruno.identifier))).status).toBe(200)
        const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
        expect(body.signers).toHaveLength(3)
        const named = body.signers.map((one: { subjectName: string; isElectronic: boolean }) =>
          one.isElectronic ? one.subjectName : 'certificate',
        )
        expect(named.toSorted()).toEqual(['Bruno Lima', 'Carla Dias', 'certificate'].toSorted())
        for (const one of body.signers) expect(one.validationResults).toMatchObject({ isValid: true, errors: [] })
      }
    })

    test('several sign at the same moment, and every signature is in the document', async () => {
      const world = await open()
      const id = await createDocument(world, [
        signer(people.ana, byTicket),
        signer(people.bruno, byTicket),
        signer(people.carla, byTicket),
      ])
      const tickets = await Promise.all(Object.values(people).map(({ identifier }) => ticketOf(world, id, identifier)))
      const answers = await Promise.all(tickets.map((action) => sign(world, action)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      await judges.pdf((await contentOf(world, id)).bytes, 3)
    })

    once('what the action does not allow, or this instance has no means for, is refused', async () => {
      const world = await open()
      const cases = [
        [{}, 'ElectronicSignatureNotAllowed'],
        [{ ...electronic, requireSmsAuthenticationToSignElectronically: true }, 'AuthenticationNotAvailable'],
        [{ ...electronic, requireSelfieAuthenticationToSignElectronically: true }, 'AuthenticationNotAvailable'],
      ] as const
      for (const [options, code] of cases) {
        // As documents of earlier versions have it: a new one is refused such an option.
        const id = await createDocument(world, [signer(people.carla)])
        const kept = JSON.stringify(options)
        await world.store.db.updateTable('flow_action').set({ options: kept }).where('document_id', '=', id).execute()
        const action = await ticketOf(world, id, people.carla.identifier)
        expect(await sign(world, action)).toMatchObject({ status: 422, body: { code } })
      }
      const sms = await world.json('POST', '/api/documents/sms-authentication-code', {
        flowActionId: crypto.randomUUID(),
      })
      expect(sms).toMatchObject({ status: 422, body: { code: 'AuthenticationNotAvailable' } })
      const id = await createDocument(world, [approver(people.carla)])
      const approval = await ticketOf(world, id, people.carla.identifier)
      expect(await sign(world, approval)).toMatchObject({ status: 422, body: { code: 'InvalidFlowAction' } })
    })

    test('an application signs for a participant it has authenticated, and the evidence names it', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, electronic)])
      const { body: document } = await world.json('GET', `/api/documents/${id}`)
      const answer = await world.json('POST', `/api/documents/${id}/electronic-signature`, {
        flowActionId: document.flowActions[0].id,
      })
      expect(answer.status).toBe(200)
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body.signers[0]).toMatchObject({
        subjectName: 'Carla Dias',
        evidences: { authenticationTypes: ['Application'], authenticatedApplication: world.organization.application },
      })
    })

    once('an approval asks for the code, too, where the address of the action does', async () => {
      const world = await open()
      const id = await createDocument(world, [approver(people.carla)])
      const { body } = await world.json('POST', `/api/documents/${id}/action-url`, {
        identifier: people.carla.identifier,
        requireEmailAuthentication: true,
      })
      const url = new URL(body.url)
      const action = { key: url.pathname.split('/')[3]!, ticket: url.searchParams.get('ticket')! }
      const path = `/api/documents/keys/${action.key}/approval`
      expect(await world.json('POST', path, { ticket: action.ticket })).toMatchObject({
        status: 422,
        body: { code: 'AuthenticationCodeInvalidOrExpired' },
      })
      const { code } = await sentCode(world, action, people.carla.email)
      expect((await world.json('POST', path, { ticket: action.ticket, emailCode: code })).status).toBe(200)
    })
  })

  describe(`the certificate of electronic signatures on ${database}`, () => {
    const once = testOnce(database)
    const thumbprintOf = async (world: PlatformWorld) => {
      const id = await createDocument(world, [signer(people.carla, byTicket)])
      expect((await sign(world, await ticketOf(world, id, people.carla.identifier))).status).toBe(200)
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      return {
        id,
        thumbprint: body.signers[0].certificateThumbprint as string,
        valid: body.signers[0].validationResults,
      }
    }

    const open = sharedPlatform(database, { settings: trusting(), clock })

    test('is made once and kept, and without e-mail no code is sent', async () => {
      const world = await open()
      const { thumbprint } = await thumbprintOf(world)
      const id = await createDocument(world, [signer(people.carla, electronic)])
      expect(await askCode(world, await ticketOf(world, id, people.carla.identifier))).toMatchObject({
        status: 422,
        body: { code: 'EmailNotAvailable' },
      })
      const again = await startPlatform(database, { settings: trusting(), after: world })
      expect((await thumbprintOf(again)).thumbprint).toBe(thumbprint)
    })

    once('is the configured one where there is one, and former ones are still known', async () => {
      const world = await open()
      const former = await thumbprintOf(world)
      const path = join(temporaryFolder(), 'seal.p12')
      await writeFile(path, running.pki.pkcs12(running.pki.certificate('cooperativa-ipe'), { password: 'segredo' }))
      const signing = { ElectronicCertificateFile: path, ElectronicCertificatePassword: 'segredo' }
      const again = await startPlatform(database, { settings: trusting(signing), after: world })
      const { thumbprint, valid } = await thumbprintOf(again)
      expect(thumbprint).not.toBe(former.thumbprint)
      expect(valid.isValid).toBe(true)
      const { body } = await again.json('GET', `/api/documents/${former.id}/signatures-details`)
      expect(body.signers[0]).toMatchObject({ isElectronic: true, validationResults: { isValid: true } })
    })

    once('that does not open stops the start, naming the setting', async () => {
      const path = join(temporaryFolder(), 'seal.p12')
      await writeFile(path, Buffer.from(certificateOf('ana-souza'), 'base64'))
      const settings = trusting({ ElectronicCertificateFile: path })
      await expect(startPlatform(database, { settings, clock })).rejects.toThrow('Signing:ElectronicCertificateFile')
    })
  })
}

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)
