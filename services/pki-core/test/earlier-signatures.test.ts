import { createHash, randomBytes } from 'node:crypto'
import { addresses } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { base64, type Client, pending, policies, signEarlier } from './test-support/earlier-signing.ts'
import { certificateOf, clock, running, signedBy, signedHash } from './test-support/pki.ts'
import { opensslAccepts, pdfsig, protectedPdf, xmlsec } from './test-support/signing.ts'

const ANA = 'ana-souza'
const BRUNO = 'bruno-lima'
const MINUTE = 60_000
const contract = samplePdf('Contract')
const order = '<?xml version="1.0"?><order xmlns="urn:order" Id="all"><item Id="one">Bread</item></order>'
const ids = ['urn:order:order', 'urn:order:item']
const BRAZIL = builtInContexts.pkiBrazil
const authority = addresses(running.baseUrl).timeStamps

const pades = { pdfToSign: base64(contract), signaturePolicyId: policies.padesRb }
const cades = { contentToSign: base64('data'), signaturePolicyId: policies.cadesRb }
const xml = { xml: base64(order), signaturePolicyId: policies.xadesRb }
const kinds = [
  ['/Api/PadesSignatures', pades, 'signedPdf'],
  ['/Api/CadesSignatures', cades, 'cms'],
  ['/Api/XmlSignatures/FullXmlSignature', xml, 'signedXml'],
] as const

const refused = (code: string) => ({ status: 422, body: { code, detail: expect.any(String) } })
const bytesIn = (text: string): Buffer => Buffer.from(text, 'base64')

