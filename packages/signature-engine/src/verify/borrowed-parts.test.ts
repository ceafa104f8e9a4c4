// What belongs to one signature, put into another: certificates, keys, timestamps, other unsigned attributes.
import { createSign, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { coSignCades, counterSignCades, signCades } from '../cades/index.ts'
import { attributeOids } from '../cms/oids.ts'
import { rewriteSignedData, withUnsignedAttributes } from '../cms/rewrite-signed-data.ts'
import { attributesOf, readSignedData } from '../cms/signed-data.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { opensslVerifies } from '../cms/test-support/openssl-cms.ts'
import { addJadesSignature, signJades } from '../jades/index.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { signPades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { type CraftedContent, craft } from '../x509/test-support/crafted-certificate.ts'
import { signXades } from '../xades/index.ts'
import { verify } from './index.ts'

let demo: DemoSigners
let ana: DigestSigner
let davi: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  ana = demo.holder('ana-souza')
  davi = demo.holder('davi-moreira')
})

const content = Buffer.from('Pagar R$ 100,00.')
const helpers = () => ({ now: new Date(), timestamps: demo.timestamps, judge: demo.judge })
const judged = async (file: Uint8Array) => {
  const { indication, signatures } = await verify(file, { judge: demo.judge, now: new Date() })
  return {
    indication,
    each: signatures.map((one) => one.indication),
    codes: signatures.map(({ findings }) => findings.map(({ code }) => code)),
    levels: signatures.map(({ level }) => level),
  }
}
const asText = (file: Uint8Array) => Buffer.from(file).toString('latin1')

/** Two matches that differ, each put where the other stands. */
function exchanged(file: Uint8Array, pattern: RegExp): Buffer {
  const text = asText(file)
  const [one, two] = [...text.matchAll(pattern)].map(([found]) => found)
  expect(two).toBeDefined()
  expect(one).not.toBe(two)
  let next = 0
  return Buffer.from(
    text.replace(pattern, () => [two!, one!][next++]!),
    'latin1',
  )
}

describe('two signers of one CMS', () => {
  test('are judged one by one, and the file by the worse', async () => {
    const both = await coSignCades(await signCades(content, ana, helpers()), davi, helpers())
    expect(await judged(both)).toMatchObject({ indication: 'valid', each: ['valid', 'valid'] })
    const { signers } = readSignedData(both)
    for (const [at, { signature }] of signers.entries()) {
      const broken = Buffer.from(both)
      broken[both.indexOf(signature) + signature.length - 1]! ^= 1
      const report = await judged(broken)
      expect(report.indication).toBe('invalid')
      expect(report.each).toEqual([0, 1].map((one) => (one === at ? 'invalid' : 'valid')))
      expect((await opensslVerifies(broken, { roots: demo.pki.trustAnchors() })).ok).toBe(false)
    }
  })

  test('do not lend each other their unsigned attributes', async () => {
    const terms = { ...helpers(), level: 'B-T' } as const
    const both = readSignedData(await coSignCades(await signCades(content, ana, terms), davi, terms))
    const [one, two] = both.signers
    const lent = (to: typeof one, from: typeof one) =>
      withUnsignedAttributes({ ...to!, unsignedAttributes: [] }, ...from!.unsignedAttributes.map(({ raw }) => raw))
    const report = await judged(rewriteSignedData(both, { signers: [lent(one, two), lent(two, one)] }))
    expect(report.each).not.toContain('valid')
    expect(report.codes.flat()).toEqual(['timestamp-invalid', 'timestamp-invalid'])
    expect(report.levels).toEqual(['B-B', 'B-B'])
  })

  test('are not confirmed by the counter-signature of another', async () => {
    const { signers } = readSignedData(
      await counterSignCades(await signCades(content, ana, helpers()), davi, helpers()),
    )
    const other = readSignedData(await signCades(Buffer.from('Pagar R$ 900,00.'), ana, helpers()))
    const [confirmation] = attributesOf(signers[0]!.unsignedAttributes, attributeOids.counterSignature)
    const signer = withUnsignedAttributes(other.signers[0]!, confirmation!.raw)
    const file = rewriteSignedData(other, { signers: [signer], addCertificates: [davi.certificate.der] })
    const { signatures } = await verify(file, { judge: demo.judge, now: new Date() })
    expect(signatures[0]!.counterSignatures.map(({ indication }) => indication)).toEqual(['invalid'])
  })
})

