import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { toPem } from '../der/pem.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { signingPolicies } from '../policies/policies.ts'
import { isIntact } from '../report/check.ts'
import { INTACT, underDemoRoot } from '../report/test-support/intact.ts'
import { extendXades } from './extend-xades.ts'
import { type SignXadesOptions, signXades } from './sign-xades.ts'
import { order } from './test-support/orders.ts'
import { type XmlsecMethods, xmlsecSigns, xmlsecVerifies } from './test-support/xmlsec.ts'
import { type ValidateXadesOptions, validateXades } from './validate-xades.ts'

let demo: DemoSigners
let signer: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  signer = await demo.signer('P-256')
})

const sign = (document: Uint8Array, options: Partial<SignXadesOptions> = {}) =>
  signXades(document, signer, { now: new Date(), timestamps: demo.timestamps, judge: demo.judge, ...options })

const judge = async (document: Uint8Array, options: Partial<ValidateXadesOptions> = {}) =>
  validateXades(document, { judge: demo.judge, now: new Date(), ...options })

const only = async (document: Uint8Array, options: Partial<ValidateXadesOptions> = {}) => {
  const { signatures } = await judge(document, options)
  assert.equal(signatures.length, 1)
  return signatures[0]!
}

const codes = ({ findings }: { findings: readonly { code: string }[] }) => findings.map(({ code }) => code)

const replaced = (document: Uint8Array, from: string | RegExp, to: string): Buffer => {
  const text = Buffer.from(document).toString('utf8')
  const changed = text.replace(from, () => to)
  assert.notEqual(changed, text)
  return Buffer.from(changed, 'utf8')
}

describe('the levels', () => {
  const timestampsOf = {
    'B-B': [],
    'B-T': ['signature'],
    'B-LT': ['signature'],
    'B-LTA': ['signature', 'archive'],
    'AD-RB': [],
    'AD-RT': ['signature'],
    'AD-RV': ['signature', 'references'],
    'AD-RC': ['signature', 'references'],
    'AD-RA': ['signature', 'references', 'archive'],
  } as const
  for (const [level, kinds] of Object.entries(timestampsOf) as [keyof typeof timestampsOf, readonly string[]][])
    test(`${level} is reached, recognised and valid, and xmlsec1 accepts its core`, async () => {
      const signed = await sign(order(), { level })
      const report = await only(signed)
      assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
      assert.equal(report.level, level)
      assert.deepEqual(
        report.timestamps.map(({ kind, indication }) => [kind, indication]),
        kinds.map((kind) => [kind, 'valid']),
      )
      assert.equal(report.provenTime.by, kinds.length > 0 ? 'timestamp' : 'now')
      assert.equal(report.signer?.cpf, '52998224725')
      const { ok, text } = await xmlsecVerifies([signed], { root: demo.root })
      assert.ok(ok, text)
    })

  test('of detached and enveloping signatures are reached as well', async () => {
    const content = Buffer.from('a content')
    const detached = await sign(content, { level: 'B-LTA', packaging: 'detached', uri: 'content.bin' })
    assert.equal((await only(detached, { content })).level, 'B-LTA')
    assert.equal((await only(detached, { content: Buffer.from('another') })).indication, 'invalid')
    const enveloping = await sign(order(), { level: 'AD-RA', packaging: 'enveloping', canonicalisation: 'inclusive' })
    const report = await only(enveloping)
    assert.equal(report.level, 'AD-RA')
    assert.equal(report.indication, 'valid')
  })

  test('are climbed one after the other, and archive timestamps are renewed', async () => {
    const dependencies = () => ({ timestamps: demo.timestamps, judge: demo.judge, now: new Date() })
    let document = await sign(order(), { level: 'B-B' })
    for (const level of ['B-T', 'B-LT', 'B-LTA', 'B-LTA'] as const) {
      document = await extendXades(document, { level, ...dependencies() })
      assert.equal((await only(document)).level, level)
    }
    const report = await only(document)
    assert.equal(report.indication, 'valid')
    assert.deepEqual(
      report.timestamps.map(({ kind }) => kind),
      ['signature', 'archive', 'archive'],
    )
    assert.ok(document.includes('xades141:TimeStampValidationData'))
  })

  test('of one signature can be raised without touching its neighbours', async () => {
    const first = await sign(order(), { parallel: true })
    const both = await sign(first, { parallel: true })
    const [one] = (await judge(both)).signatures
    const raised = await extendXades(both, {
      level: 'B-T',
      timestamps: demo.timestamps,
      now: new Date(),
      signature: one!.name,
    })
    assert.deepEqual(
      (await judge(raised)).signatures.map(({ level, indication }) => [level, indication]),
      [
        ['B-T', 'valid'],
        ['B-B', 'valid'],
      ],
    )
  })

  test('are not given to timestamps or references that were changed afterwards', async () => {
    const archived = await sign(order(), { level: 'AD-RA' })
    const changed = replaced(archived, /(?<=<xades:(?:ProducedAt|IssueTime)>)2/, '1')
    const report = await only(changed)
    assert.notEqual(report.indication, 'valid')
    assert.equal(report.timestamps.find(({ kind }) => kind === 'signature')?.indication, 'valid')
    for (const kind of ['references', 'archive'])
      assert.equal(report.timestamps.find((timestamp) => timestamp.kind === kind)?.imprint.state, 'failed')
  })

  test('that need a policy are refused to a signature without it', async () => {
    const dependencies = { timestamps: demo.timestamps, judge: demo.judge, now: new Date() }
    const signed = await sign(order(), { level: 'AD-RB' })
    await assert.rejects(extendXades(signed, { level: 'AD-RT', ...dependencies }), { code: 'xades.policy-mismatch' })
    await assert.rejects(extendXades(order(), { level: 'B-T', ...dependencies }), { code: 'xades.no-signature' })
    await assert.rejects(extendXades(signed, { level: 'B-T', ...dependencies, signature: 'absent' }), {
      code: 'xades.signature-unknown',
    })
  })
})

