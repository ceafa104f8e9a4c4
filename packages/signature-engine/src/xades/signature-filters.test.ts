import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { xmlsecSigns } from './test-support/xmlsec.ts'
import { validateXades } from './validate-xades.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const FILTER2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
const C14N = '<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'
const DECLARED = `xmlns:ds="${DSIG}" xmlns:sig="${DSIG}" xmlns:o="urn:order"`

/** XPath 1.0: the expression is asked of every node. */
const xpath = (expression: string) =>
  `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath ${DECLARED}>${escaped(expression)}</XPath></Transform>`

/** XPath Filter 2, one transform with these filters. */
const filter2 = (...filters: readonly (readonly [does: string, expression: string])[]) =>
  `<Transform Algorithm="${FILTER2}">${filters
    .map(
      ([does, expression]) =>
        `<f:XPath xmlns:f="${FILTER2}" ${DECLARED} Filter="${does}">${escaped(expression)}</f:XPath>`,
    )
    .join('')}</Transform>`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const NOTE =
  '<o:nota xmlns:o="urn:order" Id="nota"><o:item Id="um">1,00</o:item><o:item Id="dois">2,00</o:item>SIGNATURE</o:nota>'

/** The document signed by xmlsec1 through these transforms. */
const signed = (transforms: string, document = NOTE) => xmlsecSigns(demo, { transforms: transforms + C14N, document })

async function only(document: Uint8Array) {
  const { signatures } = await validateXades(document, { judge: demo.judge, now: new Date() })
  const [report, ...others] = signatures
  assert.equal(others.length, 0)
  return report!
}

const codes = ({ findings }: { findings: readonly { code: string }[] }) => findings.map(({ code }) => code)

/** By our digest and that of xmlsec1, which made the signature. */
async function isValid(document: Buffer): Promise<void> {
  const report = await only(document)
  assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
}

const changed = (document: Buffer, from: string, to: string): Buffer => {
  assert.ok(document.includes(from))
  return Buffer.from(document.toString().replace(from, to))
}

describe('a filter that leaves out signatures and nothing else is understood', () => {
  test.each([
    ['subtract', '/descendant::ds:Signature'],
    ['subtract', '//ds:Signature'],
    ['subtract', ' /*/sig:Signature '],
    ['subtract', '/o:nota/ds:Signature'],
    ['subtract', '/child::o:nota/child::ds:Signature'],
    ['subtract', '//o:nota//ds:Signature'],
    ['subtract', `/descendant::*[name()='Signature']`],
    ['subtract', `//*[local-name()="Signature"]`],
    ['subtract', `//*[local-name()='Signature' and namespace-uri()='${DSIG}']`],
    ['subtract', '//*[self::ds:Signature]'],
    ['subtract', 'here()/ancestor::ds:Signature[1]'],
    ['subtract', `here() / ancestor::*[local-name() = 'Signature'] [1]`],
    ['subtract', '/*/ds:Signature | //o:item/ds:Signature'],
  ])('by XPath Filter 2: %s %s', async (does, expression) => {
    const document = await signed(filter2([does, expression]))
    await isValid(document)
    const report = await only(changed(document, '1,00', '9,00'))
    assert.equal(report.indication, 'invalid')
    assert.ok(codes(report).includes('content-changed'))
  })

  test('by the name that portals give it, with their prefix', async () => {
    const transforms = filter2(['subtract', `/descendant::*[name()='ds:Signature']`])
    const document = await xmlsecSigns(demo, { transforms: transforms + C14N, document: NOTE, prefix: 'ds:' })
    await isValid(document)
    assert.equal((await only(changed(document, '1,00', '9,00'))).indication, 'invalid')
  })

  test.each([
    ['not(ancestor-or-self::ds:Signature)'],
    ['not( ancestor-or-self::sig:Signature )'],
    [`not(ancestor-or-self::*[name()='Signature'])`],
    [`not(ancestor-or-self::*[local-name()='Signature' and namespace-uri()='${DSIG}'])`],
    ['not(ancestor-or-self::ds:Signature) and not(ancestor-or-self::*[self::sig:Signature])'],
    [
      'count(ancestor-or-self::ds:Signature | here()/ancestor::ds:Signature[1]) > count(ancestor-or-self::ds:Signature)',
    ],
  ])('by XPath 1.0: %s', async (expression) => {
    const document = await signed(xpath(expression))
    await isValid(document)
    assert.equal((await only(changed(document, '2,00', '9,00'))).indication, 'invalid')
  })
})

