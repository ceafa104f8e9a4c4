import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { reportText } from '../report/index.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { completeXades, prepareXades } from './prepare-xades.ts'
import { type SignXadesOptions, signXades } from './sign-xades.ts'
import { order } from './test-support/orders.ts'
import { xmlsecVerifies } from './test-support/xmlsec.ts'
import { type ValidateXadesOptions, validateXades } from './validate-xades.ts'

let demo: DemoSigners
let signer: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  signer = await demo.signer('RSA-2048')
})

const plan = Buffer.from('plano')
const budget = Buffer.from('orçamento')
const contents = { 'plan.txt': plan, 'budget.txt': budget }

const sign = (document: Uint8Array, options: Partial<SignXadesOptions> = {}) =>
  signXades(document, signer, { now: new Date(), timestamps: demo.timestamps, judge: demo.judge, ...options })

async function only(document: Uint8Array, options: Partial<ValidateXadesOptions> = {}) {
  const { signatures } = await validateXades(document, { judge: demo.judge, now: new Date(), contents, ...options })
  const [report, ...others] = signatures
  assert.equal(others.length, 0)
  return report!
}

const codes = ({ findings }: { findings: readonly { code: string }[] }) => findings.map(({ code }) => code)
const stateOf = ({ coverage }: Awaited<ReturnType<typeof only>>) =>
  coverage.references!.map(({ uri, path, content }) => [uri, path, content.state])

async function isAccepted(signed: Buffer): Promise<void> {
  const report = await only(signed)
  assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
  const { ok, text } = await xmlsecVerifies([signed], { root: demo.root, contents })
  assert.ok(ok, text)
}

const changed = (document: Buffer, from: string, to: string): Buffer => {
  assert.ok(document.includes(from))
  return Buffer.from(document.toString().replace(from, to))
}

describe('several contents of one signature', () => {
  test('that are detached are told one by one', async () => {
    const signed = await sign(plan, {
      packaging: 'detached',
      uri: 'plan.txt',
      mimeType: 'text/plain',
      also: [{ uri: 'budget.txt', content: budget, mimeType: 'text/csv', description: 'Orçamento <2>' }],
    })
    await isAccepted(signed)
    const { coverage } = await only(signed)
    assert.deepEqual(coverage.references, [
      reported('plan.txt', { mimeType: 'text/plain' }),
      reported('budget.txt', { mimeType: 'text/csv', description: 'Orçamento <2>' }),
    ])
  })

  const reported = (uri: string, said: object) => ({
    uri,
    path: null,
    content: { state: 'passed' },
    inManifest: false,
    mimeType: null,
    description: null,
    encoding: null,
    ...said,
  })

  test('may be a document and what stays outside, at every level', async () => {
    const also = [{ uri: 'plan.txt', content: plan }]
    for (const level of ['B-B', 'AD-RB', 'B-LTA', 'AD-RA'] as const) {
      const signed = await sign(order(), { level, also })
      await isAccepted(signed)
      assert.equal((await only(signed)).level, level)
    }
    const signed = await sign(order(), { also, canonicalisation: 'inclusive' })
    await isAccepted(signed)
    assert.deepEqual(stateOf(await only(changed(signed, 'a entregar', 'entregue'))), [
      ['', '/order', 'failed'],
      ['plan.txt', null, 'passed'],
    ])
  })

  test('may be elements of a document, each protected', async () => {
    const signed = await sign(order(3), {
      target: { id: 'item-1' },
      also: [{ target: { id: 'item-2' } }, { target: { xpath: '//o:note', namespaces: { o: 'urn:order' } } }],
    })
    await isAccepted(signed)
    const { name, coverage } = await only(signed)
    assert.deepEqual(
      coverage.references!.map(({ uri, path }) => [uri, path]),
      [
        ['#item-1', '/order/item[1]'],
        ['#item-2', '/order/item[2]'],
        [`#${name}-content-2`, '/order/note'],
      ],
    )
    for (const item of [1, 2]) {
      const forged = await only(changed(signed, `n.º ${item}`, 'n.º 9'))
      assert.deepEqual([forged.indication, codes(forged)[0]], ['invalid', 'content-changed'])
    }
    assert.equal((await only(changed(signed, 'n.º 3', 'n.º 9'))).indication, 'valid')
  })

  test('in a wrapped document are not taken for what the application reads', async () => {
    const signed = await sign(order(3), { target: { id: 'item-1' }, also: [{ target: { id: 'item-2' } }] })
    const [item] = /<item z='1' Id="item-2">.*?<\/item>/s.exec(signed.toString())!
    const forged = item.replace('item-2', 'item-9').replace('n.º 2', 'n.º 9')
    const wrapped = await only(changed(signed, item, `${forged}<hidden>${item}</hidden>`))
    assert.equal(wrapped.integrity.content.state, 'passed')
    assert.deepEqual([wrapped.indication, codes(wrapped).includes('xml.signature-wrapping')], ['invalid', true])
  })

  test('go with an enveloping signature', async () => {
    for (const embed of ['xml', 'base64'] as const)
      await isAccepted(
        await sign(order(), { packaging: 'enveloping', embed, also: [{ uri: 'plan.txt', content: plan }] }),
      )
  })

  test('are found by a function, and one that is not given is not said to have changed', async () => {
    const signed = await sign(plan, {
      packaging: 'detached',
      uri: 'plan.txt',
      also: [{ uri: 'budget.txt', content: budget }],
    })
    const resolve = (uri: string) => contents[uri as keyof typeof contents]
    assert.equal((await only(signed, { contents: {}, resolve })).indication, 'valid')
    for (const options of [{ contents: { 'plan.txt': plan } }, { contents: {}, content: plan }]) {
      const report = await only(signed, options)
      assert.equal(report.indication, 'indeterminate')
      assert.deepEqual(stateOf(report), [
        ['plan.txt', null, 'passed'],
        ['budget.txt', null, 'not-checked'],
      ])
    }
    assert.equal((await only(signed, { contents: { ...contents, 'budget.txt': plan } })).indication, 'invalid')
  })

  test('are prepared here and signed elsewhere', async () => {
    const { certificate, chain } = signer
    const prepared = prepareXades(order(), certificate, {
      now: new Date(),
      chain,
      also: [{ uri: 'plan.txt', content: plan }],
    })
    const secret = Buffer.alloc(32, 3)
    const state = openState(sealState(prepared.state, secret), secret)
    await isAccepted(completeXades(state, await signer.sign(prepared)))
  })

  test.each([
    [
      'xades.content-twice',
      {
        also: [
          { uri: 'a', content: plan },
          { uri: 'a', content: budget },
        ],
      },
    ],
    ['xades.content-twice', { packaging: 'detached', uri: 'a', also: [{ uri: 'a', content: budget }] }],
    ['xades.target-needs-enveloped', { packaging: 'detached', uri: 'a', also: [{ target: { id: 'item-1' } }] }],
    ['xades.too-many-contents', { also: Array.from({ length: 255 }, (_, at) => ({ uri: `${at}`, content: plan })) }],
    ['xades.uri-missing', { also: [{ uri: '', content: plan }] }],
    ['xades.uri-unusable', { also: [{ uri: '#item-1', content: plan }] }],
    ['xml.id-unknown', { also: [{ target: { id: 'nobody' } }] }],
    ['signing.text-unusable', { also: [{ uri: 'a', content: plan, mimeType: '' }] }],
  ] as const satisfies [string, Partial<SignXadesOptions>][])('are refused as %s', async (code, options) => {
    await assert.rejects(sign(order(), options), { code })
  })
})

