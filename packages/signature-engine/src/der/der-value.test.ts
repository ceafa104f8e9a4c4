import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DerValue, readDer, readFirstDer } from './der-value.ts'
import {
  bitString,
  bmpString,
  boolean,
  enumerated,
  explicit,
  generalizedTime,
  ia5String,
  integer,
  namedBits,
  nothing,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  time,
  tlv,
  utf8String,
} from './der-writer.ts'
import { contextConstructed, tags } from './tags.ts'

const refuses = (read: () => unknown, code: string) =>
  expect(read).toThrow(expect.objectContaining({ name: 'EngineError', code }))

describe('what was written is read', () => {
  test('in place: the bytes as they stood, and nothing copied', () => {
    const bytes = Buffer.concat([Buffer.of(1, 2, 3), sequence(integer(5), octetString(Buffer.from('abc')))])
    const value = readFirstDer(bytes, 3)
    const [number, octets] = value.members()
    expect(value.raw).toEqual(bytes.subarray(3))
    expect(number!.smallInteger()).toBe(5)
    expect(octets!.octets().toString()).toBe('abc')
    expect(octets!.octets().buffer).toBe(bytes.buffer)
  })

  test.each([0, 1, 127, 128, 255, 65_535, 65_536, 2 ** 40])('the number %i', (number) => {
    expect(readDer(integer(number)).smallInteger()).toBe(number)
  })

  test.each(['0.9.2342.19200300.100.1.1', '1.2.840.113549.1.1.11', '2.5.4.3', '2.999.4', '2.16.76.1.3.1', '1.39.0'])(
    'the identifier %s',
    (dotted) => {
      expect(readDer(oid(dotted)).oid()).toBe(dotted)
    },
  )

  test('texts of every type', () => {
    expect(readDer(utf8String('São João €')).text()).toBe('São João €')
    expect(readDer(bmpString('São €')).text()).toBe('São €')
    expect(readDer(printableString('A-1')).text()).toBe('A-1')
    expect(readDer(ia5String('a@b')).text()).toBe('a@b')
    expect(readDer(tlv(tags.teletexString, Buffer.from('é', 'latin1'))).text()).toBe('é')
    expect(readDer(tlv(tags.bmpString, Buffer.of(0, 65, 0))).text()).toBe('A')
    expect(readDer(nothing).isText()).toBe(false)
  })

  test('the length of anything up to several megabytes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 70_000 }), (length) => {
        expect(readDer(octetString(Buffer.alloc(length))).length).toBe(length)
      }),
      { numRuns: 50 },
    )
    expect(readDer(octetString(Buffer.alloc(17_000_000))).length).toBe(17_000_000)
  })

  test('booleans, enumerations, bits', () => {
    expect(readDer(boolean(true)).boolean()).toBe(true)
    expect(readDer(enumerated(3)).smallInteger()).toBe(3)
    expect(readDer(bitString(Buffer.of(1, 2))).bits()).toEqual(Buffer.of(1, 2))
    expect([...readDer(namedBits(0, 1, 5, 8)).namedBits()]).toEqual([0, 1, 5, 8])
  })

  test('explicit tags hold one value', () => {
    expect(
      readDer(explicit(0, integer(2)))
        .unwrap()
        .smallInteger(),
    ).toBe(2)
    refuses(() => readDer(tlv(0xa0, integer(1), integer(2))).unwrap(), 'der.trailing')
    refuses(() => readDer(tlv(0xa0)).unwrap(), 'der.truncated')
    refuses(() => readDer(integer(1)).unwrap(), 'der.unexpected')
  })
})

describe('times', () => {
  test.each([
    [tags.utcTime, '491231235959Z', '2049-12-31T23:59:59.000Z'],
    [tags.utcTime, '500101000000Z', '1950-01-01T00:00:00.000Z'],
    [tags.utcTime, '2401020304Z', '2024-01-02T03:04:00.000Z'],
    [tags.generalizedTime, '20240229120000Z', '2024-02-29T12:00:00.000Z'],
    [tags.generalizedTime, '20240229120000.5Z', '2024-02-29T12:00:00.500Z'],
    [tags.generalizedTime, '20240229120000.57Z', '2024-02-29T12:00:00.570Z'],
    [tags.generalizedTime, '20240229120000.123456789Z', '2024-02-29T12:00:00.123Z'],
  ])('tag %i %s is %s', (tag, text, iso) => {
    expect(
      readDer(tlv(tag, Buffer.from(text)))
        .time()
        .toISOString(),
    ).toBe(iso)
  })

  test.each([
    [tags.utcTime, '240230000000Z'],
    [tags.utcTime, '241301000000Z'],
    [tags.utcTime, '240101240000Z'],
    [tags.utcTime, '240101000000'],
    [tags.utcTime, '240101000000+0100'],
    [tags.generalizedTime, '20240101'],
    [tags.generalizedTime, '2024-01-01T00:00:00Z'],
    [tags.generalizedTime, ''],
  ])('tag %i %s is no time', (tag, text) => {
    refuses(() => readDer(tlv(tag, Buffer.from(text))).time(), 'der.bad-value')
  })

  test('any moment that is written is read', () => {
    const moments = fc.date({ min: new Date('1950-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(moments, (moment) => {
        const seconds = new Date(Math.floor(moment.getTime() / 1000) * 1000)
        expect(readDer(time(seconds)).time()).toEqual(seconds)
        expect(readDer(generalizedTime(seconds)).time()).toEqual(seconds)
      }),
    )
  })
})

