import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type Finding, finding } from '../report/report.ts'
import { type CanonicalForm, canonicalBytes, canonicalDigest } from '../xml/canonical-form.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { base64, canonicalFormAt, type XmlReference, type XmlSignature, type XmlTransform } from './read-signature.ts'
import { canonicalFormByUri, canonicalisations, DS, TRANSFORM } from './vocabulary.ts'

/** The target of a reference after its transforms. */
export interface Resolved {
  /** Whole document: undefined. Only meaningful for `source: document`. */
  readonly apex: number | undefined
  readonly source: 'document' | 'external'
  /** The signatures that were left out of the apex. */
  readonly exclude: readonly number[]
  /** What its transforms leave out, whether or not there is any such signature now. */
  readonly omits: 'nothing' | 'own-signature' | 'all-signatures'
  digest(name: DigestName): Buffer
  bytes(): Buffer
}

export type Resolution = { readonly resolved: Resolved } | { readonly problem: Finding }

/** Contents that are not in the document, by the URI the signature gives them. */
export interface ExternalContents {
  find(uri: string): Uint8Array | undefined
}

/**
 * Processes a reference by XMLDSig §4.4.3, but supports only what cannot hide anything: same-document references by
 * unique Id, removal of signatures, canonicalisation, base64. Everything else is refused by name, not executed.
 */
export function resolveReference(
  index: XmlIndex,
  signature: XmlSignature,
  reference: XmlReference,
  contents: ExternalContents,
): Resolution {
  const { uri } = reference
  if (uri === undefined) return problem('xml.reference-unresolved', { uri: '' })
  const fragment = sameDocument(uri)
  if (fragment === undefined) return external(index, reference, uri, contents)
  if (fragment.id === undefined) return transformed(index, signature, reference, undefined, fragment.keepsComments)
  const found = index.elementsWithId(fragment.id)
  if (found.length > 1) return problem('xml.duplicate-id', { id: fragment.id })
  if (found[0] === undefined) return problem('xml.reference-unresolved', { uri })
  return transformed(index, signature, reference, found[0], fragment.keepsComments)
}

const problem = (code: Finding['code'], details: NonNullable<Finding['details']>): Resolution => ({
  problem: finding(code, details),
})

/** XMLDSig §4.4.3.3: the forms of same-document references, and whether comments survive them. */
function sameDocument(uri: string): { id: string | undefined; keepsComments: boolean } | undefined {
  if (uri === '') return { id: undefined, keepsComments: false }
  if (uri === '#xpointer(/)') return { id: undefined, keepsComments: true }
  const pointed = /^#xpointer\(id\((["'])([^"']*)\1\)\)$/.exec(uri)
  if (pointed !== null) return { id: pointed[2], keepsComments: true }
  return uri.startsWith('#') ? { id: uri.slice(1), keepsComments: false } : undefined
}

function transformed(
  index: XmlIndex,
  signature: XmlSignature,
  { transforms }: XmlReference,
  apex: number | undefined,
  keepsComments: boolean,
): Resolution {
  const exclude = new Set<number>()
  let omits: Resolved['omits'] = 'nothing'
  let form: CanonicalForm = canonicalisations.inclusive.form
  for (const [at, transform] of transforms.entries()) {
    const isLast = at === transforms.length - 1
    const removed = removedBy(index, signature, transform, apex)
    if (removed !== undefined) {
      for (const element of removed.elements) exclude.add(element)
      if (omits !== 'all-signatures') omits = removed.omits
    } else if (isLast && canonicalFormByUri(transform.algorithm) !== undefined) {
      const asked = canonicalFormAt(index, transform.element)
      if (asked === undefined) return refusedTransform(transform)
      form = asked
    } else if (isLast && at === 0 && transform.algorithm === TRANSFORM.base64 && apex !== undefined) {
      return decoded(index, apex)
    } else return refusedTransform(transform)
  }
  const effective = { ...form, withComments: form.withComments && keepsComments }
  const excluded = [...exclude]
  const target = { exclude: excluded, ...(apex !== undefined && { apex }) }
  return {
    resolved: {
      apex,
      source: 'document',
      exclude: excluded,
      omits,
      digest: (name) => canonicalDigest(index, effective, target, name),
      bytes: () => canonicalBytes(index, effective, target),
    },
  }
}