test('several contents stand in the text of the report, each with its state', async () => {
  const also = [{ uri: 'budget.txt', content: budget, description: 'Orçamento' }]
  const signed = await sign(plan, { packaging: 'detached', uri: 'plan.txt', also })
  const options = { judge: demo.judge, now: new Date(), contents: { 'plan.txt': plan } }
  const text = reportText(await validateXades(signed, options), 'pt-BR')
  assert.match(text, /plan\.txt \(application\/octet-stream\): \S+/)
  assert.match(text, /budget\.txt \(Orçamento, application\/octet-stream\): \S+/)
})

describe('a manifest', () => {
  const DS = 'http://www.w3.org/2000/09/xmldsig#'
  const listed = (uri: string, digest: string) =>
    `<ds:Reference URI="${uri}"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`

  const sha256 = async (bytes: Uint8Array) =>
    Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(bytes))).toString('base64')

  /** A document whose signed element is a manifest of both contents, and of what else is given. */
  const withManifest = async (more = '') => {
    const list = listed('plan.txt', await sha256(plan)) + listed('budget.txt', await sha256(budget)) + more
    const manifest = `<ds:Manifest xmlns:ds="${DS}" Id="list">${list}</ds:Manifest>`
    return sign(Buffer.from(`<dossier>${manifest}<note/></dossier>`), { target: { id: 'list' } })
  }

  test('that is signed tells of each content', async () => {
    const report = await only(await withManifest())
    assert.equal(report.indication, 'valid', JSON.stringify(report.findings))
    assert.deepEqual(
      report.coverage.references!.map(({ uri, inManifest, content }) => [uri, inManifest, content.state]),
      [
        ['#list', false, 'passed'],
        ['plan.txt', true, 'passed'],
        ['budget.txt', true, 'passed'],
      ],
    )
  })

  test('counts like the signature: what it lists must be there and be the same', async () => {
    const signed = await withManifest()
    const other = await only(signed, { contents: { ...contents, 'plan.txt': budget } })
    assert.deepEqual(
      [other.indication, stateOf(other).map((one) => one[2])],
      ['invalid', ['passed', 'failed', 'passed']],
    )
    const missing = await only(signed, { contents: { 'plan.txt': plan } })
    assert.deepEqual([missing.indication, codes(missing)[0]], ['indeterminate', 'content-missing'])
  })

  test('that is no list of references is malformed', async () => {
    const report = await only(await withManifest('<ds:Object/>'))
    assert.notEqual(report.indication, 'valid')
    assert.ok(codes(report).includes('structure-malformed'))
  })
})