describe('what is not DER is refused', () => {
  test.each([
    ['nothing', '', 'der.truncated'],
    ['a tag alone', '30', 'der.truncated'],
    ['content that is cut off', '300500', 'der.truncated'],
    ['a length that is cut off', '3082', 'der.truncated'],
    ['an indefinite length', '30800000', 'der.bad-length'],
    ['a length longer than needed', '04810105', 'der.bad-length'],
    ['a length with a leading zero', `04820080${'00'.repeat(128)}`, 'der.bad-length'],
    ['a length of lengths beyond reason', `0487${'01'.repeat(7)}`, 'der.bad-length'],
    ['a tag of several bytes', '1f810100', 'der.bad-tag'],
    ['bytes behind the value', '0500ff', 'der.trailing'],
  ])('%s', (_what, hex, code) => {
    refuses(() => readDer(Buffer.from(hex, 'hex')), code)
  })

  test.each([
    ['an empty INTEGER', '0200', (value: DerValue) => value.integer()],
    ['a negative small number', '0201ff', (value: DerValue) => value.smallInteger()],
    ['a number of nine bytes', '0209010000000000000000', (value: DerValue) => value.smallInteger()],
    ['a BOOLEAN of two bytes', '01020000', (value: DerValue) => value.boolean()],
    ['an empty BIT STRING', '0300', (value: DerValue) => value.bits()],
    ['a BIT STRING that is not whole bytes', '03020480', (value: DerValue) => value.bits()],
    ['empty named bits', '0300', (value: DerValue) => value.namedBits()],
    ['an empty identifier', '0600', (value: DerValue) => value.oid()],
    ['an identifier that is cut off', '06022a86', (value: DerValue) => value.oid()],
  ])('%s', (_what, hex, read) => {
    refuses(() => read(readDer(Buffer.from(hex, 'hex'))), 'der.bad-value')
  })

  test('an empty BIT STRING before a zero byte stays inside its bounds', () => {
    const [empty] = readDer(tlv(0x30, Buffer.of(3, 0), Buffer.of(0, 0))).members()
    refuses(() => empty!.bits(), 'der.bad-value')
  })

  test('another type than the one that is due, by name', () => {
    refuses(() => readDer(integer(1)).octets(), 'der.unexpected')
    refuses(() => readDer(integer(1)).text(), 'der.unexpected')
    refuses(() => readDer(sequence()).expect(tags.set), 'der.unexpected')
    refuses(() => readDer(setOf()).sequence(), 'der.unexpected')
  })

  test('more members than any structure has', () => {
    const many = tlv(tags.sequence, Buffer.alloc(200_002, nothing))
    refuses(() => readDer(many).members(), 'der.too-many')
    refuses(() => readDer(many).sequence().rest(), 'der.too-many')
  })
})

describe('a reader of members', () => {
  test('goes in order, sees what is optional, and minds the end', () => {
    const members = readDer(sequence(explicit(0, integer(2)), integer(7))).sequence()
    expect(members.optional(contextConstructed(1))).toBeUndefined()
    expect(members.optional(contextConstructed(0))?.unwrap().smallInteger()).toBe(2)
    expect(members.nextTag).toBe(tags.integer)
    refuses(() => members.end(), 'der.trailing')
    expect(members.next(tags.integer).smallInteger()).toBe(7)
    members.end()
    expect(members.done).toBe(true)
    refuses(() => members.next(), 'der.truncated')
  })
})

test('any bytes end in a value or a refusal, whatever is asked of them', () => {
  const questions: ((value: DerValue) => unknown)[] = [
    (value) => value.members(),
    (value) => value.integer(),
    (value) => value.smallInteger(),
    (value) => value.oid(),
    (value) => value.bits(),
    (value) => value.namedBits(),
    (value) => value.text(),
    (value) => value.time(),
    (value) => value.boolean(),
    (value) => value.unwrap(),
  ]
  const tagged = fc.tuple(fc.constantFrom(...Object.values(tags), 0xa0, 0x80), fc.uint8Array({ maxLength: 20 }))
  fc.assert(
    fc.property(tagged, fc.uint8Array({ maxLength: 8 }), ([tag, content], behind) => {
      for (const question of questions) {
        try {
          question(readFirstDer(Buffer.concat([tlv(tag, content), behind])))
        } catch (error) {
          expect(error).toMatchObject({ name: 'EngineError' })
        }
      }
    }),
    { numRuns: 500 },
  )
})
