/** A part of a file, as with `slice`; `whole` where no part is asked for, `none` where there is no such part. */
export type AskedRange = 'whole' | 'none' | { readonly start: number; readonly end: number }

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** One range of bytes (RFC 9110 §14.1.2). Several, and what is no range, count as none asked for, as the RFC allows. */
export function askedRange(header: string | undefined, size: number): AskedRange {
  const [, first, last] = RANGE.exec(header?.trim() ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') return suffix(Number(last), size)
  const start = Number(first)
  if (start >= size) return 'none'
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  return end > start ? { start, end } : 'whole'
}

const suffix = (length: number, size: number): AskedRange =>
  length === 0 || size === 0 ? 'none' : { start: Math.max(0, size - length), end: size }
