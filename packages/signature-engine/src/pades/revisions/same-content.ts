import type { PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, isRef, isStream, type PdfDict, type PdfObject, sameRef } from '../../pdf/pdf-object.ts'
import { changedKeys, sameValue } from '../../pdf/same-value.ts'
import type { WorkLimit } from './work-limit.ts'

/** References followed below one value: resources have some, whole documents have more. */
const MAX_DEPTH = 12

/**
 * Whether two revisions say the same, however it is written: directly or by reference, in one object or another. A
 * reference to the same object is the same; whether that was overwritten is asked where it is.
 */
export class SameContent {
  private readonly before: PdfView
  private readonly after: PdfView
  private readonly limit: WorkLimit

  constructor(before: PdfView, after: PdfView, limit: WorkLimit) {
    this.before = before
    this.after = after
    this.limit = limit
  }

  /** Keys of dictionaries whose values say something else. */
  changedKeys(old: PdfDict, now: PdfDict): string[] {
    return changedKeys(old, now).filter((key) => !this.isSame(old.get(key) ?? null, now.get(key) ?? null))
  }

  isSame(old: PdfObject, now: PdfObject, depth = 0): boolean {
    this.limit.spend()
    if (isRef(old) && isRef(now) && sameRef(old, now)) return true
    if (depth > MAX_DEPTH) return false
    const [a, b] = [this.before.resolve(old), this.after.resolve(now)]
    if (isArray(a))
      return isArray(b) && a.length === b.length && a.every((one, i) => this.isSame(one, b[i]!, depth + 1))
    if (isDict(a)) return isDict(b) && this.sameEntries(a, b, depth)
    if (isStream(a)) return isStream(b) && Buffer.compare(a.raw, b.raw) === 0 && this.sameEntries(a.dict, b.dict, depth)
    return sameValue(a, b)
  }

  private sameEntries(a: PdfDict, b: PdfDict, depth: number): boolean {
    const keys = new Set([...a.keys(), ...b.keys()])
    return [...keys].every((key) => this.isSame(a.get(key) ?? null, b.get(key) ?? null, depth + 1))
  }
}
