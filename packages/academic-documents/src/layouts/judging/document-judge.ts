import { ATTRIBUTE, ELEMENT, ROOT, type XmlIndex } from '@chancela/signature-engine/xml'
import { XML_SIGNATURE_NAMESPACE } from '../kinds.ts'
import type { Anything, Attributes, Complex, Element, ElementType, Particle } from '../language/content.ts'
import { labelOf } from '../language/labels.ts'
import type { Simple } from '../language/simple.ts'
import { signature, signatureElements } from '../tables/xml-signature.ts'
import { checkValue, countingValue } from './check-value.ts'
import { lineAt } from './lines.ts'
import { matchContent } from './match-content.ts'
import { type ChildName, elementsOf, factsOf, SIGNATURE_CHILD } from './particles.ts'
import {
  type LayoutProblem,
  type LayoutProblemCode,
  PLACE_SEPARATOR,
  type ProblemDetails,
  problemAt,
} from './problems.ts'

export interface JudgeContext {
  /** Of the document, one of the two. */
  readonly namespace: string
  readonly https: boolean
  /** The root elements of the layout, which wildcards inside signatures recognise too. */
  readonly roots: readonly Element[]
  readonly withoutSignatures: boolean
  readonly mostProblems: number
}

const INSTANCE_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'
/** Hints for schema processors, allowed on every element and ignored. */
const hints = new Set(['schemaLocation', 'noNamespaceSchemaLocation'])

const COMMENT_OR_INSTRUCTION = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g

const BLANK_REFERENCE = /&#(?:0*(?:9|10|13|32)|x0*(?:9|[aA]|[dD]|20));/g

/** Thrown inside to stop at the limit. */
const ENOUGH = Symbol('enough problems')

/** Judges one scanned document. */
export class DocumentJudge {
  readonly #index: XmlIndex
  readonly #context: JudgeContext
  readonly #problems: LayoutProblem[] = []
  readonly #ids = new Set<string>()

  constructor(index: XmlIndex, context: JudgeContext) {
    this.#index = index
    this.#context = context
  }

  problemsOf(root: number, declared: Element): readonly LayoutProblem[] {
    try {
      this.#element(root, declared.type, this.#context.namespace)
    } catch (error) {
      if (error !== ENOUGH) throw error
    }
    return this.#problems
  }

