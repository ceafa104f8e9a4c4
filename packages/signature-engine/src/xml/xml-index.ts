import type { XmlEncoding } from './encodings.ts'
import { refuseXml } from './errors.ts'
import { type IndexTables, returnTables } from './index-tables.ts'
import { attributeValue, isSpace, textValue } from './xml-characters.ts'

// The index of a scanned document: flat integer tables instead of a tree of objects, because a document of 500 KB has
// ten thousand elements and the tables cost a tenth of the objects. An element is identified by its ordinal in document
// order, so its subtree is the range [element, after) of ordinals and the range [start, end) of bytes.

/** Columns of the element table. */
export const ELEMENT = {
  /** Offset of `<`. */
  start: 0,
  /** Offset behind the start tag. */
  tagEnd: 1,
  /** Offset of the end tag; equals `tagEnd` for an empty-element tag. */
  close: 2,
  /** Offset behind the element. */
  end: 3,
  parent: 4,
  /** Offset of the local name; the qualified name begins at `start + 1`. */
  local: 5,
  nameEnd: 6,
  prefix: 7,
  uri: 8,
  attributes: 9,
  attributeCount: 10,
  namespaces: 11,
  namespaceCount: 12,
  flags: 13,
  /** Ordinal of the first element behind this subtree. */
  after: 14,
  width: 15,
} as const

/** Columns of the attribute table (namespace declarations are in their own). */
export const ATTRIBUTE = {
  name: 0,
  local: 1,
  nameEnd: 2,
  value: 3,
  valueEnd: 4,
  prefix: 5,
  uri: 6,
  /** 1 when the bytes of the value are not its canonical form. */
  rewrite: 7,
  width: 8,
} as const

/** Columns of the table of namespace declarations. */
export const NAMESPACE = {
  prefix: 0,
  uri: 1,
  /** What the prefix was bound to outside the element; -1 for nothing. */
  outer: 2,
  width: 3,
} as const

/** Columns of the table of byte ranges outside start tags whose canonical form differs from their bytes. */
export const EDIT = { start: 0, end: 1, kind: 2, width: 3 } as const

export const EDIT_KIND = { text: 0, cdata: 1, comment: 2, instruction: 3, endTag: 4 } as const

/** Bits of an element's flags. */
export const FLAG = {
  /** An empty-element tag. */
  empty: 1,
  /** The start tag is not in canonical form, apart from being an empty-element tag. */
  rewrite: 2,
  /** The start tag has namespace declarations that inclusive canonical forms omit. */
  superfluous: 4,
  /** At least one attribute has a prefix other than `xml`. */
  prefixedAttributes: 8,
} as const

/** Interned prefixes and namespace names with fixed numbers. */
export const NO_PREFIX = 0
export const XML_PREFIX = 1
export const XMLNS_PREFIX = 2
export const NO_NAMESPACE = 0
export const XML_NAMESPACE = 1
export const XMLNS_NAMESPACE = 2
export const UNBOUND = -1

/** Up to this many namespace names are searched linearly; for more a map pays. */
const FEW_NAMES = 12

/** The root element's ordinal, and the result for "no such element". */
export const ROOT = 0
export const NO_ELEMENT = -1

export type XmlTables = {
  readonly bytes: Buffer
  /** The same bytes, to be read four at a time. */
  readonly words: DataView
  /** Offset behind the byte order mark and the XML declaration. */
  readonly start: number
  /** That of the document; `bytes` are UTF-8, and `transcoded` says whether they are not the document's own. */
  readonly encoding: XmlEncoding
  readonly transcoded: boolean
  readonly elementCount: number
  readonly elements: Int32Array
  readonly attributes: Int32Array
  readonly namespaces: Int32Array
  readonly editCount: number
  readonly edits: Int32Array
  /** Ordinals of elements whose start tag an inclusive canonical form rewrites, ascending. */
  readonly rewriteCount: number
  readonly rewrites: Int32Array
  readonly prefixNames: readonly string[]
  readonly uriNames: readonly string[]
  /** Ordinals of elements that declare a relative namespace name. */
  readonly relativeNamespaces: readonly number[]
}