describe('the policy', () => {
  test('must have the digest that stands inside it', async () => {
    const policy = signingPolicies.find(
      ({ format, name, version }) => `${format} ${name} ${version}` === 'XAdES AD-RB 2.5',
    )!
    const wrong = await sign(order(), { level: 'AD-RB', policy: { ...policy, hash: policy.fileHash } })
    const report = await only(wrong)
    assert.equal(report.policy?.hashMatches, false)
    assert.equal(report.subIndication, 'POLICY_PROCESSING_ERROR')
    // Seen in practice: 32 bytes labelled SHA-512.
    const misnamed = await sign(order(), { level: 'AD-RB', policy: { ...policy, digest: 'sha512' } })
    assert.equal((await only(misnamed)).policy?.hashMatches, false)
  })

  test('that promises a timestamp is not met without one', async () => {
    const policy = signingPolicies.find(
      ({ format, name, version }) => `${format} ${name} ${version}` === 'XAdES AD-RT 2.5',
    )!
    const report = await only(await sign(order(), { policy }))
    assert.equal(report.level, 'AD-RB')
    assert.ok(codes(report).includes('policy-requirement-unmet'))
    assert.equal(report.subIndication, 'SIG_CONSTRAINTS_FAILURE')
  })

  test('of ICP-Brasil under a root that it does not name is told', async () => {
    const report = await only(await sign(order(), { level: 'AD-RB' }))
    assert.equal(report.indication, 'valid')
    assert.deepEqual(report.findings, underDemoRoot('AD-RB'))
  })
})