  /** `namespace` is the one of the table that declares the element's children. */
  #element(element: number, type: ElementType, namespace: string): void {
    if (type.is === 'simple') {
      this.#attributes(element, {})
      this.#plainValue(element, type)
      return
    }
    this.#attributes(element, type.attributes)
    if (type.valued !== undefined) this.#plainValue(element, type.valued)
    else if (type.model === undefined) this.#emptiness(element)
    else this.#children(element, type, type.model, namespace)
  }

  #plainValue(element: number, type: Simple<unknown>): void {
    const text = this.#index.text(element)
    if (text === undefined) this.#tell('not-plain', element)
    else this.#value(element, type, text)
  }

  #value(element: number, type: Simple<unknown>, text: string, attribute?: string): void {
    const fault = checkValue(type, text, this.#context.https)
    if (fault !== undefined) this.#tell(fault.code, element, fault.details, attribute)
    else if (type.family === 'id' && attribute !== undefined)
      this.#uniqueId(element, countingValue(type, text), attribute)
  }

  /** libxml2 compares the identifiers in attributes; those in the text of elements are left to the rules of the kinds. */
  #uniqueId(element: number, value: string, attribute: string): void {
    if (this.#ids.has(value)) this.#tell('id-repeated', element, { value }, attribute)
    this.#ids.add(value)
  }

  /** Comments and instructions may stand in an empty element, but not a blank, nor an empty CDATA section. */
  #emptiness(element: number): void {
    const content = this.#index.slice(
      this.#index.cell(element, ELEMENT.tagEnd),
      this.#index.cell(element, ELEMENT.close),
    )
    if (content.replace(COMMENT_OR_INSTRUCTION, '') !== '') this.#tell('not-empty', element)
  }

  #attributes(element: number, declared: Attributes): void {
    const given = new Set<string>()
    for (const row of this.#index.attributeRows(element)) {
      const name = this.#index.attributeLocalName(row)
      const namespace = this.#index.tables.uriNames[this.#index.attributeCell(row, ATTRIBUTE.uri)]!
      if (namespace === INSTANCE_NAMESPACE) this.#instanceAttribute(element, name)
      else if (namespace !== '' || !Object.hasOwn(declared, name)) this.#tell('attribute-unknown', element, {}, name)
      else {
        given.add(name)
        this.#value(element, declared[name]!.type, this.#index.attributeText(row), name)
      }
    }
    for (const [name, { min }] of Object.entries(declared))
      if (min === 1 && !given.has(name)) this.#tell('attribute-missing', element, {}, name)
  }

  #instanceAttribute(element: number, name: string): void {
    if (!hints.has(name)) this.#tell('type-overridden', element, { name })
  }

  #children(element: number, type: Complex, model: Particle, namespace: string): void {
    const children = this.#index.children(element)
    const names = children.map((child) => this.#childName(child, namespace))
    if (type.mixed !== true && this.#hasText(element)) this.#tell('text-misplaced', element)
    const faults = matchContent(
      model,
      names,
      (wildcard, child) => accepts(wildcard, child, namespace),
      this.#context.withoutSignatures,
    )
    for (const part of faults.absent) this.#absent(element, part)
    for (const at of faults.unknown) this.#tell('element-unknown', children[at]!)
    for (const at of faults.misplaced) this.#tell('element-misplaced', children[at]!)
    const unknown = new Set(faults.unknown)
    children.forEach((child, at) => {
      if (!unknown.has(at)) this.#child(child, names[at]!, type, namespace)
    })
  }

  /** The scanner calls a blank that is written as a reference text; here it is a blank like any other. */
  #hasText(element: number): boolean {
    if (!this.#index.hasStrayText(element)) return false
    const children = this.#index.children(element)
    const ends = [this.#index.cell(element, ELEMENT.tagEnd), ...children.map((at) => this.#index.cell(at, ELEMENT.end))]
    const starts = [
      ...children.map((at) => this.#index.cell(at, ELEMENT.start)),
      this.#index.cell(element, ELEMENT.close),
    ]
    const text = ends.map((end, at) => this.#index.slice(end, starts[at]!)).join('')
    return /[^\t\n\r ]/.test(text.replace(COMMENT_OR_INSTRUCTION, '').replace(BLANK_REFERENCE, ' '))
  }

  #childName(child: number, namespace: string): ChildName {
    const own = this.#index.namespaceName(child)
    const local = this.#index.localName(child)
    if (own === namespace) return local
    return own === XML_SIGNATURE_NAMESPACE && local === 'Signature' ? SIGNATURE_CHILD : `{${own}}${local}`
  }

  #child(child: number, name: ChildName, type: Complex, namespace: string): void {
    const declared = elementsOf(type).get(name)
    if (declared !== undefined) this.#element(child, declared.type, namespace)
    else if (name === SIGNATURE_CHILD) this.#element(child, signature.type, XML_SIGNATURE_NAMESPACE)
    else this.#wild(child, isStrict(type))
  }

  /** An element that a wildcard let in: judged if the schemas know it, with whatever is inside it otherwise. */
  #wild(element: number, strict: boolean): void {
    const namespace = this.#index.namespaceName(element)
    const declared = this.#globals(namespace).find(({ name }) => name === this.#index.localName(element))
    if (declared !== undefined) this.#element(element, declared.type, namespace)
    else if (strict) this.#tell('element-unknown', element)
    else this.#unknown(element)
  }

  /** Of an element that no schema knows only what is known inside it is judged, and that it claims no type. */
  #unknown(element: number): void {
    if (this.#index.attribute(element, 'type', INSTANCE_NAMESPACE) !== undefined)
      this.#tell('type-overridden', element, { name: 'type' })
    for (const child of this.#index.children(element)) this.#wild(child, false)
  }

  #globals(namespace: string): readonly Element[] {
    if (namespace === XML_SIGNATURE_NAMESPACE) return signatureElements
    return namespace === this.#context.namespace ? this.#context.roots : []
  }

  #absent(element: number, part: Particle): void {
    if (part.is === 'element') this.#tell('element-missing', element, { field: labelOf(part.name) })
    else if (part.is === 'signatures') this.#tell('signature-missing', element)
    else this.#tell('choice-missing', element, { options: [...factsOf(part).first].map(labelOf).join(', ') })
  }

  #tell(code: LayoutProblemCode, element: number, details: ProblemDetails = {}, attribute?: string): void {
    if (this.#problems.length >= this.#context.mostProblems) {
      this.#problems.push(problemAt('too-many-problems', { path: '/', place: 'XML' }))
      throw ENOUGH
    }
    this.#problems.push(problemAt(code, this.#where(element, attribute), details))
  }

  #where(element: number, attribute: string | undefined) {
    const { bytes } = this.#index.tables
    const path = this.#index.path(element)
    const labels = this.#ancestry(element).map((at) => labelOf(this.#index.localName(at)))
    if (attribute !== undefined) labels.push(labelOf(attribute))
    return {
      path: attribute === undefined ? path : `${path}/@${attribute}`,
      place: labels.join(PLACE_SEPARATOR),
      ...lineAt(bytes, this.#index.cell(element, ELEMENT.start)),
    }
  }

  #ancestry(element: number): number[] {
    const steps: number[] = []
    for (let at = element; at !== ROOT; at = this.#index.parent(at)) steps.unshift(at)
    return [ROOT, ...steps]
  }
}

/** `other`: any namespace but the table's own, and not none. */
function accepts(wildcard: Anything, child: ChildName, namespace: string): boolean {
  if (wildcard.namespaces === 'all') return true
  const isOwn = !child.startsWith('{') || (child === SIGNATURE_CHILD && namespace === XML_SIGNATURE_NAMESPACE)
  return !isOwn && !child.startsWith('{}')
}

function isStrict({ model }: Complex): boolean {
  const strict = (part: Particle): boolean => {
    if (part.is === 'sequence' || part.is === 'choice') return part.parts.some(strict)
    return part.is === 'anything' && part.strict
  }
  return model !== undefined && strict(model)
}
