// Documents that come to be with their signature: what an application sends is signed before there is a document.
import { DAY, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  approver,
  databases,
  type PlatformWorld,
  sharedPlatform,
  signer,
  testOnce,
  untilKnown,
} from './test-support/platform-world.ts'
import { processes, type ServiceProcess } from './test-support/processes.ts'
import { receiveEvents } from './test-support/receive-events.ts'
import { certificateOf, clock, contentOf, holder, judges, running, signHash, trusting } from './test-support/signers.ts'
import { browserOf, newUser } from './test-support/users.ts'

const ana = holder('ana-souza')
const bruno = holder('bruno-lima')

type Json = Pick<PlatformWorld, 'json'>

const fileOf = (content: Buffer, name = 'laudo.pdf') => ({
  name,
  displayName: name,
  contentType: 'application/pdf',
  content: content.toString('base64'),
})

interface Wanted {
  readonly label?: string
  readonly file?: object
  readonly document?: object
  readonly over?: object
}

/** Begins one. */
const begin = ({ json }: Json, { label = 'ana-souza', file = {}, document = {}, over = {} }: Wanted = {}) =>
  json('POST', '/api/documents/signature/certificate', {
    file: { ...fileOf(samplePdf('Laudo')), ...file },
    document: { flowActions: [signer(holder(label))], ...document },
    certificate: certificateOf(label),
    ...over,
  })

const complete = ({ json }: Json, token: string, signature: string) =>
  json('POST', '/api/documents/signature', { token, signature })

/** Begins and completes one. */
async function signed(world: Json, wanted: Wanted = {}) {
  const { body } = await begin(world, wanted)
  return complete(world, body.token, await signHash(wanted.label ?? 'ana-souza', body.toSignHash))
}

const documentsOf = async ({ json }: Json): Promise<readonly { id: string }[]> =>
  (await json('GET', '/api/documents?limit=100')).body.items

const { Email, fromNowOn } = await fileMailbox()

