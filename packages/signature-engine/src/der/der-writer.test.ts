import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import {
  bmpString,
  contentOf,
  generalizedTime,
  implicit,
  integer,
  membersOf,
  namedBits,
  nothing,
  octetString,
  oid,
  sequence,
  setOf,
  time,
  utf8String,
} from './index.ts'

const hex = (der: Buffer): string => der.toString('hex')

describe('what is written', () => {
  test.each([
    [0, '020100'],
    [127, '02017f'],
    [128, '02020080'],
    [256, '02020100'],
    [65_537, '0203010001'],
    [2_147_483_648, '02050080000000'],
  ])('the integer %d is %s', (value, encoded) => {
    expect(hex(integer(value))).toBe(encoded)
  })

  test('an integer from bytes is the shortest positive one', () => {
    expect(hex(integer(Buffer.from('000001', 'hex')))).toBe('020101')
    expect(hex(integer(Buffer.from('ff', 'hex')))).toBe('020200ff')
  })

  test.each([
    ['2.16.76.1.3.1', '0605604c010301'],
    ['1.2.840.113549.1.1.11', '06092a864886f70d01010b'],
    ['2.999.3', '0603883703'],
  ])('the identifier %s is %s', (dotted, encoded) => {
    expect(hex(oid(dotted))).toBe(encoded)
  })

  test('the members of a SET OF are sorted by their bytes, whatever order they come in', () => {
    const members = [integer(5), integer(1), octetString(Buffer.of(1)), integer(300)]
    expect(hex(setOf(...members))).toBe(hex(setOf(...members.toReversed())))
    expect(hex(setOf(integer(5), integer(1)))).toBe('3106020101020105')
  })

  test('a named-bit string ends with its last bit', () => {
    expect(hex(namedBits(0, 1, 2))).toBe('030205e0')
    expect(hex(namedBits(5, 6))).toBe('03020106')
    expect(hex(namedBits(15))).toBe('0303000001')
  })

  test('times are to the second, and of the kind their year asks for', () => {
    expect(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1', 2)).toBe('491231235959Z')
    expect(time(new Date('2050-01-01T00:00:00.001Z')).toString('latin1', 2)).toBe('20500101000000Z')
    expect(generalizedTime(new Date('2026-03-02T12:00:00.500Z')).toString('latin1', 2)).toBe('20260302120000Z')
  })

  test('an implicit tag keeps the constructed bit', () => {
    expect(hex(implicit(0, nothing))).toBe('8000')
    expect(hex(implicit(1, sequence(nothing)))).toBe('a1020500')
  })

  test('what is absent is left out', () => {
    expect(hex(sequence(undefined, nothing, undefined))).toBe('30020500')
  })

  test('lengths of one, two and three bytes are read by openssl', async () => {
    const value = sequence(
      octetString(Buffer.alloc(200)),
      octetString(Buffer.alloc(70_000)),
      utf8String('Ação'),
      bmpString('é€'),
    )
    const { ok, text } = await openssl(['asn1parse', '-inform', 'DER'], { input: value })
    expect(ok).toBe(true)
    expect(text).toMatch(
      /hl=3 l= 200 prim: OCTET STRING[\s\S]*hl=5 l=70000 prim: OCTET STRING[\s\S]*UTF8STRING\s+:Ação/,
    )
    expect(text).toContain('BMPSTRING')
  })
})

describe('what is read', () => {
  test('the members of a value come back as they were written', () => {
    const members = [integer(1), octetString(Buffer.alloc(300, 7)), sequence(nothing)]
    expect(membersOf(sequence(...members)).map(hex)).toEqual(members.map(hex))
    expect(contentOf(members[1]!)).toEqual(Buffer.alloc(300, 7))
  })

  test.each([
    ['nothing at all', ''],
    ['a tag alone', '30'],
    ['content shorter than its length', '3005020101'],
    ['a length cut off', '3082'],
    ['an indefinite length', '30800000'],
    ['a length of seven bytes', '308701000000000001ff'],
    ['a length that is longer than it needs to be', '308101ff'],
  ])('%s is refused', (_what, bytes) => {
    expect(() => membersOf(Buffer.from(bytes, 'hex'))).toThrow(EngineError)
  })
})
