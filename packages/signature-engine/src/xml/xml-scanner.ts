import { requireArguments } from '../errors/arguments.ts'
import { refuseXml } from './errors.ts'
import { type IndexTables, takeTables } from './index-tables.ts'
import {
  AMPERSAND,
  APOSTROPHE,
  attributeValue,
  BRACKET_CLOSE,
  CARRIAGE_RETURN,
  COLON,
  compareCodePoints,
  EQUALS,
  EXCLAMATION,
  GREATER,
  HYPHEN,
  isCharacter,
  isControl,
  isQualifiedName,
  isSpace,
  LESS,
  LINE_FEED,
  NAME_CLASS,
  NAME_COLON,
  NAME_START,
  NON_ASCII,
  PREDEFINED_ENTITIES,
  QUESTION,
  QUOTE,
  SEMICOLON,
  SLASH,
  SPACE,
  STOPS_TEXT,
  STOPS_VALUE,
} from './xml-characters.ts'
import { asUtf8, type Utf8Document } from './xml-encoding.ts'
import {
  ATTRIBUTE,
  EDIT,
  EDIT_KIND,
  ELEMENT,
  FLAG,
  NAMESPACE,
  NO_ELEMENT,
  NO_NAMESPACE,
  NO_PREFIX,
  UNBOUND,
  XML_NAMESPACE,
  XML_PREFIX,
  XMLNS_NAMESPACE,
  XMLNS_PREFIX,
  XmlIndex,
} from './xml-index.ts'

/** Limits of a document. */
export type XmlLimits = {
  /** Bytes of the document. Default 256 MiB. */
  readonly bytes: number
  /** Nested elements. Default 256, as in libxml2. */
  readonly depth: number
  /** Elements, attributes, comments, instructions, CDATA sections and pieces of text with references. Default 4 million. */
  readonly nodes: number
  /** Attributes and namespace declarations of one element. Default 1,024. */
  readonly attributes: number
}

const DEFAULT_LIMITS: XmlLimits = { bytes: 256 * 1024 * 1024, depth: 256, nodes: 4_000_000, attributes: 1024 }

const XML_URI = 'http://www.w3.org/XML/1998/namespace'
const XMLNS_URI = 'http://www.w3.org/2000/xmlns/'
const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:/

const [LOWER_A, LOWER_G, LOWER_L, LOWER_M, LOWER_P, LOWER_T] = [0x61, 0x67, 0x6c, 0x6d, 0x70, 0x74] as const

/** Two pieces of text to rewrite that are nearer than this are merged, so that a page of `>` makes few entries. */
const MERGE_DISTANCE = 16
/** Above this number of attributes duplicates are searched in a set instead of pairwise. */
const PAIRWISE_LIMIT = 12

/** Parses a document strictly, in one pass over its bytes, into an index for canonicalisation and validation. */
export function scanXml(input: Uint8Array, limits?: Partial<XmlLimits>): XmlIndex {
  requireArguments('scanXml', { input: [input, 'bytes'] })
  return scanner.scan(input, limits === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...limits })
}

const NO_BYTES = Buffer.alloc(0)
const NO_WORDS = new DataView(new ArrayBuffer(0))
const NO_TABLES: IndexTables = {
  elements: new Int32Array(0),
  attributes: new Int32Array(0),
  namespaces: new Int32Array(0),
  edits: new Int32Array(0),
  rewrites: new Int32Array(0),
}

/**
 * Columns of the table of earlier names. Documents repeat few names: for one that equals an earlier one, compared four
 * bytes at a time, its characters, its colon and its prefix need no further check.
 */
const NAME = {
  /** Offset of the earlier name; 0 for an empty row, since a name never begins a document. */
  start: 0,
  length: 1,
  /** Offset of the colon from the start, or -1. */
  colon: 2,
  prefix: 3,
  width: 4,
} as const
const NAME_ROW_BITS = 6
/** Spreads the first four bytes of a name over the rows (Fibonacci hashing). */
const NAME_SPREAD = 0x9e3779b1 | 0

/**
 * Scans one document after the other. This is the hot path of XAdES (a 500 KB document must cost far less than one RSA
 * signature), hence the byte loops, the integer tables, the decisions about canonical form made during the scan, and
 * the one scanner for all documents: a scan never starts another scan, and between two of the 5 KB ones the processor's
 * caches are cold, so that setting up a new one is a third of the work.
 */
class Scanner {
  #limits = DEFAULT_LIMITS
  #bytes: Buffer = NO_BYTES
  #words: DataView = NO_WORDS