for (const database of databases) {
  describe(`documents that come to be signed, on ${database}`, () => {
    const open = sharedPlatform(database, { settings: { ...trusting(), Email }, clock })
    const once = testOnce(database)

    test('there is none until it is completed; then it is there with its signature, and concluded', async () => {
      const world = await open()
      const events = await receiveEvents(world)
      const { inbox } = fromNowOn()
      const tags = [{ label: 'mark', value: 'm-1' }]
      const begun = await begin(world, { document: { tags, description: 'Exame' } })
      expect(begun).toMatchObject({
        status: 200,
        body: {
          success: true,
          documentId: expect.any(String),
          token: expect.any(String),
          toSignHash: expect.any(String),
          digestAlgorithm: 'SHA-256',
          validationResults: { isValid: true },
        },
      })
      expect(await documentsOf(world)).toEqual([])
      const { documentId, token, toSignHash } = begun.body
      expect((await world.json('GET', `/api/documents/${documentId}`)).body.code).toBe('DocumentNotFound')
      const { status, body } = await complete(world, token, await signHash('ana-souza', toSignHash))
      expect([status, body]).toMatchObject([200, { success: true, documentId, validationResults: { isValid: true } }])
      await vi.waitUntil(
        async () => (await world.json('GET', `/api/documents/${documentId}`)).body.status === 'Concluded',
        { interval: 20 },
      )
      const { body: document } = await world.json('GET', `/api/documents/${documentId}`)
      expect(document).toMatchObject({
        name: 'laudo.pdf',
        description: 'Exame',
        hasSignature: true,
        tags,
        flowActions: [{ type: 'Signer', status: 'Completed', user: { name: ana.name, identifier: ana.identifier } }],
      })
      const { bytes } = await contentOf(world, documentId)
      await judges.pdf(bytes, 1)
      expect(bytes.subarray(0, samplePdf('Laudo').length).equals(samplePdf('Laudo'))).toBe(true)
      expect((await contentOf(world, documentId, 'Original')).bytes.equals(samplePdf('Laudo'))).toBe(true)
      const { body: timeline } = await world.json('GET', `/api/documents/${documentId}/timeline`)
      expect(timeline.map(({ type }: { type: string }) => type).toSorted()).toEqual(
        ['Created', 'Signed', 'FlowConcluded', 'Concluded'].toSorted(),
      )
      expect((await events.next('DocumentsCreated')).data.documents).toMatchObject([{ id: documentId }])
      expect((await events.next('DocumentSigned')).data).toMatchObject({
        id: documentId,
        signature: { identifier: ana.identifier },
      })
      // Nobody is asked to sign what is signed.
      const told = () => inbox().map(({ subject }) => subject)
      await vi.waitUntil(() => told().includes('Concluído: laudo.pdf'), { interval: 20 })
      expect(told()).toEqual(['Concluído: laudo.pdf'])
      const { body: info } = await world.json('GET', `/api/documents/${documentId}/signatures-details`)
      expect(info.signers).toMatchObject([{ identifier: ana.identifier, validationResults: { isValid: true } }])
    })

    test('a token is completed once, also by two calls at once', async () => {
      const world = await open()
      const { body } = await begin(world)
      const signature = await signHash('ana-souza', body.toSignHash)
      const answers = await Promise.all([1, 2, 3].map(() => complete(world, body.token, signature)))
      answers.push(await complete(world, body.token, signature))
      const codes = answers.map(({ status, body }) => (status === 200 ? 'signed' : body.code)).toSorted()
      expect(codes).toEqual([...Array(3).fill('SignatureTokenInvalidOrExpired'), 'signed'])
      expect(await documentsOf(world)).toHaveLength(1)
    })

    test('only the application that began it completes it', async () => {
      const [world, other] = [await open(), await open()]
      const path = `/api/organizations/${world.organization.id}/applications`
      const colleague = (await world.json('POST', path, { name: 'outra' })).body.apiKey
      await untilKnown(world.baseUrl, colleague)
      const { body } = await begin(world)
      const signature = await signHash('ana-souza', body.toSignHash)
      for (const stranger of [other, callerOf(world.baseUrl, { 'X-Api-Key': colleague })])
        expect(await complete(stranger, body.token, signature)).toMatchObject({
          status: 422,
          body: { code: 'SignatureTokenInvalidOrExpired' },
        })
      expect([await documentsOf(world), await documentsOf(other)]).toEqual([[], []])
      expect((await complete(world, body.token, signature)).body.success).toBe(true)
    })

    test('two organizations send the same file for the same CPF: each has its own document and its own contact', async () => {
      const [one, other] = [await open(), await open()]
      const named = { document: { flowActions: [signer({ ...ana, name: 'Ana da Outra' })] } }
      const ids = [(await signed(one)).body.documentId, (await signed(other, named)).body.documentId]
      for (const [at, world] of [one, other].entries()) {
        expect(await documentsOf(world)).toMatchObject([{ id: ids[at] }])
        expect((await world.json('GET', `/api/documents/${ids[1 - at]}`)).body.code).toBe('DocumentNotFound')
        const { body } = await world.json('GET', `/api/documents/${ids[at]}`)
        expect(body.flowActions[0].user.name).toBe([ana.name, 'Ana da Outra'][at])
      }
    })

    once('null is absent in every member, and members that nobody looks at are told', async () => {
      const world = await open()
      const members = ['observers', 'folderId', 'newFolderName', 'description', 'expirationDate', 'notifiedEmails']
      const flags = ['disablePendingActionNotifications', 'disableNotifications', 'forceCadesSignature', 'tags', 'type']
      const rest = ['signatureType', 'securityContextId', 'timestampEnabled', 'verificationStamp']
      const nothing = Object.fromEntries([...members, ...flags, ...rest].map((name) => [name, null]))
      const file = { displayName: null, contentType: null }
      const over = { signaturePosition: null, userTimeZoneOffset: null, prescriptionSignerType: null }
      expect((await signed(world, { document: nothing, file, over })).body.success).toBe(true)
      const body = JSON.stringify({
        file: { ...fileOf(samplePdf('Laudo')), colour: 1 },
        document: { flowActions: [signer(ana)], attachments: [] },
        certificate: certificateOf('ana-souza'),
        mood: 'good',
      })
      const headers = { 'content-type': 'application/json' }
      const answer = await world.call('POST', '/api/documents/signature/certificate', { body, headers })
      expect(answer.status).toBe(200)
      for (const name of ['file.colour', 'document.attachments', 'mood'])
        expect(answer.headers.get('warning')).toContain(`unknown field: ${name}`)
    })

    once('a token of another document, one that was changed and one that is too old complete nothing', async () => {
      const world = await open()
      const { body } = await begin(world)
      const signature = await signHash('ana-souza', body.toSignHash)
      const { body: later } = await begin(world, { file: fileOf(samplePdf('Outro')) })
      const refused = { status: 422, body: { code: 'SignatureTokenInvalidOrExpired' } }
      expect(await complete(world, `${body.token.slice(0, -4)}AAAA`, signature)).toMatchObject(refused)
      expect((await complete(world, later.token, signature)).body.code).toBe('InvalidSignature')
      const byId = `/api/documents/${body.documentId}/signature`
      expect((await world.json('POST', byId, { token: body.token, signature })).body.code).toBe('DocumentNotFound')
      clock.advance(DAY)
      expect(await complete(world, body.token, signature)).toMatchObject(refused)
      expect(await documentsOf(world)).toEqual([])
    })

    once('who may not sign it begins nothing: another CPF, a revoked certificate, what is no certificate', async () => {
      const world = await open()
      const flowActions = [signer(bruno)]
      expect((await begin(world, { document: { flowActions } })).body.code).toBe('CpfMismatch')
      expect((await begin(world, { label: 'revoked' })).body).toMatchObject({
        success: false,
        documentId: null,
        token: null,
        validationResults: { errors: [{ type: 'revocation.revoked' }] },
      })
      expect((await begin(world, { over: { certificate: 'AAAA' } })).body.code).toBe('CertificateNotFound')
      expect(await documentsOf(world)).toEqual([])
    })

    once('a certificate revoked before it is completed signs nothing, and there is no document', async () => {
      const world = await open()
      const issued = await running.pki.issuePerson({ name: ana.name, cpf: ana.identifier, born: '1990-01-01' })
      const { body } = await begin(world, { over: { certificate: issued.der.toString('base64') } })
      running.pki.revoke(issued)
      clock.advance(5 * MINUTE + SECOND)
      const answer = await complete(world, body.token, await signHash(issued.label, body.toSignHash))
      expect(answer.body).toMatchObject({ success: false, documentId: null, validationResults: { isValid: false } })
      expect(await documentsOf(world)).toEqual([])
    })

    once.each([
      ['two signers', { flowActions: [signer(ana), signer(bruno)] }, 'InvalidFlowAction'],
      ['an approver', { flowActions: [approver(ana)] }, 'InvalidFlowAction'],
      ['nobody', { flowActions: [] }, 'InvalidFlowAction'],
      ['a folder that is not there', { folderId: crypto.randomUUID() }, 'FolderNotFound'],
      ['a day that is over', { expirationDate: '2020-01-01' }, 'ExpirationInPast'],
    ])('a document with %s is refused, and nothing is written', async (_, document, code) => {
      const world = await open()
      const { body } = await begin(world, { document })
      const answer = body.success
        ? await complete(world, body.token, await signHash('ana-souza', body.toSignHash))
        : { body }
      expect(answer.body.code).toBe(code)
      expect(await documentsOf(world)).toEqual([])
    })

    once.each([
      ['empty', { content: '' }, 'InvalidRequest'],
      ['no base64', { content: '%%%=' }, 'InvalidRequest'],
      ['base64 with something between', { content: 'AAAA AAA' }, 'InvalidRequest'],
      ['no PDF', { content: Buffer.from('text').toString('base64') }, 'InvalidDocumentContent'],
      ['larger than is taken here', { content: Buffer.alloc(1024 * 1024 + 1).toString('base64') }, 'UploadTooLarge'],
    ])('a file that is %s is refused', async (_, file, code) => {
      const world = await open()
      const { status, body } = await begin(world, { file })
      expect([status < 500, body.code]).toEqual([true, code])
      expect(await documentsOf(world)).toEqual([])
    })

    once('users have the pages for it: it is for applications', async () => {
      const world = await open()
      const { email } = await newUser(world, { accessProfile: { administrator: true } })
      const { set } = await browserOf(world).signIn(email)
      const user = callerOf(world.baseUrl, { cookie: set!.split(';')[0]! })
      expect(await begin(user)).toMatchObject({ status: 403, body: { code: 'Forbidden' } })
    })

    once('other files are signed in their format, and stamped where that is asked for', async () => {
      const world = await open()
      const file = Buffer.from('qualquer conteúdo\n')
      const other = { ...fileOf(file, 'nota.bin'), contentType: 'application/octet-stream' }
      const { body } = await signed(world, { file: other })
      expect(await judges.cms((await contentOf(world, body.documentId)).bytes)).toEqual(file)
      const stamped = await signed(world, { document: { verificationStamp: 'Footer' } })
      await judges.pdf((await contentOf(world, stamped.body.documentId)).bytes, 1)
      const { body: timeline } = await world.json('GET', `/api/documents/${stamped.body.documentId}/timeline`)
      expect(timeline.map(({ type }: { type: string }) => type)).toContain('Stamped')
    })

    once('the organization pays for one document and one signature', async () => {
      const world = await open()
      await signed(world)
      const billed = world.store.db.selectFrom('billed_transaction').select(['type', 'total'])
      const rows = await billed.where('organization_id', '=', world.organization.id).orderBy('type').execute()
      expect(rows).toEqual([
        { type: 'Document', total: 1 },
        { type: 'Signature', total: 1 },
      ])
    })
  })

  describe(`two processes on ${database}`, () => {
    const running = processes({ database, count: 2, mailPort: Email.Port })

    test('what a process began that was killed another completes, and nothing else of it is left', async () => {
      const { all, start } = running()
      const killed = await start()
      const before = (await documentsOf(all[0]!)).length
      const [{ body }, left] = [await begin(killed), await begin(killed)]
      await killed.process.kill()
      expect((await complete(all[0]!, body.token, await signHash('ana-souza', body.toSignHash))).status).toBe(200)
      await judges.pdf((await contentOf(all[1]!, body.documentId)).bytes, 1)
      expect((await all[0]!.json('GET', `/api/documents/${left.body.documentId}`)).body.code).toBe('DocumentNotFound')
      expect((await documentsOf(all[0]!)).length).toBe(before + 1)
    })

    test('what one began the other completes, once', async () => {
      const [one, other] = running().all as readonly ServiceProcess[]
      const { body } = await begin(one!)
      const signature = await signHash('ana-souza', body.toSignHash)
      const answers = await Promise.all([
        complete(other!, body.token, signature),
        complete(one!, body.token, signature),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
      await judges.pdf((await contentOf(one!, body.documentId)).bytes, 1)
    })
  })
}
