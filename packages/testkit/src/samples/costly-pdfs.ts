// Small files that cost much: what they inflate to, how many pages or objects they have.
import { constants, deflateRawSync } from 'node:zlib'

const MIB = 1024 * 1024

/**
 * A page that says `text`, and an object stream of so many megabytes of blanks. `listed`: the cross-reference has it, and
 * the page is in it; else there is nothing in it, and nothing leads to it.
 */
export function blanksPdf(text: string, megabytes: number, { listed }: { readonly listed: boolean }): Buffer {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>'
  const content = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`
  const data = blanks(listed ? `3 0 ${page}` : '', megabytes).toString('latin1')
  const objects = new Map([
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    ...(listed ? [] : [[3, page] as const]),
    [4, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [5, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    [6, `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`],
  ])
  let body = '%PDF-1.7\n'
  const rows = new Map<number, readonly [type: number, place: number]>(listed ? [[3, [2, 6]]] : [])
  for (const [num, object] of objects) {
    if (listed || num !== 6) rows.set(num, [1, body.length])
    body += `${num} 0 obj\n${object}\nendobj\n`
  }
  const row = (num: number): Buffer => {
    const [type, place] = rows.get(num) ?? [0, 0]
    const bytes = Buffer.from([type, 0, 0, 0, 0, 0, 0])
    bytes.writeUInt32BE(place, 1)
    return bytes
  }
  const xref = Buffer.concat([0, 1, 2, 3, 4, 5, 6].map(row)).toString('latin1')
  const entries = `/Type /XRef /W [1 4 2] /Size 7 /Root 1 0 R /Length ${xref.length}`
  const end = `8 0 obj\n<< ${entries} >>\nstream\n${xref}\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + end, 'latin1')
}

/** `head` and then blanks, compressed; made of one megabyte again and again, so that nobody needs the memory. */
function blanks(head: string, megabytes: number): Buffer {
  const pieceOf = (bytes: Uint8Array) => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH })
  const blank = Buffer.alloc(MIB, ' ')
  const megabyte = pieceOf(blank)
  const pieces = [Buffer.from([0x78, 0x9c]), pieceOf(Buffer.from(head))]
  for (let made = 0; made < megabytes; made++) pieces.push(megabyte)
  return Buffer.concat([...pieces, deflateRawSync(''), adler32(head, BigInt(megabytes) * BigInt(MIB))])
}

/** RFC 1950 §8: the checksum of `head` and so many blanks behind it. */
function adler32(head: string, count: bigint): Buffer {
  const [modulus, blank] = [65521n, 32n]
  let [a, b] = [1n, 0n]
  for (const byte of Buffer.from(head)) {
    a = (a + BigInt(byte)) % modulus
    b = (b + a) % modulus
  }
  b = (b + count * a + (blank * count * (count + 1n)) / 2n) % modulus
  a = (a + blank * count) % modulus
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(Number(b * 65536n + a))
  return sum
}

/** One page, and a catalog with so many empty strings: two bytes each in the file, a hundred times that in memory. */
export const crowdedPdf = (strings: number): Buffer => manyPagesPdf(1, `/Crowd [${'()'.repeat(strings)}]`)

/** So many pages, each an object of its own that says its number. */
export function manyPagesPdf(pages: number, catalog = ''): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => 4 + 2 * index)
  const objects: string[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog}>>`,
    `<< /Type /Pages /Kids [${numbers.map((num) => `${num} 0 R`).join(' ')}] /Count ${pages} /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const num of numbers) {
    const content = `BT /F1 24 Tf 72 700 Td (P ${num}) Tj ET`
    objects.push(`<< /Type /Page /Parent 2 0 R /Contents ${num + 1} 0 R >>`)
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  let length = 9
  const rows: string[] = []
  const texts = objects.map((object, index) => {
    rows.push(`${String(length).padStart(10, '0')} 00000 n \n`)
    const text = `${index + 1} 0 obj\n${object}\nendobj\n`
    length += text.length
    return text
  })
  const size = objects.length + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.from(
    `%PDF-1.7\n${texts.join('')}xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${end}`,
    'latin1',
  )
}
