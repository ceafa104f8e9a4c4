// A document that a session will sign: checked when it comes, so that nobody learns at the signature that it cannot be.
import { createHash, randomUUID } from 'node:crypto'
import type { SignatureType } from '../../contract/documents.ts'
import type { Files, KeptFile, Taker } from '../../parts/files/files.ts'
import { PdfFailure } from '../../parts/signing/prepare-signature.ts'
import type { Culture } from '../../rules/cultures.ts'
import type { Metadata } from '../../rules/metadata.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SessionDocumentRow } from '../../store/session-tables.ts'
import { type PlanInput, planSignature, type SignatureOptions } from '../signatures/plan-signature.ts'

/** The options of a document: those of its own, else those of the session, of its own type only. */
export type SessionOptions = Omit<SignatureOptions, 'xmlSignatureOptions'>

const named = { Pdf: 'pdfSignatureOptions', Cms: 'cmsSignatureOptions' } as const

export function optionsFor(type: SignatureType, own: SessionOptions, ofSession: SessionOptions): SessionOptions {
  if (type === 'Xml') return own
  const field = named[type]
  return { ...own, [field]: own[field] ?? ofSession[field] }
}

/** The picture or the data that options name, taken once: what they are read from may be gone when the person signs. */
export async function takeExtra(
  files: Files,
  { pdfSignatureOptions, cmsSignatureOptions }: SessionOptions,
  field: string,
  taker: Taker,
): Promise<KeptFile | undefined> {
  const resource = pdfSignatureOptions?.visualRepresentation?.image?.resource
  if (resource) return files.take({ ...resource, name: 'image' }, `${field}${IMAGE}`, taker)
  const data = cmsSignatureOptions?.dataFile
  return data ? files.take(data, `${field}${DATA}`, taker) : undefined
}

const IMAGE = 'pdfSignatureOptions.visualRepresentation.image.resource'
const DATA = 'cmsSignatureOptions.dataFile'

/** Takes what was taken before. */
const keptOnly = (extra: KeptFile | undefined): PlanInput['files'] => ({
  take: async () => extra!,
})

export interface PlannedDocument {
  readonly type: SignatureType
  readonly options: SessionOptions
  readonly extra: KeptFile | undefined
  readonly file: KeptFile
  readonly url: string | undefined
}

export type PlanOf = Omit<PlanInput, 'files' | 'file' | 'bytes' | 'url'>

/** The plan of its signature; a PDF that cannot be signed is refused. */
export async function planDocument(document: PlannedDocument, bytes: Buffer, input: PlanOf) {
  const { type, options, extra, file, url } = document
  try {
    return await planSignature(type, options, { ...input, files: keptOnly(extra), file, bytes, url })
  } catch (error) {
    throw refused(error)
  }
}

export const refused = (error: unknown): unknown =>
  error instanceof PdfFailure ? refuse('InvalidPdf', { failure: error.failure, reason: error.message }, error) : error

export interface ArrivingDocument extends PlannedDocument {
  readonly id: string | undefined
  readonly sessionId: string
  readonly position: number
  readonly isUploaded: boolean
  readonly metadata: Metadata
  readonly documentKey: string | null
}

/** The row of a document that could be signed; planned once without a certificate, for what is wrong with it. */
export async function sessionDocument(
  files: Files,
  document: ArrivingDocument,
  { taker, culture }: { readonly taker: Taker; readonly culture: Culture },
): Promise<SessionDocumentRow> {
  const { file, extra } = document
  const bytes = await files.read(file)
  await planDocument(document, bytes, { taker, culture, certificate: undefined, level: 'B-B' })
  return {
    id: document.id ?? randomUUID(),
    session_id: document.sessionId,
    position: document.position,
    status: 'PendingSignature',
    is_uploaded: document.isUploaded ? 1 : 0,
    file_digest: file.digest,
    file_size: file.size,
    file_name: file.name,
    file_type: file.contentType,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    url: document.url ?? null,
    signature_type: document.type,
    options: JSON.stringify(document.options),
    extra: extra ? JSON.stringify(extra) : null,
    extra_digest: extra?.digest ?? null,
    metadata: JSON.stringify(document.metadata),
    document_key: document.documentKey,
    plan: null,
    to_sign: null,
    signature: null,
    signed_at: null,
    error_code: null,
  }
}

/** The file of a document that is not signed yet. */
export const fileIn = (row: SessionDocumentRow): KeptFile => ({
  digest: row.file_digest!,
  size: row.file_size,
  name: row.file_name,
  contentType: row.file_type,
})

export const plannedIn = (row: SessionDocumentRow): PlannedDocument => ({
  type: row.signature_type,
  options: JSON.parse(row.options),
  extra: row.extra ? JSON.parse(row.extra) : undefined,
  file: fileIn(row),
  url: row.url ?? undefined,
})