describe('claims of an XML signature', () => {
  const claims = {
    roles: ['Diretora & sócia', 'Procuradora'],
    commitments: ['proof-of-approval', '1.3.6.1.4.1.99999.7'],
    place: { street: 'Rua "A", 1', city: 'Recife', state: 'PE', postalCode: '50050-000', country: 'BR' },
  }

  test('are signed and read, in the form of the level, accepted by xmlsec1', async () => {
    for (const level of ['B-B', 'AD-RB', 'B-LTA'] as const)
      for (const canonicalisation of ['exclusive', 'inclusive'] as const) {
        const signed = await sign(order(), { level, canonicalisation, claims, description: 'Pedido' })
        await isAccepted(signed)
        assert.deepEqual((await only(signed)).claims, {
          ...claims,
          mimeType: 'text/xml',
          description: 'Pedido',
        })
      }
    const { street: _, ...place } = claims.place
    const withPolicy = await sign(order(), { level: 'AD-RB', claims: { ...claims, place } })
    assert.match(withPolicy.toString(), /<xades:SignatureProductionPlace>.*<xades:SignerRole>/)
    assert.match((await sign(order(), { claims })).toString(), /SignatureProductionPlaceV2>.*<xades:SignerRoleV2>/)
  })

  test('are refused by name, and have no place in a plain signature', async () => {
    await assert.rejects(sign(order(), { claims: { commitments: ['love'] } }), { code: 'signing.commitment-unknown' })
    const code = 'xades.claims-need-properties'
    await assert.rejects(sign(order(), { claims, properties: 'none' }), { code })
    await assert.rejects(sign(order(), { contentTimestamp: true, properties: 'none' }), { code })
  })

  test('that are not text are a warning', async () => {
    const signed = await sign(order(), { claims })
    const report = await only(changed(signed, '>Procuradora<', '><b/><'))
    assert.ok(codes(report).includes('claim-unreadable'))
  })
})

describe('a content timestamp of an XML signature', () => {
  test('covers all contents and is judged, but proves nothing of the signature', async () => {
    for (const options of [
      { level: 'B-B', also: [{ uri: 'plan.txt', content: plan }] },
      { level: 'B-LTA', packaging: 'detached', uri: 'plan.txt' },
      { level: 'AD-RT', canonicalisation: 'inclusive', parallel: true },
    ] as const) {
      const signed = await sign('uri' in options ? plan : order(), { ...options, contentTimestamp: true })
      await isAccepted(signed)
      const { timestamps, provenTime, level } = await only(signed)
      assert.deepEqual([timestamps[0]?.kind, timestamps[0]?.indication], ['content', 'valid'])
      assert.deepEqual([level, provenTime.by], [options.level, options.level === 'B-B' ? 'now' : 'timestamp'])
    }
  })

  test('over other contents is seen', async () => {
    const signed = await sign(plan, { packaging: 'detached', uri: 'plan.txt', contentTimestamp: true })
    const report = await only(signed, { contents: { 'plan.txt': budget } })
    assert.equal(report.timestamps[0]?.indication, 'invalid')
  })

  test('over some contents, as others write it, is judged by those', async () => {
    const also = [{ uri: 'budget.txt', content: budget }]
    const signed = await sign(plan, { packaging: 'detached', uri: 'plan.txt', also, id: 's' })
    const { token } = await demo.timestamps.stamp(budget)
    const stamp = (uri: string) =>
      `<xades:IndividualDataObjectsTimeStamp><xades:Include URI="${uri}" referencedData="true"/><xades:EncapsulatedTimeStamp>${Buffer.from(token).toString('base64')}</xades:EncapsulatedTimeStamp></xades:IndividualDataObjectsTimeStamp></xades:SignedDataObjectProperties>`
    const stamped = (uri: string) => changed(signed, '</xades:SignedDataObjectProperties>', stamp(uri))
    const stateOfStamp = async (uri: string) => (await only(stamped(uri))).timestamps[0]?.imprint.state
    assert.deepEqual([await stateOfStamp('#s-ref1'), await stateOfStamp('#s-ref0')], ['passed', 'failed'])
    assert.equal(await stateOfStamp('#s-ref7'), 'not-checked')
  })

  test('needs a client', async () => {
    const options = { now: new Date(), contentTimestamp: true }
    await assert.rejects(signXades(order(), signer, options), { code: 'signing.timestamps-missing' })
  })
})