describe('a filter that leaves one element is understood as a reference to it', () => {
  test.each([
    [filter2(['intersect', `id('um')`]), '/o:nota/o:item[1]'],
    [filter2(['intersect', `//*[@Id='um']`]), '/o:nota/o:item[1]'],
    [filter2(['intersect', `/o:nota/o:item[@Id="um"]`]), '/o:nota/o:item[1]'],
    [xpath(`ancestor-or-self::o:item[@Id='um']`), '/o:nota/o:item[1]'],
    [filter2(['intersect', '/*'], ['subtract', '//ds:Signature']), '/o:nota'],
    [filter2(['subtract', '//ds:Signature'], ['intersect', '/o:nota']), '/o:nota'],
    [xpath('ancestor-or-self::o:nota and not(ancestor-or-self::ds:Signature)'), '/o:nota'],
  ])('%#', async (transforms, path) => {
    const document = await signed(transforms)
    await isValid(document)
    assert.equal((await only(document)).coverage.description, path)
    assert.equal((await only(changed(document, '1,00', '9,00'))).indication, 'invalid')
  })

  test('and says so, when a part is not covered', async () => {
    const document = await signed(filter2(['intersect', `id('um')`]))
    const { coverage, findings, indication } = await only(changed(document, '2,00', '9,00'))
    assert.equal(indication, 'valid')
    assert.equal(coverage.wholeDocument, false)
    assert.deepEqual(codes({ findings }), ['signing-certificate-unprotected', 'xml.partial-coverage'])
  })
})

test('signatures that are left out are named', async () => {
  const document = await signed(filter2(['subtract', '/*/ds:Signature']))
  const signature = document.toString().slice(document.indexOf('<Signature'), document.indexOf('</o:nota>'))
  const { signatures } = await validateXades(changed(document, '</o:nota>', `${signature}</o:nota>`), {
    judge: demo.judge,
    now: new Date(),
  })
  assert.deepEqual(
    signatures.map(({ indication, coverage }) => [indication, coverage.leftOut]),
    [
      ['valid', ['/o:nota/Signature[2]']],
      ['valid', ['/o:nota/Signature[1]']],
    ],
  )
})

describe('a filter that leaves out anything else, or of which that is not known, is refused', () => {
  test.each([
    ['something beside the signatures', filter2(['subtract', '//ds:Signature | //o:item'])],
    ['only something else', filter2(['subtract', '/*/o:item'])],
    ['every element', filter2(['subtract', '//*'])],
    ['everything', filter2(['subtract', '/'])],
    ['the document itself, of which nothing is left for xmlsec1', filter2(['intersect', '/'])],
    ['something of the signature', filter2(['subtract', '//ds:Signature/ds:SignatureValue'])],
    ['a position', filter2(['subtract', '/*/o:item[2] | //ds:Signature'])],
    ['what is at a position', filter2(['subtract', '//ds:Signature[1]'])],
    ['a union', filter2(['subtract', '//ds:Signature'], ['union', '/'])],
    ['another axis', filter2(['subtract', '//o:item/following-sibling::ds:Signature'])],
    ['a prefix of another namespace', filter2(['subtract', '//ds:Signature | //o:Signature | //o:item'])],
    ['two elements that stay', filter2(['intersect', '//o:item'])],
    ['nothing that stays', filter2(['intersect', `id('tres')`])],
    ['a condition beside', xpath('not(ancestor-or-self::ds:Signature) and not(ancestor-or-self::o:item)')],
    ['an alternative', xpath('not(ancestor-or-self::ds:Signature) or self::text()')],
    ['text only', xpath('self::text()')],
    ['a doubled negation', xpath('not(not(ancestor-or-self::ds:Signature))')],
    ['a long expression', xpath(`not(ancestor-or-self::ds:Signature)${' '.repeat(2_000)}`)],
  ])('%s', async (_, transforms) => {
    const report = await only(await signed(transforms).catch(() => unsignable(transforms)))
    assert.ok(codes(report).includes('xml.transform-refused'))
    assert.equal(report.indication, 'indeterminate')
    assert.deepEqual(report.integrity.content, { state: 'not-checked', reason: 'transform-refused' })
  })

  test('an element of another namespace with the name of a signature', async () => {
    const document = NOTE.replace('SIGNATURE', '<Signature xmlns="urn:order">3,00</Signature>SIGNATURE')
    const report = await only(await signed(xpath(`not(ancestor-or-self::*[name()='Signature'])`), document))
    assert.ok(codes(report).includes('xml.transform-refused'))
  })

  test('a prefix that means something else where the expression stands', async () => {
    const transforms = xpath('not(ancestor-or-self::ds:Signature)').replace(
      `xmlns:ds="${DSIG}"`,
      'xmlns:ds="urn:order"',
    )
    const document = NOTE.replace('SIGNATURE', '<o:Signature>3,00</o:Signature>SIGNATURE')
    assert.ok(codes(await only(await signed(transforms, document))).includes('xml.transform-refused'))
  })

  /** What xmlsec1 refuses too: the signature of another document with these transforms. */
  async function unsignable(transforms: string): Promise<Buffer> {
    const document = await signed(xpath('not(ancestor-or-self::ds:Signature)'))
    const [, own] = /(<Transform Algorithm="[^"]*xpath[^"]*">.*?<\/Transform>)/i.exec(document.toString())!
    return changed(document, own!, transforms)
  }
})