describe('a timestamp of another signature proves nothing', () => {
  test('in XML', async () => {
    const terms = { ...helpers(), level: 'B-T', parallel: true } as const
    const once = await signXades(Buffer.from('<a><b>1</b></a>'), ana, terms)
    const both = await signXades(once, davi, terms)
    expect((await judged(both)).levels).toEqual(['B-T', 'B-T'])
    const report = await judged(exchanged(both, /<xades:EncapsulatedTimeStamp[^>]*>[^<]+/g))
    expect(report.each).not.toContain('valid')
    expect(report.levels).toEqual(['B-B', 'B-B'])
  })

  test('in JSON', async () => {
    const first = await signJades(content, ana, { ...helpers(), level: 'B-T', serialization: 'general' })
    const both = await addJadesSignature(first, davi, { ...helpers(), level: 'B-T' })
    expect((await judged(both)).levels).toEqual(['B-T', 'B-T'])
    const report = await judged(exchanged(both, /"header":\{.*?\}/g))
    expect(report.each).not.toContain('valid')
    expect(report.levels).toEqual(['B-B', 'B-B'])
  })

  test('in PDF', async () => {
    const terms = { ...helpers(), level: 'B-T' } as const
    const borrower = await signPades(tablePdf(), ana, terms)
    const [to, from] = [cmsIn(borrower), cmsIn(await signPades(tablePdf({ pages: 2 }), ana, terms))]
    const [signer] = to.signers
    const [token] = from.signers[0]!.unsignedAttributes
    const signers = [withUnsignedAttributes({ ...signer!, unsignedAttributes: [] }, token!.raw)]
    const cms = rewriteSignedData(to, { signers })
    const file = asText(borrower).replace(/\/Contents <([0-9a-fA-F]+)>/, (hole) => {
      const digits = cms.toString('hex')
      expect(digits.length).toBeLessThanOrEqual(hole.length - 12)
      return `/Contents <${digits.padEnd(hole.length - 12, '0')}>`
    })
    const report = await judged(Buffer.from(file, 'latin1'))
    expect(report).toMatchObject({ each: ['indeterminate'], codes: [['timestamp-invalid']], levels: ['B-B'] })
  })
})

const cmsIn = (pdf: Uint8Array) => {
  const digits = /\/Contents <([0-9a-fA-F]+)>/.exec(asText(pdf))![1]!
  const bytes = Buffer.from(digits, 'hex')
  return readSignedData(bytes.subarray(0, 4 + bytes.readUInt16BE(2)))
}

describe('another certificate of the same issuer and number', () => {
  const impostor = (more: CraftedContent) => {
    const { issuer, serialNumber } = ana.certificate
    return craft({ subject: { CN: 'Mallory' }, issuerName: issuer.der, serialNumber, ...more }).certificate.der
  }
  const keys = () => ({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), publicKey: ana.certificate.publicKey })

  test.each([
    ['with another key', () => impostor({}), 'signature-wrong'],
    ['with the same key', () => impostor({ keys: keys() }), 'signing-certificate-mismatch'],
  ])('%s is not taken for the signer’s, and does not hide it', async (_how, forged, code) => {
    const signed = readSignedData(await signCades(content, ana, helpers()))
    const instead = await judged(rewriteSignedData({ ...signed, certificateChoices: [forged()] }, {}))
    expect(instead.indication).not.toBe('valid')
    expect(instead.codes.flat()).toContain(code)
    expect(instead.codes.flat()).toContain('signing-certificate-mismatch')
    const before = [forged(), ...signed.certificateChoices]
    expect(await judged(rewriteSignedData({ ...signed, certificateChoices: before }, {}))).toMatchObject({
      indication: 'valid',
    })
  })
})

test('a key that a JWS brings along verifies nothing', async () => {
  const mallory = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = mallory.publicKey.export({ format: 'jwk' })
  const x5c = [ana.certificate, ...ana.chain].map(({ der }) => der.toString('base64'))
  const signedWith = (header: object) => {
    const input = [JSON.stringify({ alg: 'RS256', iat: Math.floor(Date.now() / 1000), ...header }), content]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    return Buffer.from(`${input}.${createSign('sha256').update(input).sign(mallory.privateKey, 'base64url')}`)
  }
  expect(await judged(signedWith({ jwk, x5c }))).toMatchObject({ indication: 'invalid', codes: [['signature-wrong']] })
  const alone = await judged(signedWith({ jwk }))
  expect(alone.indication).toBe('indeterminate')
  expect(alone.codes.flat()).toContain('signing-certificate-missing')
  const elsewhere = await judged(signedWith({ x5u: 'http://127.0.0.1:9/', jku: 'http://127.0.0.1:9/' }))
  expect(elsewhere.indication).not.toBe('valid')
})