  #tables = NO_TABLES
  #elements = NO_TABLES.elements
  #elementCount = 0
  #attributes = NO_TABLES.attributes
  #attributeCount = 0
  #namespaces = NO_TABLES.namespaces
  #namespaceCount = 0
  #edits = NO_TABLES.edits
  #editCount = 0
  #rewrites = NO_TABLES.rewrites
  #rewriteCount = 0
  #relativeNamespaces: number[] = []
  readonly #names = new Int32Array(NAME.width << NAME_ROW_BITS)

  #prefixNames: string[] = []
  #prefixes = new Map<string, number>()
  #uriNames: string[] = []
  #uris = new Map<string, number>()
  /** Prefix number → namespace number in scope at the scan's position. */
  #scope: number[] = []

  /** The element whose content is being read, and how deep it is. */
  #open = NO_ELEMENT
  #depth = 0
  /** Offset of the last markup: text before it is never merged with text after it. */
  #lastMarkup = 0
  /** Further results of #name, #qualifiedName and #reference, stored here because allocating pairs would cost more. */
  #colon = -1
  #namePrefix = NO_PREFIX
  #referenceEnd = 0

  scan(input: Uint8Array, limits: XmlLimits): XmlIndex {
    if (input.length > limits.bytes) throw refuseXml('xml.too-large', { limit: limits.bytes })
    const document = asUtf8(input)
    const { bytes, start } = document
    this.#begin(bytes, limits)
    try {
      let at = this.#misc(start)
      if (at >= bytes.length) throw refuseXml('xml.ended-early')
      at = this.#content(this.#startTag(at))
      at = this.#misc(at)
      if (at < bytes.length) throw refuseXml('xml.text-misplaced', { offset: at })
      return this.#index(document)
    } finally {
      // The document belongs to the caller: the scanner must not keep it alive.
      this.#bytes = NO_BYTES
      this.#words = NO_WORDS
      this.#tables = NO_TABLES
    }
  }

