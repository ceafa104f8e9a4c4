import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeText } from './object-writer.ts'
import { openPdf } from './pdf-file.ts'
import { isDict, isString, ref } from './pdf-object.ts'
import { tablePdf } from './test-support/sample-pdfs.ts'
import { decodeText } from './text-string.ts'

/** What a reader finds in an entry that was written so. */
function readBack(text: string): string | undefined {
  const file = openPdf(tablePdf({ extra: { 100: `<< /Reason ${writeText(text)} /Other (kept) >>` } }))
  const object = file.resolve(ref(100))
  if (!isDict(object)) return undefined
  const [reason, other] = [object.get('Reason'), object.get('Other')]
  return isString(reason) && isString(other) && decodeText(other) === 'kept' ? decodeText(reason) : undefined
}

test.each(['Aceite', '', 'São Paulo (SP)', ') /Other (mine', '(', '\\', 'a\rb\nc', '日本'])(
  'a text is read as it was written, and ends where it ends: %j',
  (text) => expect(readBack(text)).toBe(text),
)

test('so is any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (text) => readBack(text) === text))
})
