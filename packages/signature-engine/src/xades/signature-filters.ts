import { ELEMENT, NO_ELEMENT, ROOT, type XmlIndex } from '../xml/xml-index.ts'
import type { XmlTransform } from './read-signature.ts'
import { DS, TRANSFORM } from './vocabulary.ts'
import {
  type Condition,
  type Filter,
  type Location,
  type NameTest,
  parseCondition,
  parseLocations,
  type Step,
} from './xpath-grammar.ts'

/** What a reference leaves out of its target, by its transforms and whether or not there is any such signature now. */
export type Omission = 'nothing' | 'own-signature' | 'some-signatures' | 'all-signatures'

/** The part of a document that a reference has come to. */
export interface Selection {
  /** Undefined: the whole document. */
  readonly apex: number | undefined
  /** Signatures that are left out of it. */
  readonly exclude: readonly number[]
  readonly omits: Omission
}

const WEIGHT: Readonly<Record<Omission, number>> = {
  nothing: 0,
  'own-signature': 1,
  'some-signatures': 2,
  'all-signatures': 3,
}

/** At most this many expressions in one transform of XPath Filter 2. */
const MAX_FILTERS = 8

/** The filters a transform stands for; undefined when it is no filter, or none whose effect is known. */
export function filtersOf(index: XmlIndex, { algorithm, element }: XmlTransform): readonly Filter[] | undefined {
  if (algorithm === TRANSFORM.enveloped) return index.children(element).length === 0 ? [OWN_SIGNATURE] : undefined
  if (algorithm === TRANSFORM.xpath) return xpathFilters(index, element)
  return algorithm === TRANSFORM.xpathFilter2 ? filters2(index, element) : undefined
}

const SIGNATURE: NameTest = { uri: DS, local: 'Signature' }
const OWN_SIGNATURE: Filter = {
  does: 'subtract',
  locations: [{ from: 'here', test: SIGNATURE, conditions: [] }],
}

function xpathFilters(index: XmlIndex, transform: number): readonly Filter[] | undefined {
  const [xpath, ...others] = index.children(transform)
  if (xpath === undefined || others.length > 0 || !index.is(xpath, DS, 'XPath')) return undefined
  return parseCondition(index.text(xpath) ?? '', index.namespacesInScope(xpath))
}

function filters2(index: XmlIndex, transform: number): readonly Filter[] | undefined {
  const steps = index.children(transform)
  if (steps.length === 0 || steps.length > MAX_FILTERS) return undefined
  const filters: Filter[] = []
  for (const xpath of steps) {
    const does = index.attribute(xpath, 'Filter')
    const locations = parseLocations(index.text(xpath) ?? '', index.namespacesInScope(xpath))
    const isXPath = index.is(xpath, TRANSFORM.xpathFilter2, 'XPath')
    if (!isXPath || locations === undefined || (does !== 'subtract' && does !== 'intersect')) return undefined
    filters.push({ does, locations })
  }
  return filters
}

/**
 * What a filter in this transform leaves of a selection. It is accepted for its effect on this very document: it may
 * leave out signatures and nothing else, or narrow the selection to one element. Undefined when its effect is another.
 */
export function filtered(
  index: XmlIndex,
  { element: here }: XmlTransform,
  filter: Filter,
  selection: Selection,
): Selection | undefined {
  const found: number[] = []
  for (const location of filter.locations) {
    const elements = elementsAt(index, here, location)
    if (elements === undefined) return undefined
    found.push(...elements)
  }
  const elements = [...new Set(found)]
  return filter.does === 'subtract'
    ? subtracted(index, elements, omissionOf(filter), selection)
    : intersected(index, elements, selection)
}

function subtracted(
  index: XmlIndex,
  elements: readonly number[],
  omits: Omission,
  selection: Selection,
): Selection | undefined {
  const { apex = ROOT } = selection
  // An element around the selection would leave nothing of it.
  if (elements.some((element) => index.contains(element, apex))) return undefined
  const inside = elements.filter((element) => index.contains(apex, element))
  if (!inside.every((element) => index.is(element, DS, 'Signature'))) return undefined
  return {
    apex: selection.apex,
    exclude: [...new Set([...selection.exclude, ...inside])],
    omits: WEIGHT[omits] > WEIGHT[selection.omits] ? omits : selection.omits,
  }
}

