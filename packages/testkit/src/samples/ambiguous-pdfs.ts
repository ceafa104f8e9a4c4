// Files that two readers may understand as two documents: each says `SHOWN` where the cross-reference leads, and `HIDDEN`
// where a reader gets that goes through the file in another way.

/** What the one reading says, and what only another reading would say. */
export const SHOWN = 'PAY 100 REAIS'
export const HIDDEN = 'PAY 1000000 REAIS'

/** A file, and what is to be made of it: it is read in the one way, or refused by name. */
export interface AmbiguousPdf {
  readonly make: () => Buffer
  readonly verdict: 'read' | 'ambiguous' | 'damaged'
}

type Objects = readonly (readonly [num: number, text: string])[]

const saying = (text: string): string => stream(`BT /F1 24 Tf 72 700 Td (${text}) Tj ET`)

const stream = (data: string, entries = ''): string =>
  `<< /Length ${data.length} ${entries}>>\nstream\n${data}\nendstream`

const page = (contents: string, more = ''): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents ${contents} ${more}>>`

/** 1 catalog, 2 page tree, 3 page, 4 what it says, 5 font. */
const objects = (over: Readonly<Record<number, string>> = {}): Objects =>
  Object.entries({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: page('4 0 R'),
    4: saying(SHOWN),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...over,
  }).map(([num, text]) => [Number(num), text])

interface Layout {
  /** In the file and not in its cross-reference, behind the others. */
  readonly unlisted?: Objects
  /** Rows of the table that are not as they should be: another object's, or free. */
  readonly rows?: Readonly<Record<number, number | 'free'>>
  readonly trailer?: string
  readonly behind?: string
}

function pdf(listed: Objects, { unlisted = [], rows = {}, trailer = '', behind = '' }: Layout = {}): Buffer {
  const body = bodyOf([...listed, ...unlisted], '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  const offsets = new Map(listed.map(([num], index) => [num, body.offsets[index]!]))
  const table = tableOf(offsets, rows)
  const size = Math.max(...offsets.keys(), ...Object.keys(rows).map(Number)) + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${body.text.length}\n%%EOF\n`
  return Buffer.from(`${body.text}${table}${end}${behind}`, 'latin1')
}

function bodyOf(all: Objects, head: string): { readonly text: string; readonly offsets: readonly number[] } {
  let text = head
  const offsets = all.map(([num, object]) => {
    const at = text.length
    text += `${num} 0 obj\n${object}\nendobj\n`
    return at
  })
  return { text, offsets }
}

function tableOf(offsets: ReadonlyMap<number, number>, rows: Layout['rows'] = {}): string {
  const numbers = [...new Set([...offsets.keys(), ...Object.keys(rows).map(Number)])].sort((a, b) => a - b)
  const rowOf = (num: number): string => {
    const row = rows[num] ?? num
    return row === 'free' ? '0000000000 65535 f \n' : `${String(offsets.get(row)).padStart(10, '0')} 00000 n \n`
  }
  return `xref\n0 1\n0000000000 65535 f \n${numbers.map((num) => `${num} 1\n${rowOf(num)}`).join('')}`
}

/** A later revision of the file: what it has anew, and what its trailer says besides. */
function revised(before: Buffer, listed: Objects, trailer = ''): Buffer {
  const text = before.toString('latin1')
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]
  const body = bodyOf(listed, text)
  const table = tableOf(new Map(listed.map(([num], index) => [num, body.offsets[index]!])))
  const end = `trailer\n<< /Size 20 /Root 1 0 R /Prev ${previous} ${trailer}>>\nstartxref\n${body.text.length}\n%%EOF\n`
  return Buffer.from(`${body.text}${table}${end}`, 'latin1')
}

/** An object stream with one object in it. */
function holding(num: number, object: string): string {
  const head = `${num} 0 `
  return stream(head + object, `/Type /ObjStm /N 1 /First ${head.length} `)
}