for (const database of databases) {
  describe(`signatures of the earlier generation on ${database}`, () => {
    const open = sharedCore(database, {
      Signatures: { TimestampAuthority: authority },
      Files: { MaxFileBytes: 6_000_000 },
    })
    const once = testOnce(database)
    const post = (client: Client, path: string, body: object = {}) => client.json('POST', path, body)
    const started = async (request: object = pades, path = '/Api/PadesSignatures') =>
      (await post(open(), path, request)).body

    test.each(kinds)(
      '%s: the browser chooses the certificate and signs, one of several completions wins',
      async (path, request, field) => {
        const world = open()
        const format = /(\w+Signatures)/.exec(path)![1]
        const { token, ...nothing } = await started({ ...request, callbackArgument: 'seven' }, path)
        expect(token).toMatch(/^[\w-]{43}$/)
        expect(nothing).toMatchObject({ certificate: null, toSignData: null, toSignHash: null })
        const finalize = (client: Client = world) => post(client, `/Api/${format}/${token}/Finalize`)
        expect(await finalize()).toMatchObject(refused('ClientSignatureNotSet'))
        expect(await pending(world, token, 'GET')).toMatchObject(refused('ToSignHashNotAvailable'))
        expect(await pending(world, token, 'POST', '', { signature: 'AAAA' })).toMatchObject(
          refused('ToSignHashNotAvailable'),
        )
        const choose = (label: string) =>
          pending(world, token, 'POST', '/Certificate', { certificate: certificateOf(label) })
        expect(await choose('revoked')).toMatchObject({
          ...refused('ValidationError'),
          body: { validationResults: { errors: [{}] } },
        })
        const first = await choose(ANA)
        const second = await choose(BRUNO)
        expect(second.body.toSignHash).not.toBe(first.body.toSignHash)
        expect((await pending(world, token, 'GET')).body).toMatchObject({
          certificateThumbprint: createHash('sha256')
            .update(bytesIn(certificateOf(BRUNO)))
            .digest('base64'),
          toSignHash: second.body.toSignHash,
          digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
        })
        const wrong = await pending(world, token, 'POST', '', { signature: signedHash(ANA, first.body.toSignHash) })
        expect(wrong).toMatchObject(refused('ValidationError'))
        const signature = signedHash(BRUNO, second.body.toSignHash)
        expect((await pending(world, token, 'POST', '', { signature })).status).toBe(200)
        expect(await pending(world, token, 'POST', '', { signature })).toMatchObject(
          refused('ClientSignatureAlreadySet'),
        )
        expect(await choose(ANA)).toMatchObject(refused('ClientSignatureAlreadySet'))
        const own = await post(world, `/Api/${format}/${token}/SignedBytes`, { signature })
        expect(own).toMatchObject(refused('ClientSignatureAlreadySet'))
        expect(await finalize(await clientAt(world))).toMatchObject(refused('InvalidToken'))
        const answers = await Promise.all([finalize(), finalize(), finalize()])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
        const { body } = answers.find(({ status }) => status === 200)!
        expect(body).toMatchObject({
          callbackArgument: 'seven',
          certificate: { subjectDisplayName: 'BRUNO CARVALHO LIMA' },
        })
        expect(bytesIn(body[field]).length).toBeGreaterThan(1000)
        expect(await pending(world, token, 'GET')).toMatchObject(refused('InvalidToken'))
      },
    )

    test('a certificate that was given at the start is the only one, and a wrong value costs nothing', async () => {
      const world = open()
      const { token, toSignData, certificate } = await started({ ...pades, certificate: certificateOf(ANA) })
      expect(certificate.pkiBrazil.cpf).toBe('52998224725')
      const choose = (label: string) =>
        pending(world, token, 'POST', '/Certificate', { certificate: certificateOf(label) })
      expect(await choose(BRUNO)).toMatchObject(refused('CertificateMismatch'))
      expect((await choose(ANA)).status).toBe(200)
      const complete = (signature: string) => post(world, `/Api/PadesSignatures/${token}/SignedBytes`, { signature })
      expect(await complete(signedBy(BRUNO, toSignData))).toMatchObject(refused('ValidationError'))
      expect(await post(world, `/Api/CadesSignatures/${token}/Finalize`)).toMatchObject(refused('InvalidToken'))
      const stranger = await clientAt(world)
      const foreign = await post(stranger, `/Api/PadesSignatures/${token}/SignedBytes`, {
        signature: signedBy(ANA, toSignData),
      })
      expect(foreign).toMatchObject(refused('InvalidToken'))
      const done = await complete(signedBy(ANA, toSignData))
      expect(await pdfsig(bytesIn(done.body.signedPdf))).toContain('Signature is Valid.')
      expect(await complete(signedBy(ANA, toSignData))).toMatchObject(refused('InvalidToken'))
    })

    test('a start that nobody completes in time is gone', async () => {
      const { token, toSignData } = await started({ ...pades, certificate: certificateOf(ANA) })
      clock.advance(61 * MINUTE)
      const late = await post(open(), `/Api/PadesSignatures/${token}/SignedBytes`, {
        signature: signedBy(ANA, toSignData),
      })
      expect(late).toMatchObject(refused('InvalidToken'))
    })

    for (const [name, path, request, level] of [
      ['padesT', '/Api/PadesSignatures', { pdfToSign: pades.pdfToSign }, 'Pades'],
      ['padesRt', '/Api/PadesSignatures', { pdfToSign: pades.pdfToSign }, 'Pades'],
      ['cadesRt', '/Api/CadesSignatures', { contentToSign: cades.contentToSign }, 'Cades'],
      ['cadesRc', '/Api/CadesSignatures', { contentToSign: cades.contentToSign }, 'Cades'],
      ['xadesRt', '/Api/XmlSignatures/FullXmlSignature', { xml: xml.xml }, 'Xml'],
      ['xadesRc', '/Api/XmlSignatures/FullXmlSignature', { xml: xml.xml }, 'Xml'],
      ['xadesRa', '/Api/XmlSignatures/FullXmlSignature', { xml: xml.xml }, 'Xml'],
    ] as const)
      once(`the policy ${name} gives a signature with a timestamp, which opens as valid`, async () => {
        const world = open()
        const signaturePolicyId = policies[name]
        const { status, body, text } = await signEarlier(world, path, ANA, { ...request, signaturePolicyId })
        expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
        const content = body.signedPdf ?? body.cms ?? body.signedXml
        const opened = await post(world, `/Api/${level}Signatures/Open`, {
          file: { content },
          validate: true,
          securityContextId: BRAZIL,
        })
        const [signer] = opened.body.signers ?? opened.body
        expect(signer.validationResults.errors).toEqual([])
        expect(signer.certifiedDateReference).not.toBeNull()
        expect(signer.timestamps[0]).toMatchObject({
          messageImprint: { algorithm: 'SHA256' },
          serialNumber: expect.stringMatching(/^\d+$/),
        })
        if (name === 'padesT') expect(await pdfsig(bytesIn(content))).toContain('Signature is Valid.')
        if (name === 'cadesRc') expect(await opensslAccepts(bytesIn(content))).toBe(true)
        if (name === 'xadesRa') expect(await xmlsec(bytesIn(content), ids)).toMatch(/^OK$/m)
      })

    once('an authority that does not answer costs nothing: the completion is tried again', async () => {
      const world = open()
      const start = await started({ ...pades, signaturePolicyId: policies.padesRt, certificate: certificateOf(ANA) })
      const complete = () =>
        post(world, `/Api/PadesSignatures/${start.token}/SignedBytes`, { signature: signedBy(ANA, start.toSignData) })
      running.faults.set('tsa', { kind: 'http-500' })
      try {
        expect(await complete()).toMatchObject(refused('TimestampingUnavailable'))
      } finally {
        running.faults.clear()
      }
      expect((await complete()).status).toBe(200)
    })

    once('fields of a PDF are honoured: field name, reason, certification, and the size of the answer', async () => {
      const world = open()
      const request = { ...pades, signaturePolicyId: policies.padesBasic, securityContextId: BRAZIL }
      const more = {
        customSignatureFieldName: 'Buyer',
        reason: 'I agree',
        certificationLevel: 'CertifiedNoChangesAllowed',
      }
      const { body } = await signEarlier(world, '/Api/PadesSignatures', ANA, { ...request, ...more })
      const said = await pdfsig(bytesIn(body.signedPdf))
      expect(said).toContain('Signature Field Name: Buyer')
      const opened = await post(world, '/Api/PadesSignatures/Open', { file: { content: body.signedPdf } })
      expect(opened.body.signers[0]).toMatchObject({ signatureFieldName: 'Buyer', validationResults: null })
      const again = await post(world, '/Api/PadesSignatures', {
        ...request,
        pdfToSign: body.signedPdf,
        certificate: certificateOf(BRUNO),
      })
      expect(again).toMatchObject(refused('InvalidPdf'))
      const marks = { pdfMarks: [{ elements: [{ elementType: 'Text', textSections: [{ text: 'x' }] }] }] }
      expect((await post(world, '/Api/PadesSignatures', { ...request, ...marks })).status).toBe(200)
      const signed = (await signEarlier(world, '/Api/PadesSignatures', ANA, request)).body.signedPdf
      const bypassed = { ...request, ...marks, pdfToSign: signed }
      expect((await post(world, '/Api/PadesSignatures', bypassed)).status).toBe(200)
      expect(await post(world, '/Api/PadesSignatures', { ...bypassed, bypassMarksIfSigned: false })).toMatchObject(
        refused('CannotApplyPdfMarks'),
      )
    })

    once('the argument of a signature is not readable in the database', async () => {
      const world = open()
      const { token } = await started({ ...pades, callbackArgument: 'secret case' })
      const id = createHash('sha256').update(token).digest('base64url')
      const row = await world.store.db
        .selectFrom('earlier_signature')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.sealed_callback).toEqual(expect.any(String))
      expect(JSON.stringify(row)).not.toContain('secret case')
    })

    once('what cannot be started is refused by its code', async () => {
      const world = open()
      const without = await clientAt(world)
      const basic = { signaturePolicyId: policies.padesBasic, securityContextId: BRAZIL }
      const file = (bytes: Uint8Array | string) => ({ pdfToSign: base64(bytes), ...basic })
      const shown = (over: object) => ({ ...file(contract), visualRepresentation: { text: { text: 'x' }, ...over } })
      const manual = { left: 1, bottom: 1, width: 5, height: 2 }
      const cases: readonly [string, object, string][] = [
        ['/Api/PadesSignatures', { pdfToSign: pades.pdfToSign }, 'SignaturePolicyRequired'],
        ['/Api/PadesSignatures', { ...pades, signaturePolicyId: crypto.randomUUID() }, 'EntityNotFound'],
        ['/Api/PadesSignatures', { ...pades, signaturePolicyId: policies.cadesBes }, 'EntityUnusable'],
        ['/Api/PadesSignatures', { ...pades, signaturePolicyId: policies.padesBasic }, 'SecurityContextRequired'],
        ['/Api/PadesSignatures', { ...pades, securityContextId: crypto.randomUUID() }, 'EntityNotFound'],
        ['/Api/PadesSignatures', { ...pades, certificate: 'AAAA' }, 'PKCertificateMalformed'],
        ['/Api/PadesSignatures', { ...pades, certificate: certificateOf('revoked') }, 'ValidationError'],
        ['/Api/PadesSignatures', file(randomBytes(5 * 1024 * 1024)), 'InvalidPdf'],
        ['/Api/PadesSignatures', file(contract.subarray(0, contract.length / 2)), 'InvalidPdf'],
        ['/Api/PadesSignatures', file(await protectedPdf(contract)), 'ProtectedPdfError'],
        ['/Api/PadesSignatures', shown({ position: {} }), 'PadesPositionNotFilled'],
        ['/Api/PadesSignatures', shown({ position: { pageNumber: 9, manual } }), 'InvalidPage'],
        ['/Api/PadesSignatures', shown({ position: { manual }, text: { text: 'x', fontSize: 0 } }), 'FontSizeZero'],
        ['/Api/PadesSignatures', shown({ position: { manual }, text: {} }), 'InvalidVisualRepresentation'],
        ['/Api/v2/PadesSignatures', { ...basic, pdfToSign: { blobToken: '../../x' } }, 'InvalidToken'],
        ['/Api/v2/PadesSignatures', { ...basic, pdfToSign: { url: 'http://127.0.0.1:1/a' } }, 'FileDownloadFailed'],
        [
          '/Api/v2/CadesSignatures',
          { signaturePolicyId: policies.cadesRb, dataHashes: [{ algorithm: 'SHA1', value: 'AAAA' }] },
          'MissingDataHash',
        ],
        [
          '/Api/CadesSignatures',
          { signaturePolicyId: policies.cadesRb, cmsToCoSign: base64('no cms') },
          'InvalidCades',
        ],
        [
          '/Api/XmlSignatures/FullXmlSignature',
          { ...xml, signaturePolicyId: policies.nfe },
          'UnsupportedDigestAlgorithm',
        ],
        [
          '/Api/XmlSignatures/FullXmlSignature',
          { ...xml, signaturePolicyId: policies.codSha1 },
          'UnsupportedDigestAlgorithm',
        ],
        ['/Api/XmlSignatures/FullXmlSignature', { ...xml, signaturePolicyId: policies.codSha256 }, 'EntityUnusable'],
      ]
      for (const [path, request, code] of cases) {
        const answer = await post(without, path, request)
        expect({ path, code: answer.body.code }).toEqual({ path, code })
      }
      for (const request of [
        { ...pades, reason: 'why' },
        { ...pades, pdfToSign: 'no base64!' },
        { signaturePolicyId: policies.padesRb },
      ])
        expect((await post(world, '/Api/PadesSignatures', request)).status).toBe(400)
      const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>`
      for (const bytes of [bomb, '<a>', '\u0000', '<a/><b/>', '<a>'.repeat(100_000)])
        expect(
          await post(world, '/Api/XmlSignatures/FullXmlSignature', {
            ...xml,
            xml: base64(bytes),
            certificate: certificateOf(ANA),
          }),
        ).toMatchObject(refused('InvalidXml'))
      const element = { ...xml, elementToSignId: 'nowhere', certificate: certificateOf(ANA) }
      expect(await post(world, '/Api/XmlSignatures/XmlElementSignature', element)).toMatchObject(refused('InvalidXml'))
      const table = { globalIdAttributes: [{ localName: 'key' }] }
      expect(
        (await post(world, '/Api/XmlSignatures/XmlElementSignature', { ...element, idResolutionTable: table })).status,
      ).toBe(400)
      for (const token of ['..%2f..%2fetc', '%00', 'a'.repeat(43), "' or 1=1 --", '%'])
        for (const path of [`/Api/PadesSignatures/${token}/Finalize`, `/Api/PendingSignatures/${token}`]) {
          const method = path.endsWith('Finalize') ? 'POST' : 'GET'
          expect((await world.json(method, path)).status).toBeLessThan(500)
        }
    })

    once('a file that is too large and a key that signs no hashes are refused; one on a curve signs', async () => {
      const world = open()
      const large = { ...pades, pdfToSign: base64(Buffer.alloc(6_000_001, 1)) }
      expect(await post(world, '/Api/PadesSignatures', large)).toMatchObject(refused('FileTooLarge'))
      const { label } = await running.pki.issuePerson({ name: 'Eva Edwards' }, { key: 'Ed25519' })
      const other = { ...pades, certificate: certificateOf(label) }
      expect(await post(world, '/Api/PadesSignatures', other)).toMatchObject(refused('UnsupportedSignatureAlgorithm'))
      const curve = 'without-email'
      const begun = await started({ ...cades, certificate: certificateOf(curve) }, '/Api/v2/CadesSignatures')
      const signature = signedBy(curve, begun.toSignData)
      expect((await pending(world, begun.token, 'POST', '', { signature })).status).toBe(200)
      const done = await post(world, `/Api/v2/CadesSignatures/${begun.token}/SignedBytes`, { signature: null })
      expect(await opensslAccepts(bytesIn(done.body.signatureFile.content))).toBe(true)
    })

    once('the data of a CMS may be given by hash, beside it, or be a CMS themselves', async () => {
      const world = open()
      const data = Buffer.from('data to sign')
      const hexValue = createHash('sha256').update(data).digest('hex')
      const signaturePolicyId = policies.cadesRt
      const byHash = { signaturePolicyId, dataHashes: [{ algorithm: 'SHA256', hexValue }] }
      const first = await signEarlier(world, '/Api/v2/CadesSignatures', ANA, byHash)
      expect(await opensslAccepts(bytesIn(first.body.cms), data)).toBe(true)
      const beside = { signaturePolicyId: policies.cadesRb, cmsToCoSign: first.body.cms, contentToSign: base64(data) }
      const second = await signEarlier(world, '/Api/CadesSignatures', BRUNO, beside)
      expect(await opensslAccepts(bytesIn(second.body.cms), data)).toBe(true)
      const third = await signEarlier(world, '/Api/CadesSignatures', ANA, {
        ...beside,
        signaturePolicyId,
        cmsToCoSign: second.body.cms,
      })
      expect(await opensslAccepts(bytesIn(third.body.cms), data)).toBe(true)
      const other = await post(world, '/Api/CadesSignatures', {
        ...beside,
        contentToSign: base64('other'),
        certificate: certificateOf(ANA),
      })
      expect(other).toMatchObject(refused('InvalidCades'))
      const nested = await signEarlier(world, '/Api/CadesSignatures', ANA, { ...cades, contentToSign: third.body.cms })
      expect(bytesIn(nested.body.cms).includes(bytesIn(third.body.cms))).toBe(true)
    })

    once('keys and roles are told apart', async () => {
      const world = open()
      const monitor = await clientAt(world, { roles: ['Monitor'], subscriptionId: world.client.subscriptionId })
      expect((await post(monitor, '/Api/PadesSignatures', pades)).status).toBe(403)
      const keyless = await world.json('POST', '/Api/PadesSignatures', pades, { 'X-Api-Key': 'nobody|wrong' })
      expect(keyless.status).toBe(401)
    })
  })
}
