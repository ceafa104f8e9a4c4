import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { signCades, validateCades } from '../cades/index.ts'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { toPem } from '../der/index.ts'
import { findingSubIndications } from './finding-indications.ts'
import { type FindingCode, findingSeverities, reportToJson, subIndications } from './index.ts'
import { documentTimestampStatus, signatureStatus, timestampStatus } from './indications.ts'

const content = Buffer.from('Pagar R$ 100,00.')

/** A signature over SHA-1, made by OpenSSL. */
async function overSha1({ pki }: DemoSigners): Promise<Buffer> {
  const { der, key } = pki.certificate('ana-souza')
  const folder = temporaryFolder()
  const chain = pki.chainOf(pki.certificate('ana-souza')).slice(1)
  writeFileSync(join(folder, 'content'), content)
  writeFileSync(join(folder, 'signer.pem'), toPem('CERTIFICATE', der))
  writeFileSync(join(folder, 'chain.pem'), chain.map((one) => toPem('CERTIFICATE', one.der)).join(''))
  writeFileSync(join(folder, 'key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const args = ['cms', '-sign', '-cades', '-binary', '-nodetach', '-md', 'sha1', '-outform', 'DER', '-in', 'content']
  const by = ['-signer', 'signer.pem', '-inkey', 'key.pem', '-certfile', 'chain.pem', '-out', 'signed']
  expect(await openssl([...args, ...by], { folder })).toMatchObject({ ok: true })
  return readFileSync(join(folder, 'signed'))
}

test('without a verdict on a certificate nothing is valid, even where no finding says so', () => {
  const nothing = { findings: [], verdict: null }
  expect(signatureStatus(nothing)).toMatchObject({
    indication: 'indeterminate',
    subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
  })
  expect(timestampStatus(nothing).indication).toBe('indeterminate')
  expect(documentTimestampStatus(nothing).indication).toBe('indeterminate')
})

describe('SHA-1', () => {
  test('today is indeterminate: time could save it', async () => {
    const demo = await demoSignersOfToday()
    const report = await validateCades(await overSha1(demo), { judge: demo.judge, now: new Date() })
    expect(report.signatures[0]).toMatchObject({
      indication: 'indeterminate',
      mainIndication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    })
  })

  test('is told and decides nothing where the signature is proven to be of a time that accepted it', async () => {
    const then = new Date('2012-06-01T12:00:00Z')
    const demo = await startDemoSigners(() => then)
    try {
      const report = await validateCades(await overSha1(demo), { judge: demo.judge, now: then })
      expect(report.signatures[0]).toMatchObject({ mainIndication: 'TOTAL-PASSED', subIndication: null })
      const weak = report.signatures[0]!.findings.filter(({ code }) => code === 'algorithm-weak')
      expect(new Set(weak.map(({ severity }) => severity))).toEqual(new Set(['info']))
    } finally {
      await demo.stop()
    }
  })
})

describe('indications of EN 319 102-1', () => {
  test('are named in the JSON of a signature and of its timestamps', async () => {
    const demo = await demoSignersOfToday()
    const ana = demo.holder('ana-souza')
    const options = { now: new Date(), level: 'B-T', timestamps: demo.timestamps } as const
    const file = await signCades(content, ana, options)
    const report = await validateCades(file, { judge: demo.judge, now: new Date() })
    expect(reportToJson(report)).toMatchObject({
      signatures: [
        {
          mainIndication: 'TOTAL-PASSED',
          subIndication: null,
          timestamps: [{ mainIndication: 'PASSED', subIndication: null }],
        },
      ],
    })
  })

  test.each([
    ['revoked', 'REVOKED_NO_POE'],
    ['under-unknown-root', 'NO_CERTIFICATE_CHAIN_FOUND'],
  ])('of a certificate that is %s: %s', async (label, subIndication) => {
    const demo = await demoSignersOfToday()
    const file = await signCades(content, demo.holder(label), { now: new Date() })
    const report = await validateCades(file, { judge: demo.judge, now: new Date() })
    expect(report.signatures[0]).toMatchObject({ mainIndication: 'INDETERMINATE', subIndication })
  })

  test('stand for every error, and for nothing less', () => {
    // A document without signatures has no status, and reasons of its own tell of a certificate.
    const apart: readonly FindingCode[] = ['no-signature', 'certificate-not-trusted']
    for (const [code, severity] of Object.entries(findingSeverities) as [FindingCode, string][]) {
      const sub = findingSubIndications[code]
      expect(sub !== null, code).toBe(severity === 'error' && !apart.includes(code))
      if (sub !== null) expect(subIndications[sub]).toBeDefined()
    }
  })
})