const refusedTransform = ({ algorithm }: XmlTransform): Resolution => problem('xml.transform-refused', { algorithm })

interface Removed {
  readonly omits: 'own-signature' | 'all-signatures'
  readonly elements: readonly number[]
}

/** The elements a transform excludes; undefined when it is not one of those that exclude signatures. */
function removedBy(
  index: XmlIndex,
  signature: XmlSignature,
  { algorithm, element }: XmlTransform,
  apex: number | undefined,
): Removed | undefined {
  const omits = omittedBy(index, algorithm, element)
  if (omits === undefined) return undefined
  return { omits, elements: omits === 'own-signature' ? [signature.element] : index.findAll(DS, 'Signature', apex) }
}

function omittedBy(index: XmlIndex, algorithm: string, element: number): Removed['omits'] | undefined {
  if (algorithm === TRANSFORM.enveloped && index.children(element).length === 0) return 'own-signature'
  return algorithm === TRANSFORM.xpath || algorithm === TRANSFORM.xpathFilter2 ? filterAt(index, element) : undefined
}

// Fixed expressions, compared as text: an arbitrary XPath could exclude whatever an attacker wants to change.
const FILTERS: readonly {
  readonly namespace: string
  readonly filter: string | undefined
  readonly expression: RegExp
  readonly removes: Removed['omits']
}[] = [
  {
    namespace: DS,
    filter: undefined,
    expression: /^not\(ancestor-or-self::([\w.-]+):Signature\)$/,
    removes: 'all-signatures',
  },
  {
    namespace: TRANSFORM.xpathFilter2,
    filter: 'subtract',
    expression: /^(?:\/descendant::|\/\/)([\w.-]+):Signature$/,
    removes: 'all-signatures',
  },
  {
    namespace: TRANSFORM.xpathFilter2,
    filter: 'subtract',
    expression: /^here\(\)\/ancestor::([\w.-]+):Signature\[1\]$/,
    removes: 'own-signature',
  },
]

function filterAt(index: XmlIndex, transform: number): Removed['omits'] | undefined {
  const [xpath, ...others] = index.children(transform)
  if (xpath === undefined || others.length > 0 || index.localName(xpath) !== 'XPath') return undefined
  const expression = index.text(xpath)?.trim() ?? ''
  for (const filter of FILTERS) {
    const prefix = filter.expression.exec(expression)?.[1]
    const isThis =
      prefix !== undefined &&
      index.namespaceName(xpath) === filter.namespace &&
      index.attribute(xpath, 'Filter') === filter.filter &&
      index.namespacesInScope(xpath).get(prefix) === DS
    if (isThis) return filter.removes
  }
  return undefined
}

/** The base64 transform on an object that carries bytes. */
function decoded(index: XmlIndex, apex: number): Resolution {
  try {
    return octets(base64(index, apex), apex, 'document')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return problem('structure-malformed', { reason: error.message })
  }
}

const octets = (bytes: Buffer, apex: number | undefined, source: Resolved['source']): Resolution => ({
  resolved: { apex, source, exclude: [], omits: 'nothing', digest: (name) => digest(name, bytes), bytes: () => bytes },
})

/** An external content: never fetched, only taken from the caller. */
function external(index: XmlIndex, { transforms }: XmlReference, uri: string, contents: ExternalContents): Resolution {
  const content = contents.find(uri)
  if (content === undefined) return problem(isNetwork(uri) ? 'xml.reference-external' : 'content-missing', { uri })
  const [transform, ...others] = transforms
  if (transform === undefined) return octets(Buffer.from(content), undefined, 'external')
  const form = canonicalFormAt(index, transform.element)
  if (form === undefined || others.length > 0) return refusedTransform(others[0] ?? transform)
  try {
    const canonical = canonicalBytes(scanXml(content), form, {})
    return octets(canonical, ROOT, 'external')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return problem('structure-malformed', { reason: error.message })
  }
}

const isNetwork = (uri: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)
