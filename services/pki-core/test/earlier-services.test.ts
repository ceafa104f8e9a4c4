import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addresses } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { sharedCore } from './test-support/core-world.ts'
import { base64, policies, signEarlier } from './test-support/earlier-signing.ts'
import { certificateOf, roots, running } from './test-support/pki.ts'
import { pdfsig } from './test-support/signing.ts'

const ANA = 'ana-souza'
const BRAZIL = builtInContexts.pkiBrazil
const refused = (code: string) => ({ status: 422, body: { code } })

/** What openssl says of a timestamp over these bytes. */
async function opensslStamps(token: Uint8Array, data: Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'token'), token)
  writeFileSync(join(folder, 'data'), data)
  const given = ['ts', '-verify', '-data', 'data', '-in', 'token', '-token_in', '-CAfile', roots]
  return (await runTool('openssl', given, { folder })).text
}

describe('what clients of the earlier generation ask for besides', () => {
  const open = sharedCore('SQLite', { Signatures: { TimestampAuthority: addresses(running.baseUrl).timeStamps } })
  const without = sharedCore('SQLite')

  test.each(['Footnote', 'Footnote?pageNumber=1&rows=2', 'FootnoteBottomUp?pageNumber=1', 'NewPage'])(
    'the position %s is good for a signature',
    async (name) => {
      const world = open()
      const { status, body: position } = await world.json('GET', `/Api/PadesVisualPositioningPresets/${name}`)
      expect(status).toBe(200)
      const { body } = await signEarlier(world, '/Api/PadesSignatures', ANA, {
        pdfToSign: base64(samplePdf('Contract')),
        signaturePolicyId: policies.padesRb,
        visualRepresentation: { position, text: { text: '{{name}}' } },
      })
      expect(await pdfsig(Buffer.from(body.signedPdf, 'base64'))).toContain('Signature is Valid.')
    },
  )

  test('a certificate is opened, and validated where it is asked for', async () => {
    const { json } = open()
    const openOf = (label: string, over: object) =>
      json('POST', '/Api/Certificates/Open', { certificate: certificateOf(label), ...over })
    expect((await openOf(ANA, {})).body).toMatchObject({ certificate: { pkiBrazil: {} }, validationResults: null })
    const good = await openOf(ANA, { validate: true, securityContextId: BRAZIL })
    expect(good.body).toMatchObject({ certificate: { issuer: {} }, validationResults: { errors: [] } })
    const bad = await openOf('revoked', { validate: true, securityContextId: BRAZIL })
    expect(bad.body.validationResults.errors[0].type).toBe('CertificateRevoked')
    expect(await openOf(ANA, { validate: true })).toMatchObject(refused('SecurityContextRequired'))
    expect(await openOf(ANA, { validate: true, securityContextId: crypto.randomUUID() })).toMatchObject(
      refused('EntityNotFound'),
    )
    expect(await openOf(ANA, { certificate: 'AAAA' })).toMatchObject(refused('PKCertificateMalformed'))
  })

  test('a timestamp over a digest is one that openssl accepts', async () => {
    const { json } = open()
    const data = Buffer.from('data')
    const hexValue = createHash('sha256').update(data).digest('hex').toUpperCase()
    const { status, body } = await json('POST', '/api/tsp', { algorithm: 'SHA256', hexValue })
    expect(status).toBe(200)
    expect(body.info).toMatchObject({ messageImprint: { algorithm: 'SHA256', hexValue: hexValue.toLowerCase() } })
    expect(await opensslStamps(Buffer.from(body.encodedValue, 'base64'), data)).toContain('Verification: OK')
    const ask = (path: string, asked: object) => json('POST', path, asked)
    const sha512 = { algorithm: 'SHA512', value: base64(createHash('sha512').update(data).digest()) }
    expect((await ask('/Api/TimestampPlans/default/Issue', sha512)).status).toBe(200)
    expect((await ask('/api/tsp/default', sha512)).status).toBe(200)
    expect(await ask('/api/tsp/gold', sha512)).toMatchObject(refused('EntityNotFound'))
    expect(await ask('/api/tsp', { algorithm: 'MD5', hexValue: '00' })).toMatchObject(
      refused('UnsupportedDigestAlgorithm'),
    )
    expect(await without().json('POST', '/api/tsp', sha512)).toMatchObject(refused('TimestampingUnavailable'))
    const level = { pdfToSign: base64(samplePdf('Contract')), signaturePolicyId: policies.padesRt }
    expect(await without().json('POST', '/Api/PadesSignatures', level)).toMatchObject(
      refused('TimestampingUnavailable'),
    )
  })

  test('a PDF gets a timestamp over all of it, signed or not', async () => {
    const world = open()
    const stamp = (file: object, over: object = {}, client = world) =>
      client.json('POST', '/api/pdf/stamp', { file, ...over })
    const contract = { content: base64(samplePdf('Contract')) }
    const manual = { left: 1, bottom: 1, width: 6, height: 2 }
    const visualRepresentation = { position: { manual }, text: { text: 'Stamped', includeSigningTime: true } }
    const fields = { customSignatureFieldName: 'Stamp', reason: 'archive', visualRepresentation }
    const { status, body } = await stamp(contract, fields)
    expect(status).toBe(200)
    const stamped = Buffer.from(body.file.content, 'base64')
    const said = await pdfsig(stamped)
    expect(said).toContain('Signature Field Name: Stamp')
    expect(said).toContain('Total document signed')
    // pdfsig does not judge timestamps: openssl does, over the bytes that the document says.
    const range = /ByteRange \[(\d+)\s+(\d+)\s+(\d+)\s+(\d+)/.exec(stamped.toString('latin1'))!.slice(1).map(Number)
    const [start, length, resume, rest] = range as [number, number, number, number]
    const covered = [stamped.subarray(start, length), stamped.subarray(resume, resume + rest)]
    const token = Buffer.from(stamped.subarray(length + 1, resume - 1).toString('latin1'), 'hex')
    expect(await opensslStamps(token, Buffer.concat(covered))).toContain('Verification: OK')
    const signed = await signEarlier(world, '/Api/PadesSignatures', ANA, {
      pdfToSign: contract.content,
      signaturePolicyId: policies.padesRb,
    })
    const file = { content: signed.body.signedPdf }
    const again = await stamp(file, { forceBlobResult: true })
    expect(again.body.file).toMatchObject({ content: null, blobToken: expect.any(String) })
    const opened = await world.json('POST', '/Api/PadesSignatures/Open', {
      file: { blobToken: again.body.file.blobToken },
      validate: true,
      securityContextId: BRAZIL,
    })
    const [first, second] = opened.body.signers
    expect(first).toMatchObject({ isDocumentTimestamp: false, validationResults: { errors: [] } })
    expect(second).toMatchObject({ isDocumentTimestamp: true, validationResults: { errors: [] } })
    expect(await stamp(file, { visualRepresentation })).toMatchObject(refused('InvalidVisualRepresentation'))
    expect(await stamp({ content: base64('no pdf') })).toMatchObject(refused('InvalidPdf'))
    expect(await stamp(contract, { timestampTier: 'gold' })).toMatchObject(refused('EntityNotFound'))
    expect(await stamp(contract, {}, without())).toMatchObject(refused('TimestampingUnavailable'))
  })

  test('a request of RFC 3161 is answered as the authority does, under a key of this service', async () => {
    const { baseUrl, client } = open()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'data'), 'data')
    await runTool('openssl', ['ts', '-query', '-data', 'data', '-sha256', '-cert', '-out', 'query'], { folder })
    const post = (path: string, over: Record<string, string> = {}, at = baseUrl, key = client.apiKey) =>
      fetch(`${at}${path}`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/timestamp-query', ...over },
        body: readFileSync(join(folder, 'query')),
      })
    for (const path of ['/tsp', '/tsp/', '/tsp/default', '/TSP/Default']) {
      const answer = await post(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'application/timestamp-reply',
      ])
      writeFileSync(join(folder, 'reply'), Buffer.from(await answer.arrayBuffer()))
      const given = ['ts', '-verify', '-queryfile', 'query', '-in', 'reply', '-CAfile', roots]
      expect((await runTool('openssl', given, { folder })).text).toContain('Verification: OK')
    }
    const hexValue = createHash('sha256').update('data').digest('hex')
    const digest = await fetch(`${baseUrl}/api/tsp/default`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${client.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ algorithm: 'SHA256', hexValue }),
    })
    expect(digest.status).toBe(200)
    expect((await post('/tsp', { authorization: 'ApiKey wrong' })).status).toBe(401)
    expect((await post('/tsp', { 'content-type': 'application/json' })).status).toBe(415)
    expect((await (await post('/tsp/gold')).json()).code).toBe('EntityNotFound')
    const unset = await post('/tsp', {}, without().baseUrl, without().client.apiKey)
    expect((await unset.json()).code).toBe('TimestampingUnavailable')
    const bytes = (body: Buffer<ArrayBuffer>) =>
      fetch(`${baseUrl}/tsp`, {
        method: 'POST',
        headers: { 'x-api-key': client.apiKey, 'content-type': 'application/timestamp-query' },
        body,
      })
    const rejected = await bytes(Buffer.from('no request'))
    expect(rejected.status).toBe(200)
    writeFileSync(join(folder, 'rejected'), Buffer.from(await rejected.arrayBuffer()))
    const text = await runTool('openssl', ['ts', '-reply', '-in', 'rejected', '-text'], { folder })
    expect(text.text).toContain('Status: Rejected.')
    expect((await bytes(Buffer.alloc(5 * 1024 * 1024))).status).toBe(413)
  })

  test('whoever opens a file says which policies are acceptable', async () => {
    const world = open()
    const { body } = await signEarlier(world, '/Api/CadesSignatures', ANA, {
      contentToSign: base64('data'),
      signaturePolicyId: policies.cadesRb,
    })
    const openWith = (over: object) =>
      world.json('POST', '/Api/CadesSignatures/Open', {
        file: { content: body.cms },
        validate: true,
        securityContextId: BRAZIL,
        ...over,
      })
    const errorsOf = async (over: object) =>
      (await openWith(over)).body.signers[0].validationResults.errors.map(({ type }: { type: string }) => type)
    expect(await errorsOf({ acceptableExplicitPolicies: [policies.cadesRb, policies.cadesRt] })).toEqual([])
    expect(await errorsOf({ acceptableExplicitPolicies: [policies.cadesRt] })).toEqual(['UnacceptableSignaturePolicy'])
    const plain = await signEarlier(world, '/Api/CadesSignatures', ANA, {
      contentToSign: base64('data'),
      signaturePolicyId: policies.cadesBes,
      securityContextId: BRAZIL,
    })
    const file = { content: plain.body.cms }
    expect(await errorsOf({ file, defaultSignaturePolicyId: policies.cadesBes })).toEqual([])
    expect(await errorsOf({ file, defaultSignaturePolicyId: policies.cadesRb })).toEqual(['SignaturePolicyMismatch'])
    expect(await openWith({ acceptableExplicitPolicies: [crypto.randomUUID()] })).toMatchObject(
      refused('EntityNotFound'),
    )
    expect(await openWith({ securityContextId: null })).toMatchObject(refused('SecurityContextRequired'))
    expect((await openWith({ auditPackage: { generate: true } })).status).toBe(400)
    expect(await openWith({ file: { content: base64('no cms') } })).toMatchObject(refused('InvalidCades'))
    const garbage = { file: { content: base64(Buffer.alloc(1000, 7)) } }
    expect(await world.json('POST', '/Api/PadesSignatures/Open', garbage)).toMatchObject(refused('InvalidPdf'))
    expect(await world.json('POST', '/Api/v2/XmlSignatures/Open', garbage)).toMatchObject(refused('InvalidXml'))
    expect(await world.json('POST', '/Api/CadesSignatures/RequiredHashes', garbage.file)).toMatchObject(
      refused('InvalidCades'),
    )
  })
})
