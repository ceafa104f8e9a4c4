import { EngineError } from '../errors/engine-error.ts'
import { ObjectParser } from './object-parser.ts'
import { MemorySource, type PdfSource } from './pdf-source.ts'

/** Bytes of a file that are read for one object, first and at most; most objects have less than a kilobyte. */
const FIRST = 16 * 1024
const MOST = 64 * 1024 * 1024

/** A token that ends so close to the end of what was read may go on behind it. */
const MARGIN = 16

/** Bytes that are read again because an object is longer: only a crafted file comes near. */
const READ_AGAIN = 4 * 1024 * 1024 * 1024
const readAgain = new WeakMap<PdfSource, number>()

/** Reads what stands at an offset: in memory as it is, of a file as many bytes as it turns out to have. */
export function readWithin<T>(source: PdfSource, offset: number, read: (parser: ObjectParser) => T): T {
  if (source instanceof MemorySource) return read(new ObjectParser(source.bytes, offset, true))
  for (let size = FIRST; ; size *= 8) {
    const end = Math.min(source.length, offset + size)
    const parser = new ObjectParser(source.read(offset, end), 0, true, offset)
    if (end === source.length || size >= MOST || !mayReadAgain(source, size)) return read(parser)
    const result = attempt(() => read(parser))
    if (result && parser.pos + MARGIN < parser.bytes.length) return result.value
  }
}

function mayReadAgain(source: PdfSource, size: number): boolean {
  const bytes = (readAgain.get(source) ?? 0) + (size === FIRST ? 0 : size)
  readAgain.set(source, bytes)
  return bytes < READ_AGAIN
}

/** What is cut off by the end of the bytes looks damaged. */
function attempt<T>(read: () => T): { readonly value: T } | undefined {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}
