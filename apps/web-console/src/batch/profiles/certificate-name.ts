/** What identifies a certificate to a user. Nothing here is verified; the service validates certificates. */
export interface CertificateName {
  /** The common name; of ICP-Brasil holders it ends with the CPF or CNPJ. */
  readonly holder: string
  /** ISO 8601. */
  readonly notAfter: string
}

/** The holder of a PEM certificate, and its expiry; undefined if it cannot be parsed. */
export function certificateName(pem: string): CertificateName | undefined {
  try {
    return read(Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, '')), (char) => char.charCodeAt(0)))
  } catch {
    // Any text may be between the lines of a PEM; the service reports what is wrong when it is saved.
    return undefined
  }
}

const VERSION = 0xa0

/** RFC 5280 §4.1: serial number, algorithm, issuer, validity, subject; a version may come first. */
function read(der: Uint8Array): CertificateName | undefined {
  const [certificate] = elements(der)
  const [toBeSigned] = elements(certificate!.content)
  const fields = elements(toBeSigned!.content).filter(({ tag }) => tag !== VERSION)
  const [, , , validity, subject] = fields
  const [, notAfter] = elements(validity!.content)
  const holder = commonName(subject!.content)
  return holder === undefined ? undefined : { holder, notAfter: timeOf(notAfter!) }
}

interface Element {
  readonly tag: number
  readonly content: Uint8Array
}

/** The consecutive elements of a DER content. */
function elements(der: Uint8Array): Element[] {
  const found: Element[] = []
  for (let at = 0; at < der.length; ) {
    const { start, length } = lengthAt(der, at + 1)
    if (start + length > der.length) throw new RangeError('An element is longer than what holds it.')
    found.push({ tag: der[at]!, content: der.subarray(start, start + length) })
    at = start + length
  }
  return found
}

/** Below 128 the byte is the length; else its low bits say how many bytes the length has. */
function lengthAt(der: Uint8Array, at: number): { start: number; length: number } {
  const first = der[at]!
  if (first < 0x80) return { start: at + 1, length: first }
  const start = at + 1 + (first & 0x7f)
  return { start, length: der.subarray(at + 1, start).reduce((sum, byte) => sum * 256 + byte, 0) }
}

const COMMON_NAME = '85,4,3'

function commonName(subject: Uint8Array): string | undefined {
  const attributes = elements(subject).flatMap(({ content }) => elements(content))
  const pairs = attributes.map(({ content }) => elements(content))
  const [, value] = pairs.find(([type]) => type?.content.join() === COMMON_NAME) ?? []
  return value && textOf(value)
}

const BMP_STRING = 0x1e

const textOf = ({ tag, content }: Element): string =>
  new TextDecoder(tag === BMP_STRING ? 'utf-16be' : 'utf-8').decode(content)

const UTC_TIME = 0x17

/** `yyMMddHHmmssZ` or `yyyyMMddHHmmssZ` (RFC 5280 §4.1.2.5: two digits below 50 are of this century). */
function timeOf(element: Element): string {
  const text = textOf(element)
  const full = element.tag === UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  return full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
}
