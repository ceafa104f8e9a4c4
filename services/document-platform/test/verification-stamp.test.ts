import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { pdfText } from './test-support/pdf-text.ts'
import {
  createDocument,
  databases,
  type PlatformWorld,
  sharedPlatform,
  signer,
  upload,
} from './test-support/platform-world.ts'
import { clock, contentOf, holder, judges, signAs, trusting } from './test-support/signers.ts'

const ana = holder('ana-souza')
const davi = holder('davi-moreira')
const flow = [signer(ana), signer(davi, { step: 2 })]
const pdf = samplePdf('Contrato')

const detailsOf = async ({ json }: PlatformWorld, id: string) => (await json('GET', `/api/documents/${id}`)).body
const historyOf = async ({ json }: PlatformWorld, id: string) =>
  ((await json('GET', `/api/documents/${id}/timeline`)).body as { type: string }[]).map(({ type }) => type)

async function signedTwice(world: PlatformWorld, id: string): Promise<Buffer> {
  for (const label of ['ana-souza', 'davi-moreira']) expect((await signAs(world, id, label)).body.success).toBe(true)
  return (await contentOf(world, id)).bytes
}

for (const database of databases) {
  describe(`the paper proves itself on ${database}`, () => {
    // Nothing said: the default.
    const stamping = sharedPlatform(database, () => ({
      settings: { ...trusting(), Documents: { VerificationStamp: undefined } },
      clock,
    }))

    test('what is signed carries code and address on every page, and a sheet that names the signers', async () => {
      const world = await stamping()
      const id = await createDocument(world, flow, { file: pdf })
      const { key } = await detailsOf(world, id)
      const original = (await contentOf(world, id, 'Original')).bytes
      // Whoever is asked to sign reads what is going to be signed, which begins with what was uploaded.
      expect(original.subarray(0, pdf.length).equals(pdf)).toBe(true)
      const signed = await signedTwice(world, id)
      expect(signed.subarray(0, original.length).equals(original)).toBe(true)
      await judges.pdf(signed, 2)
      const [first, sheet] = (await pdfText(signed)).split('\f')
      for (const page of [first, sheet]) expect(page).toContain(`/validate/${key}`)
      for (const { name } of [ana, davi]) expect(sheet).toContain(name)
      expect(await historyOf(world, id)).toContain('Stamped')
      const { body } = await world.json('GET', `/api/documents/keys/${key}/signatures`)
      for (const one of body.signers) expect(one.validationResults).toMatchObject({ isValid: true, errors: [] })
    })

    test('an organization chooses what its own files get, whatever the instance says', async () => {
      const [world, other] = [await stamping(), await stamping()]
      const path = `/api/organizations/${world.organization.id}`
      const choose = (verificationStamp: string | null) =>
        world.json('PUT', path, { name: world.organization.name, verificationStamp })
      const originalOf = async (at: PlatformWorld) =>
        (await contentOf(at, await createDocument(at, flow, { file: pdf }), 'Original')).bytes
      expect(await choose('None')).toMatchObject({ status: 200, body: { verificationStamp: 'None' } })
      expect((await originalOf(world)).equals(pdf)).toBe(true)
      expect((await originalOf(other)).length).toBeGreaterThan(pdf.length)
      expect((await choose('Page')).status).toBe(200)
      const [first, sheet] = (await pdfText(await originalOf(world))).split('\f')
      expect(first).not.toContain('/validate/')
      expect(sheet).toContain('/validate/')
      expect(await choose('Everywhere')).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } })
      expect(await choose(null)).toMatchObject({ body: { verificationStamp: null } })
      expect((await pdfText(await originalOf(world))).split('\f')[0]).toContain('/validate/')
    })

    test('whoever creates a document chooses for that one and its later versions', async () => {
      const world = await stamping()
      const id = await createDocument(world, flow, { file: pdf, verificationStamp: 'None' })
      const originalOf = async () => (await contentOf(world, id, 'Original')).bytes
      expect((await originalOf()).equals(pdf)).toBe(true)
      const next = samplePdf('Outra versão')
      const file = { id: await upload(world, next), name: 'b.pdf', displayName: 'B', contentType: 'application/pdf' }
      expect((await world.json('POST', `/api/documents/${id}/versions`, { file })).status).toBe(200)
      expect((await originalOf()).equals(next)).toBe(true)
      await expect(createDocument(world, flow, { verificationStamp: 'Everywhere' })).rejects.toThrow('InvalidRequest')
    })

    test('a file that comes with signatures stays as it is, and the history says so', async () => {
      const world = await stamping()
      const first = await createDocument(world, [signer(ana)], { file: pdf })
      expect((await signAs(world, first, 'ana-souza')).body.success).toBe(true)
      const signed = (await contentOf(world, first)).bytes
      const id = await createDocument(world, [signer(davi)], { file: signed })
      expect((await contentOf(world, id, 'Original')).bytes.equals(signed)).toBe(true)
      expect(await historyOf(world, id)).toContain('NotStamped')
      expect((await signAs(world, id, 'davi-moreira')).body.success).toBe(true)
      await judges.pdf((await contentOf(world, id)).bytes, 2)
    })

    test('a new version is stamped with the same code', async () => {
      const world = await stamping()
      const id = await createDocument(world, flow, { file: pdf })
      const { key } = await detailsOf(world, id)
      const next = samplePdf('Outra versão')
      const file = { id: await upload(world, next), name: 'b.pdf', displayName: 'B', contentType: 'application/pdf' }
      expect((await world.json('POST', `/api/documents/${id}/versions`, { file })).status).toBe(200)
      const original = (await contentOf(world, id, 'Original')).bytes
      expect(original.subarray(0, next.length).equals(next)).toBe(true)
      expect(await pdfText(original)).toContain(`/validate/${key}`)
    })
  })

  describe(`authentication stamps on ${database}`, () => {
    const open = sharedPlatform(database, { settings: trusting(), clock })
    const stamp = { type: 'AuthenticationStamp', pageNumber: 1, topLeftX: 60, topLeftY: 60, width: 260, height: 60 }

    test('stand where the sender placed them, in what is signed, and are no mark of a signer', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana, { prePositionedMarks: [stamp] })], { file: pdf })
      const { key } = await detailsOf(world, id)
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      const { bytes } = await contentOf(world, id)
      await judges.pdf(bytes, 1)
      const text = await pdfText(bytes)
      expect(text).toContain(key)
      expect(text).not.toContain('Assinado digitalmente por')
    })

    test('can be sent back with an edit of the flow, but not moved', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(ana, { prePositionedMarks: [stamp] })], { file: pdf })
      const { flowActions } = await detailsOf(world, id)
      const edited = (marks: object[]) =>
        world.json('POST', `/api/documents/${id}/flow`, {
          editedFlowActions: [{ flowActionId: flowActions[0].id, prePositionedMarks: marks }],
        })
      expect((await edited([stamp])).status).toBe(200)
      expect(await edited([{ ...stamp, topLeftY: 400 }])).toMatchObject({
        status: 422,
        body: { code: 'InvalidFlowAction' },
      })
    })

    test('without any, and without the setting, the file is signed as it was uploaded', async () => {
      const world = await open()
      const id = await createDocument(world, flow, { file: pdf })
      expect((await contentOf(world, id, 'Original')).bytes.equals(pdf)).toBe(true)
      expect(await historyOf(world, id)).not.toContain('Stamped')
    })

    test('on a page that is not there are refused, and so are those that come after the document was made', async () => {
      const world = await open()
      const file = { id: await upload(world, pdf), name: 'a.pdf', displayName: 'A', contentType: 'application/pdf' }
      const action = signer(ana, { prePositionedMarks: [{ ...stamp, pageNumber: 9 }] })
      const refused = await world.json('POST', '/api/documents', { files: [file], flowActions: [action] })
      expect(refused).toMatchObject({ status: 422, body: { code: 'InvalidDocumentContent' } })
      const id = await createDocument(world, [signer(ana)], { file: pdf })
      const late = { addedFlowActions: [signer(davi, { step: 2, prePositionedMarks: [stamp] })] }
      expect(await world.json('POST', `/api/documents/${id}/flow`, late)).toMatchObject({
        status: 422,
        body: { code: 'InvalidFlowAction' },
      })
    })
  })
}
