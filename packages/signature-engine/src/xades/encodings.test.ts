import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { Random } from '../fuzz/test-support/random.ts'
import type { SignatureLevel } from '../report/report.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { codePageNames } from '../xml/code-pages.ts'
import { extendXades } from './extend-xades.ts'
import { completeXades, prepareXades } from './prepare-xades.ts'
import { type SignXadesOptions, signXades } from './sign-xades.ts'
import { encoded, type TestEncoding, testEncodings } from './test-support/encoded.ts'
import { order } from './test-support/orders.ts'
import { xmlsecVerifies } from './test-support/xmlsec.ts'
import { validateXades } from './validate-xades.ts'

let demo: DemoSigners
let now: Date
beforeAll(async () => {
  demo = await demoSignersOfToday()
  now = new Date()
})

/** The order in an encoding, with its declaration saying so; US-ASCII writes what it lacks as references. */
const orderIn = (encoding: TestEncoding): Buffer =>
  encoded(order().toString().replace('UTF-8', testEncodings[encoding].declared), encoding)

const signer = () => demo.signer('RSA-2048')

const signedWith = async (document: Uint8Array, options: Partial<SignXadesOptions> = {}) =>
  signXades(document, await signer(), { now, timestamps: demo.timestamps, judge: demo.judge, ...options })

const validate = async (signed: Uint8Array) => {
  const { signatures } = await validateXades(signed, { judge: demo.judge, now: new Date() })
  return signatures.map(({ indication, level, findings }) => ({ indication, level, findings }))
}

async function isAccepted(signed: Uint8Array, levels: readonly SignatureLevel[]): Promise<void> {
  const found = await validate(signed)
  assert.deepEqual(
    found.map(({ indication, level }) => [indication, level]),
    levels.map((level) => ['valid', level]),
    JSON.stringify(found),
  )
  const { ok, text } = await xmlsecVerifies([signed], { root: demo.root })
  assert.ok(ok, text)
}

/** What a document has more than another: `before` must be its beginning and its end. */
function insertedInto(before: Buffer, after: Buffer): Buffer {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  const grown = after.length - before.length
  assert.deepEqual(after.subarray(start + grown), before.subarray(start))
  return after.subarray(start, start + grown)
}

describe('a document that is not in UTF-8', () => {
  for (const encoding of Object.keys(testEncodings) as TestEncoding[])
    describe(encoding, () => {
      test('is signed in its own encoding, its other bytes untouched, accepted by xmlsec1 and by us', async () => {
        const document = orderIn(encoding)
        const signed = await signedWith(document)
        insertedInto(document, signed)
        await isAccepted(signed, ['B-B'])
      })

      test('is signed at every level', async () => {
        const document = orderIn(encoding)
        for (const level of ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA', 'B-LTA'] as const) {
          const signed = await signedWith(document, { level })
          insertedInto(document, signed)
          await isAccepted(signed, [level])
        }
      })

      test('is signed in one element by its Id, and in one that gets its Id', async () => {
        const document = orderIn(encoding)
        const inside = await signedWith(document, {
          target: { id: 'item-2' },
          position: { at: 'first-child', of: { id: 'item-2' } },
        })
        insertedInto(document, inside)
        await isAccepted(inside, ['B-B'])
        const named = await signedWith(document, { target: { xpath: '//o:note', namespaces: { o: 'urn:order' } } })
        await isAccepted(named, ['B-B'])
        const empty = await signedWith(document, { position: { at: 'last-child', of: { xpath: '//*[@z][2]/*[2]' } } })
        await isAccepted(empty, ['B-B'])
      })

      test('is signed by a second person beside the first', async () => {
        const first = await signedWith(orderIn(encoding), { parallel: true })
        const second = await signedWith(first, { parallel: true })
        insertedInto(first, second)
        await isAccepted(second, ['B-B', 'B-B'])
      })

      test('is completed from a sealed state', async () => {
        const key = await signer()
        const secret = Buffer.alloc(32, 7)
        const document = orderIn(encoding)
        const prepared = prepareXades(document, key.certificate, { now, chain: key.chain })
        const state = openState(sealState(prepared.state, secret), secret)
        await isAccepted(completeXades(state, await key.sign(prepared)), ['B-B'])
      })

      test('is extended later, and damage to its content is seen', async () => {
        const signed = await signedWith(orderIn(encoding), { level: 'B-T' })
        const { timestamps, judge } = demo
        await isAccepted(await extendXades(signed, { level: 'B-LTA', timestamps, judge, now: new Date() }), ['B-LTA'])
        const damaged = Buffer.from(signed)
        const at = damaged.indexOf(encoded('entregar', encoding).subarray(-12))
        damaged[at] = damaged[at]! ^ 1
        assert.equal((await validate(damaged))[0]!.indication, 'invalid')
      })
    })

  test('has characters that its encoding lacks in its signature as references', async () => {
    const document = orderIn('US-ASCII')
    const signed = await signedWith(document, { id: 'assinatura-ção-€' })
    assert.ok(signed.every((byte) => byte < 0x80))
    assert.match(signed.toString(), /Id="assinatura-&#xE7;&#xE3;o-&#x20AC;"/)
    await isAccepted(signed, ['B-B'])
  })

  test('can be embedded as XML, where it becomes UTF-8, and is carried as bytes unless that is asked for', async () => {
    const document = orderIn('ISO-8859-1')
    const asXml = await signedWith(document, { packaging: 'enveloping', embed: 'xml' })
    assert.ok(asXml.includes('Pão &amp; café'))
    await isAccepted(asXml, ['B-B'])
    const asBytes = await signedWith(document, { packaging: 'enveloping' })
    assert.ok(asBytes.includes(document.toString('base64')))
    await isAccepted(asBytes, ['B-B'])
  })
})

