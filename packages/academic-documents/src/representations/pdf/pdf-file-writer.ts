import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { array, dict, hexString, type ObjectNumber, type PdfText, ref } from './syntax.ts'

/**
 * A new PDF 1.4 file: every object by itself behind one cross-reference table, because ISO 19005-1 knows neither object
 * streams nor cross-reference streams. The same objects in the same order are the same bytes.
 */
export class PdfFileWriter {
  private readonly objects: (Buffer | undefined)[] = []

  /** A number for an object whose content is set later. */
  reserve(): ObjectNumber {
    this.objects.push(undefined)
    return this.objects.length
  }

  set(object: ObjectNumber, content: PdfText): void {
    this.objects[object - 1] = Buffer.from(content, 'latin1')
  }

  add(content: PdfText): ObjectNumber {
    const object = this.reserve()
    this.set(object, content)
    return object
  }

  /** A stream as it is; `entries` must name its filter. */
  addRaw(entries: Readonly<Record<string, PdfText | number>>, data: Uint8Array): ObjectNumber {
    const head = `${dict({ ...entries, Length: data.length })}\nstream\n`
    return this.objects.push(Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream')]))
  }

  /** A stream, compressed. */
  addStream(entries: Readonly<Record<string, PdfText | number>>, data: Uint8Array | PdfText): ObjectNumber {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
    return this.addRaw({ ...entries, Filter: '/FlateDecode' }, deflateSync(bytes))
  }

  /** The whole file. Its identifier is computed from its content. */
  finish(root: ObjectNumber, info: ObjectNumber): Buffer {
    const parts: Buffer[] = [HEADER]
    const offsets: number[] = []
    let position = HEADER.length
    this.objects.forEach((content, at) => {
      offsets.push(position)
      const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), content!, OBJECT_END])
      parts.push(part)
      position += part.length
    })
    const body = Buffer.concat(parts)
    const id = hexString(createHash('sha256').update(body).digest().subarray(0, 16))
    const trailer = dict({ Size: offsets.length + 1, Root: ref(root), Info: ref(info), ID: array([id, id]) })
    const end = `${crossReferences(offsets)}trailer\n${trailer}\nstartxref\n${position}\n%%EOF\n`
    return Buffer.concat([body, Buffer.from(end, 'latin1')])
  }
}

// ISO 19005-1 §6.1.2: a comment of at least four bytes above 127 follows the header.
const HEADER = Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')
const OBJECT_END = Buffer.from('\nendobj\n')

const crossReferences = (offsets: readonly number[]): PdfText =>
  `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets
    .map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    .join('')}`
