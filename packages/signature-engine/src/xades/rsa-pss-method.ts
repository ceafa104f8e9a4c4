import { digestAlgorithms, digestByXmlUri, pssAlgorithm, type SignatureAlgorithm } from '../crypto/algorithms.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import { DS, PSS, PSS_MGF1 } from './vocabulary.ts'

/**
 * The algorithm of a ds:SignatureMethod with RSAPSSParams (RFC 9231 §2.3.9). What is left out is SHA-256 for message and
 * mask, a salt as long as the digest, and trailer 1. Undefined for anything that is not understood.
 */
export function readPssMethod(index: XmlIndex, method: number): SignatureAlgorithm | undefined {
  const [parameters, ...others] = index.children(method)
  if (parameters === undefined) return pssAlgorithm('sha256', { mgf: 'sha256', saltLength: 32 })
  if (others.length > 0 || !index.is(parameters, PSS, 'RSAPSSParams')) return undefined
  const fields = new Map(index.children(parameters).map((child) => [nameOf(index, child), child]))
  const digest = digestAt(index, fields.get('DigestMethod'))
  const mgf = maskDigest(index, fields.get('MaskGenerationFunction'))
  const known = ['DigestMethod', 'MaskGenerationFunction', 'SaltLength', 'TrailerField']
  if (!digest || !mgf || [...fields.keys()].some((name) => !known.includes(name))) return undefined
  const saltLength = numberAt(index, fields.get('SaltLength'), digestAlgorithms[digest].bytes)
  const trailer = numberAt(index, fields.get('TrailerField'), 1)
  return saltLength === undefined || trailer !== 1 ? undefined : pssAlgorithm(digest, { mgf, saltLength })
}

/** Empty for an element of another vocabulary. */
function nameOf(index: XmlIndex, element: number): string {
  if (index.is(element, DS, 'DigestMethod')) return 'DigestMethod'
  const known = ['MaskGenerationFunction', 'SaltLength', 'TrailerField']
  return known.find((local) => index.is(element, PSS, local)) ?? ''
}

const digestAt = (index: XmlIndex, element: number | undefined) =>
  element === undefined ? 'sha256' : digestByXmlUri(index.attribute(element, 'Algorithm') ?? '')

function maskDigest(index: XmlIndex, element: number | undefined) {
  if (element === undefined) return 'sha256'
  if (index.attribute(element, 'Algorithm') !== PSS_MGF1) return undefined
  const [method, ...others] = index.children(element)
  if (others.length > 0) return undefined
  if (method === undefined) return 'sha256'
  return index.is(method, DS, 'DigestMethod') ? digestAt(index, method) : undefined
}

function numberAt(index: XmlIndex, element: number | undefined, byDefault: number): number | undefined {
  if (element === undefined) return byDefault
  const text = index.text(element) ?? ''
  return /^[ \t\r\n]*\d{1,4}[ \t\r\n]*$/.test(text) ? Number(text) : undefined
}
