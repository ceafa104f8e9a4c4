// The forms of signatures: marks on PDFs, elements of XML documents, timestamps.
import { untrustingJudge } from '@chancela/service-kernel/trust'
import { validateXades } from '@chancela/signature-engine/xades'
import { sampleXml } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { pdfText } from './test-support/pdf-text.ts'
import { createDocument, sharedPlatform, signer, ticketOf, upload } from './test-support/platform-world.ts'
import { clock, contentOf, holder, judges, running, signAs, start, trusting } from './test-support/signers.ts'

const ana = holder('ana-souza')
const bruno = holder('bruno-lima')
const helena = holder('helena-prado')
const mark = (topLeftY: number, over: object = {}) => ({ topLeftX: 60, topLeftY, width: 240, height: 60, ...over })

describe('forms of signatures on SQLite', () => {
  const open = sharedPlatform('SQLite', {
    settings: trusting({ TimestampAuthority: `${running.baseUrl}/tsa` }),
    clock,
  })

  test('the mark stands where the sender put it, and says who signed and when', async () => {
    const world = await open()
    const id = await createDocument(world, [
      signer(ana, { prePositionedMarks: [mark(100, { pageNumber: 1 })], notificationLanguage: 'Pt' }),
      signer(bruno, { step: 2, notificationLanguage: 'En' }),
    ])
    expect((await signAs(world, id, 'ana-souza', { userTimeZoneOffset: -180 })).body.success).toBe(true)
    const placed = { signaturePosition: { ...mark(300), page: 1 } }
    expect((await signAs(world, id, 'bruno-lima', placed)).body.success).toBe(true)
    const { bytes } = await contentOf(world, id)
    await judges.pdf(bytes, 2)
    const text = await pdfText(bytes)
    expect(text).toContain('Assinado digitalmente por')
    expect(text).toMatch(/ANA BEATRIZ SOUZA/)
    expect(text).toContain('Digitally signed by')
    expect(text).toContain('***.982.247-**')
    expect(text).not.toContain(ana.identifier)
  })

  test('several marks and initials of each signer are drawn, and every signature stays valid', async () => {
    const world = await open()
    const initials = { type: 'SignatureInitials', topLeftX: 500, topLeftY: 40, width: 50, height: 24 }
    const id = await createDocument(world, [
      signer(ana, { prePositionedMarks: [mark(100), mark(180), initials] }),
      signer(bruno, { step: 2, prePositionedMarks: [mark(400), { ...initials, topLeftY: 80 }] }),
    ])
    expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
    expect((await signAs(world, id, 'bruno-lima')).body.success).toBe(true)
    const { bytes } = await contentOf(world, id)
    await judges.pdf(bytes, 2)
    const text = await pdfText(bytes)
    expect(text.match(/ANA BEATRIZ SOUZA/g)).toHaveLength(2)
    expect(text).toMatch(/^\s*ABS$/m)
    expect(text).toMatch(/^\s*BCL$/m)
    const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
    for (const one of body.signers) expect(one.validationResults).toMatchObject({ isValid: true, errors: [] })
  })

  test('a stamp of the document leaves the signer free to place the mark of the signature', async () => {
    const world = await open()
    const stamp = mark(700, { type: 'AuthenticationStamp' })
    const id = await createDocument(world, [signer(ana, { prePositionedMarks: [stamp] })])
    const signaturePosition = mark(100, { pageNumber: 1 })
    expect((await signAs(world, id, 'ana-souza', { signaturePosition })).body.success).toBe(true)
    const { bytes } = await contentOf(world, id)
    await judges.pdf(bytes, 1)
    expect((await pdfText(bytes)).match(/ANA BEATRIZ SOUZA/g)).toHaveLength(1)
  })

  test('a mark on a page that is not there is refused, and nothing changes', async () => {
    const world = await open()
    const id = await createDocument(world, [signer(ana)])
    const action = await ticketOf(world, id, ana.identifier)
    expect(await start(world, action, 'ana-souza', { signaturePosition: mark(10, { pageNumber: 9 }) })).toMatchObject({
      status: 422,
      body: { code: 'DocumentTypeNotSupported' },
    })
  })

  test('a timestamp proves when it was signed, in every format, where the request asks for it', async () => {
    const world = await open()
    for (const over of [{}, { name: 'a.bin', file: Buffer.from('bytes') }, { name: 'a.xml', file: sampleXml() }]) {
      const id = await createDocument(world, [signer(ana), signer(bruno, { step: 2 })], {
        timestampEnabled: true,
        ...over,
      })
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      expect((await signAs(world, id, 'bruno-lima')).body.success).toBe(true)
      const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
      expect(body.signers).toHaveLength(2)
      for (const one of body.signers) {
        expect(one.signatureTimestamps).toEqual([{ genTime: expect.any(String), authority: expect.any(String) }])
        expect(one.validationResults).toMatchObject({ isValid: true })
      }
    }
    const { total } = await world.store.db
      .selectFrom('billed_transaction')
      .select('total')
      .where('organization_id', '=', world.organization.id)
      .where('type', '=', 'Timestamper')
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBe(6)
  })

  test('without an answer of the timestamp authority nothing is recorded, and it can be tried again', async () => {
    const world = await open()
    const id = await createDocument(world, [signer(ana)], { timestampEnabled: true })
    running.faults.set('tsa', { kind: 'http-500' })
    expect(await signAs(world, id, 'ana-souza')).toMatchObject({
      status: 422,
      body: { code: 'TimestampNotAvailable' },
    })
    running.faults.clear('tsa')
    expect((await world.json('GET', `/api/documents/${id}`)).body.hasSignature).toBe(false)
    expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
  })

  test('an XML document is signed whole by several, each leaving the others out', async () => {
    const world = await open()
    const id = await createDocument(world, [signer(ana), signer(bruno, { step: 2 })], {
      file: sampleXml(),
      name: 'nota.xml',
    })
    expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
    expect((await signAs(world, id, 'bruno-lima')).body.success).toBe(true)
    const { bytes, headers } = await contentOf(world, id)
    expect(headers.get('content-type')).toBe('text/xml')
    await judges.xml(bytes, 2)
  })

  test('an element is signed by its Id or by XPath, the signature where the options say', async () => {
    const world = await open()
    const file = Buffer.from(
      '<?xml version="1.0"?><n:nota xmlns:n="urn:nota"><n:corpo Id="c1">texto</n:corpo><n:fim/></n:nota>',
    )
    const id = await createDocument(
      world,
      [
        signer(ana, {
          xadesOptions: {
            signatureType: 'XmlElement',
            elementToSignIdentifierType: 'Id',
            elementToSignIdentifier: 'c1',
            insertionOption: 'AppendSibling',
            disableXPathTransformation: true,
          },
        }),
        signer(bruno, {
          step: 2,
          xadesOptions: {
            signatureType: 'XmlElement',
            elementToSignIdentifierType: 'XPath',
            elementToSignIdentifier: '//x:fim',
            insertionOption: 'PrependSibling',
            disableXPathTransformation: true,
          },
        }),
      ],
      { file, name: 'nota.xml', xmlNamespaces: [{ prefix: 'x', uri: 'urn:nota' }] },
    )
    expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
    expect((await signAs(world, id, 'bruno-lima')).body.success).toBe(true)
    const { bytes } = await contentOf(world, id)
    expect(bytes.toString()).toMatch(
      /<\/n:corpo><ds:Signature .*<\/ds:Signature><ds:Signature .*<\/ds:Signature><n:fim/s,
    )
    const { body } = await world.json('GET', `/api/documents/${id}/signatures-details`)
    for (const one of body.signers) expect(one.validationResults).toMatchObject({ isValid: true, errors: [] })
  })

  test('an element that is not there is refused, and nothing changes', async () => {
    const world = await open()
    const id = await createDocument(
      world,
      [signer(ana, { xadesOptions: { signatureType: 'XmlElement', elementToSignIdentifier: 'none' } })],
      { file: sampleXml(), name: 'nota.xml' },
    )
    expect(await signAs(world, id, 'ana-souza')).toMatchObject({
      status: 422,
      body: { code: 'DocumentTypeNotSupported' },
    })
  })

  test('FullXmlAdRc has all that the form AD-RC asks for', async () => {
    const world = await open()
    const options = { xadesOptions: { signatureType: 'FullXmlAdRc' } }
    const id = await createDocument(world, [signer(helena, options)], { file: sampleXml(), name: 'nota.xml' })
    expect((await signAs(world, id, 'helena-prado')).body.success).toBe(true)
    const { bytes } = await contentOf(world, id)
    const { signatures } = await validateXades(bytes, { judge: untrustingJudge, now: clock() })
    expect(signatures).toMatchObject([
      { level: 'AD-RC', integrity: { content: { state: 'passed' }, signature: { state: 'passed' } } },
    ])
  })
})

