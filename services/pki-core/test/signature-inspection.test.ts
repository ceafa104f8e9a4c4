import { createHash, X509Certificate } from 'node:crypto'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { certificateOf, clock } from './test-support/pki.ts'
import { type Client, download, inline, sign } from './test-support/signing.ts'

const [ANA, BRUNO] = ['ana-souza', 'bruno-lima']
const DAY = 86_400_000
const contract = samplePdf('Contract')
const data = Buffer.from('data to sign')

const inspect = ({ json }: Client, request: object, headers = {}) =>
  json('PUT', '/api/signature-inspection', request, headers)

const errorTypes = (results: { errors: { type: string }[] }) => results.errors.map(({ type }) => type)

for (const database of databases) {
  describe(`signature inspection on ${database}`, () => {
    const open = sharedCore(database)
    const once = testOnce(database)

    test('the signers of a PDF are named, with what their signatures hold, and its document is found', async () => {
      const world = open()
      const { document, bytes } = await sign(world, ANA, { file: inline('a.pdf', contract) })
      const { status, body } = await inspect(world, { file: inline('any.pdf', bytes), validate: true })
      expect(status).toBe(200)
      expect(body).toMatchObject({ success: true, failure: null, document: { id: document.id } })
      const [signer] = body.signers
      expect(signer).toMatchObject({
        messageDigest: { algorithm: 'SHA256' },
        signature: { algorithmIdentifier: { algorithm: 'SHA256WithRSA' } },
        signaturePolicy: { oid: expect.stringMatching(/^2\.16\.76\.1\.7\.1\.11\./), digest: { algorithm: 'SHA256' } },
        isDocumentTimestamp: false,
        signatureFieldName: 'Signature1',
        certificate: { pkiBrazil: { cpf: '52998224725' }, issuer: { issuer: { issuer: { issuer: null } } } },
        validationResults: { errors: [] },
      })
      const value = Buffer.from(signer.signature.value, 'base64')
      const { publicKey } = new X509Certificate(Buffer.from(certificateOf(ANA), 'base64'))
      expect(value).toHaveLength((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8)
      const signers = await world.json('GET', `/api/documents/${document.id}/signers`)
      expect(signers.body).toEqual([{ ...signer, validationResults: null, certificate: expect.any(Object) }])
      const other = await clientAt(world)
      expect((await inspect(other, { file: inline('any.pdf', bytes) })).body).toMatchObject({ document: null })
      expect((await other.json('GET', `/api/documents/${document.id}/signers`)).body.code).toBe('DocumentNotFound')
    })

    test('a changed content and an untrusted certificate are results of their signer', async () => {
      const world = open()
      const { bytes } = await sign(world, ANA, { file: inline('a.txt', data) })
      const changed = Buffer.from(bytes)
      changed.write('DATA', changed.indexOf(data))
      const { body } = await inspect(
        world,
        { file: inline('a.p7s', changed), validate: true },
        { 'Accept-Language': 'pt' },
      )
      expect(errorTypes(body.signers[0].validationResults)).toEqual(['MessageDigestMismatch'])
      expect(body.signers[0].validationResults.errors[0].message).toBe('O conteúdo assinado falta ou foi alterado')
    })

    test('bytes behind a signature are no error, and no change of its content', async () => {
      const world = open()
      const { bytes } = await sign(world, ANA, { file: inline('a.txt', data) })
      const longer = Buffer.concat([bytes, Buffer.from('more')])
      const { body } = await inspect(world, { file: inline('a.p7s', longer), validate: true })
      const { errors, warnings } = body.signers[0].validationResults
      expect({ errors, types: warnings.map(({ type }: { type: string }) => type) }).toEqual({
        errors: [],
        types: expect.not.arrayContaining(['MessageDigestMismatch']),
      })
    })

    test('a detached signature wants its data, or their hash', async () => {
      const world = open()
      const { bytes, document } = await sign(world, ANA, {
        file: inline('a.txt', data),
        cmsSignatureOptions: { detached: true },
      })
      const file = inline('a.p7s', bytes)
      expect((await inspect(world, { file })).body).toMatchObject({
        success: false,
        failure: 'DataFileRequired',
        hasEncapsulatedContent: false,
        signers: [],
      })
      const whole = await inspect(world, { file, validate: true, dataFile: inline('a.txt', data) })
      expect(whole.body).toMatchObject({ success: true, signers: [{ validationResults: { errors: [] } }] })
      const hash = (bytes: Uint8Array) => [
        { algorithm: 'SHA256', value: createHash('sha256').update(bytes).digest('base64') },
      ]
      const byHash = await inspect(world, { file, validate: true, dataHashes: hash(data) })
      expect(byHash.body).toMatchObject({ success: true, signers: [{ validationResults: { errors: [] } }] })
      const wrong = await inspect(world, { file, validate: true, dataHashes: hash(Buffer.from('other')) })
      expect(errorTypes(wrong.body.signers[0].validationResults)).toEqual(['MessageDigestMismatch'])
      const old = await inspect(world, { file, dataHashes: [{ algorithm: 'SHA1', value: 'AAAA' }] })
      expect(old.body).toMatchObject({ success: false, missingDataHash: 'SHA256' })
      const signers = await world.json('GET', `/api/documents/${document.id}/signers`)
      expect(signers.body).toMatchObject([{ messageDigest: { value: hash(data)[0]!.value } }])
    })

    once('the content of a CMS is extracted, and an XML tells what was signed', async () => {
      const world = open()
      const cms = await sign(world, ANA, { file: inline('a.txt', data) })
      const { body } = await inspect(world, { file: inline('a.txt.p7s', cms.bytes), extractEncapsulatedContent: true })
      expect(body).toMatchObject({
        hasEncapsulatedContent: true,
        encapsulatedContent: { name: 'a.txt', length: data.length },
      })
      expect((await download(body.encapsulatedContent.url)).equals(data)).toBe(true)
      const xml = await sign(world, ANA, { file: inline('a.xml', '<a/>') })
      const both = await sign(world, BRUNO, { file: inline('a.xml', xml.bytes) })
      const seen = await inspect(world, { file: inline('a.xml', both.bytes), validate: true })
      expect(seen.body.signers).toMatchObject([
        { xmlSignedEntityType: 'FullXml', validationResults: { errors: [] } },
        { xmlSignedEntityType: 'FullXml', validationResults: { errors: [] } },
      ])
    })

    once('files without signatures have no signers, and garbage is refused', async () => {
      const world = open()
      expect((await inspect(world, { file: inline('a.pdf', contract) })).body).toMatchObject({
        success: true,
        signers: [],
      })
      const garbage = Buffer.alloc(5_000_000, 'x')
      for (const [name, code] of [
        ['a.pdf', 'InvalidPdf'],
        ['a.xml', 'InvalidXml'],
        ['a.bin', 'InvalidCades'],
      ] as const)
        expect((await inspect(world, { file: inline(name, garbage) })).body).toMatchObject({ code })
    })

    once('a certificate that has expired since is judged at the claimed time where that is trusted', async () => {
      const world = open()
      const { bytes } = await sign(world, ANA, { file: inline('a.pdf', contract) })
      const request = { file: inline('a.pdf', bytes), validate: true, ignoreRevocationStatusUnknown: true }
      clock.advance(800 * DAY)
      try {
        const strict = await inspect(world, request)
        expect(JSON.stringify(strict.body.signers[0].validationResults.errors)).toContain('CertificateExpired')
        const lenient = await inspect(world, { ...request, trustUncertifiedSigningTime: true })
        expect(JSON.stringify(lenient.body.signers[0].validationResults)).not.toContain('CertificateExpired')
      } finally {
        clock.advance(-800 * DAY)
      }
    })
  })
}
