import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type Finding, finding } from '../report/report.ts'
import { reasonOf } from '../report/tried.ts'
import { type CanonicalForm, canonicalBytes, canonicalDigest } from '../xml/canonical-form.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { base64, canonicalFormAt, type XmlReference, type XmlTransform } from './read-signature.ts'
import { filtered, filtersOf, type Omission, type Selection } from './signature-filters.ts'
import { canonicalFormByUri, canonicalisations, TRANSFORM } from './vocabulary.ts'

/** The target of a reference after its transforms. */
export interface Resolved {
  /** Whole document: undefined. Only meaningful for `source: document`. */
  readonly apex: number | undefined
  readonly source: 'document' | 'external'
  /** The signatures that were left out of the apex. */
  readonly exclude: readonly number[]
  readonly omits: Omission
  /** Undefined where only other digests of it are known. */
  digest(name: DigestName): Uint8Array | undefined
  /** In this form where its transforms name none. Undefined where only digests of it are known. */
  bytes(form?: CanonicalForm): Buffer | undefined
}

export type Resolution = { readonly resolved: Resolved } | { readonly problem: Finding }

/** Contents that are not in the document, by the URI the signature gives them. */
export interface ExternalContents {
  find(uri: string): Uint8Array | undefined
  /** Whether what is found was given for any URI, so that it may be another content. */
  isForAny?(uri: string): boolean
  /** The digest of a content that is not here itself. */
  digestOf?(uri: string, name: DigestName): Uint8Array | undefined
}

/**
 * Processes a reference by XMLDSig §4.4.3, but supports only what cannot hide anything: same-document references by
 * unique Id, removal of signatures, narrowing to one element, canonicalisation, base64. Everything else is refused by name, not executed.
 */
export function resolveReference(index: XmlIndex, reference: XmlReference, contents: ExternalContents): Resolution {
  const { uri } = reference
  if (uri === undefined) return problem('xml.reference-unresolved', { uri: '' })
  const fragment = sameDocument(uri)
  if (fragment === undefined) return external(index, reference, uri, contents)
  if (fragment.id === undefined) return transformed(index, reference, undefined, fragment.keepsComments)
  const found = index.elementsWithId(fragment.id)
  if (found.length > 1) return problem('xml.duplicate-id', { id: fragment.id })
  if (found[0] === undefined) return problem('xml.reference-unresolved', { uri })
  return transformed(index, reference, found[0], fragment.keepsComments)
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
  { transforms }: XmlReference,
  apex: number | undefined,
  keepsComments: boolean,
): Resolution {
  let selection: Selection = { apex, exclude: [], omits: 'nothing' }
  let named: CanonicalForm | undefined
  for (const [at, transform] of transforms.entries()) {
    const isLast = at === transforms.length - 1
    const narrowed = narrowedBy(index, transform, selection)
    if (narrowed !== undefined) selection = narrowed
    else if (isLast && canonicalFormByUri(transform.algorithm) !== undefined) {
      const asked = canonicalFormAt(index, transform.element)
      if (asked === undefined) return refusedTransform(transform)
      named = asked
    } else if (isLast && at === 0 && transform.algorithm === TRANSFORM.base64 && apex !== undefined) {
      return decoded(index, apex)
    } else return refusedTransform(transform)
  }
  const { form } = canonicalisations.inclusive
  const effective = (asked: CanonicalForm) => ({ ...asked, withComments: asked.withComments && keepsComments })
  return canonical(index, selection, (unnamed = form) => effective(named ?? unnamed))
}

function canonical(
  index: XmlIndex,
  selection: Selection,
  form: (unnamed?: CanonicalForm) => CanonicalForm,
): Resolution {
  const { apex, exclude } = selection
  const target = { exclude, ...(apex !== undefined && { apex }) }
  return {
    resolved: {
      ...selection,
      source: 'document',
      digest: (name) => canonicalDigest(index, form(), target, name),
      bytes: (unnamed) => canonicalBytes(index, form(unnamed), target),
    },
  }
}

/** Undefined when the transform is none that leaves out signatures or narrows to an element. */
function narrowedBy(index: XmlIndex, transform: XmlTransform, selection: Selection): Selection | undefined {
  let narrowed: Selection | undefined = selection
  const filters = filtersOf(index, transform)
  if (filters === undefined) return undefined
  for (const filter of filters) narrowed = narrowed && filtered(index, transform, filter, narrowed)
  return narrowed
}

const refusedTransform = ({ algorithm }: XmlTransform): Resolution => problem('xml.transform-refused', { algorithm })

/** The base64 transform on an object that carries bytes. */
function decoded(index: XmlIndex, apex: number): Resolution {
  try {
    return octets(base64(index, apex), apex, 'document')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return problem('structure-malformed', { reason: reasonOf(error) })
  }
}

const octets = (bytes: Buffer, apex: number | undefined, source: Resolved['source']): Resolution => ({
  resolved: { apex, source, exclude: [], omits: 'nothing', digest: (name) => digest(name, bytes), bytes: () => bytes },
})

/** An external content: never fetched, only taken from the caller. */
function external(index: XmlIndex, reference: XmlReference, uri: string, contents: ExternalContents): Resolution {
  const content = contents.find(uri)
  const [transform, ...others] = reference.transforms
  const known = content === undefined && transform === undefined && knownDigest(reference, uri, contents)
  if (known) return known
  if (content === undefined) return problem(isNetwork(uri) ? 'xml.reference-external' : 'content-missing', { uri })
  if (transform === undefined) return octets(Buffer.from(content), undefined, 'external')
  const form = canonicalFormAt(index, transform.element)
  if (form === undefined || others.length > 0) return refusedTransform(others[0] ?? transform)
  try {
    const canonical = canonicalBytes(scanXml(content), form, {})
    return octets(canonical, ROOT, 'external')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return problem('structure-malformed', { reason: reasonOf(error) })
  }
}

/** Whether a URI names something outside the document. */
export const isOutside = (uri: string | undefined): boolean => uri !== undefined && sameDocument(uri) === undefined

/** A content of which the digest is known that the reference names: no other says anything of it. */
function knownDigest({ digest: name }: XmlReference, uri: string, contents: ExternalContents): Resolution | undefined {
  const value = name && contents.digestOf?.(uri, name)
  if (!value) return undefined
  const digestOf = (asked: DigestName) => (asked === name ? value : undefined)
  return {
    resolved: {
      apex: undefined,
      source: 'external',
      exclude: [],
      omits: 'nothing',
      digest: digestOf,
      bytes: () => undefined,
    },
  }
}

const isNetwork = (uri: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)
