import { requireArguments } from '../errors/arguments.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import type { Prepared } from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import { canonicalDigest } from '../xml/canonical-form.ts'
import { isPlainName } from '../xml/xml-characters.ts'
import { NO_ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { covers } from './coverage.ts'
import { refuseXades } from './errors.ts'
import { unsignedGap } from './insert-unsigned.ts'
import {
  assembled,
  completeXades,
  type PrepareXadesOptions,
  type Terms,
  termsOf,
  type XadesData,
} from './prepare-xades.ts'
import { malformed, readSignature, type XmlSignature } from './read-signature.ts'
import { readAt, requireBoundedWork } from './resolve-contents.ts'
import type { SignedContent } from './signed-contents.ts'
import { COUNTERSIGNED_TYPE, DS, XADES } from './vocabulary.ts'

/** A signature over an existing signature. It names no policy (DOC-ICP-15.03, table A.4), and is in exclusive form. */
export interface CounterXadesOptions
  extends Pick<PrepareXadesOptions, 'now' | 'digest' | 'chain' | 'claims' | 'id' | 'uuid'> {
  /** Id of the signature that is confirmed; default the last one of the document that confirms no other. */
  readonly signature?: string
}

/** What the key has to sign to confirm a signature of the document (EN 319 132-1 §5.2.7). */
export function prepareCounterXades(
  document: Uint8Array,
  certificate: Certificate,
  options: CounterXadesOptions,
): Prepared<XadesData> {
  requireArguments(
    'prepareCounterXades',
    { document: [document, 'bytes'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  const { signature: id, ...others } = options
  const terms = termsOf(certificate, others)
  const index = scanXml(document)
  const confirmed = confirmedIn(index, id)
  requireUncovered(index, confirmed)
  if (options.id !== undefined && index.elementsWithId(options.id).length > 0)
    throw refuseXades('xades.id-taken', { id: options.id })
  const answer = assembled(
    terms,
    {
      contents: [confirmedValue(index, confirmed, terms)],
      object: '',
      document,
      insertion: unsignedGap(index, confirmed, 'xades:CounterSignature'),
      index,
    },
    [],
  )
  index.release()
  return answer
}

/** Confirms a signature of the document; the others stay what they are. */
export async function counterSignXades(
  document: Uint8Array,
  signer: DigestSigner,
  options: CounterXadesOptions,
): Promise<Buffer> {
  requireArguments('counterSignXades', { document: [document, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  const request = prepareCounterXades(document, signer.certificate, { chain: signer.chain, ...options })
  return completeXades(request.state, await signer.sign(request))
}

function confirmedIn(index: XmlIndex, id: string | undefined): XmlSignature {
  const all = index.findAll(DS, 'Signature')
  if (all.length === 0) throw refuseXades('xades.no-signature')
  const wanted = all.filter((element) => (id === undefined ? !isCounter(index, element) : idOf(index, element) === id))
  const element = wanted.at(-1)
  if (element === undefined || (id !== undefined && wanted.length > 1))
    throw refuseXades('xades.signature-unknown', { id })
  const signature = readSignature(index, element)
  if (signature.qualifying === undefined) throw malformed('it has no XAdES properties')
  return signature
}

const idOf = (index: XmlIndex, element: number): string | undefined => index.attribute(element, 'Id')

const isCounter = (index: XmlIndex, element: number): boolean =>
  index.parent(element) !== NO_ELEMENT && index.is(index.parent(element), XADES, 'CounterSignature')

/** A signature over the whole document may cover an earlier one, which then cannot grow any more. */
function requireUncovered(index: XmlIndex, { element }: XmlSignature): void {
  const all = index.findAll(DS, 'Signature')
  requireBoundedWork(index, all.length)
  for (const other of all)
    if (other !== element && covers(index, readAt(index, other, NOTHING_OUTSIDE).contents, element))
      throw refuseXades('xades.signature-covered')
}

const NOTHING_OUTSIDE = { find: () => undefined }

/** The one content of a counter-signature: the value of the signature that it confirms. */
function confirmedValue(index: XmlIndex, { signatureValue }: XmlSignature, terms: Terms): SignedContent {
  const id = idOf(index, signatureValue)
  if (id === undefined || !isPlainName(id) || index.elementsWithId(id).length !== 1)
    throw refuseXades('xades.signature-value-without-id')
  const { form, digest } = terms
  const reference = {
    id: `${terms.id}-ref0`,
    uri: `#${id}`,
    type: COUNTERSIGNED_TYPE,
    transforms: [terms.uri],
    digest,
    value: canonicalDigest(index, form, { apex: signatureValue }, digest).toString('base64'),
  }
  return { reference, format: undefined, bytes: () => Buffer.alloc(0) }
}
