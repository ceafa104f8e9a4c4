// Signatures of old tools, made by openssl; pdfsig reads those in CMS, and no free tool the others.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digest } from '../crypto/digest.ts'
import { octetString } from '../der/der-writer.ts'
import { INTACT } from '../report/test-support/intact.ts'
import { cmsBy, type OpensslPdfSignature, opensslSigned } from './test-support/openssl-signature.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

async function pdfsigSays(pdf: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(path, pdf)
  return /Signature Validation: (.*)/.exec((await runTool('pdfsig', ['-nocert', path])).text)?.[1] ?? 'nothing'
}

async function judged(pdf: Uint8Array) {
  const { indication, signatures } = await room.validate(pdf)
  expect(signatures).toHaveLength(1)
  const { integrity, subIndication, findings, ...rest } = signatures[0]!
  return { ...rest, indication, integrity, subIndication, codes: findings.map(({ code }) => code) }
}

/** The file with other amounts, in bytes that the signature covers. */
const changed = (pdf: Buffer): Buffer => {
  const copy = Buffer.from(pdf)
  copy[copy.indexOf('Tj')! - 3]! ^= 1
  return copy
}

const sha1 = (bytes: Buffer) => digest('sha1', bytes)
const unnamed = { state: 'not-checked', reason: 'certificate-unnamed' }
const weak = {
  indication: 'indeterminate',
  subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  integrity: { ...INTACT, certificateBinding: unnamed },
  level: 'none',
}

describe('adbe.pkcs7.sha1, whose CMS holds the SHA-1 of the file', () => {
  // pdfsig reads only those whose CMS is over SHA-1, too, and has attributes.
  const signed = (content: OpensslPdfSignature['content'], ...options: string[]) => {
    const md = options.includes('-md') ? [] : ['-md', 'sha1']
    const command = cmsBy(...md, ...options)
    return opensslSigned(room.pki, { subFilter: 'adbe.pkcs7.sha1', command, ...(content && { content }) })
  }

  test('is intact and weak: a proof of time could save it', async () => {
    const pdf = await signed(sha1, '-nodetach')
    expect(await pdfsigSays(pdf)).toBe('Signature is Valid.')
    const report = await judged(pdf)
    expect(report).toMatchObject(weak)
    expect(report.codes).toContain('algorithm-weak')
  })

  test.each([
    ['without attributes', ['-noattr']],
    ['where the CMS has a better digest', ['-md', 'sha256']],
  ])('is intact and weak %s', async (_how, options) => {
    expect(await judged(await signed(sha1, '-nodetach', ...options))).toMatchObject(weak)
  })

  test('of another file is not over this one', async () => {
    const pdf = await signed(() => digest('sha1', Buffer.from('another')), '-nodetach')
    expect(await pdfsigSays(pdf)).toBe('Digest Mismatch.')
    const report = await judged(pdf)
    expect(report).toMatchObject({ indication: 'invalid', subIndication: 'HASH_FAILURE' })
    expect(report.integrity.content).toEqual({ state: 'failed' })
  })

  test('of a file that was changed afterwards is told', async () => {
    const pdf = changed(await signed(sha1, '-nodetach'))
    expect(await pdfsigSays(pdf)).toBe('Digest Mismatch.')
    expect((await judged(pdf)).integrity.content).toEqual({ state: 'failed' })
  })

  test('that holds another digest than the one it signs is not believed', async () => {
    const pdf = await signed(sha1, '-nodetach')
    const text = pdf.toString('latin1')
    const [, start = '', end = ''] = /\/ByteRange \[0 (\d+)\s+(\d+)/.exec(text)!
    const covered = Buffer.concat([pdf.subarray(0, Number(start)), pdf.subarray(Number(end))])
    const inside = digest('sha1', covered).toString('hex')
    const at = text.toLowerCase().indexOf(inside)
    expect(at).toBeGreaterThan(0)
    pdf.write('00'.repeat(20), at, 'latin1')
    expect((await judged(pdf)).integrity.content).toEqual({ state: 'failed' })
  })

  test('without a digest inside is over the bytes, as pdfsig reads it, and still weak', async () => {
    const pdf = await signed(undefined)
    expect(await pdfsigSays(pdf)).toBe('Signature is Valid.')
    expect(await judged(pdf)).toMatchObject(weak)
    expect((await judged(changed(pdf))).indication).toBe('invalid')
  })
})

describe('adbe.x509.rsa_sha1, a signature without CMS', () => {
  const signed = (md: string, more: Partial<OpensslPdfSignature> = {}) =>
    opensslSigned(room.pki, {
      subFilter: 'adbe.x509.rsa_sha1',
      command: ['dgst', `-${md}`, '-sign', 'key.pem', '-out', 'signature', 'content'],
      wrap: octetString,
      entries: (issued) => ({
        Cert: `[${room.pki
          .chainOf(issued)
          .map(({ der }) => `<${der.toString('hex')}>`)
          .join(' ')}]`,
      }),
      ...more,
    })

  test('over SHA-1 is intact and weak', async () => {
    const report = await judged(await signed('sha1'))
    expect(report).toMatchObject({ ...weak, algorithm: 'RSA-SHA1', signer: { name: 'RUI BARBOSA' } })
    expect(report.codes).toContain('algorithm-weak')
  })

  test('over SHA-2 is valid, of no level, and its certificate is not protected', async () => {
    const report = await judged(await signed('sha256'))
    expect(report).toMatchObject({ indication: 'valid', algorithm: 'RSA-SHA256', level: 'none' })
    expect(report.codes).toContain('signing-certificate-unprotected')
  })

  test('has its certificate alone in /Cert, too', async () => {
    const report = await judged(
      await signed('sha256', { entries: ({ der }) => ({ Cert: `<${der.toString('hex')}>` }) }),
    )
    expect(report.integrity.signature).toEqual({ state: 'passed' })
  })

  test('of a changed file does not fit', async () => {
    const report = await judged(changed(await signed('sha256')))
    expect(report).toMatchObject({ indication: 'invalid', subIndication: 'SIG_CRYPTO_FAILURE' })
    expect(report.integrity.signature).toEqual({ state: 'failed' })
  })

  test('without /Cert was not checked', async () => {
    const report = await judged(await signed('sha1', { entries: () => ({}) }))
    expect(report).toMatchObject({ indication: 'indeterminate', subIndication: 'NO_SIGNING_CERTIFICATE_FOUND' })
    expect(report.integrity.signature).toEqual({ state: 'not-checked', reason: 'certificate-missing' })
  })

  test.each<[string, Partial<OpensslPdfSignature>]>([
    ['/Cert that is no certificate', { entries: () => ({ Cert: '<3003020101>' }) }],
    ['/Contents that are no octet string', { wrap: (value) => value }],
  ])('with %s cannot be read', async (_what, more) => {
    const report = await judged(await signed('sha256', more))
    expect(report.indication).toBe('invalid')
    expect(report.codes).toContain('structure-malformed')
  })
})
