/** What a hand-made revision appends: objects, and cross-reference rows that no legitimate writer would make. */
export interface RawUpdate {
  readonly objects?: Readonly<Record<number, string>>
  /** Numbers to free. */
  readonly free?: readonly number[]
  /** Numbers and the offsets they are to have. */
  readonly pointed?: Readonly<Record<number, number>>
  /** Default 1, the catalog that is there. */
  readonly root?: number
  /** Default: the section before. */
  readonly previous?: number
}

/** Appends a revision with a cross-reference table, as a text editor could. */
export function rawUpdate(pdf: Uint8Array, update: RawUpdate): Buffer {
  const before = Buffer.from(pdf).toString('latin1')
  const { text, offsets } = bodyOf(update.objects ?? {}, before.length)
  const rows = new Map<number, string>()
  for (const [num, at] of offsets) rows.set(num, used(at))
  for (const [num, at] of Object.entries(update.pointed ?? {})) rows.set(Number(num), used(at))
  for (const num of update.free ?? []) rows.set(num, '0000000000 00001 f \n')
  const table = [...rows].sort(([a], [b]) => a - b).map(([num, row]) => `${num} 1\n${row}`)
  const at = before.length + text.length
  const trailer = `<< /Size 100000 /Root ${update.root ?? 1} 0 R /Info 115 0 R /Prev ${update.previous ?? lastSection(before)} >>`
  const tail = `xref\n${table.join('')}trailer\n${trailer}\nstartxref\n${at}\n%%EOF\n`
  return Buffer.from(before + text + tail, 'latin1')
}

function bodyOf(objects: Readonly<Record<number, string>>, from: number) {
  let text = ''
  const offsets = new Map<number, number>()
  for (const [num, body] of Object.entries(objects)) {
    offsets.set(Number(num), from + text.length)
    text += `${num} 0 obj\n${body}\nendobj\n`
  }
  return { text, offsets }
}

const used = (offset: number): string => `${String(offset).padStart(10, '0')} 00000 n \n`

/** Where the newest cross-reference section of a file is. */
export const lastSection = (pdf: string): number => Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf)![1])

/** The newest text of an object, as it stands in the file. */
export function currentText(pdf: Uint8Array, num: number): string {
  const found = Buffer.from(pdf)
    .toString('latin1')
    .matchAll(new RegExp(`\\n${num} 0 obj\\s*(.*?)\\s*endobj`, 'gs'))
  return [...found].at(-1)![1]!
}

/** The newest text of a page with one more annotation. */
export const pageWith = (pdf: Uint8Array, num: number, annotation: string): string =>
  currentText(pdf, num).replace('/Annots [', `/Annots [${annotation} `)

/** The newest text of an object without a reference to another. */
export const without = (pdf: Uint8Array, num: number, reference: number): string =>
  currentText(pdf, num).replace(new RegExp(`\\b${reference} 0 R`), '')
