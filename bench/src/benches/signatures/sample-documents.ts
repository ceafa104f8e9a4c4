// Documents of known size and shape, the same in every run, so that runs are comparable.

interface PdfShape {
  /** Pages, each with a content stream of its own. */
  readonly streams: number
  readonly streamBytes: number
  /** Further small objects, as forms and tagged documents have by the thousand; default none. */
  readonly smallObjects?: number
  readonly smallObjectBytes?: number
}

/** The shapes of the speed targets, all with a classic cross-reference table. */
const pdfShapes = {
  '20 KB': { streams: 2, streamBytes: 9_400 },
  '1 MB': { streams: 40, streamBytes: 24_700 },
  '1 MB, 4,000 objects': { streams: 2, streamBytes: 20_000, smallObjects: 4_000, smallObjectBytes: 212 },
  '10 MB': { streams: 100, streamBytes: 99_800 },
} as const satisfies Record<string, PdfShape>

/** A document that is created on first use: declaring a benchmark must cost nothing. */
export type Sample = () => Buffer

const remembered = (make: () => Buffer): Sample => {
  let made: Buffer | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The PDF files of the speed targets. */
export const pdfSamples = Object.fromEntries(
  Object.entries(pdfShapes).map(([name, shape]) => [name, remembered(() => pdfOf(shape))]),
) as Readonly<Record<keyof typeof pdfShapes, Sample>>

/** The XML documents. */
export const xmlSamples = {
  '5 KB': remembered(() => xmlOf(5_000)),
  '500 KB': remembered(() => xmlOf(500_000)),
} as const

/** 20 KB to be signed as they are. */
export const contentSample: Sample = remembered(() => noise(20_000, 7))

/** A PDF with a classic cross-reference table. */
function pdfOf({ streams, streamBytes, smallObjects = 0, smallObjectBytes = 0 }: PdfShape): Buffer {
  const pageNumbers = Array.from({ length: streams }, (_, i) => 4 + 2 * i)
  const objects: Buffer[] = [
    text('<< /Type /Catalog /Pages 2 0 R >>'),
    text(`<< /Type /Pages /Kids [${pageNumbers.map((num) => `${num} 0 R`).join(' ')}] /Count ${streams} >>`),
    text('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...pageNumbers.flatMap((num, i) => [page(num + 1), contentStream(streamBytes, i)]),
    ...Array.from({ length: smallObjects }, (_, i) => smallObject(i, smallObjectBytes)),
  ]
  return withTable(objects)
}

const page = (content: number): Buffer =>
  text(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} 0 R >>`,
  )

function contentStream(bytes: number, index: number): Buffer {
  const drawing = text(`BT /F1 12 Tf 72 700 Td (Page ${index + 1}) Tj ET\n%`)
  const filling = noise(bytes - drawing.length - 1, index)
  return Buffer.concat([text(`<< /Length ${bytes} >>\nstream\n`), drawing, filling, text('\n\nendstream')])
}

const smallObject = (index: number, bytes: number): Buffer => {
  const head = `<< /Type /StructElem /S /P /K ${index} /ActualText (`
  return text(`${head}${'x'.repeat(Math.max(0, bytes - head.length - 4))}) >>`)
}

function withTable(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let at = parts[0]!.length
  for (const [index, object] of objects.entries()) {
    const written = Buffer.concat([text(`${index + 1} 0 obj\n`), object, text('\nendobj\n')])
    offsets.push(at)
    parts.push(written)
    at += written.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...parts, text(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${trailer}`)])
}

/** Printable noise, because real streams are compressed and the samples must not be cheaper to hash or search. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, length))
  let state = seed + 1
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = 0x23 + ((state >>> 16) % 90)
  }
  return bytes
}

/** An invoice-like XML document of about this many bytes, with attributes, namespaces and references to resolve. */
function xmlOf(bytes: number): Buffer {
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<invoice xmlns="urn:example:invoice" xmlns:t="urn:example:tax" Id="inv1">\n'
  const rows: string[] = []
  for (let size = head.length, i = 1; size < bytes - 11; i++) {
    const row = `  <item number="${i}" unit="UN"><code>P-${i * 7}</code><name>Pão &amp; café nº ${i}</name><t:value rate="18.00">${(i * 1.37).toFixed(2)}</t:value></item>\n`
    rows.push(row)
    size += Buffer.byteLength(row)
  }
  return Buffer.from(`${head}${rows.join('')}</invoice>\n`)
}

const text = (content: string): Buffer => Buffer.from(content, 'latin1')
