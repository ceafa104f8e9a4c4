import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IssuedCertificate, RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { exchangeOverHttp } from '../http/exchange.ts'
import { Certificate } from '../x509/certificate.ts'
import { basicOcspResponse, OcspResponse, ocspIdentity, ocspResponseFromBasic } from './ocsp.ts'
import { ocspRequest } from './ocsp-request.ts'

let running: RunningDemoPki
beforeAll(async () => {
  running = await pkiOfToday()
})

const certificate = (label: string) => Certificate.read(running.pki.certificate(label).der)

async function answerOf(request: Buffer): Promise<Buffer> {
  const { body } = await exchangeOverHttp({
    url: `${running.baseUrl}/ocsp`,
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request' },
    body: request,
    maxBytes: 100_000,
    timeoutMs: 5_000,
  })
  return body
}

const answerAbout = async (label: string) => answerOf(ocspRequest(certificate(label), certificate('level-2')).der)

describe('a request', () => {
  test('is what openssl understands, nonce included', async () => {
    const { der, nonce } = ocspRequest(certificate('ana-souza'), certificate('level-2'))
    const file = join(temporaryFolder(), 'request.der')
    writeFileSync(file, der)
    const { text } = await openssl(['ocsp', '-reqin', file, '-req_text'])
    const ana = running.pki.certificate('ana-souza').x509
    expect(text).toContain(ana.serialNumber)
    expect(text).toContain('Hash Algorithm: sha1')
    expect(text.replace(/[\s:]/g, '').toUpperCase()).toContain(nonce.subarray(0, 8).toString('hex').toUpperCase())
  })

  test('never has the same nonce twice', () => {
    const ask = () => ocspRequest(certificate('ana-souza'), certificate('level-2')).nonce.toString('hex')
    expect(ask()).not.toBe(ask())
  })
})

describe('an answer of the demo responder', () => {
  test('is proven by the delegated signer, and repeats the nonce', async () => {
    const { der, nonce } = ocspRequest(certificate('ana-souza'), certificate('level-2'))
    const response = OcspResponse.read(await answerOf(der))
    expect(response.nonce).toEqual(nonce)
    expect(response.signerFor(certificate('level-2'))).toBe(certificate('ocsp-level-2'))
    expect(response.statusOf(certificate('ana-souza'), certificate('level-2'))).toMatchObject({ state: 'good' })
    expect(response.statusOf(certificate('bruno-lima'), certificate('level-2'))).toBeUndefined()
  })

  test('tells a revocation with date and reason', async () => {
    const response = OcspResponse.read(await answerAbout('revoked'))
    expect(response.statusOf(certificate('revoked'), certificate('level-2'))).toMatchObject({
      state: 'revoked',
      revocation: { reason: 'keyCompromise' },
    })
  })

  test('speaks for no other authority', async () => {
    const response = OcspResponse.read(await answerAbout('ana-souza'))
    expect(response.signerFor(certificate('level-1'))).toBeUndefined()
    expect(response.statusOf(certificate('ana-souza'), certificate('level-1'))).toBeUndefined()
  })

  test('can be taken out of its envelope and put back, byte for byte', async () => {
    const der = await answerAbout('ana-souza')
    expect(ocspResponseFromBasic(basicOcspResponse(der))).toEqual(der)
    expect(ocspIdentity(der)).toMatchObject({ producedAt: expect.any(Date), responder: { by: 'key' } })
  })

  test('with any byte changed is refused, or not proven', async () => {
    const der = await answerAbout('revoked')
    for (let offset = 0; offset < der.length; offset++) {
      const changed = Buffer.from(der)
      changed[offset]! ^= 1 << (offset % 8)
      try {
        const response = OcspResponse.read(changed)
        const { state } = response.statusOf(certificate('revoked'), certificate('level-2')) ?? {}
        // The signer's certificate may have changed where it does not matter: then the answer is unchanged.
        if (response.signerFor(certificate('level-2'))) expect(state).toBe('revoked')
      } catch (error) {
        expect(error).toMatchObject({ name: 'EngineError', code: expect.stringMatching(/^revocation\./) })
      }
    }
  })
})

describe('answers that openssl made', () => {
  /** An authority's database of two certificates, and openssl's answer with the requested signature. */
  async function opensslAnswer(
    signer: IssuedCertificate,
    identifiers: string[] = [],
    ...options: string[]
  ): Promise<OcspResponse> {
    const folder = temporaryFolder()
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const { pki } = running
    const [ana, revoked, issuer] = ['ana-souza', 'revoked', 'level-2'].map((label) => pki.certificate(label))
    const line = (status: string, { x509 }: IssuedCertificate) =>
      [status.slice(0, 1), '400101000000Z', status.slice(1), x509.serialNumber, 'unknown', '/CN=x'].join('\t')
    const [index, ca] = [
      file('index.txt', `${line('V', ana!)}\n${line('R270101000000Z,certificateHold', revoked!)}\n`),
      file('ca.pem', issuer!.x509.toString()),
    ]
    const certs = [ana!, revoked!].flatMap(({ label, x509 }) => ['-cert', file(`${label}.pem`, x509.toString())])
    const [request, answer] = [join(folder, 'request.der'), join(folder, 'answer.der')]
    await openssl(['ocsp', '-issuer', ca, ...identifiers, ...certs, '-reqout', request])
    const run = await openssl([
      ...['ocsp', '-index', index, '-CA', ca, '-reqin', request, '-respout', answer, '-ndays', '3', ...options],
      ...['-rsigner', file('signer.pem', signer.x509.toString())],
      ...['-rkey', file('key.pem', signer.key.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string)],
    ])
    expect(run.ok).toBe(true)
    return OcspResponse.read(readFileSync(answer))
  }

  test('signed by the authority itself, with SHA-256 in the certificate identifiers', async () => {
    const response = await opensslAnswer(running.pki.certificate('level-2'), ['-sha256'])
    const issuer = certificate('level-2')
    expect(response.signerFor(issuer)).toBe(issuer)
    expect(response.responder).toMatchObject({ by: 'name' })
    expect(response.statusOf(certificate('ana-souza'), issuer)).toMatchObject({ state: 'good' })
    expect(response.statusOf(certificate('revoked'), issuer)).toMatchObject({
      state: 'revoked',
      revocation: { at: new Date('2027-01-01'), reason: 'certificateHold' },
    })
  })

  test('signed by its delegate, known by key', async () => {
    const response = await opensslAnswer(running.pki.certificate('ocsp-level-2'), [], '-resp_key_id')
    expect(response.signerFor(certificate('level-2'))).toBe(certificate('ocsp-level-2'))
    expect(response.responder).toMatchObject({ by: 'key' })
  })

  test('signed by somebody who may not answer are proven by nobody', async () => {
    const response = await opensslAnswer(running.pki.certificate('bruno-lima'))
    expect(response.signerFor(certificate('level-2'))).toBeUndefined()
  })
})

test.each([
  ['try later', Buffer.of(0x30, 3, 0x0a, 1, 3), 'revocation.ocsp-refused'],
  ['unauthorized', Buffer.of(0x30, 3, 0x0a, 1, 6), 'revocation.ocsp-refused'],
  ['success without an answer', Buffer.of(0x30, 3, 0x0a, 1, 0), 'revocation.malformed-ocsp'],
  ['nothing', Buffer.alloc(0), 'revocation.malformed-ocsp'],
  ['text', Buffer.from('<html>'), 'revocation.malformed-ocsp'],
])('%s instead of an answer is refused', (_what, der, code) => {
  expect(() => OcspResponse.read(der)).toThrow(expect.objectContaining({ code }))
})