const NO_ROWS = new Int32Array(0)
/** Replaces returned tables: a stale read finds nothing, not another document. */
const RELEASED: XmlTables = {
  bytes: Buffer.alloc(0),
  words: new DataView(new ArrayBuffer(0)),
  start: 0,
  encoding: 'UTF-8',
  transcoded: false,
  elementCount: 0,
  elements: NO_ROWS,
  attributes: NO_ROWS,
  namespaces: NO_ROWS,
  editCount: 0,
  edits: NO_ROWS,
  rewriteCount: 0,
  rewrites: NO_ROWS,
  prefixNames: [],
  uriNames: [],
  relativeNamespaces: [],
}

/** A scanned document: reads names, attributes, text and structure by element ordinal. */
export class XmlIndex {
  tables: XmlTables
  #shared: IndexTables | undefined
  #uris: Map<string, number> | undefined
  readonly #named = new Map<number, ReadonlyMap<string, readonly number[]>>()
  #ids: Map<string, number[]> | undefined

  /** `shared` are the borrowed tables, which `release` returns. */
  constructor(tables: XmlTables, shared: IndexTables) {
    this.tables = tables
    this.#shared = shared
  }

  /** Releases the tables for the next scan. Optional; afterwards nothing may read this index. */
  release(): void {
    if (this.#shared === undefined) return
    returnTables(this.#shared)
    this.#shared = undefined
    this.tables = RELEASED
  }

  /** One cell of the element table. */
  cell(element: number, column: number): number {
    return this.tables.elements[element * ELEMENT.width + column]!
  }

  parent(element: number): number {
    return this.cell(element, ELEMENT.parent)
  }

  localName(element: number): string {
    return this.tables.bytes.toString('utf8', this.cell(element, ELEMENT.local), this.cell(element, ELEMENT.nameEnd))
  }

  namespaceName(element: number): string {
    return this.tables.uriNames[this.cell(element, ELEMENT.uri)]!
  }

  /** Whether the element has this expanded name. */
  is(element: number, namespace: string, local: string): boolean {
    return this.cell(element, ELEMENT.uri) === this.#uri(namespace) && this.localName(element) === local
  }

  /** Child elements in document order. */
  children(element: number): number[] {
    const found: number[] = []
    const after = this.cell(element, ELEMENT.after)
    for (let child = element + 1; child < after; child = this.cell(child, ELEMENT.after)) found.push(child)
    return found
  }

  /** Child elements with this expanded name. */
  childrenNamed(element: number, namespace: string, local: string): number[] {
    return this.children(element).filter((child) => this.is(child, namespace, local))
  }

  /** Every element with this expanded name within an element (itself included), in document order. */
  findAll(namespace: string, local: string, within: number = ROOT): number[] {
    const uri = this.#uri(namespace)
    if (uri === undefined) return []
    const found: number[] = []
    const after = this.cell(within, ELEMENT.after)
    for (let element = within; element < after; element++)
      if (this.cell(element, ELEMENT.uri) === uri && this.localName(element) === local) found.push(element)
    return found
  }

  /** Whether one element is the other or is inside it. */
  contains(outer: number, inner: number): boolean {
    return inner >= outer && inner < this.cell(outer, ELEMENT.after)
  }

  /** The value of an attribute in no namespace, or in the one given. */
  attribute(element: number, local: string, namespace = ''): string | undefined {
    const uri = this.#uri(namespace)
    if (uri === undefined) return undefined
    for (const attribute of this.attributeRows(element))
      if (this.attributeCell(attribute, ATTRIBUTE.uri) === uri && this.attributeLocalName(attribute) === local)
        return this.attributeText(attribute)
    return undefined
  }

  /** The rows of the attribute table that belong to an element. */
  attributeRows(element: number): number[] {
    const first = this.cell(element, ELEMENT.attributes)
    const rows: number[] = []
    for (let row = first; row < first + this.cell(element, ELEMENT.attributeCount); row++) rows.push(row)
    return rows
  }

  attributeCell(attribute: number, column: number): number {
    return this.tables.attributes[attribute * ATTRIBUTE.width + column]!
  }

  attributeLocalName(attribute: number): string {
    return this.tables.bytes.toString(
      'utf8',
      this.attributeCell(attribute, ATTRIBUTE.local),
      this.attributeCell(attribute, ATTRIBUTE.nameEnd),
    )
  }

  attributeText(attribute: number): string {
    return attributeValue(
      this.tables.bytes.toString(
        'utf8',
        this.attributeCell(attribute, ATTRIBUTE.value),
        this.attributeCell(attribute, ATTRIBUTE.valueEnd),
      ),
    )
  }

  /** Prefix → namespace name for every namespace in scope inside an element; the default namespace has the prefix ''. */
  namespacesInScope(element: number): Map<string, string> {
    const scope = new Map<string, string>()
    const { namespaces, prefixNames, uriNames } = this.tables
    for (let at = element; at !== NO_ELEMENT; at = this.parent(at)) {
      const first = this.cell(at, ELEMENT.namespaces)
      for (let row = first; row < first + this.cell(at, ELEMENT.namespaceCount); row++) {
        const prefix = prefixNames[namespaces[row * NAMESPACE.width + NAMESPACE.prefix]!]!
        if (!scope.has(prefix)) scope.set(prefix, uriNames[namespaces[row * NAMESPACE.width + NAMESPACE.uri]!]!)
      }
    }
    if (scope.get('') === '') scope.delete('')
    scope.delete('xml')
    return scope
  }

  /** The text directly inside an element, comments and instructions left out; `undefined` when it has child elements. */
  text(element: number): string | undefined {
    if (this.cell(element, ELEMENT.after) !== element + 1) return undefined
    const end = this.cell(element, ELEMENT.close)
    let at = this.cell(element, ELEMENT.tagEnd)
    let text = ''
    for (let edit = this.firstEdit(at); edit < this.tables.editCount && this.editCell(edit, EDIT.start) < end; edit++) {
      const kind = this.editCell(edit, EDIT.kind)
      if (kind === EDIT_KIND.text) continue
      const start = this.editCell(edit, EDIT.start)
      text += textValue(this.tables.bytes.toString('utf8', at, start))
      at = this.editCell(edit, EDIT.end)
      if (kind === EDIT_KIND.cdata) text += cdataValue(this.tables.bytes.toString('utf8', start, at))
    }
    return text + textValue(this.tables.bytes.toString('utf8', at, end))
  }

  /** Whether there is anything but white space, comments and instructions between the children of an element. */
  hasStrayText(element: number): boolean {
    const gaps = [
      ...this.children(element).map((child) => [this.cell(child, ELEMENT.start), this.cell(child, ELEMENT.end)]),
    ]
    let at = this.cell(element, ELEMENT.tagEnd)
    for (const [start, end] of [...gaps, [this.cell(element, ELEMENT.close), 0]]) {
      if (!this.#isBlank(at, start!)) return true
      at = end!
    }
    return false
  }

  /** `/root[1]/item[3]`-like path of an element, by qualified names, for readers. */
  path(element: number): string {
    const steps: string[] = []
    for (let at = element; at !== NO_ELEMENT; at = this.parent(at)) steps.unshift(this.#step(at))
    return `/${steps.join('/')}`
  }

  /** The elements with this value in an `Id`, `ID`, `id` or `xml:id` attribute. */
  elementsWithId(id: string): readonly number[] {
    this.#ids ??= this.#collectIds()
    return this.#ids.get(id) ?? []
  }

  /** The one element with this Id; refuses when there is none or, as in wrapping attacks, more than one. */
  elementById(id: string): number {
    const found = this.elementsWithId(id)
    if (found.length > 1) throw refuseXml('xml.id-duplicate', { id })
    if (found[0] === undefined) throw refuseXml('xml.id-unknown', { id })
    return found[0]
  }

  /** First row of the edit table that begins at or behind an offset. */
  firstEdit(offset: number): number {
    let low = 0
    let high = this.tables.editCount
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.editCell(middle, EDIT.start) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  editCell(edit: number, column: number): number {
    return this.tables.edits[edit * EDIT.width + column]!
  }

  /** The bytes of the scanned text, decoded. */
  slice(start: number, end: number): string {
    return this.tables.bytes.toString('utf8', start, end)
  }

  #uri(namespace: string): number | undefined {
    const { uriNames } = this.tables
    if (uriNames.length > FEW_NAMES) {
      this.#uris ??= new Map(uriNames.map((name, number) => [name, number]))
      return this.#uris.get(namespace)
    }
    const number = uriNames.indexOf(namespace)
    return number < 0 ? undefined : number
  }

  #isBlank(start: number, end: number): boolean {
    let at = start
    while (at < end) {
      const edit = this.firstEdit(at)
      const inEdit = edit < this.tables.editCount && this.editCell(edit, EDIT.start) < end
      const stop = inEdit ? this.editCell(edit, EDIT.start) : end
      for (; at < stop; at++) if (!isSpace(this.tables.bytes[at]!)) return false
      if (!inEdit) return true
      const kind = this.editCell(edit, EDIT.kind)
      if (kind === EDIT_KIND.cdata) return false
      at = this.editCell(edit, EDIT.end)
      if (kind === EDIT_KIND.text && this.slice(stop, at).trim() !== '') return false
    }
    return true
  }

  #step(element: number): string {
    const name = this.#qualifiedName(element)
    const parent = this.parent(element)
    if (parent === NO_ELEMENT) return name
    const alike = this.#childrenByName(parent).get(name)!
    return alike.length === 1 ? name : `${name}[${alike.indexOf(element) + 1}]`
  }

  #qualifiedName(element: number): string {
    return this.slice(this.cell(element, ELEMENT.start) + 1, this.cell(element, ELEMENT.nameEnd))
  }

  /** Kept: whoever tells of a hundred problems among half a million siblings would name each of them a hundred times. */
  #childrenByName(parent: number): ReadonlyMap<string, readonly number[]> {
    const known = this.#named.get(parent)
    if (known) return known
    const named = new Map<string, number[]>()
    for (const child of this.children(parent)) addUnder(named, this.#qualifiedName(child), child)
    this.#named.set(parent, named)
    return named
  }

  #collectIds(): Map<string, number[]> {
    const ids = new Map<string, number[]>()
    for (let element = 0; element < this.tables.elementCount; element++) {
      const first = this.cell(element, ELEMENT.attributes)
      const last = first + this.cell(element, ELEMENT.attributeCount)
      for (let attribute = first; attribute < last; attribute++)
        if (this.#isId(attribute)) addUnder(ids, this.attributeText(attribute), element)
    }
    return ids
  }

  /** XMLDSig and XAdES declare `Id`; without DTD the other usual spellings count too, so none hides a duplicate. */
  #isId(attribute: number): boolean {
    const local = this.attributeCell(attribute, ATTRIBUTE.local)
    if (this.attributeCell(attribute, ATTRIBUTE.nameEnd) - local !== 2) return false
    if ((this.tables.bytes[local]! | 0x20) !== 0x69 || (this.tables.bytes[local + 1]! | 0x20) !== 0x64) return false
    const uri = this.attributeCell(attribute, ATTRIBUTE.uri)
    const isLowerCase = this.tables.bytes[local] === 0x69 && this.tables.bytes[local + 1] === 0x64
    const isMixed = this.tables.bytes[local] === 0x69 && !isLowerCase
    return uri === NO_NAMESPACE ? !isMixed : uri === XML_NAMESPACE && isLowerCase
  }
}

function addUnder(groups: Map<string, number[]>, key: string, element: number): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [element])
  else if (group.at(-1) !== element) group.push(element)
}

const CDATA_OPEN = '<![CDATA['.length
const CDATA_CLOSE = ']]>'.length

/** The text of a CDATA section given with its delimiters: line ends are normalised, references are not resolved. */
export const cdataValue = (section: string): string => section.slice(CDATA_OPEN, -CDATA_CLOSE).replace(/\r\n?/g, '\n')
