import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { signCades, validateCades } from '../cades/index.ts'
import { attributeOids } from '../cms/oids.ts'
import { attribute } from '../cms/signed-attributes.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { digest } from '../crypto/digest.ts'
import { octetString, oid, sequence } from '../der/der-writer.ts'
import { toPem } from '../der/index.ts'
import { craftedCms } from '../icp-brasil/test-support/crafted-cms.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { signPades, validatePades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { judgeTimestamp } from '../timestamps/index.ts'
import { signXades, validateXades } from '../xades/index.ts'
import { xmlsecSigns } from '../xades/test-support/xmlsec.ts'
import type { FindingCode, ValidationReport } from './index.ts'
import { reportText, reportToJson } from './index.ts'
import { INTACT } from './test-support/intact.ts'

let demo: DemoSigners
let ana: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  ana = demo.holder('ana-souza')
})

const now = new Date()
const content = Buffer.from('Pagar R$ 100,00.')
const missing = { state: 'not-checked', reason: 'content-missing' }
const unknown = { state: 'not-checked', reason: 'algorithm-unknown' }

const judging = () => ({ judge: demo.judge, now: new Date() })
const codes = ({ signatures }: ValidationReport) =>
  signatures.flatMap(({ findings }) => findings.map(({ code }) => code))
const accusations: readonly FindingCode[] = [
  'content-changed',
  'signature-wrong',
  'signing-certificate-mismatch',
  'timestamp-imprint-mismatch',
]

/** Not confirmed, and nobody accused: neither by a finding nor in the words of a report. */
function expectOpen(report: ValidationReport): void {
  expect(report.indication).toBe('indeterminate')
  expect(codes(report).filter((code) => accusations.includes(code))).toEqual([])
  expect(reportText(report, 'en-US')).not.toContain('CHANGED')
  expect(reportText(report, 'pt-BR')).not.toContain('ALTERADO')
}

/** The identifier of SHA-256 and one that names no algorithm. */
const SHA256 = '608648016503040201'
const NO_DIGEST = '608648016503040263'
const RIPEMD160 = 'http://www.w3.org/2001/04/xmlenc#ripemd160'

describe('absent content', () => {
  test('of a CMS is not checked, in data, in JSON and in words', async () => {
    const report = await validateCades(await signCades(content, ana, { now, packaging: 'detached' }), judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toEqual({ ...INTACT, content: missing })
    expect(reportToJson(report)).toMatchObject({ signatures: [{ integrity: { content: missing } }] })
  })

  test('of an XML signature is not checked', async () => {
    const signature = await signXades(content, ana, { now, packaging: 'detached', uri: 'contrato.txt' })
    const report = await validateXades(signature, judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toEqual({ ...INTACT, content: missing })
  })

  test('of a timestamp is not checked', async () => {
    const { token } = await demo.timestamps.stamp(content)
    const report = await judgeTimestamp(token, () => undefined, { ...judging(), kind: 'document' })
    expect(report).toMatchObject({ indication: 'indeterminate', imprint: missing, signature: { state: 'passed' } })
    expect(report.findings.map(({ code }) => code)).toEqual(['content-missing'])
  })
})

describe('an unknown algorithm', () => {
  test('of a CMS that OpenSSL made and verifies leaves content, value and binding unchecked', async () => {
    const { der, key } = demo.pki.certificate('ana-souza')
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'content'), content)
    writeFileSync(join(folder, 'signer.pem'), toPem('CERTIFICATE', der))
    writeFileSync(join(folder, 'key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const args = ['cms', '-sign', '-cades', '-binary', '-nodetach', '-md', 'ripemd160', '-outform', 'DER']
    const by = ['-signer', 'signer.pem', '-inkey', 'key.pem', '-in', 'content', '-out', 'signed']
    expect(await openssl([...args, ...by], { folder })).toMatchObject({ ok: true })
    const verifying = ['cms', '-verify', '-inform', 'DER', '-in', 'signed', '-noverify', '-out', 'out']
    expect(await openssl(verifying, { folder })).toMatchObject({ ok: true })
    const report = await validateCades(readFileSync(join(folder, 'signed')), judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toEqual({
      content: unknown,
      signature: unknown,
      certificateBinding: unknown,
    })
  })

  test('of a CMS is not a wrong signature', async () => {
    const file = await signCades(content, ana, { now })
    const odd = Buffer.from(file.toString('hex').replaceAll(SHA256, NO_DIGEST), 'hex')
    const report = await validateCades(odd, judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toMatchObject({ content: unknown, signature: unknown })
  })

  test('of the CMS in a PDF is not a wrong signature', async () => {
    const file = (await signPades(tablePdf(), ana, { now })).toString('latin1')
    const odd = file.replaceAll(new RegExp(SHA256, 'gi'), NO_DIGEST)
    const report = await validatePades(Buffer.from(odd, 'latin1'), judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toMatchObject({ content: unknown, signature: unknown })
  })

  test('of the hash that names the certificate is not another certificate', async () => {
    const named = attribute(
      attributeOids.signingCertificateV2,
      sequence(sequence(sequence(sequence(oid('1.2.3.4.5')), octetString(digest('sha256', ana.certificate.der))))),
    )
    const file = await craftedCms(digest('sha256', content), await demo.signer('P-256'), 'CAdES', {
      content,
      attributes: ({ contentType, messageDigest }) => ({ contentType, messageDigest, named }),
    })
    const report = await validateCades(file, judging())
    expectOpen(report)
    expect(codes(report)).toContain('algorithm-unknown')
    expect(report.signatures[0]!.integrity).toEqual({ ...INTACT, certificateBinding: unknown })
  })

  test('of a digest in XML that xmlsec1 made is not a change', async () => {
    const report = await validateXades(await xmlsecSigns(demo, { digest: RIPEMD160 }), judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toMatchObject({ content: unknown, signature: { state: 'passed' } })
  })

  test('of a signature in XML is not a wrong one', async () => {
    const file = (await signXades(Buffer.from('<a/>'), ana, { now })).toString()
    const report = await validateXades(Buffer.from(file.replaceAll('#rsa-sha256', '#rsa-none')), judging())
    expectOpen(report)
    expect(report.signatures[0]!.integrity).toMatchObject({ content: { state: 'passed' }, signature: unknown })
  })

  test('of a timestamp is not another imprint', async () => {
    const { token } = await demo.timestamps.stamp(content)
    const odd = Buffer.from(token.toString('hex').replaceAll(SHA256, NO_DIGEST), 'hex')
    const report = await judgeTimestamp(odd, (name) => digest(name, content), { ...judging(), kind: 'document' })
    expect(report.imprint).toEqual(unknown)
    expect(report.findings.map(({ code }) => code)).not.toContain('timestamp-imprint-mismatch')
  })
})
