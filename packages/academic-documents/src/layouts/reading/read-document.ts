import { ROOT, scanXml, type XmlIndex } from '@chancela/signature-engine/xml'
import { countingValue } from '../judging/check-value.ts'
import { type JudgeOptions, judge, type LayoutVerdict, layoutOf } from '../judging/judge.ts'
import { elementsOf } from '../judging/particles.ts'
import type { DocumentInput, DocumentKind } from '../kinds.ts'
import type { Complex, ElementType } from '../language/content.ts'
import { keyOf } from '../language/names.ts'
import { isList } from '../writing/field-keys.ts'

/** A document as data: what would have to be given to write it. Signatures are no part of it. */
export type ReadDocument =
  | { readonly [Kind in DocumentKind]: ReadAs<Kind> }[DocumentKind]
  | { readonly version: '1.02'; readonly kind: 'academicDocumentation' | 'degree'; readonly data: object }

interface ReadAs<Kind extends DocumentKind> {
  readonly version: '1.05'
  readonly kind: Kind
  readonly data: DocumentInput<Kind>
}

export interface Reading {
  readonly verdict: LayoutVerdict
  /** Only of a document that is valid. */
  readonly document?: ReadDocument
}

/** Judges a document and, if it is valid, gives what it says as data. */
export function readDocument(bytes: Uint8Array, options: JudgeOptions = {}): Reading {
  const verdict = judge(bytes, options)
  if (!verdict.valid) return { verdict }
  const index = scanXml(bytes)
  try {
    return { verdict, document: dataOf(index, verdict) }
  } finally {
    index.release()
  }
}

function dataOf(index: XmlIndex, { kind, version, root }: LayoutVerdict): ReadDocument {
  const { root: declared } = layoutOf(index, root!)!
  const data = { [keyOf(declared.name)]: new Reader(index).value(ROOT, declared.type) }
  // What was judged valid by the table has the shape that the compiler computed from the table.
  return { kind, version, data } as ReadDocument
}

class Reader {
  readonly #index: XmlIndex

  constructor(index: XmlIndex) {
    this.#index = index
  }

  value(element: number, type: ElementType): unknown {
    if (type.is === 'simple') return countingValue(type, this.#index.text(element)!)
    if (isList(type)) return this.#children(element, type).map(([key, value]) => ({ [key]: value }))
    const attributes = this.#attributes(element, type)
    if (type.valued !== undefined)
      return { valor: countingValue(type.valued, this.#index.text(element)!), ...attributes }
    const isFlag = type.model === undefined && Object.keys(type.attributes).length === 0
    return isFlag ? true : { ...attributes, ...this.#fields(element, type) }
  }

  #fields(element: number, type: Complex): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const [key, value, repeats] of this.#children(element, type))
      if (!repeats) fields[key] = value
      else if (Array.isArray(fields[key])) fields[key].push(value)
      else fields[key] = [value]
    return fields
  }

  /** Name, value and whether it may repeat, of each child that is no signature. */
  #children(element: number, type: Complex): [string, unknown, boolean][] {
    const declared = elementsOf(type)
    return this.#index.children(element).flatMap((child) => {
      const found = declared.get(this.#index.localName(child))
      if (found === undefined) return []
      return [[keyOf(found.name), this.value(child, found.type), found.max === 'many'] as [string, unknown, boolean]]
    })
  }

  #attributes(element: number, { attributes }: Complex): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const [name, { type, fixed }] of Object.entries(attributes)) {
      const value = this.#index.attribute(element, name)
      if (value !== undefined && fixed === undefined) fields[keyOf(name)] = countingValue(type, value)
    }
    return fields
  }
}
