import { refuse } from '../../rules/refuse.ts'
import type { SignatureRow } from '../../store/tables.ts'
import type { ArrivingBytes } from '../../upstream/signature-service/exchange.ts'
import type { DocumentStatus, SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'
import type { SignatureLog } from './signature-log.ts'

type Answer = 'ready' | 'PROCESSING' | 'UNAVAILABLE'

/** The contract's answer for a document in each state (document-platform facts 1.11). */
const answers: Readonly<Record<DocumentStatus, Answer>> = {
  Pending: 'PROCESSING',
  FlowConcluded: 'PROCESSING',
  Concluded: 'ready',
  Refused: 'UNAVAILABLE',
  Canceled: 'UNAVAILABLE',
  Expired: 'UNAVAILABLE',
}

/** A document that was deleted is still told of there, in the state it was in. */
const deleted = () => refuse('DOCUMENT_UNAVAILABLE', { status: 'Deleted' })

/** In the word of the contract: the service's own is of no use to its clients. */
const processing = () => refuse('DOCUMENT_NOT_READY', { status: 'PROCESSING' })

type FetchedDocument = ArrivingBytes & { readonly fileName: string }

interface FetchingDependencies {
  readonly service: SignatureService
  readonly log: SignatureLog
}

/** The signed document as a stream. Any key may fetch any document whose id it knows. */
export async function fetchDocument(
  { service, log }: FetchingDependencies,
  id: string,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  try {
    const found = await contentOf(service, id, signal)
    if (found) return found
    const row = await log.find(id)
    const ofRow = row && (await contentOf(service, documentOf(row), signal))
    if (ofRow) return ofRow
  } catch (error) {
    throw error instanceof SignerProblem ? refuse('SIGNER_ERROR', undefined, error) : error
  }
  throw refuse('DOCUMENT_NOT_FOUND')
}

/** Of a row whose id a client was given, because the document's own was not known. */
function documentOf({ document_id, state }: SignatureRow): string {
  if (document_id !== null) return document_id
  // It never arrived, and nothing is signed: for the client that is a canceled one.
  throw state === 'Failed' ? refuse('DOCUMENT_UNAVAILABLE', { status: 'Canceled' }) : processing()
}

/** Undefined when the service has no such document. */
async function contentOf(
  service: SignatureService,
  id: string,
  signal: AbortSignal,
): Promise<FetchedDocument | undefined> {
  const found = await service.find(id, signal)
  if (!found) return undefined
  const { status, fileName, isDeleted } = found
  if (isDeleted) throw deleted()
  const answer = answers[status]
  if (answer === 'PROCESSING') throw processing()
  if (answer === 'UNAVAILABLE') throw refuse('DOCUMENT_UNAVAILABLE', { status })
  const content = await service.content(id, signal)
  if (!content) throw deleted()
  return { ...content, fileName }
}