  #begin(bytes: Buffer, limits: XmlLimits): void {
    const tables = takeTables(bytes.length)
    this.#limits = limits
    this.#bytes = bytes
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#tables = tables
    this.#elements = tables.elements
    this.#attributes = tables.attributes
    this.#namespaces = tables.namespaces
    this.#edits = tables.edits
    this.#rewrites = tables.rewrites
    this.#elementCount = 0
    this.#attributeCount = 0
    this.#namespaceCount = 0
    this.#editCount = 0
    this.#rewriteCount = 0
    this.#relativeNamespaces = []
    this.#names.fill(0)
    this.#prefixNames = ['', 'xml', 'xmlns']
    this.#prefixes = new Map().set('xml', XML_PREFIX).set('xmlns', XMLNS_PREFIX)
    this.#uriNames = ['', XML_URI, XMLNS_URI]
    this.#uris = new Map().set('', NO_NAMESPACE).set(XML_URI, XML_NAMESPACE).set(XMLNS_URI, XMLNS_NAMESPACE)
    this.#scope = [NO_NAMESPACE, XML_NAMESPACE, XMLNS_NAMESPACE]
    this.#open = NO_ELEMENT
    this.#depth = 0
    this.#lastMarkup = 0
    this.#attributeTagStart = -1
    this.#hasPrefixedAttributes = false
    this.#lastPrefixStart = 0
    this.#lastPrefixEnd = 0
  }

  #index({ start, encoding, transcoded }: Utf8Document): XmlIndex {
    const tables = this.#tables
    tables.elements = this.#elements
    tables.attributes = this.#attributes
    tables.namespaces = this.#namespaces
    tables.edits = this.#edits
    tables.rewrites = this.#rewrites
    return new XmlIndex(
      {
        bytes: this.#bytes,
        words: this.#words,
        start,
        encoding,
        transcoded,
        elementCount: this.#elementCount,
        elements: tables.elements,
        attributes: tables.attributes,
        namespaces: tables.namespaces,
        editCount: this.#editCount,
        edits: tables.edits,
        rewriteCount: this.#rewriteCount,
        rewrites: tables.rewrites,
        prefixNames: this.#prefixNames,
        uriNames: this.#uriNames,
        relativeNamespaces: this.#relativeNamespaces,
      },
      tables,
    )
  }

  /** White space, comments and instructions around the root element; stops at the root or at the end. */
  #misc(from: number): number {
    const bytes = this.#bytes
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at]!
      if (isSpace(byte)) at++
      else if (byte !== LESS) throw refuseXml('xml.text-misplaced', { offset: at })
      else if (bytes[at + 1] === QUESTION) at = this.#instruction(at)
      else if (bytes[at + 1] !== EXCLAMATION) return at
      else if (bytes[at + 2] === HYPHEN) at = this.#comment(at)
      else throw refuseXml(this.#isDoctype(at) ? 'xml.doctype' : 'xml.markup-malformed', { offset: at })
    }
    return at
  }

  #isDoctype(at: number): boolean {
    return this.#bytes.toString('latin1', at, at + 9) === '<!DOCTYPE'
  }

  /** Everything inside the root element, up to and including its end tag. */
  #content(from: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    const words = this.#words
    const stops = STOPS_TEXT
    let at = from
    while (this.#open !== NO_ELEMENT) {
      // Tags mostly follow each other without text between them.
      if (at < length && bytes[at] !== LESS) {
        while (at + 4 <= length && !mayStopText(words.getInt32(at, true))) at += 4
        while (at < length && stops[bytes[at]!] === 0) at++
      }
      if (at + 1 >= length) throw refuseXml('xml.ended-early')
      if (bytes[at] !== LESS) {
        at = this.#textStop(at)
        continue
      }
      this.#lastMarkup = at
      const next = bytes[at + 1]!
      if (next === SLASH) at = this.#endTag(at)
      else if (next === EXCLAMATION) at = bytes[at + 2] === HYPHEN ? this.#comment(at) : this.#cdata(at)
      else if (next === QUESTION) at = this.#instruction(at)
      else at = this.#startTag(at)
    }
    return at
  }

  /** A byte of text that is a reference, forbidden, or not canonical. */
  #textStop(at: number): number {
    const bytes = this.#bytes
    const byte = bytes[at]!
    if (byte === AMPERSAND) {
      const code = this.#reference(at)
      const end = this.#referenceEnd
      if (!this.#isCanonicalTextReference(at, end, code)) this.#textEdit(at, end)
      return end
    }
    if (byte === GREATER) {
      if (bytes[at - 1] === BRACKET_CLOSE && bytes[at - 2] === BRACKET_CLOSE)
        throw refuseXml('xml.markup-malformed', { offset: at })
      this.#textEdit(at, at + 1)
      return at + 1
    }
    if (byte !== CARRIAGE_RETURN) throw refuseXml('xml.character-forbidden', { offset: at })
    const end = bytes[at + 1] === LINE_FEED ? at + 2 : at + 1
    this.#textEdit(at, end)
    return end
  }

  #isCanonicalTextReference(at: number, end: number, code: number): boolean {
    if (code === AMPERSAND) return end - at === 5 && this.#bytes[at + 1] === 0x61
    if (code === LESS || code === GREATER) return end - at === 4 && this.#bytes[at + 1] !== 0x23
    return code === CARRIAGE_RETURN && this.#bytes.toString('latin1', at, end) === '&#xD;'
  }

  #textEdit(start: number, end: number): void {
    const previous = (this.#editCount - 1) * EDIT.width
    if (
      previous >= 0 &&
      this.#edits[previous + EDIT.kind] === EDIT_KIND.text &&
      this.#edits[previous + EDIT.start]! > this.#lastMarkup &&
      start - this.#edits[previous + EDIT.end]! <= MERGE_DISTANCE
    )
      this.#edits[previous + EDIT.end] = end
    else this.#edit(start, end, EDIT_KIND.text)
  }

  #edit(start: number, end: number, kind: number): void {
    const row = this.#editCount++ * EDIT.width
    if (row + EDIT.width > this.#edits.length) this.#edits = grown(this.#edits)
    this.#edits[row + EDIT.start] = start
    this.#edits[row + EDIT.end] = end
    this.#edits[row + EDIT.kind] = kind
    this.#countNodes()
  }

  /** Reads the reference at `&`; returns its code point and stores its end in #referenceEnd. */
  #reference(at: number): number {
    const bytes = this.#bytes
    if (bytes[at + 3] === SEMICOLON && bytes[at + 2] === LOWER_T) {
      this.#referenceEnd = at + 4
      if (bytes[at + 1] === LOWER_L) return LESS
      if (bytes[at + 1] === LOWER_G) return GREATER
    }
    if (
      bytes[at + 1] === LOWER_A &&
      bytes[at + 2] === LOWER_M &&
      bytes[at + 3] === LOWER_P &&
      bytes[at + 4] === SEMICOLON
    ) {
      this.#referenceEnd = at + 5
      return AMPERSAND
    }
    return this.#longReference(at)
  }

  #longReference(at: number): number {
    const bytes = this.#bytes
    const limit = Math.min(bytes.length, at + 32)
    let end = at + 1
    while (end < limit && bytes[end] !== SEMICOLON) end++
    if (end >= limit) throw refuseXml('xml.reference-malformed', { offset: at })
    const name = this.#bytes.toString('latin1', at + 1, end)
    this.#referenceEnd = end + 1
    if (name.charCodeAt(0) === 0x23) return characterReference(name, at)
    const code = Object.hasOwn(PREDEFINED_ENTITIES, name) ? PREDEFINED_ENTITIES[name] : undefined
    if (code !== undefined) return code
    throw refuseXml(isQualifiedName(name) ? 'xml.entity-undeclared' : 'xml.reference-malformed', { offset: at })
  }

  #comment(at: number): number {
    const bytes = this.#bytes
    if (bytes[at + 3] !== HYPHEN) throw refuseXml('xml.comment-malformed', { offset: at })
    const end = this.#bytes.indexOf('--', at + 4)
    if (end < 0 || bytes[end + 2] !== GREATER) throw refuseXml('xml.comment-malformed', { offset: at })
    this.#refuseControls(at + 4, end)
    this.#edit(at, end + 3, EDIT_KIND.comment)
    return end + 3
  }

  #cdata(at: number): number {
    if (this.#bytes.toString('latin1', at, at + 9) !== '<![CDATA[') {
      throw refuseXml(this.#isDoctype(at) ? 'xml.doctype' : 'xml.markup-malformed', { offset: at })
    }
    const end = this.#bytes.indexOf(']]>', at + 9)
    if (end < 0) throw refuseXml('xml.ended-early')
    this.#refuseControls(at + 9, end)
    this.#edit(at, end + 3, EDIT_KIND.cdata)
    return end + 3
  }

  #instruction(at: number): number {
    const nameEnd = this.#name(at + 2)
    const isReserved = nameEnd - at === 5 && /^xml$/i.test(this.#bytes.toString('latin1', at + 2, nameEnd))
    const end = this.#bytes.indexOf('?>', nameEnd)
    if (isReserved || this.#colon >= 0 || end < 0 || (end > nameEnd && !isSpace(this.#bytes[nameEnd]!)))
      throw refuseXml('xml.instruction-malformed', { offset: at })
    this.#refuseControls(nameEnd, end)
    this.#edit(at, end + 2, EDIT_KIND.instruction)
    return end + 2
  }

  #refuseControls(start: number, end: number): void {
    const bytes = this.#bytes
    for (let at = start; at < end; at++)
      if (bytes[at]! < SPACE && isControl(bytes[at]!)) throw refuseXml('xml.character-forbidden', { offset: at })
  }

  /** Reads the name of an element or attribute; returns its end and stores its colon and its prefix's number. */
  #qualifiedName(start: number): number {
    const bytes = this.#bytes
    if (start + 4 > bytes.length) return this.#newName(start)
    const names = this.#names
    const row = this.#nameRow(start)
    const known = names[row + NAME.start]!
    if (known !== 0) {
      const length = names[row + NAME.length]!
      const end = start + length
      if (end < bytes.length && NAME_CLASS[bytes[end]!] === 0 && this.#isSame(start, known, length)) {
        const colon = names[row + NAME.colon]!
        this.#colon = colon < 0 ? -1 : start + colon
        this.#namePrefix = names[row + NAME.prefix]!
        return end
      }
    }
    const end = this.#newName(start)
    names[row + NAME.start] = start
    names[row + NAME.length] = end - start
    names[row + NAME.colon] = this.#colon < 0 ? -1 : this.#colon - start
    names[row + NAME.prefix] = this.#namePrefix
    return end
  }

  #nameRow(start: number): number {
    return (Math.imul(this.#words.getInt32(start, true), NAME_SPREAD) >>> (32 - NAME_ROW_BITS)) * NAME.width
  }

  #newName(start: number): number {
    const end = this.#name(start)
    this.#namePrefix = this.#colon < 0 ? NO_PREFIX : this.#prefix(start, this.#colon)
    return end
  }

  /** Whether two ranges inside the document have the same bytes. The last word overlaps the one before it. */
  #isSame(a: number, b: number, length: number): boolean {
    if (length < 4) {
      const bytes = this.#bytes
      for (let at = 0; at < length; at++) if (bytes[a + at] !== bytes[b + at]) return false
      return true
    }
    const words = this.#words
    const last = length - 4
    for (let at = 0; at < last; at += 4) if (words.getInt32(a + at, true) !== words.getInt32(b + at, true)) return false
    return words.getInt32(a + last, true) === words.getInt32(b + last, true)
  }

  /** Reads a qualified name; returns its end and stores the offset of its colon, or -1, in #colon. */
  #name(start: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    const classes = NAME_CLASS
    let at = start
    let seen = 0
    while (at < length) {
      const kind = classes[bytes[at]!]!
      if (kind === 0) break
      seen |= kind
      at++
    }
    const colon = (seen & NAME_COLON) === 0 ? -1 : this.#colonIn(start, at)
    this.#colon = colon
    if ((seen & NON_ASCII) === 0) {
      const partsBeginWell =
        at > start &&
        NAME_CLASS[bytes[start]!] === NAME_START &&
        (colon < 0 || (colon + 1 < at && NAME_CLASS[bytes[colon + 1]!] === NAME_START))
      if (partsBeginWell) return at
    } else if (isQualifiedName(this.#bytes.toString('utf8', start, at))) return at
    throw refuseXml('xml.name-malformed', { offset: start })
  }

  #colonIn(start: number, end: number): number {
    let colon = -1
    for (let at = start; at < end; at++) {
      if (this.#bytes[at] !== COLON) continue
      if (colon >= 0) throw refuseXml('xml.name-malformed', { offset: start })
      colon = at
    }
    return colon
  }

  #startTag(start: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    const nameEnd = this.#qualifiedName(start + 1)
    const colon = this.#colon
    const prefix = this.#namePrefix
    const element = this.#elementCount
    const firstAttribute = this.#attributeCount
    const firstNamespace = this.#namespaceCount
    let flags = 0
    let at = nameEnd
    for (;;) {
      const gap = at
      // Most tags end right after the name, or continue after one space.
      if (bytes[at] === SPACE) at++
      if (at < length && bytes[at]! <= SPACE) while (at < length && isSpace(bytes[at]!)) at++
      if (at + 1 >= length && bytes[at] !== GREATER) throw refuseXml('xml.ended-early')
      const byte = bytes[at]!
      if (byte === GREATER) {
        if (at !== gap) flags |= FLAG.rewrite
        at++
        break
      }
      if (byte === SLASH) {
        if (bytes[at + 1] !== GREATER) throw refuseXml('xml.tag-malformed', { offset: start })
        flags |= at === gap ? FLAG.empty : FLAG.rewrite | FLAG.empty
        at += 2
        break
      }
      if (at === gap) throw refuseXml('xml.tag-malformed', { offset: start })
      if (at !== gap + 1 || bytes[gap] !== SPACE) flags |= FLAG.rewrite
      at = this.#attribute(at, start)
      if (this.#attributeCount - firstAttribute + this.#namespaceCount - firstNamespace > this.#limits.attributes)
        throw refuseXml('xml.too-many-attributes', { limit: this.#limits.attributes })
      flags |= this.#attributeFlags
    }
    const namespaceCount = this.#namespaceCount - firstNamespace
    const attributeCount = this.#attributeCount - firstAttribute
    if (namespaceCount > 0) flags |= this.#declareNamespaces(firstNamespace, start)
    const uri = this.#namespaceOf(prefix, start)
    // One attribute without a prefix is in no namespace and in order.
    if (attributeCount > 1 || this.#hasPrefixedAttributes) {
      flags |= this.#resolveAttributes(firstAttribute, attributeCount, start)
      this.#hasPrefixedAttributes = false
    }

    const row = element * ELEMENT.width
    if (row + ELEMENT.width > this.#elements.length) this.#elements = grown(this.#elements)
    const table = this.#elements
    table[row + ELEMENT.start] = start
    table[row + ELEMENT.tagEnd] = at
    table[row + ELEMENT.parent] = this.#open
    table[row + ELEMENT.local] = colon < 0 ? start + 1 : colon + 1
    table[row + ELEMENT.nameEnd] = nameEnd
    table[row + ELEMENT.prefix] = prefix
    table[row + ELEMENT.uri] = uri
    table[row + ELEMENT.attributes] = firstAttribute
    table[row + ELEMENT.attributeCount] = attributeCount
    table[row + ELEMENT.namespaces] = firstNamespace
    table[row + ELEMENT.namespaceCount] = namespaceCount
    table[row + ELEMENT.flags] = flags
    this.#elementCount = element + 1
    this.#countNodes()
    if ((flags & (FLAG.rewrite | FLAG.superfluous | FLAG.empty)) !== 0) this.#rewrite(element)
    if (this.#depth >= this.#limits.depth) throw refuseXml('xml.too-deep', { limit: this.#limits.depth })
    if ((flags & FLAG.empty) === 0) {
      // Its end tag fills in the rest of the row.
      this.#open = element
      this.#depth++
    } else {
      table[row + ELEMENT.close] = at
      table[row + ELEMENT.end] = at
      table[row + ELEMENT.after] = element + 1
      if (namespaceCount > 0) this.#leaveScope(firstNamespace, namespaceCount)
    }
    return at
  }

  /** Whether an attribute of the tag that is being read has a prefix. */
  #hasPrefixedAttributes = false
  /** FLAG.rewrite when the last attribute read is not written canonically by itself. */
  #attributeFlags = 0

  /** Reads one attribute or namespace declaration and returns its end. */
  #attribute(nameStart: number, tag: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    const nameEnd = this.#qualifiedName(nameStart)
    const colon = this.#colon
    const prefix = this.#namePrefix
    let flags = 0
    let at = nameEnd
    if (bytes[at] !== EQUALS) at = this.#skipSpace(at)
    if (bytes[at] !== EQUALS) throw refuseXml('xml.tag-malformed', { offset: tag })
    at++
    if (bytes[at] !== QUOTE) at = this.#skipSpace(at)
    const quote = bytes[at]
    if (quote !== QUOTE && quote !== APOSTROPHE) throw refuseXml('xml.tag-malformed', { offset: tag })
    if (at !== nameEnd + 1 || quote === APOSTROPHE) flags = FLAG.rewrite
    const value = ++at
    const stops = STOPS_VALUE
    let rewrite = 0
    for (;;) {
      while (at < length && stops[bytes[at]!] === 0) at++
      if (at >= length) throw refuseXml('xml.ended-early')
      const byte = bytes[at]!
      if (byte === quote) break
      if (byte === AMPERSAND) {
        const code = this.#reference(at)
        if (!this.#isCanonicalValueReference(at, this.#referenceEnd, code)) rewrite = 1
        at = this.#referenceEnd
      } else if (byte === LESS || isControl(byte)) {
        throw refuseXml(byte === LESS ? 'xml.tag-malformed' : 'xml.character-forbidden', { offset: at })
      } else {
        if (byte !== APOSTROPHE) rewrite = 1
        at++
      }
    }
    if (rewrite !== 0) flags = FLAG.rewrite
    if (prefix === XMLNS_PREFIX || (nameEnd - nameStart === 5 && this.#isXmlns(nameStart))) {
      // Canonical forms write the declarations before the attributes.
      if (this.#attributeTagStart === tag) flags = FLAG.rewrite
      this.#namespace(colon < 0 ? NO_PREFIX : this.#prefix(colon + 1, nameEnd), value, at, tag, rewrite)
    } else {
      this.#attributeTagStart = tag
      const row = this.#attributeCount++ * ATTRIBUTE.width
      if (row + ATTRIBUTE.width > this.#attributes.length) this.#attributes = grown(this.#attributes)
      const table = this.#attributes
      table[row + ATTRIBUTE.name] = nameStart
      table[row + ATTRIBUTE.local] = colon < 0 ? nameStart : colon + 1
      table[row + ATTRIBUTE.nameEnd] = nameEnd
      table[row + ATTRIBUTE.value] = value
      table[row + ATTRIBUTE.valueEnd] = at
      table[row + ATTRIBUTE.prefix] = prefix
      table[row + ATTRIBUTE.uri] = NO_NAMESPACE
      if (prefix !== NO_PREFIX) this.#hasPrefixedAttributes = true
      table[row + ATTRIBUTE.rewrite] = rewrite
    }
    this.#attributeFlags = flags
    return at + 1
  }

  #skipSpace(from: number): number {
    let at = from
    while (at < this.#bytes.length && isSpace(this.#bytes[at]!)) at++
    return at
  }

  /** The tag to which the last plain attribute belonged. */
  #attributeTagStart = -1

  #isXmlns(at: number): boolean {
    const bytes = this.#bytes
    const begins = bytes[at] === 0x78 && bytes[at + 1] === 0x6d && bytes[at + 2] === 0x6c
    return begins && bytes[at + 3] === 0x6e && bytes[at + 4] === 0x73
  }

  #isCanonicalValueReference(at: number, end: number, code: number): boolean {
    if (code === AMPERSAND) return end - at === 5 && this.#bytes[at + 1] === 0x61
    if (code === LESS) return end - at === 4 && this.#bytes[at + 1] !== 0x23
    if (code === QUOTE) return end - at === 6 && this.#bytes[at + 1] !== 0x23
    const canonical = VALUE_REFERENCES[code]
    return canonical !== undefined && this.#bytes.toString('latin1', at, end) === canonical
  }

  #namespace(prefix: number, value: number, valueEnd: number, tag: number, rewrite: number): void {
    const raw = this.#bytes.toString('utf8', value, valueEnd)
    const name = rewrite === 0 && !raw.includes('&') ? raw : attributeValue(raw)
    const uri = this.#uri(name)
    const breaksReservation =
      prefix === XMLNS_PREFIX ||
      uri === XMLNS_NAMESPACE ||
      (prefix === XML_PREFIX) !== (uri === XML_NAMESPACE) ||
      (prefix !== NO_PREFIX && uri === NO_NAMESPACE)
    if (breaksReservation) throw refuseXml('xml.namespace-reserved', { offset: tag })
    if (uri !== NO_NAMESPACE && !ABSOLUTE_URI.test(name)) this.#relativeNamespaces.push(this.#elementCount)
    const row = this.#namespaceCount++ * NAMESPACE.width
    if (row + NAMESPACE.width > this.#namespaces.length) this.#namespaces = grown(this.#namespaces)
    this.#namespaces[row + NAMESPACE.prefix] = prefix
    this.#namespaces[row + NAMESPACE.uri] = uri
  }

  /** Brings the declarations of a tag into scope; returns their effect on its canonical form. */
  #declareNamespaces(first: number, tag: number): number {
    let flags = 0
    for (let at = first; at < this.#namespaceCount; at++) {
      const row = at * NAMESPACE.width
      const prefix = this.#namespaces[row + NAMESPACE.prefix]!
      const uri = this.#namespaces[row + NAMESPACE.uri]!
      for (let other = first; other < at; other++)
        if (this.#namespaces[other * NAMESPACE.width + NAMESPACE.prefix] === prefix)
          throw refuseXml('xml.attribute-duplicate', { offset: tag })
      const outer = this.#scope[prefix] ?? UNBOUND
      this.#namespaces[row + NAMESPACE.outer] = outer
      if (outer === uri) flags |= FLAG.superfluous
      this.#scope[prefix] = uri
      if (at > first) {
        const before = this.#namespaces[row - NAMESPACE.width + NAMESPACE.prefix]!
        if (compareCodePoints(this.#prefixNames[before]!, this.#prefixNames[prefix]!) > 0) flags |= FLAG.rewrite
      }
    }
    return flags
  }

  #leaveScope(first: number, count: number): void {
    for (let at = first; at < first + count; at++) {
      const row = at * NAMESPACE.width
      this.#scope[this.#namespaces[row + NAMESPACE.prefix]!] = this.#namespaces[row + NAMESPACE.outer]!
    }
  }

  /** Binds attributes to namespaces, refuses duplicates, and returns whether they are in canonical order. */
  #resolveAttributes(first: number, count: number, tag: number): number {
    const table = this.#attributes
    let flags = 0
    let isAscending = true
    for (let at = first; at < first + count; at++) {
      const row = at * ATTRIBUTE.width
      const prefix = table[row + ATTRIBUTE.prefix]!
      if (prefix !== NO_PREFIX) table[row + ATTRIBUTE.uri] = this.#namespaceOf(prefix, tag)
      if (prefix > XML_PREFIX) flags |= FLAG.prefixedAttributes
      if (at > first) {
        const order = this.#compareAttributes(row - ATTRIBUTE.width, row)
        if (order > 0) flags |= FLAG.rewrite
        if (order >= 0) isAscending = false
      }
    }
    // A strictly ascending order has no duplicates.
    if (!isAscending) this.#refuseDuplicates(first, count, tag)
    return flags
  }

  #refuseDuplicates(first: number, count: number, tag: number): void {
    if (count > PAIRWISE_LIMIT) this.#refuseDuplicatesBySet(first, count, tag)
    else
      for (let at = first + 1; at < first + count; at++)
        for (let other = first; other < at; other++)
          if (this.#compareAttributes(other * ATTRIBUTE.width, at * ATTRIBUTE.width) === 0)
            throw refuseXml('xml.attribute-duplicate', { offset: tag })
  }

  #refuseDuplicatesBySet(first: number, count: number, tag: number): void {
    const seen = new Set<string>()
    for (let row = first * ATTRIBUTE.width; row < (first + count) * ATTRIBUTE.width; row += ATTRIBUTE.width) {
      const local = this.#bytes.toString(
        'latin1',
        this.#attributes[row + ATTRIBUTE.local]!,
        this.#attributes[row + ATTRIBUTE.nameEnd]!,
      )
      seen.add(`${this.#attributes[row + ATTRIBUTE.uri]} ${local}`)
    }
    if (seen.size !== count) throw refuseXml('xml.attribute-duplicate', { offset: tag })
  }

  #compareAttributes(left: number, right: number): number {
    const table = this.#attributes
    const leftUri = table[left + ATTRIBUTE.uri]!
    const rightUri = table[right + ATTRIBUTE.uri]!
    if (leftUri !== rightUri) return compareCodePoints(this.#uriNames[leftUri]!, this.#uriNames[rightUri]!)
    return compareBytes(
      this.#bytes,
      table[left + ATTRIBUTE.local]!,
      table[left + ATTRIBUTE.nameEnd]!,
      table[right + ATTRIBUTE.local]!,
      table[right + ATTRIBUTE.nameEnd]!,
    )
  }

  #endTag(at: number): number {
    const bytes = this.#bytes
    const element = this.#open
    const row = element * ELEMENT.width
    const table = this.#elements
    const start = table[row + ELEMENT.start]!
    const length = table[row + ELEMENT.nameEnd]! - start - 1
    let end = at + 2 + length
    if (end > bytes.length || !this.#isSame(at + 2, start + 1, length))
      throw refuseXml('xml.tag-mismatch', { offset: at })
    if (bytes[end] !== GREATER) {
      if (end < bytes.length && !isSpace(bytes[end]!)) throw refuseXml('xml.tag-mismatch', { offset: at })
      while (end < bytes.length && isSpace(bytes[end]!)) end++
      if (bytes[end] !== GREATER) throw refuseXml('xml.tag-malformed', { offset: at })
      this.#edit(at + 2 + length, end, EDIT_KIND.endTag)
    }
    table[row + ELEMENT.close] = at
    table[row + ELEMENT.end] = end + 1
    table[row + ELEMENT.after] = this.#elementCount
    this.#open = table[row + ELEMENT.parent]!
    this.#depth--
    const namespaceCount = table[row + ELEMENT.namespaceCount]!
    if (namespaceCount > 0) this.#leaveScope(table[row + ELEMENT.namespaces]!, namespaceCount)
    return end + 1
  }

  #namespaceOf(prefix: number, tag: number): number {
    const uri = this.#scope[prefix] ?? UNBOUND
    if (uri === UNBOUND || prefix === XMLNS_PREFIX) throw refuseXml('xml.prefix-unbound', { offset: tag })
    return uri
  }

  /** The number and position of the last prefix looked up: most tags repeat it. */
  #lastPrefix = NO_PREFIX
  #lastPrefixStart = 0
  #lastPrefixEnd = 0

  #prefix(start: number, end: number): number {
    const isLast =
      end - start === this.#lastPrefixEnd - this.#lastPrefixStart &&
      compareBytes(this.#bytes, start, end, this.#lastPrefixStart, this.#lastPrefixEnd) === 0
    if (isLast) return this.#lastPrefix
    const name = this.#bytes.toString('utf8', start, end)
    let number = this.#prefixes.get(name)
    if (number === undefined) {
      number = this.#prefixNames.push(name) - 1
      this.#prefixes.set(name, number)
      this.#scope.push(UNBOUND)
    }
    this.#lastPrefix = number
    this.#lastPrefixStart = start
    this.#lastPrefixEnd = end
    return number
  }

  #uri(name: string): number {
    let number = this.#uris.get(name)
    if (number === undefined) {
      number = this.#uriNames.push(name) - 1
      this.#uris.set(name, number)
    }
    return number
  }

  #rewrite(element: number): void {
    if (this.#rewriteCount === this.#rewrites.length) this.#rewrites = grown(this.#rewrites)
    this.#rewrites[this.#rewriteCount++] = element
  }

  #countNodes(): void {
    if (this.#elementCount + this.#attributeCount + this.#namespaceCount + this.#editCount > this.#limits.nodes)
      throw refuseXml('xml.too-many-nodes', { limit: this.#limits.nodes })
  }
}

const scanner = new Scanner()

/**
 * Whether one of four bytes may stop the scan of text: `<`, `>` (one bit away), `&`, and everything below the space. In
 * each line the high bit of a byte is set when it is zero, or less than the number subtracted; a borrow from the next
 * byte stops a little early, which is harmless.
 */
function mayStopText(word: number): boolean {
  const brackets = (word & 0xfdfdfdfd) ^ 0x3c3c3c3c
  const ampersand = word ^ 0x26262626
  const isBracket = (brackets - 0x01010101) & ~brackets
  const isAmpersand = (ampersand - 0x01010101) & ~ampersand
  const isControl = (word - 0x20202020) & ~word
  return ((isBracket | isAmpersand | isControl) & 0x80808080) !== 0
}

const VALUE_REFERENCES: Readonly<Record<number, string>> = { 9: '&#x9;', 10: '&#xA;', 13: '&#xD;' }

function characterReference(name: string, offset: number): number {
  const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name)
  if (digits === null) throw refuseXml('xml.reference-malformed', { offset })
  const code = digits[1] === undefined ? Number.parseInt(digits[2]!, 10) : Number.parseInt(digits[1], 16)
  if (!isCharacter(code)) throw refuseXml('xml.character-forbidden', { offset })
  return code
}

/** Orders two ranges of the same bytes, which for UTF-8 is the order of their code points. */
export function compareBytes(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const length = Math.min(aEnd - a, bEnd - b)
  for (let at = 0; at < length; at++) {
    const difference = bytes[a + at]! - bytes[b + at]!
    if (difference !== 0) return difference
  }
  return aEnd - a - (bEnd - b)
}

function grown(table: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(table.length * 2)
  larger.set(table)
  return larger
}
