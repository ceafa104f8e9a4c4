import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import { beforeAll, describe, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { digest } from '../crypto/digest.ts'
import { ecdsaToFixedWidth } from '../crypto/ecdsa-encoding.ts'
import { INTACT } from '../report/test-support/intact.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { craft } from '../x509/test-support/crafted-certificate.ts'
import { locateElement } from './place.ts'
import { completeXades, prepareXades } from './prepare-xades.ts'
import { type SignXadesOptions, signXades } from './sign-xades.ts'
import { requireSignable } from './signable.ts'
import { order } from './test-support/orders.ts'
import { xmlsecVerifies } from './test-support/xmlsec.ts'
import { validateXades } from './validate-xades.ts'
import { type Canonicalisation, canonicalisations } from './vocabulary.ts'

let demo: DemoSigners
let now: Date
beforeAll(async () => {
  demo = await demoSignersOfToday()
  now = new Date()
})

const DETACHED = Buffer.from('a detached content\r\n')

/** Every way a signature and its content can be put together. */
const packagings: Readonly<
  Record<string, { document: Uint8Array; options: Partial<SignXadesOptions>; whole: boolean }>
> = {
  'enveloped, whole document': { document: order(), options: {}, whole: true },
  'enveloped, other signatures left out': { document: order(), options: { parallel: true }, whole: true },
  'enveloped, one element, inside it': {
    document: order(),
    options: { target: { id: 'item-2' }, position: { at: 'first-child', of: { id: 'item-2' } } },
    whole: false,
  },
  'enveloped, one element, beside it': {
    document: order(),
    options: { target: { id: 'item-2' }, position: { at: 'after', of: { id: 'item-2' } } },
    whole: false,
  },
  'enveloped, an element that gets its Id': {
    document: order(),
    options: { target: { xpath: '//o:note', namespaces: { o: 'urn:order' } }, position: { at: 'last-child' } },
    whole: false,
  },
  'enveloping XML': { document: order(), options: { packaging: 'enveloping' }, whole: true },
  'enveloping bytes': { document: DETACHED, options: { packaging: 'enveloping' }, whole: true },
  detached: { document: DETACHED, options: { packaging: 'detached', uri: 'content.bin' }, whole: true },
}
const keys = ['RSA-2048', 'RSA-4096', 'P-256', 'P-384'] as const
const forms = Object.keys(canonicalisations) as Canonicalisation[]

const signatureReport = async (signed: Uint8Array) => {
  const report = await validateXades(signed, { judge: demo.judge, now, contents: { 'content.bin': DETACHED } })
  assert.equal(report.signatures.length, 1)
  return report.signatures[0]!
}

describe('a signature', () => {
  for (const key of keys)
    test(`of a ${key} key is accepted by xmlsec1 and by us in every packaging and canonical form`, async () => {
      const signer = await demo.signer(key)
      const documents: Buffer[] = []
      for (const [name, { document, options, whole }] of Object.entries(packagings))
        for (const canonicalisation of forms) {
          const signed = await signXades(document, signer, { now, canonicalisation, ...options })
          const { indication, level, coverage, findings } = await signatureReport(signed)
          assert.equal(indication, 'valid', `${name}, ${canonicalisation}: ${JSON.stringify(findings)}`)
          assert.equal(level, 'B-B')
          assert.equal(coverage.wholeDocument, whole, `${name}: ${coverage.description}`)
          documents.push(signed)
        }
      const { ok, text } = await xmlsecVerifies(documents, { root: demo.root, contents: { 'content.bin': DETACHED } })
      assert.ok(ok, text)
    })

  test('with SHA-512 is accepted by xmlsec1 and by us', async () => {
    for (const key of ['RSA-2048', 'P-384'] as const) {
      const signed = await signXades(order(), await demo.signer(key), { now, digest: 'sha512' })
      assert.match((await signatureReport(signed)).algorithm, /SHA512$/)
      const { ok, text } = await xmlsecVerifies([signed], { root: demo.root })
      assert.ok(ok, text)
    }
  })

  test('leaves every byte of the document as it was', async () => {
    const document = order()
    const signed = (await signXades(document, await demo.signer('P-256'), { now })).toString('latin1')
    const without = signed.replace(/<ds:Signature .*<\/ds:Signature>/s, '')
    assert.equal(without, document.toString('latin1'))
  })

  test('goes where it is told, also into an empty element', async () => {
    const signer = await demo.signer('P-256')
    const document = Buffer.from('<a><b Id="b" /><c Id="c">x</c></a>')
    const positions = [
      [{ at: 'first-child' }, /^<a><ds:Signature .*<\/ds:Signature><b Id="b" \/>/],
      [{ at: 'last-child', of: { id: 'b' } }, /^<a><b Id="b" ><ds:Signature .*<\/ds:Signature><\/b><c/],
      [{ at: 'before', of: { id: 'c' } }, /<b Id="b" \/><ds:Signature .*<\/ds:Signature><c/],
      [{ at: 'after', of: { xpath: '//c' } }, /<\/c><ds:Signature .*<\/ds:Signature><\/a>$/],
    ] as const
    for (const [position, shape] of positions) {
      const signed = await signXades(document, signer, { now, position })
      assert.match(signed.toString(), shape)
      assert.equal((await signatureReport(signed)).indication, 'valid')
    }
  })

  test('has pieces that libxml2 canonicalises in place to what was hashed and signed', async () => {
    const signer = await demo.signer('P-256')
    const modes = {
      exclusive: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0,
      inclusive: XmlC14NMode.XML_C14N_1_0,
      inclusive11: XmlC14NMode.XML_C14N_1_1,
    }
    for (const [canonicalisation, mode] of Object.entries(modes)) {
      const prepared = prepareXades(order(), signer.certificate, {
        now,
        canonicalisation: canonicalisation as Canonicalisation,
      })
      const document = XmlDocument.fromBuffer(completeXades(prepared.state, await signer.sign(prepared)))
      try {
        const piece = (name: string) =>
          (document.get(`//*[local-name()="${name}"]`) as XmlElement).canonicalizeToString({ mode })
        assert.equal(piece('SignedInfo'), Buffer.from(prepared.toSign).toString())
        const properties = digest('sha256', Buffer.from(piece('SignedProperties'))).toString('base64')
        assert.ok(prepared.toSign.toString().includes(`<ds:DigestValue>${properties}</ds:DigestValue>`))
      } finally {
        document.dispose()
      }
    }
  })

  test('names its ICP-Brasil policy with the digest that stands inside the policy', async () => {
    const signed = await signXades(order(), await demo.signer('RSA-2048'), { now, level: 'AD-RB' })
    const report = await signatureReport(signed)
    assert.equal(report.level, 'AD-RB')
    assert.equal(report.policy?.name, 'AD-RB 2.5 (XAdES)')
    assert.equal(report.policy?.hashMatches, true)
    assert.ok(signed.includes('<ds:DigestValue>68MGt+PxAOyh6mLwiAgyBsbsWsQMOuGNQmlR9lbh7hg=</ds:DigestValue>'))
    assert.ok(signed.includes('<xades:SigningCertificate>'))
    assert.ok(!signed.includes('SigningCertificateV2'))
    assert.ok((await xmlsecVerifies([signed], { root: demo.root })).ok)
  })
})

describe('several signatures', () => {
  test('stay valid side by side when each leaves the others out', async () => {
    let document = order()
    for (const key of ['P-256', 'RSA-2048', 'P-384'] as const)
      document = await signXades(document, await demo.signer(key), {
        now,
        parallel: true,
        canonicalisation: 'inclusive',
      })
    const report = await validateXades(document, { judge: demo.judge, now })
    assert.deepEqual(
      report.signatures.map(({ indication, coverage }) => [indication, coverage.wholeDocument]),
      [
        ['valid', true],
        ['valid', true],
        ['valid', true],
      ],
    )
    assert.ok((await xmlsecVerifies([document], { root: demo.root })).ok)
  })

  test('stay valid one inside the other: an element first, then the whole', async () => {
    const inner = await signXades(order(), await demo.signer('P-256'), {
      now,
      target: { id: 'item-1' },
      position: { at: 'last-child', of: { id: 'item-1' } },
    })
    const other = await signXades(inner, await demo.signer('P-384'), {
      now,
      target: { id: 'item-2' },
      position: { at: 'last-child', of: { id: 'item-2' } },
    })
    const outer = await signXades(other, await demo.signer('RSA-2048'), { now })
    const report = await validateXades(outer, { judge: demo.judge, now })
    assert.equal(report.indication, 'valid')
    assert.deepEqual(
      report.signatures.map(({ coverage }) => coverage.description),
      ['/order/item[1]', '/order/item[2]', '/order'],
    )
  })

  test('break the first one when it covered everything that was there', async () => {
    const signer = await demo.signer('P-256')
    const twice = await signXades(await signXades(order(), signer, { now }), signer, { now })
    const report = await validateXades(twice, { judge: demo.judge, now })
    assert.deepEqual(
      report.signatures.map(({ indication }) => indication),
      ['invalid', 'valid'],
    )
    assert.ok(report.signatures[0]!.findings.some(({ code }) => code === 'content-changed'))
  })
})

describe('signing in two phases', () => {
  const secret = Buffer.alloc(32, 7)

  test('continues on another instance from the sealed state, with or without the document inside', async () => {
    const signer = await demo.signer('P-256')
    for (const document of ['inside', 'outside'] as const) {
      const prepared = prepareXades(order(), signer.certificate, { now })
      const sealed = sealState(prepared.state, secret, { document })
      const signature = await signer.sign(prepared)
      const signed = completeXades(openState(sealed, secret, document === 'outside' ? order() : undefined), signature)
      assert.equal((await signatureReport(signed)).indication, 'valid')
    }
  })

  test('gives the same bytes to sign when it is prepared again with the same uuid', async () => {
    const { certificate } = await demo.signer('P-256')
    const again = (uuid: string) =>
      Buffer.from(prepareXades(order(), certificate, { now, uuid, parallel: true }).toSign).toString()
    const uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
    assert.equal(again(uuid), again(uuid))
    assert.notEqual(again(uuid), again('6ba7b811-9dad-11d1-80b4-00c04fd430c8'))
  })

  test('takes ECDSA signatures in both encodings', async () => {
    const signer = await demo.signer('P-384')
    const prepared = prepareXades(order(), signer.certificate, { now })
    const der = await signer.sign(prepared)
    const fixed = ecdsaToFixedWidth(signer.certificate.publicKey, der)
    assert.deepEqual(completeXades(prepared.state, der), completeXades(prepared.state, fixed))
  })

  test('releases nothing under a signature of another key', async () => {
    const prepared = prepareXades(order(), (await demo.signer('P-256')).certificate, { now })
    const foreign = await (await demo.signer('P-256')).sign(prepared)
    assert.throws(() => completeXades(prepared.state, foreign), { code: 'signing.wrong-signature' })
  })

  test('signs an element found by XPath before', async () => {
    const signer = await demo.signer('P-256')
    const target = await locateElement(order(), '//o:item[2]', { o: 'urn:order' })
    const prepared = prepareXades(order(), signer.certificate, { now, target })
    const { coverage } = await signatureReport(completeXades(prepared.state, await signer.sign(prepared)))
    assert.equal(coverage.description, '/order/item[2]')
  })
})

describe('a document that can be signed', () => {
  test('is XML in any encoding that is read', () => {
    requireSignable(order())
    requireSignable(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1'))
    assert.throws(() => requireSignable(Buffer.from('%PDF-1.7')), { code: 'xml.text-misplaced' })
  })
})

describe('signing refuses', () => {
  const cases: readonly [string, string, Uint8Array, Partial<SignXadesOptions>][] = [
    ['a document with a DTD', 'xml.doctype', Buffer.from('<!DOCTYPE a><a/>'), {}],
    ['what is no XML', 'xml.text-misplaced', Buffer.from('%PDF-1.7'), {}],
    ['an Id nobody has', 'xml.id-unknown', order(), { target: { id: 'absent' } }],
    [
      'an Id two elements have',
      'xml.id-duplicate',
      Buffer.from('<a><b Id="x"/><c Id="x"/></a>'),
      { target: { id: 'x' } },
    ],
    ['an Id that is no name', 'xades.id-unusable', Buffer.from('<a><b Id="1 2"/></a>'), { target: { id: '1 2' } }],
    ['an element that is not there', 'xml.id-unknown', order(), { target: { ordinal: 9999 } }],
    ['an XPath with several results', 'xml.xpath-not-one-element', order(), { target: { xpath: '//*' } }],
    ['a place outside the root', 'xades.position-outside', order(), { position: { at: 'after' } }],
    ['a detached content without name', 'xades.uri-missing', DETACHED, { packaging: 'detached' }],
    [
      'a detached content named as part of the document',
      'xades.uri-unusable',
      DETACHED,
      { packaging: 'detached', uri: '#x' },
    ],
    [
      'parallel enveloping signatures',
      'xades.parallel-needs-enveloped',
      order(),
      { packaging: 'enveloping', parallel: true },
    ],
    ['a level without timestamps', 'xades.timestamps-missing', order(), { level: 'B-T' }],
  ]
  for (const [why, code, document, options] of cases)
    test(`${why}`, async () => {
      await assert.rejects(signXades(document, await demo.signer('P-256'), { now, ...options }), {
        name: 'EngineError',
        code,
      })
    })

  test('a level without judge', async () => {
    const signing = signXades(order(), await demo.signer('P-256'), { now, level: 'B-LT', timestamps: demo.timestamps })
    await assert.rejects(signing, { code: 'xades.judge-missing' })
  })

  test('a place inside another signature', async () => {
    const signer = await demo.signer('P-256')
    const signed = await signXades(order(), signer, { now })
    const position = { at: 'last-child', of: { xpath: '//*[local-name()="Object"]' } } as const
    await assert.rejects(signXades(signed, signer, { now, position }), { code: 'xades.position-inside-signature' })
  })

  test('keys that make no new signatures', async () => {
    const keys = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })
    const certificate = craft({ issuer: craft(), keys }).certificate
    assert.throws(() => prepareXades(order(), certificate, { now }), { code: 'algorithm.unfit' })
  })
})

