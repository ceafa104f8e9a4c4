import { sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { attributeOids, contentTypes } from '../cms/oids.ts'
import { attribute, signingCertificateAttribute } from '../cms/signed-attributes.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { digest } from '../crypto/digest.ts'
import { readDer } from '../der/der-value.ts'
import {
  explicit,
  generalizedTime,
  implicit,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  setOf,
  tlv,
} from '../der/der-writer.ts'
import { EngineError } from '../errors/engine-error.ts'
import { exchangeOverHttp, type HttpExchange } from '../http/exchange.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { createTimestampClient, judgeTimestamp, readTimestampToken, type TimestampAuthority } from './index.ts'

let demo: DemoSigners
let tsa: TimestampAuthority
beforeAll(async () => {
  demo = await demoSignersOfToday()
  tsa = { url: `${demo.baseUrl}/tsa` }
})
afterEach(() => demo.faults.clear())

const bytes = Buffer.from('bytes that must have existed')
const clientOf = (...authorities: TimestampAuthority[]) => createTimestampClient({ authorities, timeoutMs: 2_000 })

async function refusal(attempt: Promise<unknown>): Promise<EngineError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(EngineError)
  return error as EngineError
}

const reasons = ({ details }: EngineError) => {
  const { attempts } = details as { attempts: { code: string }[] }
  return attempts.map(({ code }) => code)
}

describe('a timestamp', () => {
  it.each(['sha256', 'sha512'] as const)('over %s is accepted by openssl', async (name) => {
    const { token, time, policy } = await clientOf(tsa).stamp(bytes, { digest: name })
    expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(60_000)
    expect(policy).toBe('2.16.76.1.6.2')
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'token'), token)
    writeFileSync(join(folder, 'data'), bytes)
    writeFileSync(join(folder, 'roots.pem'), demo.pki.trustAnchors())
    const args = ['ts', '-verify', '-token_in', '-in', 'token', '-data', 'data', '-CAfile', 'roots.pem']
    const { ok, text } = await openssl(args, { folder })
    expect(ok, text).toBe(true)
  })

  it('is asked for under a policy when the authority names one', async () => {
    expect((await clientOf({ ...tsa, policy: '2.16.76.1.6.2' }).stamp(bytes)).policy).toBe('2.16.76.1.6.2')
    const error = await refusal(clientOf({ ...tsa, policy: '1.2.3.4' }).stamp(bytes))
    expect(error.code).toBe('timestamp.unavailable')
    expect(error.message).toContain('unacceptedPolicy')
  })

  it('comes with the certificates of the authority', async () => {
    const { certificate, certificates } = await clientOf(tsa).stamp(bytes)
    expect(certificate.subject.commonName).toBe('Servidor de Carimbo do Tempo Demo')
    expect(certificates).toContain(certificate)
  })

  it('of an authority nobody trusts is not used, if there is a judge', async () => {
    const judge = createJudge({ anchors: TrustAnchors.of([]) })
    const error = await refusal(createTimestampClient({ authorities: [tsa], judge }).stamp(bytes))
    expect(reasons(error)).toEqual(['timestamp.untrusted'])
    const trusted = createTimestampClient({ authorities: [tsa], judge: demo.judge })
    expect((await trusted.stamp(bytes)).token.length).toBeGreaterThan(1_000)
  })
})

