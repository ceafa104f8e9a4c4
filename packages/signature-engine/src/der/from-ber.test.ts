import { openssl } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDer } from './der-value.ts'
import { bitString, integer, octetString, sequence, tlv, utf8String } from './der-writer.ts'
import { fromBer } from './from-ber.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const refuses = (hex: string, code: string) =>
  expect(() => fromBer(bytes(hex))).toThrow(expect.objectContaining({ name: 'EngineError', code }))

test('DER is returned as it is, the same bytes', () => {
  const der = sequence(integer(1), octetString(Buffer.alloc(300)), sequence(utf8String('x')))
  expect(fromBer(der)).toBe(der)
})

describe('what BER allows becomes definite and minimal', () => {
  test.each([
    ['an indefinite length', '3080 020101 0000', '3003 020101'],
    ['indefinite inside indefinite', '3080 3080 020101 0000 020102 0000', '3008 3003020101 020102'],
    ['indefinite inside definite', '3007 3080 020101 0000', '3005 3003020101'],
    ['a long length', '30820003 020101', '3003 020101'],
    ['a string in pieces', '2480 040161 04026263 0000', '0403616263'],
    ['a string in pieces of pieces', '2480 2480 040161 0000 040162 0000', '04026162'],
    ['a string in pieces of definite length', '2406 040161 040162', '04026162'],
    ['a string of no pieces', '2480 0000', '0400'],
    ['bits in pieces', '2380 030200ff 030204f0 0000', '030304fff0'],
    ['a context tag', 'a080 020101 0000', 'a003 020101'],
  ])('%s', (_what, ber, der) => {
    expect(Buffer.from(fromBer(bytes(ber))).toString('hex')).toBe(der.replaceAll(' ', ''))
  })
})

describe('what is neither is refused', () => {
  test('a value without its end', () => refuses('3080 020101', 'der.truncated'))
  test('an end that lies outside the value around it', () => refuses('3005 3080 020101 0000', 'der.truncated'))
  test('a primitive without length', () => refuses('0280 01 0000', 'der.bad-length'))
  test('a string with a piece of another type', () => refuses('2480 020101 0000', 'der.bad-tag'))
  test('bytes behind the value', () => refuses('3080 0000 ff00', 'der.trailing'))
  test('a tag of several bytes', () => refuses('3080 1f8101 00 0000', 'der.bad-tag'))
  test('a nesting without end', () => refuses('3080'.repeat(100), 'der.too-deep'))
  test('a definite nesting that is too deep', () => {
    const deep = Array.from({ length: 80 }).reduce<Buffer>((inner) => tlv(0x30, inner), integer(1))
    expect(() => fromBer(deep)).toThrow(expect.objectContaining({ code: 'der.too-deep' }))
  })
  test('more values than anybody writes', () => {
    const many = Buffer.concat([bytes('3080'), Buffer.alloc(2_400_000, bytes('0500')), bytes('0000')])
    expect(() => fromBer(many)).toThrow(expect.objectContaining({ code: 'der.too-many' }))
  })
})

test('a string in pieces of pieces is read as deep as openssl reads it, and no deeper', async () => {
  const contentOf = (levels: number) => {
    const pieces = Array.from({ length: levels }).reduce<Buffer>(
      (inner) => tlv(0x24, inner),
      octetString(bytes('6162')),
    )
    return sequence(bytes('0609 2a864886f70d010701'), tlv(0xa0, pieces))
  }
  const opened = async (levels: number) =>
    (await openssl(['cms', '-data_out', '-inform', 'DER', '-binary'], { input: contentOf(levels) })).ok
  expect([await opened(6), await opened(7)]).toEqual([true, false])
  expect(Buffer.from(fromBer(contentOf(6)))).toEqual(contentOf(0))
  expect(() => fromBer(contentOf(7))).toThrow(expect.objectContaining({ code: 'der.too-deep' }))
})

test('what openssl streams is read as if it had not been streamed', async () => {
  const input = Buffer.alloc(10_000, 'content ')
  const made = await openssl(['cms', '-data_create', '-outform', 'DER', '-stream', '-binary'], { input })
  expect(made.stdout.subarray(0, 2)).toEqual(bytes('3080'))
  const content = readDer(fromBer(made.stdout)).members()[1]!.unwrap().octets()
  expect(content).toEqual(input)
})

test('a string in very many pieces is read', () => {
  const pieces = Buffer.alloc(900_000, bytes('040161'))
  expect(readDer(fromBer(Buffer.concat([bytes('2480'), pieces, bytes('0000')]))).octets().length).toBe(300_000)
})

test('any bytes end in DER or a refusal', () => {
  const noise = fc.array(fc.constantFrom(0x30, 0x80, 0x24, 0x23, 0x04, 0x03, 0x00, 0x01, 0x02, 0xa0, 0x81, 0xff))
  fc.assert(
    fc.property(noise, (raw) => {
      try {
        readDer(fromBer(Buffer.from(raw)))
      } catch (error) {
        expect(error).toMatchObject({ name: 'EngineError' })
      }
    }),
    { numRuns: 2_000 },
  )
})

test('bits that were whole stay whole', () => {
  expect(readDer(fromBer(tlv(0x23, bitString(Buffer.of(1)), bitString(Buffer.of(2))))).bits()).toEqual(Buffer.of(1, 2))
})
