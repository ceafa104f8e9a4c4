import { beforeAll, expect, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { checkXades } from './check-xades.ts'
import { extendXades } from './extend-xades.ts'
import { outlineXades } from './outline.ts'
import { type SignXadesOptions, signXades } from './sign-xades.ts'
import { order } from './test-support/orders.ts'
import { validateXades } from './validate-xades.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const sign = async (document: Uint8Array, options: Partial<SignXadesOptions> = {}) =>
  signXades(document, demo.holder('ana-souza'), {
    now: new Date(),
    timestamps: demo.timestamps,
    judge: demo.judge,
    ...options,
  })

const outlines = (document: Uint8Array) => outlineXades(scanXml(document))

test('an outline tells what each signature refers to, what it leaves out, and whose it is', async () => {
  const inner = { target: { id: 'item-1' }, position: { at: 'last-child', of: { id: 'item-1' } } } as const
  const one = await sign(order(), { ...inner, parallel: true, level: 'AD-RB' })
  const both = await sign(one, { level: 'AD-RA' })
  const index = scanXml(both)
  const [first, second] = outlineXades(index)
  const item = index.elementById('item-1')
  expect([first?.parent, first?.outline?.targets]).toEqual([item, [{ element: item, omits: 'all-signatures' }]])
  expect([second?.parent, second?.outline?.targets]).toEqual([0, [{ element: undefined, omits: 'own-signature' }]])
  expect([first, second].map((each) => [each?.outline?.promised, each?.outline?.present])).toEqual([
    ['AD-RB', 'AD-RB'],
    ['AD-RA', 'AD-RA'],
  ])
  for (const each of [first, second]) expect(each?.outline?.certificate).toBe(demo.holder('ana-souza').certificate)
  const tsa = demo.pki.certificate('tsa').der
  expect(second?.outline?.archives.map(({ certificate }) => certificate.der.equals(tsa))).toEqual([true])
})

test('an outline tells when a signature lacks what its policy promises', async () => {
  const full = (await sign(order(), { level: 'AD-RC' })).toString()
  const without = (name: string) => Buffer.from(full.replace(new RegExp(`<xades:${name}>.*</xades:${name}>`, 's'), ''))
  expect(outlines(without('RevocationValues'))[0]?.outline).toMatchObject({ promised: 'AD-RC', present: 'AD-RV' })
  expect(outlines(without('SigAndRefsTimeStamp'))[0]?.outline).toMatchObject({ promised: 'AD-RC', present: 'AD-RT' })
  expect(outlines(without('UnsignedProperties'))[0]?.outline).toMatchObject({ promised: 'AD-RC', present: 'AD-RB' })
})

test('a signature that is malformed has no outline, and one without policy no form', async () => {
  const signed = (await sign(order())).toString()
  expect(outlines(Buffer.from(signed))[0]?.outline).toMatchObject({ promised: undefined, present: undefined })
  const broken = signed.replace('<ds:SignatureValue', '<ds:Other').replace('</ds:SignatureValue', '</ds:Other')
  expect(outlines(Buffer.from(broken)).map(({ outline }) => outline)).toEqual([undefined])
})

test('a signature is extended where its prefixes are declared further out, and everything else stays as it is', async () => {
  const signed = (await sign(order())).toString()
  const outer = ' xmlns:ds="http://www.w3.org/2000/09/xmldsig#"'
  const moved = signed.replace(`<ds:Signature${outer}`, '<ds:Signature').replace('<order ', `<order${outer} `)
  const extended = await extendXades(Buffer.from(moved), {
    level: 'B-LTA',
    now: new Date(),
    timestamps: demo.timestamps,
    judge: demo.judge,
  })
  expect(extended.toString().replace(/<xades:UnsignedProperties>.*<\/xades:UnsignedProperties>/s, '')).toBe(moved)
  const [report] = (await validateXades(extended, { judge: demo.judge, now: new Date() })).signatures
  expect([report?.indication, report?.level]).toEqual(['valid', 'B-LTA'])
})

test('the level a signature promises is that of its policy; without one there is none to reach', async () => {
  const helpers = { now: new Date(), timestamps: demo.timestamps, judge: demo.judge } as const
  const full = (await sign(order(), { level: 'AD-RC' })).toString()
  const bare = Buffer.from(full.replace(/<xades:UnsignedProperties>.*<\/xades:UnsignedProperties>/s, ''))
  const extended = await extendXades(bare, { ...helpers, level: 'promised' })
  expect(outlines(extended)[0]?.outline?.present).toBe('AD-RC')
  const basic = await sign(order(), { level: 'AD-RB' })
  expect(await extendXades(basic, { ...helpers, level: 'promised' })).toEqual(basic)
  const plain = extendXades(await sign(order()), { ...helpers, level: 'promised' })
  await expect(plain).rejects.toMatchObject({ code: 'xades.policy-mismatch' })
})

test('a check says of every signature whether it is intact, without trusting anybody', async () => {
  const document = await sign(await sign(order(), { parallel: true }), { parallel: true })
  const verdicts = (bytes: Uint8Array) =>
    checkXades(bytes).map(({ content, signature }) => [content.state, signature.state])
  expect(verdicts(document)).toEqual([
    ['passed', 'passed'],
    ['passed', 'passed'],
  ])
  expect(verdicts(Buffer.from(document.toString().replace('a entregar', 'entregue')))).toEqual([
    ['failed', 'passed'],
    ['failed', 'passed'],
  ])
  const [first] = checkXades(document)
  const value = document.toString().replace(/(<ds:SignatureValue [^>]*>)(....)/, '$1AAAA')
  expect(verdicts(Buffer.from(value))).toEqual([
    ['passed', 'failed'],
    ['passed', 'passed'],
  ])
  const gone = document.toString().replace('<ds:SignedInfo>', '<ds:Other>').replace('</ds:SignedInfo>', '</ds:Other>')
  expect(checkXades(Buffer.from(gone))[0]).toMatchObject({
    id: first!.id,
    content: { state: 'not-checked', reason: 'structure-malformed' },
    signature: { state: 'not-checked', reason: 'structure-malformed' },
  })
})