/** A table completed by a stream that has the page elsewhere; what the table itself says of the page differs. */
function hybrid(inTable: 'listed' | 'free' | 'absent', said: { readonly inTable: string; readonly inStream: string }) {
  const listed = [
    ...objects({ 4: saying(said.inTable), 6: saying(said.inStream), 7: holding(3, page('6 0 R')) }),
    [8, stream('\x02\0\0\0\x07\0\0', '/Type /XRef /W [1 4 2] /Index [3 1] /Size 9 /Root 1 0 R ')] as const,
  ]
  const at = bodyOf(listed, '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n').offsets.at(-1)
  const plain = pdf(listed, { trailer: `/XRefStm ${at} `, ...(inTable === 'free' && { rows: { 3: 'free' } as const }) })
  return inTable === 'absent' ? withoutRow(plain, 3) : plain
}

/** Without the row of an object: a subsection of none in its place, padded to the same length. */
const withoutRow = (file: Buffer, num: number): Buffer =>
  Buffer.from(file.toString('latin1').replace(new RegExp(`\\n${num} 1\\n\\d{10} 00000 n \\n`), '\n'), 'latin1')

const twice = (first: string, second: string) => page(first, `/Contents ${second} `)

/** Two pages in the tree, of which the second says what the first does not. */
const twoPages = (count: number): Objects =>
  objects({
    2: `<< /Type /Pages /Kids [3 0 R 6 0 R] /Count ${count} >>`,
    6: page('7 0 R'),
    7: saying(HIDDEN),
  })

