import type { Hash } from 'node:crypto'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest, startDigest } from '../crypto/digest.ts'
import { type CanonicalSink, CanonicalWriter, type WordBytes, wordBytes } from './canonical-writer.ts'
import { refuseXml } from './errors.ts'
import { type RenderedAttribute, renderedAttributes, withInherited } from './inherited-attributes.ts'
import { attributeValue, canonicalText, canonicalValue, compareCodePoints, textValue } from './xml-characters.ts'
import {
  ATTRIBUTE,
  cdataValue,
  EDIT,
  EDIT_KIND,
  ELEMENT,
  FLAG,
  NAMESPACE,
  NO_ELEMENT,
  NO_NAMESPACE,
  NO_PREFIX,
  ROOT,
  UNBOUND,
  XML_NAMESPACE,
  XML_PREFIX,
  type XmlIndex,
} from './xml-index.ts'
import { compareBytes } from './xml-scanner.ts'

/** The three families of canonical XML. */
export type CanonicalFamily = 'inclusive' | 'inclusive11' | 'exclusive'

export type CanonicalForm = {
  readonly family: CanonicalFamily
  readonly withComments: boolean
  /** Exclusive only: prefixes treated as inclusive canonicalisation would; `#default` is the default namespace. */
  readonly inclusivePrefixes?: readonly string[]
}

export type CanonicalTarget = {
  /** The element at the top; without it the whole document, with what is around the root element. */
  readonly apex?: number
  /** Elements to exclude with everything inside them, as the enveloped-signature transform excludes its signature. */
  readonly exclude?: readonly number[]
}

/** Canonicalises in place, with the namespaces of the ancestors, and passes the result on in pieces. */
function canonicalise(index: XmlIndex, form: CanonicalForm, target: CanonicalTarget, sink: CanonicalSink): void {
  new Canonicaliser(index, form, target, sink).run()
}

