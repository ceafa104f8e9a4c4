import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** Object texts by number; a stream is its dictionary and its data. */
type SampleObjects = ReadonlyMap<number, string>

export interface SampleOptions {
  /** Default 1. */
  readonly pages?: number
  /** Objects that nothing refers to, to make the file larger. Default none. */
  readonly fillers?: number
  /** Bytes of each filler. Default 200. */
  readonly fillerBytes?: number
  /** Added to the catalog, to every page, to the trailer. */
  readonly catalog?: string
  readonly page?: string
  readonly trailer?: string
  readonly version?: string
  /** Further objects, from 100000 on. */
  readonly extra?: Readonly<Record<number, string>>
}

const ID = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]'

/** The objects of a small document: 1 catalog, 2 page tree, 3 font, then page and content in turns, then fillers. */
function sampleObjects(options: SampleOptions = {}): SampleObjects {
  const {
    pages = 1,
    fillers = 0,
    fillerBytes = 200,
    catalog = '',
    page = '/MediaBox [0 0 612 792]',
    extra = {},
  } = options
  const objects = new Map<number, string>()
  const pageNumbers = Array.from({ length: pages }, (_, i) => 4 + 2 * i)
  objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`)
  objects.set(2, `<< /Type /Pages /Kids [${pageNumbers.map((num) => `${num} 0 R`).join(' ')}] /Count ${pages} >>`)
  objects.set(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [i, num] of pageNumbers.entries()) {
    const content = `BT /F1 24 Tf 72 700 Td (Contrato, page ${i + 1}) Tj ET`
    objects.set(
      num,
      `<< /Type /Page /Parent 2 0 R ${page} /Resources << /Font << /F1 3 0 R >> >> /Contents ${num + 1} 0 R >>`,
    )
    objects.set(num + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  const filler = 'x'.repeat(fillerBytes)
  for (let i = 0; i < fillers; i++) objects.set(4 + 2 * pages + i, `(${filler})`)
  for (const [num, text] of Object.entries(extra)) objects.set(Number(num), text)
  return objects
}

/** A file with a classic cross-reference table. */
export function tablePdf(options: SampleOptions = {}, eol = '\n'): Buffer {
  const objects = sampleObjects(options)
  const body = bodyOf(objects, `%PDF-${options.version ?? '1.7'}${eol}%\xe2\xe3\xcf\xd3${eol}`, eol)
  const tail = tableOf(body.offsets, eol)
  const size = Math.max(...objects.keys()) + 1
  return latin1(
    `${body.text}${tail}trailer${eol}<< /Size ${size} /Root 1 0 R ${ID} ${options.trailer ?? ''} >>${eol}startxref${eol}${body.text.length}${eol}%%EOF${eol}`,
  )
}

function bodyOf(objects: SampleObjects, head: string, eol: string, from = 0) {
  let text = head
  const offsets = new Map<number, number>()
  for (const [num, content] of objects) {
    offsets.set(num, from + text.length)
    text += `${num} 0 obj${eol}${content}${eol}endobj${eol}`
  }
  return { text, offsets }
}

/** Every run of consecutive numbers becomes a subsection. */
function tableOf(offsets: ReadonlyMap<number, number>, eol: string, free: readonly number[] = [0]): string {
  const lineEnd = eol.length === 2 ? eol : ` ${eol}`
  const rows = new Map([...offsets].map(([num, at]) => [num, `${String(at).padStart(10, '0')} 00000 n${lineEnd}`]))
  for (const num of free) rows.set(num, `0000000000 65535 f${lineEnd}`)
  const numbers = [...rows.keys()].sort((a, b) => a - b)
  let text = `xref${eol}`
  for (let i = 0; i < numbers.length; ) {
    let end = i + 1
    while (end < numbers.length && numbers[end] === numbers[end - 1]! + 1) end++
    text += `${numbers[i]} ${end - i}${eol}${numbers
      .slice(i, end)
      .map((num) => rows.get(num))
      .join('')}`
    i = end
  }
  return text
}

/** A file whose catalog, page tree, font and pages are in an object stream, under a predicted cross-reference stream. */
export function streamPdf(options: SampleOptions = {}): Buffer {
  const objects = sampleObjects(options)
  const packed = [...objects].filter(([, text]) => !text.includes('\nstream\n'))
  const plain = new Map([...objects].filter(([, text]) => text.includes('\nstream\n')))
  const containerNum = Math.max(...objects.keys()) + 1
  plain.set(containerNum, objectStream(packed))
  const body = bodyOf(plain, `%PDF-${options.version ?? '1.7'}\n%\xe2\xe3\xcf\xd3\n`, '\n')
  const xrefNum = containerNum + 1
  const rows = new Map<number, [number, number, number]>([[0, [0, 0, 65535]]])
  for (const [num, at] of body.offsets) rows.set(num, [1, at, 0])
  for (const [index, [num]] of packed.entries()) rows.set(num, [2, containerNum, index])
  rows.set(xrefNum, [1, body.text.length, 0])
  const xref = xrefStream(xrefNum, rows, `/Size ${xrefNum + 1} /Root 1 0 R ${ID} ${options.trailer ?? ''}`)
  return latin1(`${body.text}${xref}startxref\n${body.text.length}\n%%EOF\n`)
}

function objectStream(packed: readonly (readonly [number, string])[]): string {
  let header = ''
  let content = ''
  for (const [num, text] of packed) {
    header += `${num} ${content.length} `
    content += `${text}\n`
  }
  const data = deflateSync(latin1(header + content)).toString('latin1')
  return `<< /Type /ObjStm /N ${packed.length} /First ${header.length} /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`
}

/** Rows of 1, 4 and 2 bytes, each predicted from the row above (PNG "up"), as most writers do. */
function xrefStream(num: number, rows: ReadonlyMap<number, [number, number, number]>, trailer: string): string {
  const numbers = [...rows.keys()].sort((a, b) => a - b)
  const index = numbers.map((listed) => `${listed} 1`).join(' ')
  let above = Buffer.alloc(7)
  const encoded = numbers.map((listed) => {
    const [type, second, third] = rows.get(listed)!
    const row = Buffer.alloc(7)
    row[0] = type
    row.writeUInt32BE(second, 1)
    row.writeUInt16BE(third, 5)
    const up = Buffer.from([2, ...row.map((byte, i) => (byte - above[i]!) & 255)])
    above = row
    return up
  })
  const data = deflateSync(Buffer.concat(encoded)).toString('latin1')
  const parameters = '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 7 >>'
  return `${num} 0 obj\n<< /Type /XRef /W [1 4 2] /Index [${index}] ${parameters} /Length ${data.length} ${trailer} >>\nstream\n${data}\nendstream\nendobj\n`
}

/** A hybrid file: the font is in an object stream that only the stream behind /XRefStm knows. */
export function hybridPdf(options: SampleOptions = {}): Buffer {
  const objects = new Map(sampleObjects(options))
  const font = objects.get(3)!
  objects.delete(3)
  const containerNum = Math.max(...objects.keys()) + 1
  objects.set(containerNum, objectStream([[3, font]]))
  const body = bodyOf(objects, `%PDF-${options.version ?? '1.7'}\n%\xe2\xe3\xcf\xd3\n`, '\n')
  const xrefNum = containerNum + 1
  const hidden = new Map<number, [number, number, number]>([[3, [2, containerNum, 0]]])
  const text = body.text + xrefStream(xrefNum, hidden, `/Size ${xrefNum + 1} /Root 1 0 R`)
  const table = tableOf(body.offsets, '\n', [0, 3, xrefNum])
  return latin1(
    `${text}${table}trailer\n<< /Size ${xrefNum + 1} /Root 1 0 R ${ID} /XRefStm ${body.text.length} >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

/** Adds a revision with these objects, in table form. */
export function withRevision(pdf: Uint8Array, objects: Readonly<Record<number, string>>, trailer = ''): Buffer {
  const before = Buffer.from(pdf).toString('latin1')
  const previous = before
    .slice(before.lastIndexOf('startxref') + 9)
    .trim()
    .split(/\s/)[0]
  const size = Math.max(
    Number(/.*\/Size (\d+)/s.exec(before)![1]),
    ...Object.keys(objects).map((num) => Number(num) + 1),
  )
  const entries = new Map(Object.entries(objects).map(([num, text]) => [Number(num), text]))
  const body = bodyOf(entries, '', '\n', before.length)
  const table = tableOf(body.offsets, '\n', [])
  return latin1(
    `${before}${body.text}${table}trailer\n<< /Size ${size} /Root 1 0 R /Prev ${previous} ${ID} ${trailer} >>\nstartxref\n${before.length + body.text.length}\n%%EOF\n`,
  )
}

/** Runs qpdf on a file, such as with `--linearize`. */
export function throughQpdf(pdf: Uint8Array, ...options: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-test-'))
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    execFileSync('qpdf', [...options, join(folder, 'in.pdf'), join(folder, 'out.pdf')])
    return readFileSync(join(folder, 'out.pdf'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Every kind of container that the reader knows, by name. */
export const containerKinds: Readonly<Record<string, () => Buffer>> = {
  'classic table': () => tablePdf({ pages: 2 }),
  'classic table with CR LF line ends': () => tablePdf({}, '\r\n'),
  'classic table with CR line ends': () => tablePdf({}, '\r'),
  'cross-reference and object streams': () => streamPdf({ pages: 2 }),
  hybrid: () => hybridPdf(),
  'several revisions': () => withRevision(withRevision(tablePdf(), { 3: revisedFont }), { 3: revisedFont }),
  'object streams made by qpdf': () => throughQpdf(tablePdf({ pages: 3 }), '--object-streams=generate'),
  'linearised by qpdf': () => throughQpdf(tablePdf({ pages: 3 }), '--linearize'),
  'linearised with object streams': () =>
    throughQpdf(tablePdf({ pages: 3 }), '--linearize', '--object-streams=generate'),
  'qdf form of qpdf': () => throughQpdf(tablePdf({ pages: 2 }), '--qdf'),
  'no line end after the end marker': () => tablePdf().subarray(0, -1),
  'garbage after the end marker': () => Buffer.concat([tablePdf(), Buffer.from('\0\0\r\n  trailing bytes')]),
}

const revisedFont = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>'
