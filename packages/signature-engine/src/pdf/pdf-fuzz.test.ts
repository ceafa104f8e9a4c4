import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import { formFields } from './form-fields.ts'
import { IncrementalUpdate } from './incremental-update.ts'
import { ObjectParser } from './object-parser.ts'
import { writeObject } from './object-writer.ts'
import { allPages } from './page-tree.ts'
import { openPdf } from './pdf-file.ts'
import { isStream, name, type PdfObject, ref } from './pdf-object.ts'
import { containerKinds } from './test-support/sample-pdfs.ts'
import { decodeText, textString } from './text-string.ts'

/** Reads everything the reader offers; true when nothing was refused. */
function readEverything(bytes: Uint8Array): boolean {
  try {
    const file = openPdf(bytes)
    for (const revision of file.revisions) {
      for (const num of revision.ownNumbers()) {
        const entry = revision.entry(num)
        const object = revision.object(ref(num, entry?.kind === 'offset' ? entry.gen : 0))
        if (isStream(object)) revision.decode(object)
      }
      allPages(revision)
      formFields(revision)
    }
    const update = new IncrementalUpdate(file)
    update.add(file.catalog())
    openPdf(Buffer.concat([bytes, update.finish().appended]))
    return true
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

// The same sequence in every run: a failure can be run again.
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const TOKENS = [
  '<<',
  '>>',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '/',
  '%',
  ' 0 R',
  'obj',
  'endobj',
  'stream',
  'xref',
  '99999999999',
  '-1',
  '\0',
]

function mutated(pdf: Buffer, pick: (below: number) => number): Buffer {
  let changed = Buffer.from(pdf)
  for (let changes = 1 + pick(4); changes > 0; changes--) {
    const at = pick(changed.length)
    const kind = pick(5)
    if (kind === 0) changed[at] = pick(256)
    else if (kind === 1)
      changed = Buffer.concat([
        changed.subarray(0, at),
        Buffer.from(TOKENS[pick(TOKENS.length)]!),
        changed.subarray(at),
      ])
    else if (kind === 2) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1 + pick(20))])
    else if (kind === 3) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(pick(changed.length))])
    else changed.write(String(pick(10)), at)
    if (changed.length === 0) return pdf
  }
  return changed
}

describe('any byte string', () => {
  test.each(Object.entries(containerKinds))('made from a file of the kind "%s" is read or refused', (_kind, make) => {
    const pdf = make()
    expect(readEverything(pdf)).toBe(true)
    const pick = random(pdf.length)
    for (let i = 0; i < 400; i++) readEverything(mutated(pdf, pick))
  })

  test('is an object or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          new ObjectParser(bytes, 0, false).value()
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('streams that need each other to be read are refused', () => {
    const objects: Record<number, string> = {}
    for (let num = 100; num < 5000; num++) objects[num] = `<< /Length ${num + 1} 0 R >>\nstream\n\nendstream`
    const pdf = containerKinds['classic table']!().toString('latin1')
    let text = pdf
    const offsets: number[] = []
    for (const [num, body] of Object.entries(objects)) {
      offsets.push(text.length)
      text += `${num} 0 obj\n${body}\nendobj\n`
    }
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const previous = /startxref\n(\d+)/.exec(pdf)![1]
    text += `xref\n100 ${offsets.length}\n${rows}trailer\n<< /Size 5000 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${text.length}\n%%EOF\n`
    const file = openPdf(Buffer.from(text, 'latin1'))
    expect(() => file.object(ref(100))).toThrowError(expect.objectContaining({ code: 'pdf.too-complex' }))
  })
})

describe('what is written', () => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
      .map((value) => Math.round(value * 1e5) / 1e5 + 0),
    fc.string({ unit: 'binary-ascii' }).map(name),
    fc.record({ num: fc.nat(8_000_000), gen: fc.nat(65_535) }).map(({ num, gen }) => ref(num, gen)),
    fc.tuple(fc.uint8Array(), fc.boolean()).map(([bytes, hex]): PdfObject => ({ kind: 'string', bytes, hex })),
  )
  const { value } = fc.letrec<{ value: PdfObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .dictionary(fc.string({ unit: 'binary-ascii' }), tie('value'), { maxKeys: 5 })
        .map((entries) => new Map(Object.entries(entries))),
    ),
  }))

  test('is read back as it was', () => {
    fc.assert(
      fc.property(value, (object) => {
        const text = writeObject(object as Exclude<PdfObject, { kind: 'stream' }>)
        expect(comparable(new ObjectParser(Buffer.from(text, 'latin1'), 0, false).value())).toEqual(comparable(object))
      }),
      { numRuns: 500 },
    )
  })

  test('any text is read back as it was', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeText(textString(text)) === text))
  })

  const comparable = (object: PdfObject): unknown =>
    JSON.parse(
      JSON.stringify(object, (_key, part) => {
        if (part instanceof Map) return { dict: [...part] }
        if (part instanceof Uint8Array) return Buffer.from(part).toString('hex')
        return typeof part === 'number' && Object.is(part, -0) ? 0 : part
      }),
    )
})