describe('an authority that fails', () => {
  it.each([
    ['down', 'timestamp.http-status'],
    ['http-500', 'timestamp.http-status'],
    ['reset', 'http.broken'],
    ['garbage', 'timestamp.malformed'],
    ['wrong-signature', 'timestamp.wrong-signature'],
    ['wrong-nonce', 'timestamp.wrong-nonce'],
    ['try-later', 'timestamp.refused'],
  ] as const)('by being %s is named with its reason, and nothing is given back', async (kind, code) => {
    demo.faults.set('tsa', { kind })
    const error = await refusal(clientOf(tsa).stamp(bytes))
    expect(error.code).toBe('timestamp.unavailable')
    expect(reasons(error)).toEqual([code])
    expect(error.message).toContain(tsa.url)
  })

  it('by being late is given up after the time allowed', async () => {
    demo.faults.set('tsa', { kind: 'late', delayMs: 5_000 })
    const client = createTimestampClient({ authorities: [tsa], timeoutMs: 100 })
    expect(reasons(await refusal(client.stamp(bytes)))).toEqual(['http.timeout'])
  })

  it('says in its own words why it refuses', async () => {
    demo.faults.set('tsa', { kind: 'try-later' })
    const error = await refusal(clientOf(tsa).stamp(bytes))
    expect(error.message).toContain('rejection')
    expect(error.message).toContain('timeNotAvailable')
  })

  it('is followed by the next one', async () => {
    demo.faults.set('tsa', { kind: 'wrong-nonce', times: 1 })
    const { token } = await clientOf(tsa, tsa).stamp(bytes)
    expect(readTimestampToken(token).imprint.value.equals(digest('sha256', bytes))).toBe(true)
  })

  it('with all others makes one refusal that names each', async () => {
    demo.faults.set('tsa', { kind: 'garbage' })
    const error = await refusal(clientOf({ url: 'http://127.0.0.1:1/tsa' }, tsa).stamp(bytes))
    expect(reasons(error)).toEqual(['http.unreachable', 'timestamp.malformed'])
  })

  it('by answering another question is noticed by the imprint', async () => {
    const other = digest('sha256', Buffer.from('other bytes'))
    const swapping: HttpExchange = (request) => {
      const body = Buffer.from(request.body!)
      body.set(other, body.indexOf(digest('sha256', bytes)))
      return exchangeOverHttp({ ...request, body })
    }
    const client = createTimestampClient({ authorities: [tsa], exchange: swapping })
    expect(reasons(await refusal(client.stamp(bytes)))).toEqual(['timestamp.wrong-imprint'])
  })

  it('by cutting its answer short anywhere ends in a refusal', async () => {
    let answer: Uint8Array = Buffer.alloc(0)
    const recording: HttpExchange = async (request) => {
      const response = await exchangeOverHttp(request)
      answer = response.body
      return response
    }
    await createTimestampClient({ authorities: [tsa], exchange: recording }).stamp(bytes)
    for (let length = 0; length < answer.length; length += 97) {
      const cutting: HttpExchange = async () => ({
        status: 200,
        headers: {},
        body: Buffer.from(answer.subarray(0, length)),
      })
      const client = createTimestampClient({ authorities: [tsa], exchange: cutting })
      expect(reasons(await refusal(client.stamp(bytes)))).toEqual(['timestamp.malformed'])
    }
  })

  it('is never asked when there is none, or when the caller has given up', async () => {
    expect((await refusal(clientOf().stamp(bytes))).code).toBe('timestamp.no-authority')
    const error = await refusal(clientOf(tsa, tsa).stamp(bytes, { signal: AbortSignal.abort() }))
    expect(error.code).toBe('http.canceled')
  })
})

describe('a token signed by somebody who is no timestamp authority', () => {
  /** A forgery by a holder: a TSTInfo under their own certificate. */
  const forged = (request: Uint8Array): Buffer => {
    const ana = demo.pki.certificate('ana-souza')
    const { issuer, serialNumber, der } = demo.holder('ana-souza').certificate
    const [version, imprint, nonce] = readDer(request).members()
    const policy = oid('2.16.76.1.6.2')
    const info = sequence(version!.raw, policy, imprint!.raw, integer(7), generalizedTime(new Date()), nonce!.raw)
    const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'))
    const attributes = setOf(
      attribute(attributeOids.contentType, oid(contentTypes.timestampInfo)),
      attribute(attributeOids.messageDigest, octetString(digest('sha256', info))),
      signingCertificateAttribute(demo.holder('ana-souza').certificate, 'sha256'),
    )
    const signer = sequence(
      integer(1),
      sequence(issuer.der, tlv(0x02, serialNumber)),
      sha256,
      implicit(0, attributes),
      sequence(oid('1.2.840.113549.1.1.1'), nothing),
      octetString(sign('sha256', attributes, ana.key.privateKey)),
    )
    const encapsulated = sequence(oid(contentTypes.timestampInfo), explicit(0, octetString(info)))
    const body = sequence(integer(3), setOf(sha256), encapsulated, tlv(0xa0, der), setOf(signer))
    return sequence(oid(contentTypes.signedData), explicit(0, body))
  }

  it('is refused by the client and invalid for the judge', async () => {
    let token = Buffer.alloc(0)
    const exchange: HttpExchange = async ({ body }) => {
      token = Buffer.from(forged(body!))
      return { status: 200, headers: {}, body: sequence(sequence(integer(0)), token) }
    }
    const client = createTimestampClient({ authorities: [tsa], exchange })
    expect(reasons(await refusal(client.stamp(bytes)))).toEqual(['timestamp.wrong-purpose'])
    const report = await judgeTimestamp(token, (name) => digest(name, bytes), {
      judge: demo.judge,
      now: new Date(),
      kind: 'signature',
    })
    expect(report).toMatchObject({ indication: 'invalid', imprint: { state: 'passed' } })
    expect(report.findings.map(({ code }) => code)).toContain('timestamp-invalid')
  })
})