describe('signatures under a policy on SQLite', () => {
  const open = sharedPlatform('SQLite', {
    settings: trusting({ TimestampAuthority: `${running.baseUrl}/tsa` }),
    clock,
  })

  test('an element is signed at the level of the policy that is asked for, and the whole is archived after it', async () => {
    const world = await open()
    const element = { signatureType: 'XmlElement', elementToSignIdentifierType: 'Id', elementToSignIdentifier: 'c1' }
    const file = Buffer.from('<?xml version="1.0"?><nota><corpo id="c1">texto</corpo></nota>')
    const flow = [
      signer(ana, { xadesOptions: { ...element, policy: 'AD-RT' } }),
      signer(bruno, { step: 2, xadesOptions: { ...element, policy: 'AD-RC' } }),
      signer(helena, {
        step: 3,
        xadesOptions: { signatureType: 'FullXml', disableXPathTransformation: true, policy: 'AD-RA' },
      }),
    ]
    const id = await createDocument(world, flow, { file, name: 'nota.xml' })
    for (const label of ['ana-souza', 'bruno-lima', 'helena-prado'])
      expect((await signAs(world, id, label)).body).toMatchObject({ success: true })
    const { bytes } = await contentOf(world, id)
    const { signatures } = await validateXades(bytes, { judge: untrustingJudge, now: clock() })
    expect(signatures.map(({ level }) => level)).toEqual(['AD-RT', 'AD-RC', 'AD-RA'])
    for (const { integrity } of signatures)
      expect(integrity).toMatchObject({ content: { state: 'passed' }, signature: { state: 'passed' } })
  })

  test('a policy that contradicts the rest of the options is refused by its name', async () => {
    const world = await open()
    const refused = async (options: object) => {
      const files = [{ id: await upload(world, sampleXml()), name: 'nota.xml' }]
      const { body } = await world.json('POST', '/api/documents', { files, flowActions: [signer(ana, options)] })
      return [body.code, body.details?.field]
    }
    expect(await refused({ xadesOptions: { signatureType: 'FullXmlAdRc', policy: 'AD-RT' } })).toEqual([
      'InvalidFlowAction',
      'flowActions[0].xadesOptions.policy',
    ])
    expect(await refused({ allowElectronicSignature: true, xadesOptions: { policy: 'AD-RT' } })).toEqual([
      'InvalidFlowAction',
      'flowActions[0].allowElectronicSignature',
    ])
  })
})

describe('an instance without a timestamp authority on SQLite', () => {
  const open = sharedPlatform('SQLite', { settings: trusting(), clock })

  test('signs without one, and refuses what cannot do without', async () => {
    const world = await open()
    const id = await createDocument(world, [signer(ana)], { timestampEnabled: true })
    expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
    const full = await createDocument(world, [signer(ana, { xadesOptions: { signatureType: 'FullXmlAdRc' } })], {
      file: sampleXml(),
      name: 'nota.xml',
    })
    expect(await signAs(world, full, 'ana-souza')).toMatchObject({
      status: 422,
      body: { code: 'TimestampNotAvailable' },
    })
  })
})
