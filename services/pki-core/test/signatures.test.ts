import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { samplePdf } from '@chancela/testkit/samples'
import { modificationRules, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { type CoreWorld, clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { certificateOf, clock, running, signedBy, signedHash } from './test-support/pki.ts'
import {
  complete,
  download,
  inline,
  opensslAccepts,
  pdfsig,
  prepare,
  protectedPdf,
  sign,
  xmlsec,
} from './test-support/signing.ts'

const ANA = 'ana-souza'
const BRUNO = 'bruno-lima'
const MINUTE = 60_000
const contract = samplePdf('Contract')
const order = '<?xml version="1.0"?><order xmlns="urn:order" Id="all"><item Id="one">Bread</item></order>'

/** A security context of the subscription, with the same roots. */
async function ownContext({ store, client }: CoreWorld, policies: readonly string[] = []): Promise<string> {
  const id = crypto.randomUUID()
  const times = { created_at: clock().toISOString(), updated_at: clock().toISOString() }
  const trusted = { name: id, roots: running.pki.trustAnchors(), intermediates: '', policies: JSON.stringify(policies) }
  const judged = { revocation: 'Required', version: 1 } as const
  const row = { id, subscription_id: client.subscriptionId, ...trusted, ...judged, ...times }
  await store.db.insertInto('security_context').values(row).execute()
  return id
}

const errorTypes = (results: { errors: { type: string }[] }) => results.errors.map(({ type }) => type)

for (const database of databases) {
  describe(`signatures on ${database}`, () => {
    const open = sharedCore(database, { Files: { DownloadHosts: ['127.0.0.1/32'], MaxFileBytes: 8_000_000 } })
    const once = testOnce(database)

    test('a PDF is prepared, signed elsewhere and completed into a document', async () => {
      const world = open()
      const { prepared, document, bytes } = await sign(world, ANA, { file: inline('contract.pdf', contract) })
      expect(prepared).toMatchObject({ failure: null, certificate: { pkiBrazil: { cpf: '52998224725' } } })
      expect(prepared.state).toMatch(/^[\w-]{43}$/)
      expect(prepared.toSignHash).toMatchObject({ algorithm: 'SHA256', value: prepared.toSign.hash })
      expect(document).toMatchObject({
        signatureType: 'Pdf',
        markedFile: null,
        originalFile: { name: 'contract.pdf', mimeType: 'application/pdf', length: contract.length },
        signedFile: { name: 'contract-signed.pdf', length: bytes.length, content: null },
        signers: [{ certificate: { subjectDisplayName: 'ANA BEATRIZ SOUZA', thumbprint: expect.any(String) } }],
        metadata: {},
      })
      expect(document.formattedKey.replaceAll('-', '')).toBe(document.key)
      expect((await download(document.originalFile.url)).equals(contract)).toBe(true)
      expect(bytes.subarray(0, contract.length).equals(contract)).toBe(true)
      expect(await pdfsig(bytes)).toContain('Signature is Valid.')
      expect(await modificationRules(bytes)).toEqual({ permissions: undefined, references: [WANTED_REFERENCE] })
      const read = await world.json('GET', `/api/documents/${document.id.toUpperCase()}`)
      expect(read.body).toMatchObject({ id: document.id, key: document.key, signers: document.signers })
    })

    test('a second person signs what the first one signed; both are its signers', async () => {
      const world = open()
      const first = await sign(world, ANA, { file: inline('a.pdf', contract) })
      const second = await sign(world, BRUNO, {
        file: { url: new URL(first.document.signedFile.url).pathname + new URL(first.document.signedFile.url).search },
      })
      expect((await pdfsig(second.bytes)).match(/Signature is Valid\./g)).toHaveLength(2)
      const names = second.document.signers.map(
        (one: { certificate: { subjectDisplayName: string } }) => one.certificate.subjectDisplayName,
      )
      expect(names).toEqual(['ANA BEATRIZ SOUZA', 'BRUNO CARVALHO LIMA'])
    })

    once('the policy of ICP-Brasil is named in its own security context, and in no other', async () => {
      const world = open()
      const policy = Buffer.from('604c010701', 'hex')
      const named = await sign(world, ANA, { file: inline('a.txt', 'text') })
      expect(named.bytes.includes(policy)).toBe(true)
      const id = await ownContext(world)
      const plain = await sign(world, ANA, { file: inline('a.txt', 'text'), securityContextId: id })
      expect(plain.bytes.includes(policy)).toBe(false)
      expect(await opensslAccepts(plain.bytes)).toBe(true)
    })

    test('of completions at the same moment one makes the document, and the state is used up', async () => {
      const world = open()
      const { body } = await prepare(world, ANA, { file: inline('a.pdf', contract) })
      const signature = signedBy(ANA, body.toSign.data)
      const answers = await Promise.all(Array.from({ length: 4 }, () => complete(world, body.state, signature)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
      for (const { body: refused } of answers.filter(({ status }) => status === 422))
        expect(refused).toMatchObject({ code: 'InvalidToken', detail: expect.any(String) })
      const documents = await world.store.db.selectFrom('document').select('id').execute()
      const made = answers.find(({ status }) => status === 200)!.body.id
      expect(documents.filter(({ id }) => id === made)).toHaveLength(1)
      expect((await complete(world, body.state, signature)).body.code).toBe('InvalidToken')
    })

    test('a signature of another key is refused, and the right one still completes', async () => {
      const world = open()
      const { body } = await prepare(world, ANA, { file: inline('a.pdf', contract) })
      const wrong = await complete(world, body.state, signedBy(BRUNO, body.toSign.data))
      expect(wrong).toMatchObject({ status: 422, body: { code: 'ValidationError' } })
      expect(errorTypes(wrong.body.validationResults)).toEqual(['SignatureAlgorithmValidationFailed'])
      const garbage = await complete(world, body.state, Buffer.alloc(256, 1).toString('base64'))
      expect(garbage.body.code).toBe('ValidationError')
      expect((await complete(world, body.state, signedHash(ANA, body.toSignHash.value))).status).toBe(200)
    })

    test.each([
      ['bruno-lima-expired', 'CertificateExpired'],
      ['revoked', 'CertificateRevoked'],
      ['under-unknown-root', 'CertificateIssuerInvalid'],
    ])('a certificate that is %s is an answer, not an error', async (label, type) => {
      const { status, body } = await prepare(open(), label, { file: inline('a.pdf', contract) })
      expect(status).toBe(200)
      expect(body).toMatchObject({ success: false, failure: 'CertificateValidationFailed', state: null, toSign: null })
      expect(errorTypes(body.validationResults)).toContain(type)
    })

    once('an unreadable PDF, an encrypted one and one that forbids it are told apart', async () => {
      const world = open()
      const garbage = { ...inline('a.pdf', randomBytes(5 * 1024 * 1024)), mimeType: 'application/pdf' }
      const corrupted = await prepare(world, ANA, { file: garbage })
      expect(corrupted).toMatchObject({ status: 200, body: { success: false, failure: 'CorruptedPdf', state: null } })
      const encrypted = await prepare(world, ANA, { file: inline('a.pdf', await protectedPdf(contract)) })
      expect(encrypted).toMatchObject({ status: 422, body: { code: 'ProtectedPdfError' } })
      const { bytes } = await sign(world, ANA, { file: inline('a.pdf', contract) })
      const onNewPage = {
        position: { pageNumber: 0, manual: { left: 1, bottom: 1, width: 5, height: 2 } },
        text: { text: 'x' },
      }
      const signed = await prepare(world, BRUNO, {
        file: inline('a.pdf', bytes),
        pdfSignatureOptions: { visualRepresentation: onNewPage },
      })
      expect(signed.body).toMatchObject({ success: false, failure: 'PdfAlreadySigned' })
    })

    test('a CMS is attached, or detached; a further person signs the same data', async () => {
      const world = open()
      const data = Buffer.from('data to sign')
      const attached = await sign(world, ANA, { file: inline('a.txt', data) })
      expect(attached.document).toMatchObject({ signatureType: 'Cms', signedFile: { name: 'a.txt.p7s' } })
      expect(await opensslAccepts(attached.bytes)).toBe(true)
      const detached = await sign(world, ANA, {
        file: inline('a.txt', data),
        cmsSignatureOptions: { detached: true },
      })
      expect(detached.bytes.includes(data)).toBe(false)
      expect(await opensslAccepts(detached.bytes, data)).toBe(true)
      const both = await sign(world, BRUNO, {
        file: inline('a.p7s', detached.bytes),
        cmsSignatureOptions: { dataFile: inline('a.txt', data) },
      })
      expect(await opensslAccepts(both.bytes, data)).toBe(true)
      expect(both.document.signers).toHaveLength(2)
    })

    once('a further CMS signature needs no data where their hash is known', async () => {
      const world = open()
      const data = Buffer.from('data to sign')
      const { bytes } = await sign(world, ANA, { file: inline('a.txt', data), cmsSignatureOptions: { detached: true } })
      const hexValue = createHash('sha256').update(data).digest('hex').toUpperCase()
      const file = inline('a.p7s', bytes)
      const dataHashes = [
        { algorithm: 'SHA1', value: 'AAAA' },
        { algorithm: 'SHA256', hexValue },
      ]
      const further = await sign(world, BRUNO, { file, cmsSignatureOptions: { dataHashes } })
      expect(await opensslAccepts(further.bytes, data)).toBe(true)
      const other = [{ algorithm: 'SHA256', hexValue: '00'.repeat(32) }]
      expect((await prepare(world, BRUNO, { file, cmsSignatureOptions: { dataHashes: other } })).body.code).toBe(
        'InvalidCades',
      )
      const old = [{ algorithm: 'SHA1', value: 'AAAA' }]
      expect((await prepare(world, BRUNO, { file, cmsSignatureOptions: { dataHashes: old } })).body.code).toBe(
        'MissingDataHash',
      )
    })

    test('an XML is signed as a whole, in one element, and beside its content', async () => {
      const world = open()
      const whole = await sign(world, ANA, { file: inline('order.xml', order) })
      expect(whole.document).toMatchObject({ signatureType: 'Xml', signedFile: { name: 'order-signed.xml' } })
      expect(await xmlsec(whole.bytes, ['urn:order:order', 'urn:order:item'])).toMatch(/^OK$/m)
      const element = await sign(world, ANA, {
        file: inline('order.xml', order),
        xmlSignatureOptions: {
          type: 'XmlElement',
          elementToSignId: 'one',
          signatureElementLocation: {
            xPath: '//o:item',
            namespaces: [{ prefix: 'o', uri: 'urn:order' }],
            insertionOption: 'PrependSibling',
          },
        },
      })
      expect(element.bytes.toString()).toMatch(/Id="all"><ds:Signature/)
      expect(await xmlsec(element.bytes, ['urn:order:order', 'urn:order:item'])).toMatch(/^OK$/m)
      const beside = await sign(world, ANA, {
        file: inline('notes.txt', 'notes'),
        signatureType: 'Xml',
        xmlSignatureOptions: { type: 'DetachedResource' },
      })
      expect(await xmlsec(beside.bytes, [], { 'notes.txt': 'notes' })).toMatch(/^OK$/m)
      const twice = await sign(world, BRUNO, { file: inline('order.xml', whole.bytes) })
      expect(twice.document.signers).toHaveLength(2)
      expect(await xmlsec(twice.bytes, ['urn:order:order', 'urn:order:item'])).toMatch(/^OK$/m)
    })

    once('what cannot be done is refused by name', async () => {
      const world = open()
      const pdf = { file: inline('a.pdf', contract) }
      const refusals: readonly [object, number, string | RegExp][] = [
        [{ ...pdf, pdfSignatureOptions: { convertToPdfA: true } }, 422, 'PdfAConversionNotAvailable'],
        [{ ...pdf, securityContextId: crypto.randomUUID() }, 422, 'SecurityContextNotFound'],
        [{ ...pdf, certificate: { id: crypto.randomUUID() } }, 422, 'EntityNotFound'],
        [{ ...pdf, certificate: { content: 'AAAA' } }, 422, 'PKCertificateMalformed'],
        [{ ...pdf, certificate: {} }, 400, /certificate\.content/],
        [{ ...pdf, documentKey: 'ABCD-EFGH-JKLM-NPQR' }, 422, 'DocumentKeyNotFound'],
        [{ ...pdf, xmlSignatureOptions: { type: 'FullXml' } }, 400, /xmlSignatureOptions/],
        [{ file: inline('a.xml', '<a>') }, 422, 'InvalidXml'],
        [{ file: inline('a.xml', order), xmlSignatureOptions: { type: 'XmlElement' } }, 400, /elementToSignId/],
        [
          { file: inline('a.xml', order), xmlSignatureOptions: { type: 'XmlElement', elementToSignId: 'x' } },
          422,
          'InvalidXml',
        ],
        [{ file: inline('a.xml', order), xmlSignatureOptions: { type: 'OnlineResource' } }, 400, /file\.url/],
        [{ file: { name: 'a.pdf' } }, 400, /exactly one/],
        [{ file: { ...inline('a.pdf', contract), blobToken: 'x' } }, 400, /exactly one/],
        [{ file: { content: contract.toString('base64') } }, 400, /file\.name/],
        [{ file: { name: 'a.pdf', content: 'not base64!' } }, 400, /base64/],
        [{ file: { ...inline('a.pdf', contract), length: 3 } }, 400, /length/],
        [{ file: { blobToken: '../../etc/passwd' } }, 422, 'InvalidToken'],
        [{ file: { url: 'http://127.0.0.1:1/a.pdf' } }, 422, 'FileDownloadFailed'],
        [{ file: { url: 'file:///etc/passwd' } }, 422, 'FileDownloadFailed'],
        [{ file: { url: 'https://169.254.169.254/latest' } }, 422, 'FileDownloadFailed'],
      ]
      for (const [request, status, expected] of refusals) {
        const answer = await prepare(world, ANA, request)
        expect({ status: answer.status, request }).toEqual({ status, request })
        if (typeof expected === 'string') expect(answer.body.code).toBe(expected)
        else expect(answer.text).toMatch(expected)
      }
    })

    once('a file is read from its address, within the limits', async () => {
      const world = open()
      const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
        '/a%20b.pdf': (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(contract),
        '/moved': (response) => response.writeHead(302, { location: '/a%20b.pdf' }).end(),
        '/inside': (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
        '/empty': (response) => response.end(),
        '/long': (response) => response.end(Buffer.alloc(8_000_001)),
      }
      const server = createServer(({ url }, response) =>
        answers[url!] ? answers[url!]!(response) : response.writeHead(404).end(),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
      try {
        const { document } = await sign(world, ANA, { file: { location: at('/a%20b.pdf') } })
        expect(document.originalFile).toMatchObject({ name: 'a b.pdf', contentType: 'application/pdf' })
        expect(
          (await prepare(world, ANA, { file: { url: at('/moved'), mimeType: 'application/pdf' } })).body.success,
        ).toBe(true)
        for (const path of ['/inside', '/empty', '/long', '/nowhere'])
          expect((await prepare(world, ANA, { file: { url: at(path) } })).body).toMatchObject({
            code: 'FileDownloadFailed',
          })
        const online = { signatureType: 'Xml', xmlSignatureOptions: { type: 'OnlineResource' } }
        const { bytes } = await sign(world, ANA, { file: { url: at('/a%20b.pdf') }, ...online })
        expect(bytes.toString()).toContain(`URI="${at('/a%20b.pdf')}"`)
      } finally {
        server.close()
      }
    })

    once('a certificate that is not trusted any more, and a state that has expired, complete nothing', async () => {
      const world = open()
      const securityContextId = await ownContext(world)
      const doubted = await prepare(world, ANA, { file: inline('a.pdf', contract), securityContextId })
      const roots = new X509Certificate(running.pki.certificate('unknown-root').der).toString()
      const changed = { roots, version: 2 }
      await world.store.db.updateTable('security_context').set(changed).where('id', '=', securityContextId).execute()
      // As if another process had changed it: this one notices within five seconds.
      clock.advance(5000)
      const refused = await complete(world, doubted.body.state, signedBy(ANA, doubted.body.toSign.data))
      expect(refused.body).toMatchObject({ code: 'ValidationError', validationResults: { errors: [{}] } })
      const { body } = await prepare(world, ANA, { file: inline('a.pdf', contract) })
      clock.advance(61 * MINUTE)
      const late = await complete(world, body.state, signedBy(ANA, body.toSign.data))
      expect(late.body.code).toBe('InvalidToken')
    })

    once('a certificate under none of the policies that its context asks for signs nothing', async () => {
      const world = open()
      const asked = async (policy: string) => {
        const securityContextId = await ownContext(world, [policy])
        return (await prepare(world, ANA, { file: inline('a.pdf', contract), securityContextId })).body
      }
      expect(await asked('2.16.76.1.2.1')).toMatchObject({ success: true })
      expect(await asked('1.2.3.4')).toMatchObject({ success: false, failure: 'CertificateValidationFailed' })
    })

    once('a key of another kind than RSA signs, under a name that no client mistakes', async () => {
      const { prepared, bytes } = await sign(open(), 'without-email', { file: inline('a.pdf', contract) })
      expect(prepared.toSign.signatureAlgorithm).toMatchObject({ algorithm: null, oid: '1.2.840.10045.4.3.2' })
      expect(await pdfsig(bytes)).toContain('Signature is Valid.')
    })

    once('keys and roles are told apart', async () => {
      const world = open()
      const request = { file: inline('a.pdf', contract), certificate: { content: certificateOf(ANA) } }
      const keyless = await world.json('POST', '/api/signature', request, { 'X-Api-Key': 'nobody|wrong' })
      expect(keyless.status).toBe(401)
      const monitor = await clientAt(world, { roles: ['Monitor'], subscriptionId: world.client.subscriptionId })
      expect((await prepare(monitor, ANA, request)).status).toBe(403)
    })
  })
}
