/** PDF text, one character per byte (ISO 32000-1 §7.3): what an object looks like in the file. */
export type PdfText = string

/** The number of an indirect object. */
export type ObjectNumber = number & { readonly kind?: 'object' }

export const ref = (object: ObjectNumber): PdfText => `${object} 0 R`

/** A dictionary; what is undefined is left out. */
export const dict = (entries: Readonly<Record<string, PdfText | number | undefined>>): PdfText =>
  `<<${Object.entries(entries)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `/${key} ${typeof value === 'number' ? number(value) : value}`)
    .join(' ')}>>`

export const array = (values: readonly (PdfText | number)[]): PdfText =>
  `[${values.map((value) => (typeof value === 'number' ? number(value) : value)).join(' ')}]`

/** At most three decimals: then no number is so small that JavaScript would write an exponent, which PDF has not (§7.3.3). */
export function number(value: number): PdfText {
  if (!Number.isFinite(value)) throw new TypeError('a PDF number must be finite')
  return String(Math.round(value * 1000) / 1000)
}

export const hexString = (bytes: Uint8Array): PdfText => `<${Buffer.from(bytes).toString('hex')}>`

/** A text string (§7.9.2.2) in UTF-16 with its mark. */
export const textString = (text: string): PdfText => hexString(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())

/** A string of plain characters: names of registries, dates. */
export const plainString = (text: string): PdfText => `(${text.replace(/[()\\]/g, '\\$&')})`