describe('the certificate', () => {
  test('that was revoked, or is unknown, is told apart', async () => {
    const signedBy = (label: string) => signXades(order(), demo.holder(label), { now: new Date() })
    const revoked = await only(await signedBy('revoked'))
    assert.equal(revoked.subIndication, 'REVOKED_NO_POE')
    assert.ok(codes(revoked).includes('certificate-not-trusted'))
    const unknown = await only(await signedBy('under-unknown-root'))
    assert.equal(unknown.indication, 'indeterminate')
    assert.ok(codes(unknown).includes('certificate-indeterminate'))
  })

  test('must be the one whose digest was signed', async () => {
    const other = await demo.signer('P-256')
    const signed = await sign(order())
    const report = await only(
      replaced(signed, signer.certificate.der.toString('base64'), other.certificate.der.toString('base64')),
    )
    assert.equal(report.indication, 'invalid')
    assert.ok(codes(report).includes('signing-certificate-mismatch'))
  })

  test('that is missing leaves the question open', async () => {
    const report = await only(replaced(await sign(order()), /<ds:KeyInfo>.*<\/ds:KeyInfo>/s, ''))
    assert.equal(report.indication, 'indeterminate')
    assert.ok(codes(report).includes('signing-certificate-missing'))
  })
})

describe('a signature of others', () => {
  const signedByXmlsec = (methods: Partial<XmlsecMethods>) => xmlsecSigns(demo, methods)

  test('without XAdES properties is judged as what it is', async () => {
    const report = await only(await signedByXmlsec({}))
    assert.equal(report.level, 'none')
    assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
    assert.deepEqual(codes(report), ['signing-certificate-unprotected'])
    assert.ok(isIntact(report.integrity))
    assert.deepEqual(report.integrity.certificateBinding, { state: 'not-checked', reason: 'certificate-unnamed' })
  })

  test('with the XPath filters in use elsewhere is understood', async () => {
    const c14n = '<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'
    const xpath =
      '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath xmlns:sig="http://www.w3.org/2000/09/xmldsig#">not(ancestor-or-self::sig:Signature)</XPath></Transform>'
    const filter =
      '<Transform Algorithm="http://www.w3.org/2002/06/xmldsig-filter2"><XPath xmlns="http://www.w3.org/2002/06/xmldsig-filter2" xmlns:dsig="http://www.w3.org/2000/09/xmldsig#" Filter="subtract">/descendant::dsig:Signature</XPath></Transform>'
    for (const transforms of [xpath + c14n, filter + c14n]) {
      const report = await only(await signedByXmlsec({ transforms }))
      assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
    }
  })

  test('that is malformed is said to be so once, with what is wrong', async () => {
    const signed = (await sign(order(), {})).toString()
    const odd = signed.replace(/(CertDigest>.*?DigestValue>)/s, '$1%')
    const { findings } = await only(Buffer.from(odd))
    assert.deepEqual(findings.find(({ code }) => code === 'structure-malformed')?.details, {
      reason: 'something is not base64',
    })
  })

  test('with SHA-1, as tax documents have it, is intact but weak', async () => {
    const report = await only(
      await signedByXmlsec({
        signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
        digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
      }),
    )
    assert.ok(isIntact(report.integrity))
    assert.deepEqual(report.integrity.certificateBinding, { state: 'not-checked', reason: 'certificate-unnamed' })
    assert.ok(codes(report).includes('algorithm-weak'))
    assert.equal(report.subIndication, 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
  })

  const value = '//*[local-name()="valor"]'
  test.each([
    ['xpath', 'not(ancestor-or-self::sig:Signature or ancestor-or-self::*[local-name()="valor"])'],
    ['xpath', 'not(ancestor-or-self::sig:Signature) and not(ancestor-or-self::*[local-name()="valor"])'],
    ['xpath', 'not(ancestor-or-self::*[local-name()="valor"]) and not(ancestor-or-self::sig:Signature)'],
    ['filter', `/descendant::sig:Signature | ${value}`],
    ['filter', `${value} | /descendant::sig:Signature`],
    ['filter', `here()/ancestor::sig:Signature[1] | ${value}`],
    ['filter', `${value} | here()/ancestor::sig:Signature[1]`],
  ] as const)('with any other XPath is refused, for it may leave out anything: %s %s', async (kind, expression) => {
    const dsig = 'xmlns:sig="http://www.w3.org/2000/09/xmldsig#"'
    const filter = 'http://www.w3.org/2002/06/xmldsig-filter2'
    const transforms = {
      xpath: `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath ${dsig}>${expression}</XPath></Transform>`,
      filter: `<Transform Algorithm="${filter}"><XPath xmlns="${filter}" ${dsig} Filter="subtract">${expression}</XPath></Transform>`,
    }[kind]
    const report = await only(await signedByXmlsec({ transforms }))
    assert.ok(codes(report).includes('xml.transform-refused'))
    assert.equal(report.indication, 'indeterminate')
    assert.deepEqual(report.integrity.content, { state: 'not-checked', reason: 'transform-refused' })
  })
})

describe('a counter-signature', () => {
  const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

  /** Makes xmlsec1 countersign, over the element the reference names. */
  async function countersigned(signed: Buffer, reference: string): Promise<Buffer> {
    const folder = temporaryFolder()
    const issued = demo.pki.certificate('ana-souza')
    const template = `<ds:Signature><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference Type="http://uri.etsi.org/01903#CountersignedSignature" URI="#${reference}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:X509Data/></ds:KeyInfo></ds:Signature>`
    const unsigned = `<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:CounterSignature>${template}</xades:CounterSignature></xades:UnsignedSignatureProperties></xades:UnsignedProperties></xades:QualifyingProperties>`
    writeFileSync(join(folder, 'template.xml'), replaced(signed, '</xades:QualifyingProperties>', unsigned))
    writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
    writeFileSync(join(folder, 'certificate.pem'), toPem('CERTIFICATE', issued.der))
    const { ok, stdout, text } = await runTool(
      'xmlsec1',
      [
        '--sign',
        '--privkey-pem',
        'key.pem,certificate.pem',
        '--id-attr:Id',
        `${DSIG}:SignatureValue`,
        '--id-attr:Id',
        'urn:order:item',
        '--node-xpath',
        '//*[local-name()="CounterSignature"]/*',
        'template.xml',
      ],
      { folder },
    )
    assert.ok(ok, text)
    return stdout
  }

  test('is judged inside the signature it confirms, which stays valid', async () => {
    const signed = await sign(order())
    const { name } = await only(signed)
    const report = await only(await countersigned(signed, `${name}-sigvalue`))
    assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
    assert.deepEqual(
      report.counterSignatures.map(({ kind, indication }) => [kind, indication]),
      [['counter-signature', 'valid']],
    )
  })

  test('that signs something else is not one', async () => {
    const report = await only(await countersigned(await sign(order()), 'item-1'))
    assert.equal(report.counterSignatures[0]?.indication, 'invalid')
  })
})

describe('references', () => {
  test('to other places are never fetched', async () => {
    const content = Buffer.from('a content')
    for (const [uri, code] of [
      ['http://example.com/a', 'xml.reference-external'],
      ['file:///etc/passwd', 'xml.reference-external'],
      ['a.bin', 'content-missing'],
    ] as const) {
      const signed = await sign(content, { packaging: 'detached', uri })
      const report = await only(signed)
      assert.ok(codes(report).includes(code))
      assert.notEqual(report.indication, 'valid')
      assert.equal((await only(signed, { contents: { [uri]: content } })).indication, 'valid')
    }
  })

  test('with a transform that runs code are refused', async () => {
    const signed = replaced(
      await sign(order()),
      '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">',
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116">',
    )
    assert.ok(codes(await only(signed)).includes('xml.transform-refused'))
  })

  test('of a document without signature are not missed', async () => {
    const report = await judge(order())
    assert.equal(report.indication, 'indeterminate')
    assert.deepEqual(codes(report), ['no-signature'])
  })

  test('into a document type are refused with the document', async () => {
    const signed = replaced(await sign(order()), '<!-- pedido -->', '<!DOCTYPE order [<!ENTITY e "x">]>')
    await assert.rejects(judge(signed), { code: 'xml.doctype' })
  })
})

describe('wrapping', () => {
  const item2 = / {2}<item z='1' Id="item-2">.*?<\/item>\r\n/s
  const forged = '<item z=\'1\' Id="item-2"><name>Ouro</name></item>'
  const signedItem = () => sign(order(), { target: { id: 'item-2' } })
  const original = async (signed: Buffer) => item2.exec(signed.toString())![0].trim()

  test('is not seen in an honest document with one signed element, or several', async () => {
    const one = await signedItem()
    assert.equal((await only(one)).indication, 'valid')
    const two = await sign(one, { target: { id: 'item-1' } })
    const report = await judge(two)
    assert.equal(report.indication, 'valid')
    for (const signature of report.signatures) assert.deepEqual(codes(signature), ['xml.partial-coverage'])
  })

  test('by a forged element with the same Id is refused', async () => {
    const signed = await signedItem()
    const wrapped = replaced(signed, item2, `${forged}<hidden>${await original(signed)}</hidden>`)
    const report = await only(wrapped)
    assert.ok(codes(report).includes('xml.duplicate-id'))
    assert.equal(report.indication, 'invalid')
  })

  test('by a forged element in the old place and the original deeper down is seen', async () => {
    const signed = await signedItem()
    const wrapped = replaced(
      signed,
      item2,
      `${forged.replace('item-2', 'item-9')}<hidden>${await original(signed)}</hidden>`,
    )
    const report = await only(wrapped)
    assert.deepEqual(report.integrity, INTACT)
    assert.ok(codes(report).includes('xml.signature-wrapping'))
    assert.equal(report.indication, 'invalid')
  })

  test('with the original hidden in an object of the signature is seen', async () => {
    const signed = await signedItem()
    const moved = replaced(signed, '</ds:Signature>', `<ds:Object>${await original(signed)}</ds:Object></ds:Signature>`)
    const report = await only(replaced(moved, item2, ''))
    assert.deepEqual(report.integrity, INTACT)
    assert.ok(codes(report).includes('xml.signature-wrapping'))
    assert.equal(report.indication, 'invalid')
  })

  test('of the whole signed document into another one is seen by what is covered', async () => {
    const signed = await sign(order(), { target: { id: 'order' } })
    const inner = signed.toString().replace(/^.*?(?=<order )/s, '')
    const outer = Buffer.from(`<order xmlns="urn:order"><item><name>Ouro</name></item>${inner}</order>`)
    const report = await only(outer)
    assert.equal(report.coverage.wholeDocument, false)
    assert.equal(report.coverage.description, '/order/order')
  })

  test('is seen when the application says what it reads', async () => {
    const signed = await signedItem()
    assert.equal((await only(signed, { reads: { id: 'item-2' } })).indication, 'valid')
    assert.equal(
      (await only(signed, { reads: { xpath: '//o:item[2]/o:name', namespaces: { o: 'urn:order' } } })).indication,
      'valid',
    )
    for (const reads of [{ id: 'item-1' }, { id: 'order' }, { xpath: '//o:note', namespaces: { o: 'urn:order' } }]) {
      const report = await only(signed, { reads })
      assert.ok(codes(report).includes('xml.signature-wrapping'))
      assert.equal(report.indication, 'invalid')
    }
  })

  test('is not looked for where libxml2 cannot read the document', async () => {
    const signed = await sign(Buffer.from('<order xmlns="urn:order" xmlns:x="http://a>b/"><item/></order>'))
    const reads = { xpath: '//o:item', namespaces: { o: 'urn:order' } }
    await assert.rejects(only(signed, { reads }), { name: 'EngineError', code: 'xml.xpath-malformed' })
  })

  test('with unsigned siblings is told as partial coverage', async () => {
    const signed = replaced(await signedItem(), '<note>', '<note>and a boat</note><note>')
    const report = await only(signed)
    assert.equal(report.indication, 'valid')
    assert.equal(report.coverage.wholeDocument, false)
    assert.ok(codes(report).includes('xml.partial-coverage'))
  })

  test('with a further object in the signature is told as not covered', async () => {
    const report = await only(
      replaced(await sign(order()), '</ds:Signature>', '<ds:Object><item>Ouro</item></ds:Object></ds:Signature>'),
    )
    assert.deepEqual(codes(report), ['xml.partial-coverage'])
  })

  test('of the signed properties is refused', async () => {
    const signed = await sign(order())
    const properties = /<xades:SignedProperties Id="[^"]*">.*<\/xades:SignedProperties>/s.exec(signed.toString())![0]
    const forgedTime = properties.replace(/<xades:SigningTime>[^<]*/, '<xades:SigningTime>2020-01-01T00:00:00Z')
    const duplicated = replaced(signed, properties, forgedTime)
      .toString()
      .replace(
        '</ds:Signature>',
        `<ds:Object>${properties.replace('<xades:SignedProperties', '<xades:SignedProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"')}</ds:Object></ds:Signature>`,
      )
    assert.ok(codes(await only(Buffer.from(duplicated))).includes('xml.duplicate-id'))
    const renamed = duplicated.replace(/<xades:SignedProperties Id="/, '<xades:SignedProperties Id="x')
    const report = await only(Buffer.from(renamed))
    assert.equal(report.indication, 'invalid')
    assert.ok(codes(report).includes('xml.signed-properties-unprotected'))
  })
})

describe('a changed byte', () => {
  test('anywhere in what is signed is never called valid', async () => {
    const signed = await sign(order(1))
    const text = signed.toString('latin1')
    const ranges = [
      [text.indexOf('<order '), text.indexOf('<ds:Signature ')],
      [text.indexOf('<ds:SignedInfo>'), text.indexOf('</ds:SignedInfo>')],
      [text.indexOf('>', text.indexOf('<ds:SignatureValue')) + 1, text.indexOf('</ds:SignatureValue>')],
      [text.indexOf('<xades:SignedProperties'), text.indexOf('</xades:SignedProperties>')],
    ] as const
    // Comments and white space inside tags are not part of the canonical form: both are skipped.
    const skipped = [...text.matchAll(/<!--.*?-->|z='1' |\r\n/gs)].map(
      ({ index, 0: { length } }) => [index, index + length] as const,
    )
    const isSigned = (at: number) => !skipped.some(([start, end]) => at >= start && at < end)
    for (const [start, end] of ranges)
      for (let at = start; at < end; at += 4) {
        if (!isSigned(at)) continue
        const changed = Buffer.from(signed)
        changed[at]! ^= 1
        assert.notEqual(await indication(changed), 'valid', `byte ${at}: ${text.slice(at - 10, at + 10)}`)
      }
  })

  test('or several, anywhere, end in a verdict or a named error', async () => {
    const signed = await sign(order(1), { level: 'AD-RA' })
    const mutation = fc.tuple(fc.nat(signed.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
        const changed = Buffer.from(signed)
        for (const [at, byte] of mutations) changed[at] = byte
        await indication(changed)
      }),
      { numRuns: 150 },
    )
  })

  test('also elements moved, doubled and dropped end in a verdict or a named error', async () => {
    const text = (await sign(order(1), { level: 'B-T' })).toString()
    const tags = [...text.matchAll(/<(?:ds|xades):(\w+)[^>]*>/g)]
    for (const { 0: tag, index } of tags) {
      const name = /^<([\w:]+)/.exec(tag)![1]
      const end = text.indexOf(`</${name}>`, index) + `</${name}>`.length
      const element = text.slice(index, end)
      for (const changed of [
        text.slice(0, index) + text.slice(end),
        text.slice(0, end) + element + text.slice(end),
        `${text.slice(0, index)}<${name}/>${text.slice(end)}`,
      ])
        await indication(Buffer.from(changed))
    }
  })

  async function indication(document: Buffer): Promise<string> {
    try {
      return (await judge(document)).indication
    } catch (error) {
      assert.ok(error instanceof EngineError, String(error instanceof Error ? error.stack : error))
      return error.code
    }
  }
})
