import type { BegunSignatures } from '@chancela/service-kernel/trust'
import { EngineError, type Prepared } from '@chancela/signature-engine'
import { prepareCades, prepareCadesOverDigest, prepareCoSignature } from '@chancela/signature-engine/cades'
import { drawAppearance, preparePades, stampPages } from '@chancela/signature-engine/pades'
import type { Certificate } from '@chancela/signature-engine/x509'
import { locateElement, type Place, prepareXades } from '@chancela/signature-engine/xades'
import type { SignatureType } from '../../contract/documents.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Files } from '../files/files.ts'
import type { CmsPlan, PdfPlan, SignaturePlan, XmlPlan } from './signature-plan.ts'

/** Whose key signs, and the issuers that go into the signature, nearest first. */
export interface KeyHolder {
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
}

/** Bytes by their digest: the picture or the data that a plan names. */
type ReadBytes = (digest: string) => Promise<Buffer>

/** What is wrong with a PDF, where the contract has an answer for it instead of an error (pki-core facts 4.3). */
export class PdfFailure extends Error {
  override readonly name = 'PdfFailure'
  readonly failure: 'PdfAlreadySigned' | 'CorruptedPdf'

  constructor(failure: PdfFailure['failure'], cause: EngineError) {
    super(cause.message, { cause })
    this.failure = failure
  }
}

/** What the key has to sign. The same file, holder and plan always give the same bytes. */
async function prepareSignature(
  file: Uint8Array,
  holder: KeyHolder,
  plan: SignaturePlan,
  read: ReadBytes,
): Promise<Prepared<unknown>> {
  try {
    if (plan.type === 'Pdf') return await preparePdf(file, holder, plan, read)
    return plan.type === 'Cms' ? await prepareCms(file, holder, plan, read) : await prepareXml(file, holder, plan)
  } catch (error) {
    if (error instanceof EngineError) throw translated(error, plan.type)
    throw error
  }
}

export interface Preparing {
  readonly files: Pick<Files, 'read'>
  readonly begun: BegunSignatures
}

/** Prepares a signature, and remembers it until its completion. */
export async function beginSignature(
  { files, begun }: Preparing,
  file: Uint8Array,
  holder: KeyHolder,
  plan: SignaturePlan,
): Promise<Prepared<unknown>> {
  const prepared = await prepareSignature(file, holder, plan, (digest) => files.read({ digest }))
  begun.remember(keyOf(holder, plan), prepared, file.length)
  return prepared
}

/** The signature as it was begun; one that was begun elsewhere, or long ago, or tried before, is prepared again. */
export async function begunSignature(
  { files, begun }: Preparing,
  file: () => Promise<Uint8Array>,
  holder: KeyHolder,
  plan: SignaturePlan,
): Promise<Prepared<unknown>> {
  const key = keyOf(holder, plan)
  const known = begun.find(key)
  begun.forget(key)
  return known ?? prepareSignature(await file(), holder, plan, (digest) => files.read({ digest }))
}

/** The certificate stands beside the plan: the same plan may be tried with another. */
const keyOf = ({ certificate }: KeyHolder, plan: SignaturePlan): string =>
  `${certificate.fingerprint} ${JSON.stringify(plan)}`

async function preparePdf(file: Uint8Array, { certificate, chain }: KeyHolder, plan: PdfPlan, read: ReadBytes) {
  const { newPage, uuid, appearance, image } = plan
  const document = newPage ? stampPages(file, { stamps: [], added: [{ ...newPage, pictures: [] }], uuid }) : file
  const picture = image === undefined ? {} : { image: await read(image) }
  return preparePades(document, certificate, {
    now: new Date(plan.at),
    level: plan.level,
    chain,
    uuid,
    ...(plan.fieldName !== undefined && { fieldName: plan.fieldName }),
    ...(plan.certify && { certify: plan.certify }),
    ...(plan.reason !== undefined && { reason: plan.reason }),
    ...(appearance && { appearance: await drawAppearance({ ...appearance, ...picture }) }),
  })
}

async function prepareCms(file: Uint8Array, { certificate, chain }: KeyHolder, plan: CmsPlan, read: ReadBytes) {
  const options = { now: new Date(plan.at), level: plan.level, chain }
  const known = plan.dataHash === undefined ? undefined : Buffer.from(plan.dataHash, 'base64')
  if (!plan.isFurther && known) return prepareCadesOverDigest(known, certificate, { ...options, packaging: 'detached' })
  if (!plan.isFurther)
    return prepareCades(file, certificate, { ...options, packaging: plan.detached ? 'detached' : 'attached' })
  return prepareCoSignature(file, certificate, {
    ...options,
    ...(plan.data !== undefined && { content: await read(plan.data) }),
    ...(known && { contentDigest: known }),
  })
}

async function prepareXml(file: Uint8Array, { certificate, chain }: KeyHolder, plan: XmlPlan) {
  const { target, place, insertion, uri, uuid, level } = plan
  const common = {
    now: new Date(plan.at),
    level,
    chain,
    uuid,
    ...(plan.id !== undefined && { id: plan.id }),
    ...(plan.isPlain && { properties: 'none' as const }),
  }
  if (uri !== undefined) return prepareXades(file, certificate, { ...common, packaging: 'detached', uri })
  const of: Place | undefined = place ? await locateElement(file, place.xpath, place.namespaces) : undefined
  return prepareXades(file, certificate, {
    ...common,
    // Others can sign the same document after it; a signed element is not touched by signatures outside it.
    parallel: target === undefined,
    position: { at: insertion, ...(of && { of }) },
    ...(target && { target }),
  })
}

const codes: Readonly<Record<string, ErrorCode>> = {
  'pdf.no-such-page': 'InvalidPage',
  'pdf.encrypted': 'ProtectedPdfError',
  'pdf.not-permitted': 'ProtectedPdfError',
  'pades.appearance': 'InvalidVisualRepresentation',
  'pades.mark-outside-page': 'InvalidVisualRepresentation',
  'pades.field-not-shown': 'InvalidVisualRepresentation',
  'pades.text-does-not-fit': 'InvalidVisualRepresentation',
  'cades.content-needed': 'MissingDataHash',
}

const usual: Readonly<Record<SignatureType, ErrorCode>> = {
  Pdf: 'InvalidPdf',
  Cms: 'InvalidCades',
  Xml: 'InvalidXml',
}

/** A file that cannot be signed as asked is the caller's: it is told why, and nothing is logged as an error. */
export function translated(error: EngineError, type: SignatureType): Error {
  const { code, message } = error
  if (code === 'pades.locked') return new PdfFailure('PdfAlreadySigned', error)
  if (codes[code]) return refuse(codes[code], { reason: message }, error)
  if (code.startsWith('pdf.')) return new PdfFailure('CorruptedPdf', error)
  return refuse(usual[type], { reason: message }, error)
}
