import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import {
  bmpString,
  type Der,
  ia5String,
  integer,
  nothing,
  oid,
  printableString,
  sequence,
  setOf,
  tlv,
  utf8String,
} from '../der/der-writer.ts'
import { tags } from '../der/tags.ts'
import { DistinguishedName } from './distinguished-name.ts'
import { craft } from './test-support/crafted-certificate.ts'

const CN = '2.5.4.3'
const O = '2.5.4.10'
const attribute = (type: string, value: Der) => sequence(oid(type), value)
const name = (...relativeNames: Der[][]) =>
  new DistinguishedName(sequence(...relativeNames.map((one) => setOf(...one))))
const common = (value: Der) => name([attribute(CN, value)])
const teletexString = (text: string) => tlv(tags.teletexString, Buffer.from(text, 'latin1'))
const utf8Bytes = (...bytes: number[]) => tlv(tags.utf8String, Buffer.from(bytes))

/** The same both ways, and as keys of a map. */
function areEqual(one: DistinguishedName, other: DistinguishedName): boolean {
  const equal = one.equals(other)
  expect([other.equals(one), one.key === other.key]).toEqual([equal, equal])
  return equal
}

describe('names are equal (RFC 5280 §7.1)', () => {
  test.each([
    ['in another string type', printableString('AC Raiz'), utf8String('AC Raiz')],
    ['as BMPString', utf8String('Órgão'), bmpString('Órgão')],
    ['as TeletexString', utf8String('Órgão'), teletexString('Órgão')],
    ['as IA5String', utf8String('a@b.example'), ia5String('A@B.EXAMPLE')],
    ['in another case', utf8String('AC Raiz'), utf8String('ac RAIZ')],
    ['in another case beyond ASCII', utf8String('ÓRGÃO'), utf8String('órgão')],
    ['whose case folding is not lower case', utf8String('STRASSE ΟΔΟΣ'), utf8String('straße οδος')],
    ['with other spaces inside and around', utf8String('AC Raiz'), utf8String('  AC    Raiz ')],
    ['with a tab or a hard space', utf8String('AC Raiz'), utf8String('AC\tRaiz\u00a0')],
    ['composed and decomposed', utf8String('Órgão'), utf8String('O\u0301rga\u0303o')],
    ['in width', utf8String('AC'), utf8String('\uff21\uff23')],
    ['but for what nobody sees', utf8String('ACRaiz'), utf8String('AC\u00adRa\u200biz')],
  ])('%s', (_what, one, other) => {
    expect(areEqual(common(one), common(other))).toBe(true)
  })

  test('with the attributes of a relative name in any order', () => {
    const [first, second] = [attribute(CN, utf8String('Z')), attribute(O, utf8String('a'))]
    const swapped = new DistinguishedName(sequence(tlv(tags.set, second, first)))
    expect(areEqual(new DistinguishedName(sequence(tlv(tags.set, first, second))), swapped)).toBe(true)
  })
})

describe('names are not equal', () => {
  test.each([
    ['with another word', utf8String('AC Raiz'), utf8String('AC Raíz')],
    ['without the space', utf8String('AC Raiz'), utf8String('ACRaiz')],
    ['in a letter that only looks the same', utf8String('AC'), utf8String('\u0410C')],
    ['in a letter that is only upper case of it', utf8String('i'), utf8String('ı')],
    ['where bytes are no text', utf8Bytes(0x41, 0xff), utf8Bytes(0x41, 0xfe)],
    ['where a code point has no meaning', utf8String('A\ue000'), utf8String('a\ue000')],
    ['where half a character is left', tlv(tags.bmpString, Buffer.of(0, 65)), tlv(tags.bmpString, Buffer.of(0, 65, 7))],
    ['where one is no string', utf8String('#020105'), integer(5)],
  ])('%s', (_what, one, other) => {
    expect(areEqual(common(one), common(other))).toBe(false)
  })

  test('with another type, order or number of relative names', () => {
    const [a, b] = [attribute(CN, utf8String('a')), attribute(O, utf8String('b'))]
    const both = name([a], [b])
    for (const other of [name([b], [a]), name([a, b]), name([a]), name([a], [b], [b]), name()])
      expect(areEqual(both, other)).toBe(false)
    expect(areEqual(name([attribute(O, utf8String('a'))]), name([a]))).toBe(false)
    expect(areEqual(name([attribute(CN, nothing)]), name([a]))).toBe(false)
  })
})

test('a name is within itself and within what it begins with', () => {
  const [a, b] = [attribute(O, utf8String('Órgão A')), attribute(CN, utf8String('b'))]
  const below = name([a], [b])
  expect([below, name([attribute(O, bmpString('ÓRGÃO  a'))]), name()].map((above) => below.isWithin(above))).toEqual([
    true,
    true,
    true,
  ])
  const beside = [name([attribute(O, utf8String('Órgão'))]), name([b]), name([a, b])]
  expect(beside.map((other) => below.isWithin(other))).toEqual([false, false, false])
})

test.each([
  [utf8String('AC Raiz'), printableString('ac  RAIZ '), true],
  [utf8String('Órgão'), bmpString('Órgão'), true],
  [utf8String('Órgão'), teletexString('Órgão'), true],
  [utf8String('AC Raiz'), utf8String('ACRaiz'), false],
  [utf8String('AC'), utf8String('\u0410C'), false],
])('openssl agrees on case %#', async (one, other, equal) => {
  const hashOf = async (value: Der) => {
    const { certificate } = craft({ subject: common(value).der })
    return (await openssl(['x509', '-inform', 'DER', '-noout', '-subject_hash'], { input: certificate.der })).text
  }
  expect((await hashOf(one)) === (await hashOf(other))).toBe(equal)
  expect(areEqual(common(one), common(other))).toBe(equal)
})
