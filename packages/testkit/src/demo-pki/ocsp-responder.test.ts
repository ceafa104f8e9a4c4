import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explicit, octetString, oid, sequence } from '@chancela/signature-engine/der'
import { BasicOCSPResponse, OCSPRequest, OCSPResponse, OCSPResponseStatus } from '@peculiar/asn1-ocsp'
import { AsnConvert } from '@peculiar/asn1-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openssl } from '../tools/run-tool.ts'
import { cachedKeys } from './keys.ts'
import { type RunningDemoPki, startDemoPki } from './start-demo-pki.ts'

let demo: RunningDemoPki
let folder: string

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  folder = await mkdtemp(join(tmpdir(), 'demo-pki-ocsp-'))
  for (const { label, x509 } of demo.pki.certificates()) await writeFile(file(`${label}.pem`), x509.toString())
  const authorities = ['level-1', 'level-2'].map((label) => demo.pki.certificate(label).x509.toString())
  await writeFile(file('authorities.pem'), authorities.join(''))
})
afterAll(async () => {
  await demo.stop()
  await rm(folder, { recursive: true })
})

const file = (name: string): string => join(folder, name)

/** Queries the live responder and verifies the answer up to the root. */
const ask = (...question: string[]) =>
  openssl([
    'ocsp',
    ...['-issuer', file('level-2.pem'), ...question, '-url', `${demo.baseUrl}/ocsp`],
    ...['-CAfile', file('root.pem'), '-verify_other', file('authorities.pem'), '-resp_text'],
  ])

describe('what openssl learns from the responder', () => {
  test('a certificate in force is good', async () => {
    const { text } = await ask('-cert', file('ana-souza.pem'))
    expect(text).toContain('Response verify OK')
    expect(text).toMatch(/ana-souza\.pem: good\n\s*This Update: .*\n\s*Next Update:/)
    expect(text).not.toMatch(/nonce in response|WARNING/)
  })

  test('a revoked certificate is revoked, with time and reason', async () => {
    const { text } = await ask('-cert', file('revoked.pem'))
    expect(text).toContain('Response verify OK')
    expect(text).toMatch(/revoked\.pem: revoked\n[\s\S]*Reason: keyCompromise\n\s*Revocation Time: /)
  })

  test('a number the authority never issued is unknown', async () => {
    const { text } = await ask('-serial', '0x1234567890')
    expect(text).toContain('Response verify OK')
    expect(text).toContain('0x1234567890: unknown')
  })

  test('several certificates are answered at once, under SHA-1 and SHA-256', async () => {
    for (const hash of ['-sha1', '-sha256']) {
      const { text } = await ask(
        hash,
        ...['ana-souza', 'revoked', 'tsa'].flatMap((label) => ['-cert', file(`${label}.pem`)]),
      )
      expect(text).toContain('Response verify OK')
      expect(text).toMatch(/ana-souza\.pem: good[\s\S]*revoked\.pem: revoked[\s\S]*tsa\.pem: good/)
    }
  })

  test('the answer carries the delegated signer and the nonce, and no fractions of seconds', async () => {
    const { text } = await ask('-cert', file('ana-souza.pem'))
    expect(text).toContain('Responder Id: ')
    expect(text).toContain('OCSP Nonce')
    expect(text).toContain('OCSP Signing')
    expect(text).toMatch(/Produced At: \w+ +\d+ \d\d:\d\d:\d\d \d{4} GMT/)
  })

  test('a certificate revoked a moment ago is revoked', async () => {
    const rita = await demo.pki.issuePerson({ name: 'Rita Campos' }, { key: 'P-256' })
    await writeFile(file('rita.pem'), rita.x509.toString())
    expect((await ask('-cert', file('rita.pem'))).text).toContain('rita.pem: good')
    demo.pki.revoke(rita)
    const { text } = await ask('-cert', file('rita.pem'))
    expect(text).toContain('rita.pem: revoked')
    expect(text).not.toContain('Reason:')
  })
})