function intersected(index: XmlIndex, elements: readonly number[], selection: Selection): Selection | undefined {
  const { apex } = selection
  if (apex !== undefined && elements.some((element) => index.contains(element, apex))) return selection
  const [only, ...others] = elements.filter((element) => index.contains(apex ?? ROOT, element))
  if (only === undefined || others.length > 0) return undefined
  return { ...selection, apex: only, exclude: selection.exclude.filter((excluded) => index.contains(only, excluded)) }
}

/** What the form of a filter leaves out of any document. */
function omissionOf({ locations }: Filter): Omission {
  if (locations.every(({ from }) => from === 'here')) return 'own-signature'
  return locations.some(isEverySignature) ? 'all-signatures' : 'some-signatures'
}

function isEverySignature(location: Location): boolean {
  if (location.from !== 'document' || location.steps.length !== 1) return false
  const { axis, test, conditions } = location.steps[0]!
  return axis === 'descendant' && isMetBySignatures({ of: 'self', test }) && conditions.every(isMetBySignatures)
}

/** Whether every signature meets the condition; its prefix and its attributes are anybody's choice. */
function isMetBySignatures(condition: Condition): boolean {
  if (condition.of === 'self') return condition.test === undefined || isSignatureName(condition.test)
  if (condition.of === 'local-name') return condition.value === 'Signature'
  return condition.of === 'namespace-uri' && condition.value === DS
}

const isSignatureName = ({ uri, local }: NonNullable<NameTest>): boolean => uri === DS && local === 'Signature'

/** The elements of a location; undefined when an Id is not that of exactly one. */
function elementsAt(index: XmlIndex, here: number, location: Location): readonly number[] | undefined {
  if (location.from === 'document') return elementsOnPath(index, location.steps)
  if (location.from === 'here') return nearestAround(index, here, location)
  const found = index.elementsWithId(location.id)
  return found.length === 1 ? found : undefined
}

function nearestAround(index: XmlIndex, here: number, { test, conditions }: Omit<Step, 'axis'>): readonly number[] {
  for (let at = here; at !== NO_ELEMENT; at = index.parent(at)) if (meets(index, at, test, conditions)) return [at]
  return []
}

function elementsOnPath(index: XmlIndex, steps: readonly Step[]): readonly number[] {
  let context: readonly number[] | undefined
  for (const step of steps) {
    const reached = context === undefined ? fromDocument(index, step) : fromElements(index, step, context)
    context = reached.filter((element) => meets(index, element, step.test, step.conditions))
  }
  return context ?? []
}

function fromDocument(index: XmlIndex, { axis, test }: Step): readonly number[] {
  if (axis === 'child') return [ROOT]
  if (test !== undefined) return index.findAll(test.uri, test.local)
  return Array.from({ length: index.tables.elementCount }, (_, element) => element)
}

/** In document order, each element once, however those of the context are nested. */
function fromElements(index: XmlIndex, { axis }: Step, context: readonly number[]): readonly number[] {
  if (axis === 'child') return context.flatMap((one) => index.children(one)).toSorted((a, b) => a - b)
  const found: number[] = []
  let next = 0
  for (const element of context) {
    const after = index.cell(element, ELEMENT.after)
    for (let inner = Math.max(element + 1, next); inner < after; inner++) found.push(inner)
    next = Math.max(next, after)
  }
  return found
}

const meets = (index: XmlIndex, element: number, test: NameTest, conditions: readonly Condition[]): boolean =>
  (test === undefined || index.is(element, test.uri, test.local)) &&
  conditions.every((condition) => isMet(index, element, condition))

function isMet(index: XmlIndex, element: number, condition: Condition): boolean {
  switch (condition.of) {
    case 'self':
      return meets(index, element, condition.test, [])
    case 'attribute':
      return index.attribute(element, condition.local, condition.uri) === condition.value
    case 'name':
      return (
        index.slice(index.cell(element, ELEMENT.start) + 1, index.cell(element, ELEMENT.nameEnd)) === condition.value
      )
    case 'local-name':
      return index.localName(element) === condition.value
    case 'namespace-uri':
      return index.namespaceName(element) === condition.value
  }
}