it('an authority gets the credentials and headers it wants', async () => {
  const seen: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response.writeHead(401).end()
  }).listen(0)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const authority = { url, username: 'ana', password: 'açaí', headers: { 'x-key': '7' } }
  const error = await refusal(clientOf(authority).stamp(bytes))
  server.close()
  expect(error.message).toContain('401')
  expect(seen[0]).toMatchObject({
    authorization: `Basic ${Buffer.from('ana:açaí').toString('base64')}`,
    'x-key': '7',
    'content-type': 'application/timestamp-query',
  })
})

describe('the judgement of a timestamp', () => {
  const judged = (token: Uint8Array, over = bytes) =>
    judgeTimestamp(token, (name) => digest(name, over), {
      judge: demo.judge,
      now: new Date(),
      kind: 'signature',
    })

  it('is valid over the bytes that were stamped', async () => {
    const { token, time } = await clientOf(tsa).stamp(bytes)
    const report = await judged(token)
    expect(report).toMatchObject({ indication: 'valid', time, imprint: { state: 'passed' }, findings: [] })
    expect(report.authority).toBe('Servidor de Carimbo do Tempo Demo')
  })

  it('is invalid over any other bytes', async () => {
    const { token } = await clientOf(tsa).stamp(bytes)
    const report = await judged(token, Buffer.from('others'))
    expect(report.indication).toBe('invalid')
    expect(report.findings.map(({ code }) => code)).toEqual(['timestamp-imprint-mismatch'])
  })

  it('is never valid with a changed byte in what was signed', async () => {
    const { token } = await clientOf(tsa).stamp(bytes)
    const { signedData, signer } = readTimestampToken(token)
    const from = token.indexOf(signedData.content!)
    for (let at = from; at < from + signedData.content!.length; at++) {
      const changed = Buffer.from(token)
      changed[at]! ^= 1
      expect((await judged(changed)).indication).not.toBe('valid')
    }
    const forged = Buffer.from(token)
    forged[token.indexOf(signer.signature) + 20]! ^= 1
    expect((await judged(forged)).findings.map(({ code }) => code)).toContain('signature-wrong')
  })

  it('proves nothing when it is of a time after that at which it existed', async () => {
    const { token, time } = await clientOf(tsa).stamp(bytes)
    const minutesBefore = (minutes: number) => new Date(time.getTime() - minutes * 60_000)
    const at = (now: Date, provenAt?: Date) =>
      judgeTimestamp(token, (name) => digest(name, bytes), {
        judge: demo.judge,
        now,
        kind: 'signature',
        ...(provenAt && { provenAt }),
      })
    // Clocks differ by some minutes.
    expect((await at(minutesBefore(4))).findings.map(({ code }) => code)).not.toContain('timestamp-invalid')
    for (const early of [await at(minutesBefore(6)), await at(new Date(), minutesBefore(6))]) {
      expect(early.indication).toBe('invalid')
      expect(early.findings.map(({ code }) => code)).toContain('timestamp-invalid')
    }
  })

  it('is indeterminate when the authority is unknown', async () => {
    const { token } = await clientOf(tsa).stamp(bytes)
    const judge = createJudge({ anchors: TrustAnchors.of([]) })
    const options = { judge, now: new Date(), kind: 'signature' as const }
    const report = await judgeTimestamp(token, (name) => digest(name, bytes), options)
    expect(report.indication).toBe('indeterminate')
    expect(report.findings.map(({ code }) => code)).toEqual(['timestamp-authority-untrusted'])
  })

  it('is a report, not an error, when the token is no timestamp', async () => {
    const report = await judged(Buffer.from('3003020101', 'hex'))
    expect(report.indication).toBe('invalid')
    expect(report.findings.map(({ code }) => code)).toEqual(['structure-malformed'])
  })
})
