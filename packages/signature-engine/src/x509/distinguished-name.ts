import { type DerValue, readDer } from '../der/der-value.ts'
import { tags } from '../der/tags.ts'
import { relativeNameKey } from './name-comparison.ts'
import { attributeNames } from './oids.ts'

export interface NameAttribute {
  readonly oid: string
  readonly value: string
}

/** A name in a certificate, with its bytes. Names are compared as RFC 5280 §7.1 says, shown as text. */
export class DistinguishedName {
  readonly der: Buffer
  #attributes: readonly NameAttribute[] | undefined
  #key: string | undefined

  constructor(der: Buffer) {
    this.der = der
  }

  /** Every attribute in the order of the encoding. */
  get attributes(): readonly NameAttribute[] {
    this.#attributes ??= readDer(this.der).expect(tags.sequence).members().flatMap(attributesOf)
    return this.#attributes
  }

  /** The last attribute of this type: the most specific one, as RFC 4514 orders names. */
  attribute(oid: string): string | undefined {
    return this.attributes.findLast((attribute) => attribute.oid === oid)?.value
  }

  get commonName(): string | undefined {
    return this.attribute('2.5.4.3')
  }

  get country(): string | undefined {
    return this.attribute('2.5.4.6')
  }

  get organization(): string | undefined {
    return this.attribute('2.5.4.10')
  }

  /** Equal names have equal keys in a map, and the key of a name begins with the key of every name above it. */
  get key(): string {
    this.#key ??= keyOf(this.der)
    return this.#key
  }

  equals(other: DistinguishedName): boolean {
    return this.der.equals(other.der) || this.key === other.key
  }

  /** Whether this name is the other one or below it. */
  isWithin(other: DistinguishedName): boolean {
    return this.key.startsWith(other.key)
  }

  /** RFC 4514: the most specific attribute first. XML signatures name issuers this way. */
  toString(): string {
    return readDer(this.der)
      .members()
      .toReversed()
      .map((relative) => attributesOf(relative).map(assertion).join('+'))
      .join(',')
  }
}

/** Names of authorities repeat with every certificate; longer ones than this are nobody's. */
const MAX_REMEMBERED_BYTES = 1_024
const MAX_REMEMBERED = 2_048
const remembered = new Map<string, string>()

/** The key of a name, remembered by its bytes; the oldest is dropped first. */
function keyOf(der: Buffer): string {
  const bytes = der.toString('latin1')
  const known = remembered.get(bytes)
  if (known !== undefined) return known
  const key = relativeNames(der).map(relativeNameKey).join('')
  if (der.length > MAX_REMEMBERED_BYTES) return key
  if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
  remembered.set(bytes, key)
  return key
}

const relativeNames = (der: Buffer): DerValue[] =>
  readDer(der)
    .expect(tags.sequence)
    .members()
    .map((relativeName) => relativeName.expect(tags.set))

function attributesOf(relativeName: DerValue): NameAttribute[] {
  return relativeName
    .expect(tags.set)
    .members()
    .map((pair) => {
      const [type, value] = pair.expect(tags.sequence).members()
      if (!type || !value) throw pair.bad('name attribute')
      return { oid: type.oid(), value: value.isText() ? value.text() : `#${value.raw.toString('hex')}` }
    })
}

const assertion = ({ oid, value }: NameAttribute): string => `${attributeNames[oid] ?? oid}=${escaped(value)}`

// RFC 4514 §2.4: specials anywhere, a space or number sign in front, a space behind, NUL as hexadecimal. A value that
// is no string is shown as `#` and its encoding.
function escaped(value: string): string {
  if (/^#([0-9a-f]{2})+$/.test(value)) return value
  return value
    .replace(/[\\",+;<>=]/g, '\\$&')
    .replaceAll('\0', '\\00')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
}
