import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ObjectParser } from '../../pdf/object-parser.ts'
import { writeObject } from '../../pdf/object-writer.ts'
import { isArray, isDict, isRef, name, type PdfObject, ref } from '../../pdf/pdf-object.ts'
import { scanReferences } from './reference-scanner.ts'

type Found = [num: number, key: string]

function scanned(text: string): Found[] {
  const found: Found[] = []
  scanReferences(Buffer.from(`7 0 obj\n${text}\nendobj\n8 0 obj\n99 0 R\nendobj`, 'latin1'), 0, (num, key) =>
    found.push([num, key]),
  )
  return found
}

function parsed(text: string): Found[] {
  const found: Found[] = []
  const visit = (value: PdfObject, key: string): void => {
    if (isRef(value)) found.push([value.num, key])
    else if (isArray(value)) for (const element of value) visit(element, key)
    else if (isDict(value)) for (const [own, element] of value) visit(element, own)
  }
  visit(new ObjectParser(Buffer.from(text, 'latin1'), 0, true).value(), '')
  return found
}

const tricky: Readonly<Record<string, string>> = {
  'white space of any kind': '<< /A 5\n0\r\n\tR/B[1 0 R\x002 0 R]>>',
  'comments between the parts': '<< /A 5 % 6 0 R\n0 %x\rR >>',
  'strings with brackets and escapes': '<< /A (6 0 R \\) (nested 7 0 R) \\\\) /B 8 0 R /C (\\() /D 9 0 R >>',
  'hexadecimal strings': '<< /A <36203020 52> /B 8 0 R >>',
  'escaped names': '<< /Ann#6fts [5 0 R] /#41 6 0 R >>',
  'names as values': '<< /Type /Page /Parent 2 0 R /Kids /None /Next 3 0 R >>',
  'dictionaries inside arrays': '<< /Kids [<< /A 1 0 R >> 5 0 R] /B 6 0 R >>',
  'numbers before references': '<< /A [1 2 3 0 R -1 .5 4 0 R] /B 1 /C 2 /D 3 0 R >>',
  'nothing at all': 'null',
  'a reference alone': '12 0 R',
}
for (const [what, text] of Object.entries(tricky)) {
  test(`references are found among ${what}`, () => {
    expect(scanned(text)).toEqual(parsed(text))
  })
}

test('whatever object is written, the scanner finds the references that the parser finds', () => {
  const { value } = fc.letrec<{ value: PdfObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.nat(999).map((num) => ref(num)),
      fc.string({ maxLength: 8 }).map((text) => name(text)),
      fc.record({ kind: fc.constant('string' as const), bytes: fc.uint8Array({ maxLength: 20 }), hex: fc.boolean() }),
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .dictionary(fc.string({ minLength: 1, maxLength: 5 }), tie('value'), { maxKeys: 5 })
        .map((entries) => new Map(Object.entries(entries))),
    ),
  }))
  fc.assert(
    fc.property(value, (object) => {
      const text = writeObject(object as Exclude<PdfObject, { kind: 'stream' }>)
      expect(scanned(text)).toEqual(parsed(text))
    }),
    { numRuns: 500 },
  )
})

test('any bytes end the scan within them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(scanReferences(bytes, 0, () => {})).toBeLessThanOrEqual(bytes.length + 1)
    }),
  )
})
