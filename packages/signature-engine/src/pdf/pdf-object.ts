/** A name without its slash, `#xx` escapes resolved; one character per byte. */
export interface PdfName {
  readonly kind: 'name'
  readonly name: string
}

/** A string's bytes. `start` and `end` enclose the token, delimiters included, when it stands in the file itself. */
export interface PdfString {
  readonly kind: 'string'
  readonly bytes: Uint8Array
  readonly hex: boolean
  readonly start?: number
  readonly end?: number
}

/** A reference to an indirect object. */
export interface PdfRef {
  readonly kind: 'ref'
  readonly num: number
  readonly gen: number
}

/** A stream with its data as stored; `PdfView.decode` undoes the filters. `start` is the data's offset in the file. */
export interface PdfStream {
  readonly kind: 'stream'
  readonly dict: PdfDict
  readonly raw: Uint8Array
  readonly start?: number
}

export type PdfDict = ReadonlyMap<string, PdfObject>
export type PdfArray = readonly PdfObject[]
export type PdfObject = null | boolean | number | PdfName | PdfString | PdfRef | PdfStream | PdfArray | PdfDict

type Maybe = PdfObject | undefined

export const isDict = (value: Maybe): value is PdfDict => value instanceof Map
export const isArray = (value: Maybe): value is PdfArray => Array.isArray(value)
export const isRef = (value: Maybe): value is PdfRef => kindOf(value) === 'ref'
export const isStream = (value: Maybe): value is PdfStream => kindOf(value) === 'stream'
export const isString = (value: Maybe): value is PdfString => kindOf(value) === 'string'
export const isInteger = (value: Maybe): value is number => Number.isSafeInteger(value)

/** The text of a name; undefined for any other value. */
export const nameOf = (value: Maybe): string | undefined =>
  kindOf(value) === 'name' ? (value as PdfName).name : undefined

export const name = (text: string): PdfName => ({ kind: 'name', name: text })
export const ref = (num: number, gen = 0): PdfRef => ({ kind: 'ref', num, gen })
export const hexString = (bytes: Uint8Array): PdfString => ({ kind: 'string', bytes, hex: true })
export const dict = (entries: Readonly<Record<string, PdfObject>>): PdfDict => new Map(Object.entries(entries))

/** Whether two references name the same object. */
export const sameRef = (a: PdfRef, b: PdfRef): boolean => a.num === b.num && a.gen === b.gen

// Arrays and maps have no such property: reading it is faster than testing for it.
const kindOf = (value: Maybe): string | undefined =>
  typeof value === 'object' && value !== null ? (value as { readonly kind?: string }).kind : undefined