export const ambiguousPdfs: Readonly<Record<string, AmbiguousPdf>> = {
  'an object again, outside the cross-reference': {
    make: () => pdf(objects(), { unlisted: [[4, saying(HIDDEN)]] }),
    verdict: 'read',
  },
  'an object stream outside the cross-reference that has the page again': {
    make: () => pdf(objects({ 6: saying(HIDDEN) }), { unlisted: [[7, holding(3, page('6 0 R'))]] }),
    verdict: 'read',
  },
  'an object stream in the cross-reference that has the page again': {
    make: () => pdf(objects({ 6: saying(HIDDEN), 7: holding(3, page('6 0 R')) })),
    verdict: 'read',
  },
  'a picture of the catalog that calls itself an object stream': {
    make: () =>
      pdf(
        objects({
          1: '<< /Type /Catalog /Pages 2 0 R /Metadata 7 0 R /Other 6 0 R >>',
          6: saying(HIDDEN),
          7: holding(3, page('6 0 R')),
        }),
      ),
    verdict: 'read',
  },
  'a second catalog outside the cross-reference, with a trailer of its own': {
    make: () => {
      const behind = `${
        bodyOf(
          [
            [11, '<< /Type /Catalog /Pages 12 0 R >>'],
            [12, '<< /Type /Pages /Kids [13 0 R] /Count 1 >>'],
            [13, page('14 0 R')],
            [14, saying(HIDDEN)],
          ],
          '',
        ).text
      }trailer\n<< /Size 15 /Root 11 0 R >>\n`
      const file = pdf(objects()).toString('latin1')
      return Buffer.from(file.replace(/startxref\n/, `${behind}startxref\n`), 'latin1')
    },
    verdict: 'read',
  },
  'a later revision that replaces what the page says': {
    make: () => revised(pdf(objects({ 4: saying(HIDDEN) })), [[4, saying(SHOWN)]]),
    verdict: 'read',
  },
  'an earlier revision that is behind the later one in the file': {
    make: () => {
      const shown = pdf(objects())
      const at = /startxref\n(\d+)/.exec(shown.toString('latin1'))![1]
      const text = revised(shown, [[4, saying(HIDDEN)]]).toString('latin1')
      return Buffer.from(text.replace(/startxref\n\d+\n%%EOF\n$/, `startxref\n${at}\n%%EOF\n`), 'latin1')
    },
    verdict: 'read',
  },
  'a table and a stream that both have the page': {
    make: () => hybrid('listed', { inTable: SHOWN, inStream: HIDDEN }),
    verdict: 'read',
  },
  'a page that the stream behind the table alone has': {
    make: () => hybrid('absent', { inTable: HIDDEN, inStream: SHOWN }),
    verdict: 'read',
  },
  'a page that the table calls free and the stream behind it has': {
    make: () => hybrid('free', { inTable: HIDDEN, inStream: SHOWN }),
    verdict: 'ambiguous',
  },
  'a key twice in a dictionary': {
    make: () => pdf(objects({ 3: twice('4 0 R', '6 0 R'), 6: saying(HIDDEN) })),
    verdict: 'damaged',
  },
  'a key twice, once with its letters escaped': {
    make: () => pdf(objects({ 3: page('4 0 R', '/Content#73 6 0 R '), 6: saying(HIDDEN) })),
    verdict: 'damaged',
  },
  'a row that leads to an object of another number': {
    make: () => pdf(objects({ 6: saying(HIDDEN) }), { rows: { 4: 6 } }),
    verdict: 'damaged',
  },
  'two rows for one object': {
    make: () => {
      const file = pdf(objects({ 6: saying(HIDDEN) })).toString('latin1')
      const row = /\n6 1\n(\d{10} 00000 n \n)/.exec(file)![1]
      return Buffer.from(file.replace('trailer\n', `4 1\n${row}trailer\n`), 'latin1')
    },
    verdict: 'ambiguous',
  },
  'a stream that is longer than it says': {
    make: () => pdf(objects({ 4: saying(SHOWN).replace(/Length \d+/, 'Length 9') })),
    verdict: 'damaged',
  },
  'contents that the cross-reference does not have': {
    make: () => pdf(objects({ 3: page('[4 0 R 9 0 R]') }), { unlisted: [[9, saying(HIDDEN)]] }),
    verdict: 'ambiguous',
  },
  'a reference that leads nowhere, and an object again outside the cross-reference': {
    make: () => pdf(objects({ 3: page('4 0 R', '/Annots [9 0 R] ') }), { unlisted: [[4, saying(HIDDEN)]] }),
    verdict: 'ambiguous',
  },
  'a reference that leads nowhere, and nothing else': {
    make: () => pdf(objects({ 3: page('4 0 R', '/Annots [9 0 R] ') })),
    verdict: 'read',
  },
  'a reference of another generation': {
    make: () => pdf(objects({ 3: page('4 0 R', '/Annots [4 7 R] ') })),
    verdict: 'ambiguous',
  },
  'an object that is a reference to another': {
    make: () => pdf(objects({ 3: page('6 0 R'), 6: '4 0 R' })),
    verdict: 'ambiguous',
  },
  'more pages than the tree says': { make: () => pdf(twoPages(1)), verdict: 'ambiguous' },
  'fewer pages than the tree says': { make: () => pdf(twoPages(3)), verdict: 'ambiguous' },
  'a page with pages below it': {
    make: () =>
      pdf(
        objects({
          3: page('4 0 R', '/Kids [6 0 R] /Count 1 '),
          6: page('7 0 R').replace('2 0 R', '3 0 R'),
          7: saying(HIDDEN),
        }),
      ),
    verdict: 'ambiguous',
  },
  'a page that names another parent': {
    make: () =>
      pdf(
        objects({
          3: page('4 0 R').replace('/Parent 2 0 R', '/Parent 6 0 R'),
          6: '<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 5 0 R >> >> >>',
        }),
      ),
    verdict: 'ambiguous',
  },
  'pages that do not say what they are': {
    make: () =>
      pdf(
        objects({
          2: '<< /Kids [3 0 R] /Count 1 >>',
          3: page('4 0 R').replace('/Type /Page ', ''),
          6: page('7 0 R'),
          7: saying(HIDDEN),
        }),
      ),
    verdict: 'read',
  },
  'bytes behind the end that hide where it begins': {
    make: () => pdf(objects(), { unlisted: [[4, saying(HIDDEN)]], behind: '\n'.repeat(1500) }),
    verdict: 'ambiguous',
  },
}
