import { encodeDocument } from '../xml/encodings.ts'
import { canonicalValue } from '../xml/xml-characters.ts'
import { ELEMENT, NAMESPACE, type XmlIndex } from '../xml/xml-index.ts'

/** A signature as a document of its own, in UTF-8. */
export interface CutOut {
  readonly signature: Buffer
  /** The whole document, in its encoding, with the signature as it is now, which may have grown behind its start tag. */
  putBack(signature: Buffer): Buffer
}

/**
 * Cuts an element out. It declares the namespaces that were in scope around it, so that its names keep their meaning;
 * exclusive canonical forms of what is inside are those in the document.
 */
export function cutOut(index: XmlIndex, element: number): CutOut {
  const { bytes, encoding } = index.tables
  const start = index.cell(element, ELEMENT.start)
  const nameEnd = index.cell(element, ELEMENT.nameEnd)
  const end = index.cell(element, ELEMENT.end)
  const added = Buffer.from(outerDeclarations(index, element), 'utf8')
  const name = nameEnd - start
  return {
    signature: Buffer.concat([bytes.subarray(start, nameEnd), added, bytes.subarray(nameEnd, end)]),
    putBack: (signature) =>
      encodeDocument(
        Buffer.concat([bytes.subarray(0, nameEnd), signature.subarray(name + added.length), bytes.subarray(end)]),
        encoding,
      ),
  }
}

/** Declarations of ancestors that the element does not replace. */
function outerDeclarations(index: XmlIndex, element: number): string {
  const own = ownPrefixes(index, element)
  return [...index.namespacesInScope(index.parent(element))]
    .filter(([prefix]) => !own.has(prefix))
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${canonicalValue(uri)}"`)
    .join('')
}

function ownPrefixes(index: XmlIndex, element: number): ReadonlySet<string> {
  const { namespaces, prefixNames } = index.tables
  const first = index.cell(element, ELEMENT.namespaces)
  const count = index.cell(element, ELEMENT.namespaceCount)
  const rows = Array.from({ length: count }, (_, at) => (first + at) * NAMESPACE.width)
  return new Set(rows.map((row) => prefixNames[namespaces[row + NAMESPACE.prefix]!]!))
}
