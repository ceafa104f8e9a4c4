import { samplePdf, sampleXml } from '@chancela/testkit/samples'
import { behindProxy, readAnswer, usedUp } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import {
  createDocument,
  databases,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  upload,
} from './test-support/platform-world.ts'
import { clock, contentOf, holder, signAs, trusting } from './test-support/signers.ts'

const ana = holder('ana-souza')
const files = {
  'a PDF': {},
  'a CMS': { name: 'a.bin', file: Buffer.from('bytes') },
  'an XML document': { name: 'a.xml', file: sampleXml() },
} as const

for (const database of databases) {
  describe(`validation on ${database}`, () => {
    const open = sharedPlatform(database, { settings: trusting(), clock })
    const once = testOnce(database)
    type World = Awaited<ReturnType<typeof open>>

    const validate = async (world: World, bytes: Uint8Array) =>
      world.json('POST', '/api/documents/validate-signatures', {
        fileId: await upload(world, bytes),
        mimeType: 'application/octet-stream',
      })

    for (const [what, over] of Object.entries(files))
      once(`${what} from anywhere is judged, and a changed byte is seen`, async () => {
        const world = await open()
        const id = await createDocument(world, [signer(ana)], over)
        await signAs(world, id, 'ana-souza')
        const { bytes } = await contentOf(world, id)
        const { status, body } = await validate(world, bytes)
        expect(status).toBe(200)
        expect(body).toMatchObject([
          {
            identifier: ana.identifier,
            emailAddress: ana.email,
            isElectronic: false,
            isTimestamp: false,
            companyIdentifier: null,
            evidences: null,
            certificateThumbprint: expect.stringMatching(/^[\w+/]{43}=$/),
            validationResults: { isValid: true, errors: [] },
          },
        ])
        const changed = Buffer.from(bytes)
        const at = changed.indexOf(what === 'a CMS' ? 'bytes' : what === 'a PDF' ? '(Contrato)' : 'queijo')
        changed[at + 2]! ^= 1
        const after = await validate(world, changed)
        expect(after.body[0].validationResults.isValid).toBe(false)
        expect(after.body[0].validationResults.errors.length).toBeGreaterThan(0)
      })

    once('a file without signatures has no signers, and what is no signed file is refused', async () => {
      const world = await open()
      expect(await validate(world, samplePdf('Nada'))).toMatchObject({ status: 200, body: [] })
      expect(await validate(world, sampleXml())).toMatchObject({ status: 200, body: [] })
      for (const bytes of [Buffer.from('text'), Buffer.from('%PDF-1.7 broken'), Buffer.from('<broken')])
        expect(await validate(world, bytes)).toMatchObject({ status: 422, body: { code: 'DocumentTypeNotSupported' } })
      const unknown = { fileId: crypto.randomUUID(), mimeType: 'application/pdf' }
      expect(await world.json('POST', '/api/documents/validate-signatures', unknown)).toMatchObject({
        status: 422,
        body: { code: 'UploadNotFound' },
      })
    })

    test('everybody reads a concluded document where its organization allows it, and only there', async () => {
      const [world, other] = [await open(), await open()]
      const publish = (at: World, publicDocuments: boolean) =>
        at.json('PUT', `/api/organizations/${at.organization.id}`, { name: at.organization.name, publicDocuments })
      const publicOf = async (id: string, at = world) => {
        const { key } = (await at.json('GET', `/api/documents/${id}`)).body
        return (await readAnswer(await fetch(`${at.baseUrl}/api/documents/keys/${key}/signatures`))).body
          .contentLocation
      }
      const [id, elsewhere] = [await createDocument(world, [signer(ana)]), await createDocument(other, [signer(ana)])]
      expect(await publish(world, true)).toMatchObject({ status: 200, body: { publicDocuments: true } })
      // A document that waits is for its participants alone.
      expect(await publicOf(id)).toBeNull()
      for (const [at, one] of [
        [world, id],
        [other, elsewhere],
      ] as const) {
        await signAs(at, one, 'ana-souza')
        await vi.waitUntil(async () => (await at.json('GET', `/api/documents/${one}`)).body.status === 'Concluded')
      }
      const location = await publicOf(id)
      const read = await fetch(`${world.baseUrl}${location}`)
      expect(Buffer.from(await read.arrayBuffer()).equals((await contentOf(world, id)).bytes)).toBe(true)
      expect(await publicOf(elsewhere, other)).toBeNull()
      expect(
        (await world.json('PUT', `/api/organizations/${world.organization.id}`, { name: 'Outro' })).body,
      ).toMatchObject({
        publicDocuments: true,
      })
      const nothingSaid = { name: 'Outro', publicDocuments: null, verificationStamp: null }
      const said = await world.json('PUT', `/api/organizations/${world.organization.id}`, nothingSaid)
      expect(said.body).toMatchObject({ publicDocuments: true, verificationStamp: null })
      await publish(world, false)
      expect(await publicOf(id)).toBeNull()
    })

    once('anybody has a file judged, which is not kept', async () => {
      const world = await open()
      const judge = async (bytes: Uint8Array) => {
        const body = new FormData()
        body.set('file', new Blob([new Uint8Array(bytes)]), 'a.pdf')
        return readAnswer(await fetch(`${world.baseUrl}/api/validation`, { method: 'POST', body }))
      }
      const id = await createDocument(world, [signer(ana)])
      await signAs(world, id, 'ana-souza')
      const { bytes } = await contentOf(world, id)
      const { key } = (await world.json('GET', `/api/documents/${id}`)).body
      const uploads = () => world.store.db.selectFrom('upload').selectAll().execute()
      const before = (await uploads()).length
      const { status, body } = await judge(bytes)
      expect(status).toBe(200)
      expect(body.signers).toMatchObject([
        { identifier: '***.982.247-**', emailAddress: null, validationResults: { isValid: true } },
      ])
      const known = (await world.json('GET', `/api/documents/keys/${key}/signatures`)).body.digests
      expect(known).toEqual({ original: expect.stringMatching(/^[0-9a-f]{64}$/), signed: body.sha256 })
      expect((await uploads()).length).toBe(before)
      expect(await judge(Buffer.from('text'))).toMatchObject({
        status: 422,
        body: { code: 'DocumentTypeNotSupported' },
      })
      expect(await judge(Buffer.alloc(0))).toMatchObject({ status: 422, body: { code: 'UploadEmpty' } })
      expect(await judge(Buffer.alloc(26_214_401))).toMatchObject({ status: 422, body: { code: 'UploadTooLarge' } })
    })

    test('everybody who has the verification code sees who signed, without what is personal', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana)])
      const { body: document } = await world.json('GET', `/api/documents/${id}`)
      const look = async (key: string) => {
        const answer = await fetch(`${world.baseUrl}/api/documents/keys/${key}/signatures`)
        return { status: answer.status, body: JSON.parse(await answer.text()) }
      }
      expect(await look(document.key)).toMatchObject({ status: 200, body: { status: 'Pending', signers: [] } })
      await signAs(world, id, 'ana-souza')
      const { body } = await look(document.key)
      expect(body).toMatchObject({
        id,
        key: document.key,
        signers: [
          { identifier: '***.982.247-**', emailAddress: null, evidences: null, validationResults: { isValid: true } },
        ],
      })
      expect(await look('A'.repeat(20))).toMatchObject({ status: 422, body: { code: 'DocumentInvalidKey' } })
      await world.call('DELETE', `/api/documents/${id}`)
      expect(await look(document.key)).toMatchObject({ status: 422, body: { code: 'DocumentInvalidKey' } })
    })
  })
}

test('lookups by verification code are limited by address, and the answer says when to come again', async () => {
  const KeyLookup = { PermitsPerWindow: 3, WindowSeconds: 60 }
  const world = await startPlatform('SQLite', {
    settings: { Http: behindProxy, RateLimiting: { Enabled: true, KeyLookup } },
  })
  const path = '/api/documents/keys/AAAA-BBBB-CCCC-DDDD-EEEE/signatures'
  expect(await usedUp({ baseUrl: world.baseUrl, path, permits: 3 })).toEqual({
    within: [422, 422, 422],
    beyond: 429,
    retryAfter: expect.stringMatching(/^[1-9]\d?$/),
    elsewhere: 422,
  })
})
