import { requireArguments } from '../errors/arguments.ts'

/** The part of ISO 19005 that a file says it conforms to. */
export interface ClaimedLevel {
  readonly part: string
  /** Empty where part 4 has none. */
  readonly conformance: string
}

const NAMESPACE = 'http://www.aiim.org/pdfa/ns/id/'

/** Reads the claim out of an XMP packet, whichever prefix it has and whether it is written as elements or attributes. */
export function claimedLevel(packet: Uint8Array): ClaimedLevel | undefined {
  requireArguments('claimedLevel', { packet: [packet, 'bytes'] })
  const text = decoded(packet)
  const [, prefix] = new RegExp(`xmlns:([\\w.-]+)\\s*=\\s*["']${NAMESPACE}["']`).exec(text) ?? []
  if (prefix === undefined) return undefined
  const part = property(text, prefix, 'part')
  return part === undefined
    ? undefined
    : { part, conformance: property(text, prefix, 'conformance')?.toUpperCase() ?? '' }
}

function property(text: string, prefix: string, name: string): string | undefined {
  const qualified = `${prefix.replaceAll('.', '\\.')}:${name}`
  const [, element] = new RegExp(`<${qualified}\\s*>\\s*([A-Za-z0-9]{1,3})\\s*<`).exec(text) ?? []
  const [, attribute] = new RegExp(`\\s${qualified}\\s*=\\s*["']\\s*([A-Za-z0-9]{1,3})\\s*["']`).exec(text) ?? []
  return element ?? attribute
}

/** XMP is UTF-8 or UTF-16 in either order. */
function decoded(packet: Uint8Array): string {
  const bytes = Buffer.from(packet)
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le')
  return bytes.toString('utf8')
}