describe('the protocol', () => {
  /** The request openssl would send. */
  async function request(...question: string[]): Promise<Buffer> {
    const out = file('request.der')
    await openssl(['ocsp', '-issuer', file('level-2.pem'), ...question, '-reqout', out])
    return readFile(out)
  }

  const post = (body: Buffer) =>
    fetch(`${demo.baseUrl}/ocsp`, {
      method: 'POST',
      headers: { 'content-type': 'application/ocsp-request' },
      body: new Uint8Array(body),
    })

  const read = async (answer: Response) => AsnConvert.parse(await answer.arrayBuffer(), OCSPResponse)

  const basic = (response: OCSPResponse) => AsnConvert.parse(response.responseBytes!.response, BasicOCSPResponse)

  test('a GET with the request in the path answers like a POST, and may be cached', async () => {
    const der = await request('-cert', file('ana-souza.pem'), '-no_nonce')
    const answer = await fetch(`${demo.baseUrl}/ocsp/${encodeURIComponent(der.toString('base64'))}`)
    const { tbsResponseData } = basic(await read(answer))
    expect(answer.headers.get('content-type')).toBe('application/ocsp-response')
    expect(answer.headers.get('cache-control')).toContain('max-age=3600')
    expect(tbsResponseData.responses[0]?.certStatus.good).toBe(null)
    expect(tbsResponseData.responseExtensions).toBeUndefined()
  })

  test('the certificate is named in the answer byte for byte as in the request', async () => {
    for (const hash of ['-sha1', '-sha256', '-sha384', '-sha512']) {
      const der = await request(hash, '-cert', file('ana-souza.pem'))
      const asked = AsnConvert.parse(der, OCSPRequest).tbsRequest.requestList[0]!.reqCert
      const answer = Buffer.from(await (await post(der)).arrayBuffer())
      expect(answer.includes(Buffer.from(AsnConvert.serialize(asked)))).toBe(true)
      expect(der.includes(Buffer.from(AsnConvert.serialize(asked)))).toBe(true)
    }
  })

  test.each([
    ['no DER', Buffer.from('good morning')],
    ['an empty body', Buffer.alloc(0)],
    ['another structure', sequence(octetString(Buffer.of(1)))],
    ['a request for nothing', sequence(sequence(sequence()))],
  ])('%s is a malformed request', async (_what, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(200)
    expect((await read(answer)).responseStatus).toBe(OCSPResponseStatus.malformedRequest)
  })

  test('bytes after the request make it malformed', async () => {
    const der = await request('-cert', file('ana-souza.pem'))
    const answer = await post(Buffer.concat([der, Buffer.of(0)]))
    expect((await read(answer)).responseStatus).toBe(OCSPResponseStatus.malformedRequest)
  })

  test.each([
    [0, OCSPResponseStatus.malformedRequest],
    [1, OCSPResponseStatus.successful],
    [32, OCSPResponseStatus.successful],
    [128, OCSPResponseStatus.successful],
    [129, OCSPResponseStatus.malformedRequest],
  ])('a nonce of %d bytes ends in status %d', async (length, status) => {
    const plain = AsnConvert.parse(await request('-cert', file('ana-souza.pem'), '-no_nonce'), OCSPRequest)
    const list = Buffer.from(AsnConvert.serialize(plain.tbsRequest.requestList[0]!))
    const nonce = sequence(oid('1.3.6.1.5.5.7.48.1.2'), octetString(octetString(Buffer.alloc(length, 1))))
    const answer = await post(sequence(sequence(sequence(list), explicit(2, sequence(nonce)))))
    expect((await read(answer)).responseStatus).toBe(status)
  })

  test('an authority without OCSP is not answered for, alone or beside another', async () => {
    const ofAnother = ['-issuer', file('bulky.pem'), '-cert', file('bulky-good.pem')]
    const answered = ['-issuer', file('level-2.pem'), '-cert', file('ana-souza.pem')]
    await openssl(['ocsp', ...answered, ...ofAnother, '-reqout', file('both.der')])
    expect((await read(await post(await readFile(file('both.der'))))).responseStatus).toBe(
      OCSPResponseStatus.unauthorized,
    )
    await openssl(['ocsp', ...ofAnother, '-reqout', file('bulky.der')])
    const answer = await post(await readFile(file('bulky.der')))
    expect((await read(answer)).responseStatus).toBe(OCSPResponseStatus.unauthorized)
  })

  test('a path that is no Base64 request is malformed, a stray percent sign included', async () => {
    for (const path of ['%%%', 'bm90aGluZw==']) {
      const answer = await fetch(`${demo.baseUrl}/ocsp/${path}`)
      expect((await read(answer)).responseStatus).toBe(OCSPResponseStatus.malformedRequest)
    }
  })
})