test('every other encoding of one byte per character is signed in its bytes, and extended', async () => {
  const signed = await Promise.all(
    codePageNames.map(async (name) => {
      const text = [`<?xml version="1.0" encoding="${name}"?>\n<order xmlns="urn:order" n="`, '">', '</order>']
      const letters = Buffer.from([0xe1, 0xe9, 0xef])
      const document = Buffer.concat(text.flatMap((piece, at) => [Buffer.from(piece), at < 2 ? letters : Buffer.of()]))
      const plain = await signedWith(document, { id: 'ação-č-я-ş', parallel: true })
      insertedInto(document, plain)
      return [plain, await signedWith(plain, { level: 'B-LTA', parallel: true })]
    }),
  )
  for (const both of signed)
    for (const one of both) for (const { indication } of await validate(one)) assert.equal(indication, 'valid')
  const { ok, text } = await xmlsecVerifies(signed.flat(), { root: demo.root })
  assert.ok(ok, text)
})

test('a document in UTF-8 may get an Id with any letters', async () => {
  const signed = await signedWith(order(), { id: 'assinatura-ção' })
  assert.ok(signed.includes('Id="assinatura-ção"'))
  await isAccepted(signed, ['B-B'])
})

describe('random texts', () => {
  test('in every encoding pass from us to xmlsec1', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = new Random(seed)
    const key = await signer()
    const documents: Buffer[] = []
    for (const encoding of Object.keys(testEncodings) as TestEncoding[])
      for (let count = 0; count < 25; count++) {
        const document = encoded(randomDocument(encoding, random), encoding)
        const signed = await signXades(document, key, { now, canonicalisation: count % 2 ? 'inclusive' : 'exclusive' })
        insertedInto(document, signed)
        assert.equal((await validate(signed))[0]!.indication, 'valid', `seed ${seed}, ${encoding}`)
        documents.push(signed)
      }
    const { ok, text } = await xmlsecVerifies(documents, { root: demo.root })
    assert.ok(ok, `seed ${seed}: ${text}`)
  })

  function randomDocument(encoding: TestEncoding, random: Random): string {
    const { declared, letters } = testEncodings[encoding]
    const some = <T>(most: number, make: () => T) => Array.from({ length: random.between(0, most) }, make).join('')
    const text = () => some(40, () => random.pick([...letters, ...'ab \n\r\t>"\'']))
    const value = () => text().replaceAll('"', '&quot;')
    const pieces = [
      () => `<item a="${value()}">${text()}</item>`,
      () => `<!--${text().replaceAll('-', '')}-->`,
      () => `<![CDATA[${text()}]]>`,
      () => `<empty b='${text().replaceAll("'", '')}'/>`,
      () => '&#xE7;&#8364;&amp;',
    ]
    return `<?xml version="1.0" encoding="${declared}"?>\n<root x="${value()}">${some(9, () => random.pick(pieces)())}</root>`
  }
})