describe('a plain XMLDSig signature', () => {
  test('is accepted by xmlsec1, and reported as one without a level', async () => {
    const signer = await demo.signer('RSA-2048')
    const signed = await signXades(order(), signer, { now, properties: 'none', target: { id: 'item-2' } })
    assert.ok(!signed.includes('QualifyingProperties'))
    const run = await xmlsecVerifies([signed], { root: demo.root })
    assert.ok(run.ok, run.text)
    const { level, integrity, claimedTime } = await signatureReport(signed)
    assert.deepEqual({ level, claimedTime }, { level: 'none', claimedTime: null })
    assert.deepEqual(integrity, {
      ...INTACT,
      certificateBinding: { state: 'not-checked', reason: 'certificate-unnamed' },
    })
  })

  test('has the Id that was chosen, which must be a name and new', async () => {
    const signer = await demo.signer('RSA-2048')
    const signed = await signXades(order(), signer, { now, id: 'mine' })
    assert.match(signed.toString(), /<ds:Signature [^>]*Id="mine"/)
    assert.equal((await signatureReport(signed)).name, 'mine')
    await assert.rejects(signXades(order(), signer, { now, id: 'item-2' }), { code: 'xades.id-taken' })
    await assert.rejects(signXades(order(), signer, { now, id: 'a b' }), { code: 'xades.id-unusable' })
  })
})
