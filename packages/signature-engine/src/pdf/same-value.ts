import {
  isArray,
  isDict,
  isRef,
  isStream,
  isString,
  nameOf,
  type PdfDict,
  type PdfObject,
  sameRef,
} from './pdf-object.ts'

/** Whether two values are the same as written: references are compared, not followed. Depth is bounded by the parser. */
export function sameValue(a: PdfObject, b: PdfObject): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((element, i) => sameValue(element, b[i]!))
  if (isDict(a)) return isDict(b) && changedKeys(a, b).length === 0
  if (isRef(a)) return isRef(b) && sameRef(a, b)
  if (isString(a)) return isString(b) && Buffer.compare(a.bytes, b.bytes) === 0
  if (isStream(a)) return isStream(b) && Buffer.compare(a.raw, b.raw) === 0 && sameValue(a.dict, b.dict)
  return nameOf(a) === nameOf(b)
}

/** Keys whose values differ; absent and null are the same (ISO 32000-1 §7.3.7). */
export function changedKeys(a: PdfDict, b: PdfDict): string[] {
  const keys = [...a.keys()].filter((key) => !sameValue(a.get(key)!, b.get(key) ?? null))
  for (const [key, value] of b) if (!a.has(key) && value !== null) keys.push(key)
  return keys
}

/** Whether `b` only adds to `a`: more entries in dictionaries, nothing else. */
export function onlyGrows(a: PdfObject, b: PdfObject): boolean {
  if (!isDict(a) || !isDict(b)) return sameValue(a, b)
  return [...a].every(([key, value]) => onlyGrows(value, b.get(key) ?? null))
}
