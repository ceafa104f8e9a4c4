import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { toPem } from '../der/pem.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { type CounterXadesOptions, counterSignXades, prepareCounterXades } from './counter-sign-xades.ts'
import { extendXades } from './extend-xades.ts'
import { completeXades } from './prepare-xades.ts'
import { type SignXadesOptions, signXades } from './sign-xades.ts'
import { encoded } from './test-support/encoded.ts'
import { order } from './test-support/orders.ts'
import { xmlsecVerifies } from './test-support/xmlsec.ts'
import { validateXades } from './validate-xades.ts'

let demo: DemoSigners
let signer: DigestSigner
let witness: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  signer = await demo.signer('RSA-2048')
  witness = await demo.signer('P-256')
})

const sign = (document: Uint8Array, options: Partial<SignXadesOptions> = {}) =>
  signXades(document, signer, { now: new Date(), timestamps: demo.timestamps, judge: demo.judge, ...options })
const confirm = (document: Uint8Array, options: Partial<CounterXadesOptions> = {}) =>
  counterSignXades(document, witness, { now: new Date(), ...options })
const judged = async (document: Uint8Array, content?: Uint8Array) =>
  (await validateXades(document, { judge: demo.judge, now: new Date(), ...(content && { content }) })).signatures

/** Both signatures by us, the outer one by xmlsec1, and the inner one, too. */
async function isAccepted(document: Buffer): Promise<void> {
  const [report, ...others] = await judged(document)
  assert.equal(others.length, 0)
  assert.equal(report!.indication, 'valid', JSON.stringify(report!.findings))
  const [counter] = report!.counterSignatures
  assert.deepEqual([counter?.kind, counter?.indication, counter?.findings], ['counter-signature', 'valid', []])
  const { ok, text } = await xmlsecVerifies([document], { root: demo.root })
  assert.ok(ok, text)
  const inner = await counterByXmlsec(document)
  assert.ok(inner.ok, inner.text)
}

function counterByXmlsec(document: Buffer) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'root.pem'), toPem('CERTIFICATE', demo.root.der))
  writeFileSync(join(folder, 'document.xml'), document)
  const ids = [
    'http://www.w3.org/2000/09/xmldsig#:SignatureValue',
    'http://uri.etsi.org/01903/v1.3.2#:SignedProperties',
  ]
  const which = ['--node-xpath', '//*[local-name()="CounterSignature"]/*']
  const args = ['--verify', '--trusted-pem', 'root.pem', ...ids.flatMap((id) => ['--id-attr:Id', id]), ...which]
  return runTool('xmlsec1', [...args, 'document.xml'], { folder })
}

describe('a counter-signature that we make', () => {
  test('is accepted by xmlsec1 and by us, on signatures of every level', async () => {
    for (const level of ['B-B', 'B-T', 'B-LTA', 'AD-RB'] as const)
      await isAccepted(await confirm(await sign(order(), { level })))
  })

  test('states claims, and leaves the other bytes as they are', async () => {
    const signed = await sign(order())
    const confirmed = await confirm(signed, { claims: { roles: ['Testemunha'], commitments: ['proof-of-receipt'] } })
    await isAccepted(confirmed)
    const [report] = await judged(confirmed)
    assert.deepEqual(report!.counterSignatures[0]?.claims?.roles, ['Testemunha'])
    const without = confirmed.toString().replace(/<xades:UnsignedProperties>.*<\/xades:UnsignedProperties>/s, '')
    assert.equal(without, signed.toString())
  })

  test('stands in documents of other encodings, and in inclusive, enveloping and detached signatures', async () => {
    const document = encoded(order().toString().replace('UTF-8', 'ISO-8859-1'), 'ISO-8859-1')
    await isAccepted(await confirm(await sign(document)))
    await isAccepted(await confirm(await sign(order(), { canonicalisation: 'inclusive' })))
    await isAccepted(await confirm(await sign(order(), { packaging: 'enveloping' })))
    const content = Buffer.from('plano')
    const detached = await confirm(await sign(content, { packaging: 'detached', uri: 'plan.txt' }))
    const [report] = await judged(detached, content)
    assert.deepEqual([report!.indication, report!.counterSignatures[0]?.indication], ['valid', 'valid'])
  })

  test('confirms the signature that is named, one of several, or another counter-signature', async () => {
    const both = await sign(await sign(order(), { parallel: true, id: 'first' }), { parallel: true, id: 'second' })
    const confirmed = await confirm(both, { signature: 'first', id: 'witness' })
    const nested = await confirm(confirmed, { signature: 'witness' })
    const [first, second] = await judged(nested)
    assert.deepEqual([first!.indication, second!.indication], ['valid', 'valid'])
    assert.equal(first!.counterSignatures[0]?.name, 'witness')
    assert.equal(first!.counterSignatures[0]?.counterSignatures[0]?.indication, 'valid')
    assert.deepEqual(second!.counterSignatures, [])
  })

  test('is seen when what it confirms was replaced, and stays when its signature is extended', async () => {
    const confirmed = await confirm(await sign(order()))
    const { timestamps, judge } = demo
    const [name] = (await judged(confirmed)).map((report) => report.name)
    const extended = await extendXades(confirmed, {
      level: 'B-LTA',
      signature: name!,
      timestamps,
      judge,
      now: new Date(),
    })
    const [report] = await judged(extended)
    assert.deepEqual(
      [report!.indication, report!.level, report!.counterSignatures[0]?.indication],
      ['valid', 'B-LTA', 'valid'],
    )
    const forged = Buffer.from(confirmed.toString().replace(/(-sigvalue">)..../, '$1AAAA'))
    assert.equal((await judged(forged))[0]!.counterSignatures[0]?.indication, 'invalid')
  })

  test('is prepared here and made elsewhere', async () => {
    const { certificate, chain } = witness
    const prepared = prepareCounterXades(await sign(order()), certificate, { now: new Date(), chain })
    const secret = Buffer.alloc(32, 5)
    const state = openState(sealState(prepared.state, secret), secret)
    await isAccepted(completeXades(state, await witness.sign(prepared)))
  })

  test('is refused where it would break something, or has nothing to confirm', async () => {
    await assert.rejects(confirm(order()), { code: 'xades.no-signature' })
    const signed = await sign(order(), { parallel: true, id: 'first' })
    await assert.rejects(confirm(signed, { signature: 'other' }), { code: 'xades.signature-unknown' })
    await assert.rejects(confirm(signed, { id: 'first' }), { code: 'xades.id-taken' })
    const closed = await sign(signed)
    await assert.rejects(confirm(closed, { signature: 'first' }), { code: 'xades.signature-covered' })
    const plain = await sign(order(), { properties: 'none' })
    await assert.rejects(confirm(plain), { code: 'xades.signature-malformed' })
    const nameless = Buffer.from(
      signed.toString().replace('<ds:SignatureValue Id="first-sigvalue">', '<ds:SignatureValue>'),
    )
    await assert.rejects(confirm(nameless), { code: 'xades.signature-value-without-id' })
  })
})