/** The canonical form as one array of bytes. */
export function canonicalBytes(index: XmlIndex, form: CanonicalForm, target: CanonicalTarget = {}): Buffer {
  const chunks: Buffer[] = []
  canonicalise(index, form, target, (chunk) => {
    if (chunk.length > 0 || chunks.length === 0) chunks.push(Buffer.from(chunk))
  })
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** The digest of the canonical form, without ever having all of it in memory. */
export function canonicalDigest(
  index: XmlIndex,
  form: CanonicalForm,
  target: CanonicalTarget,
  name: DigestName,
): Buffer {
  let hash: Hash | undefined
  let result: Buffer | undefined
  canonicalise(index, form, target, (chunk, isLast) => {
    // The canonical form of a small document is one piece.
    if (isLast && hash === undefined) result = digest(name, chunk)
    else {
      hash ??= startDigest(name)
      hash.update(chunk)
    }
  })
  return result ?? hash!.digest()
}

const GAP = wordBytes(' ')
const VALUE_START = wordBytes('="')
const VALUE_END = wordBytes('"')
const TAG_END = wordBytes('>')
const END_TAG = wordBytes('</')

const NONE: ReadonlySet<number> = new Set()

type Declaration = { readonly prefix: number; readonly uri: number }

/**
 * One canonicalisation. The scan has already recorded every place where the canonical form differs from the bytes, so
 * the work is to copy the runs between those places; only start tags depend on the algorithm and the apex.
 */
class Canonicaliser {
  readonly #index: XmlIndex
  readonly #form: CanonicalForm
  readonly #writer: CanonicalWriter
  readonly #apex: number | undefined
  readonly #exclude: readonly number[]
  readonly #inclusivePrefixes: ReadonlySet<number>
  /** Exclusive: prefix number → namespace number the nearest output ancestor rendered. */
  readonly #rendered: number[] = [NO_NAMESPACE, XML_NAMESPACE]
  /** Exclusive: what to restore in #rendered when an element ends, as (end, prefix, namespace). */
  readonly #undo: number[] = []
  readonly #declarations = new Map<number, WordBytes>()
  /** The declaration written last: in most documents it is also the next one. */
  #lastDeclaration = GAP
  #lastDeclarationKey = -1
  /** Everything before this offset is written. */
  #cursor = 0
  #edit = 0

  constructor(index: XmlIndex, form: CanonicalForm, target: CanonicalTarget, sink: CanonicalSink) {
    this.#index = index
    this.#form = form
    this.#writer = new CanonicalWriter(index.tables, sink)
    this.#apex = target.apex
    const exclude = target.exclude ?? []
    this.#exclude = exclude.length > 1 ? exclude.toSorted((a, b) => a - b) : exclude
    const listed = form.family === 'exclusive' ? form.inclusivePrefixes : undefined
    this.#inclusivePrefixes = listed === undefined || listed.length === 0 ? NONE : prefixNumbers(index, listed)
    for (let prefix = XML_PREFIX + 1; prefix < index.tables.prefixNames.length; prefix++) this.#rendered.push(UNBOUND)
  }

  run(): void {
    const apex = this.#apex ?? ROOT
    this.#refuseRelativeNamespaces(apex)
    if (this.#apex === undefined) this.#around(0, this.#index.cell(ROOT, ELEMENT.start), '', '\n')
    this.#cursor = this.#index.cell(apex, ELEMENT.start)
    this.#edit = this.#index.firstEdit(this.#cursor)
    if (this.#form.family === 'exclusive') this.#exclusive(apex)
    else this.#inclusive(apex)
    this.#copyTo(this.#index.cell(apex, ELEMENT.end))
    if (this.#apex === undefined) this.#around(this.#cursor, this.#index.tables.bytes.length, '\n', '')
    this.#writer.end()
  }

  /** Canonical XML §1.3: a document with a relative namespace name has no canonical form. */
  #refuseRelativeNamespaces(apex: number): void {
    for (const element of this.#index.tables.relativeNamespaces)
      if (this.#index.contains(apex, element) || this.#index.contains(element, apex))
        throw refuseXml('xml.namespace-relative')
  }

  /** Comments and instructions outside the root element, each on a line of its own (Canonical XML §2.3, root node). */
  #around(start: number, end: number, before: string, behind: string): void {
    for (let edit = this.#index.firstEdit(start); edit < this.#index.tables.editCount; edit++) {
      if (this.#index.editCell(edit, EDIT.start) >= end) break
      const rendered = this.#renderEdit(edit)
      if (rendered !== '') this.#writer.text(before + rendered + behind)
    }
  }

  /** Inclusive forms: only the apex and the tags the scan recorded differ from the bytes. */
  #inclusive(apex: number): void {
    const { rewrites, rewriteCount } = this.#index.tables
    const after = this.#index.cell(apex, ELEMENT.after)
    let excluded = 0
    let resume = apex
    if (this.#exclude.includes(apex)) {
      this.#skip(apex)
      return
    }
    this.#startTag(apex, this.#inclusiveDeclarations(apex), this.#apexAttributes(apex))
    let at = firstAtLeast(rewrites, rewriteCount, apex + 1)
    for (;;) {
      const rewrite = at < rewriteCount && rewrites[at]! < after ? rewrites[at]! : after
      while (excluded < this.#exclude.length && this.#exclude[excluded]! < Math.max(resume, apex + 1)) excluded++
      const skip = excluded < this.#exclude.length ? this.#exclude[excluded]! : after
      const next = Math.min(rewrite, skip)
      if (next >= after) return
      if (next === skip) {
        this.#skip(skip)
        resume = this.#index.cell(skip, ELEMENT.after)
        while (at < rewriteCount && rewrites[at]! < resume) at++
      } else {
        this.#startTag(rewrite, this.#ownDeclarations(rewrite), undefined)
        resume = rewrite + 1
        at++
      }
    }
  }

  /** Exclusive form: every element is checked for declarations that no output ancestor has rendered. */
  #exclusive(apex: number): void {
    const { elements } = this.#index.tables
    const after = this.#index.cell(apex, ELEMENT.after)
    const rendered = this.#rendered
    const undo = this.#undo
    let excluded = 0
    for (let element = apex; element < after; ) {
      if (excluded < this.#exclude.length) {
        while (excluded < this.#exclude.length && this.#exclude[excluded]! < element) excluded++
        if (this.#exclude[excluded] === element) {
          this.#skip(element)
          element = this.#index.cell(element, ELEMENT.after)
          continue
        }
      }
      const row = element * ELEMENT.width
      while (undo.length > 0 && undo[undo.length - 3]! <= elements[row + ELEMENT.start]!) this.#popRendered()
      const prefix = elements[row + ELEMENT.prefix]!
      const uri = elements[row + ELEMENT.uri]!
      const needsLook =
        (elements[row + ELEMENT.flags]! & (FLAG.rewrite | FLAG.empty | FLAG.prefixedAttributes)) !== 0 ||
        elements[row + ELEMENT.namespaceCount] !== 0 ||
        element === apex
      if (needsLook) this.#exclusiveTag(element, element === apex)
      else if (rendered[prefix] !== uri) {
        // Only its own name needs a declaration, and nothing else in the tag changes: by far the most frequent case.
        undo.push(elements[row + ELEMENT.end]!, prefix, rendered[prefix]!)
        rendered[prefix] = uri
        this.#copyTo(elements[row + ELEMENT.nameEnd]!)
        this.#writer.bytes(this.#declaration(prefix, uri))
      }
      element++
    }
  }

  #exclusiveTag(element: number, isApex: boolean): void {
    const index = this.#index
    const declarations = this.#unrendered(element, isApex)
    const asWritten =
      declarations.length === 0 &&
      index.cell(element, ELEMENT.namespaceCount) === 0 &&
      (index.cell(element, ELEMENT.flags) & (FLAG.rewrite | FLAG.empty)) === 0
    if (!asWritten) this.#startTag(element, declarations, undefined)
  }

  /** The namespaces an element visibly uses, or the caller listed, that no output ancestor declares; then rendered. */
  #unrendered(element: number, isApex: boolean): Declaration[] {
    const index = this.#index
    const end = index.cell(element, ELEMENT.end)
    const wanted: Declaration[] = []
    this.#want(wanted, index.cell(element, ELEMENT.prefix), index.cell(element, ELEMENT.uri), end)
    if ((index.cell(element, ELEMENT.flags) & FLAG.prefixedAttributes) !== 0) {
      const first = index.cell(element, ELEMENT.attributes)
      for (let row = first; row < first + index.cell(element, ELEMENT.attributeCount); row++) {
        const prefix = index.attributeCell(row, ATTRIBUTE.prefix)
        if (prefix !== NO_PREFIX) this.#want(wanted, prefix, index.attributeCell(row, ATTRIBUTE.uri), end)
      }
    }
    if (this.#inclusivePrefixes.size > 0)
      for (const { prefix, uri } of isApex ? this.#inScope(element) : this.#declarationsOf(element))
        if (this.#inclusivePrefixes.has(prefix)) this.#want(wanted, prefix, uri, end)
    return wanted
  }

  #want(wanted: Declaration[], prefix: number, uri: number, end: number): void {
    if (this.#rendered[prefix] === uri) return
    wanted.push({ prefix, uri })
    this.#undo.push(end, prefix, this.#rendered[prefix]!)
    this.#rendered[prefix] = uri
  }

  #popRendered(): void {
    const uri = this.#undo.pop()!
    const prefix = this.#undo.pop()!
    this.#undo.pop()
    this.#rendered[prefix] = uri
  }

  #skip(element: number): void {
    this.#copyTo(this.#index.cell(element, ELEMENT.start))
    this.#cursor = this.#index.cell(element, ELEMENT.end)
    this.#edit = this.#index.firstEdit(this.#cursor)
  }

  /** Copies up to an offset, replacing what the scan found not to be canonical. */
  #copyTo(end: number): void {
    const { edits, editCount } = this.#index.tables
    while (this.#edit < editCount) {
      const row = this.#edit * EDIT.width
      const start = edits[row + EDIT.start]!
      if (start >= end) break
      this.#writer.slice(this.#cursor, start)
      const rendered = this.#renderEdit(this.#edit)
      if (rendered !== '') this.#writer.text(rendered)
      this.#cursor = edits[row + EDIT.end]!
      this.#edit++
    }
    this.#writer.slice(this.#cursor, end)
    this.#cursor = Math.max(this.#cursor, end)
  }

  #renderEdit(edit: number): string {
    const kind = this.#index.editCell(edit, EDIT.kind)
    if (kind === EDIT_KIND.endTag || (kind === EDIT_KIND.comment && !this.#form.withComments)) return ''
    const raw = this.#index.slice(this.#index.editCell(edit, EDIT.start), this.#index.editCell(edit, EDIT.end))
    if (kind === EDIT_KIND.text) return canonicalText(textValue(raw))
    if (kind === EDIT_KIND.cdata) return canonicalText(cdataValue(raw))
    const lines = raw.replace(/\r\n?/g, '\n')
    return kind === EDIT_KIND.comment ? lines : canonicalInstruction(lines)
  }

  #startTag(element: number, declarations: Declaration[], attributes: RenderedAttribute[] | undefined): void {
    const index = this.#index
    const flags = index.cell(element, ELEMENT.flags)
    const nameEnd = index.cell(element, ELEMENT.nameEnd)
    const tagEnd = index.cell(element, ELEMENT.tagEnd)
    const isRewritten =
      (flags & FLAG.rewrite) !== 0 || index.cell(element, ELEMENT.namespaceCount) !== 0 || attributes !== undefined
    this.#copyTo(nameEnd)
    if (declarations.length > 0) this.#declare(declarations)
    if (isRewritten) {
      if (attributes === undefined) this.#ownAttributes(element)
      else
        for (const attribute of attributes.sort(compareRendered))
          this.#writer.text(` ${attribute.name}="${canonicalValue(attribute.value)}"`)
      this.#writer.bytes(TAG_END)
      this.#cursor = tagEnd
    }
    if ((flags & FLAG.empty) !== 0) {
      if (!isRewritten) {
        this.#copyTo(tagEnd - '/>'.length)
        this.#writer.bytes(TAG_END)
      }
      this.#writer.bytes(END_TAG)
      this.#writer.slice(index.cell(element, ELEMENT.start) + 1, nameEnd)
      this.#writer.bytes(TAG_END)
      this.#cursor = tagEnd
    }
  }

  #declare(declarations: Declaration[]): void {
    const { prefixNames } = this.#index.tables
    if (declarations.length > 1)
      declarations.sort((a, b) => compareCodePoints(prefixNames[a.prefix]!, prefixNames[b.prefix]!))
    for (const { prefix, uri } of declarations) this.#writer.bytes(this.#declaration(prefix, uri))
  }

  /** The bytes of a namespace declaration; cached, since exclusive forms may repeat one thousands of times. */
  #declaration(prefix: number, uri: number): WordBytes {
    const { prefixNames, uriNames } = this.#index.tables
    const key = prefix * uriNames.length + uri
    if (key === this.#lastDeclarationKey) return this.#lastDeclaration
    let declaration = this.#declarations.get(key)
    if (declaration === undefined) {
      const name = prefix === NO_PREFIX ? ' xmlns' : ` xmlns:${prefixNames[prefix]}`
      declaration = wordBytes(`${name}="${canonicalValue(uriNames[uri]!)}"`)
      this.#declarations.set(key, declaration)
    }
    this.#lastDeclarationKey = key
    this.#lastDeclaration = declaration
    return declaration
  }

  #ownAttributes(element: number): void {
    const index = this.#index
    if (index.cell(element, ELEMENT.attributeCount) === 0) return
    const rows = index.attributeRows(element)
    if (rows.length > 1) this.#sortRows(rows)
    for (const row of rows) {
      this.#writer.bytes(GAP)
      this.#writer.slice(index.attributeCell(row, ATTRIBUTE.name), index.attributeCell(row, ATTRIBUTE.nameEnd))
      this.#writer.bytes(VALUE_START)
      const value = index.attributeCell(row, ATTRIBUTE.value)
      const end = index.attributeCell(row, ATTRIBUTE.valueEnd)
      if (index.attributeCell(row, ATTRIBUTE.rewrite) === 0) this.#writer.slice(value, end)
      else this.#writer.text(canonicalValue(attributeValue(index.slice(value, end))))
      this.#writer.bytes(VALUE_END)
    }
  }

  /** Insertion sort: attributes are few and mostly in order already. */
  #sortRows(rows: number[]): void {
    for (let at = 1; at < rows.length; at++) {
      const row = rows[at]!
      let to = at
      for (; to > 0 && this.#compareRows(rows[to - 1]!, row) > 0; to--) rows[to] = rows[to - 1]!
      rows[to] = row
    }
  }

  #compareRows(a: number, b: number): number {
    const index = this.#index
    const aUri = index.attributeCell(a, ATTRIBUTE.uri)
    const bUri = index.attributeCell(b, ATTRIBUTE.uri)
    if (aUri !== bUri) return compareCodePoints(index.tables.uriNames[aUri]!, index.tables.uriNames[bUri]!)
    return compareBytes(
      index.tables.bytes,
      index.attributeCell(a, ATTRIBUTE.local),
      index.attributeCell(a, ATTRIBUTE.nameEnd),
      index.attributeCell(b, ATTRIBUTE.local),
      index.attributeCell(b, ATTRIBUTE.nameEnd),
    )
  }

  /** The declarations of an element that differ from its parent's. */
  #ownDeclarations(element: number): Declaration[] {
    if (this.#index.cell(element, ELEMENT.namespaceCount) === 0) return []
    return this.#declarationsOf(element).filter(({ uri, outer }) => uri !== outer)
  }

  #declarationsOf(element: number): (Declaration & { outer: number })[] {
    const { namespaces } = this.#index.tables
    const first = this.#index.cell(element, ELEMENT.namespaces)
    const end = (first + this.#index.cell(element, ELEMENT.namespaceCount)) * NAMESPACE.width
    const declarations: (Declaration & { outer: number })[] = []
    for (let row = first * NAMESPACE.width; row < end; row += NAMESPACE.width)
      declarations.push({
        prefix: namespaces[row + NAMESPACE.prefix]!,
        uri: namespaces[row + NAMESPACE.uri]!,
        outer: namespaces[row + NAMESPACE.outer]!,
      })
    return declarations
  }

  /** The apex of an inclusive form declares everything in scope, because its ancestors are not there to do it. */
  #inclusiveDeclarations(apex: number): Declaration[] {
    return this.#inScope(apex).filter(({ prefix, uri }) => uri !== NO_NAMESPACE && prefix !== XML_PREFIX)
  }

  #inScope(element: number): Declaration[] {
    const scope = new Map<number, number>()
    for (let at = element; at !== NO_ELEMENT; at = this.#index.parent(at))
      for (const { prefix, uri } of this.#declarationsOf(at)) if (!scope.has(prefix)) scope.set(prefix, uri)
    return [...scope].map(([prefix, uri]) => ({ prefix, uri }))
  }

  /** The apex inherits `xml:` attributes of its ancestors (Canonical XML 1.0 §2.4, 1.1 §2.4). */
  #apexAttributes(apex: number): RenderedAttribute[] | undefined {
    const parent = this.#index.parent(apex)
    if (parent === NO_ELEMENT || this.#form.family === 'exclusive') return undefined
    const own = renderedAttributes(this.#index, apex)
    const merged = withInherited(this.#index, parent, this.#form.family, own)
    return merged === own ? undefined : merged
  }
}

function prefixNumbers(index: XmlIndex, listed: readonly string[]): ReadonlySet<number> {
  const names = new Set(listed)
  return new Set(index.tables.prefixNames.flatMap((name, number) => (names.has(name || '#default') ? [number] : [])))
}

const compareRendered = (a: RenderedAttribute, b: RenderedAttribute): number =>
  compareCodePoints(a.uri, b.uri) || compareCodePoints(a.local, b.local)

/** One space between target and data, none without data. */
function canonicalInstruction(raw: string): string {
  const [, target, data] = /^<\?([^ \t\n?]+)[ \t\n]*(.*?)\?>$/s.exec(raw)!
  return data ? `<?${target} ${data}?>` : `<?${target}?>`
}

function firstAtLeast(sorted: Int32Array, count: number, value: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
