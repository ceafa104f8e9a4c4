import { refuse } from '../../rules/refuse.ts'
import type { ArrivingBytes } from '../../upstream/signature-service/exchange.ts'
import type { DocumentStatus, SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'

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

/** The signed document as a stream. Any key may fetch any document whose id it knows. */
export async function fetchDocument(
  service: SignatureService,
  id: string,
  signal: AbortSignal,
): Promise<ArrivingBytes & { readonly fileName: string }> {
  try {
    const found = await service.find(id, signal)
    if (!found) throw refuse('DOCUMENT_NOT_FOUND')
    const { status, fileName, isDeleted } = found
    if (isDeleted) throw deleted()
    const answer = answers[status]
    // In the word of the contract: the service's own is of no use to its clients.
    if (answer === 'PROCESSING') throw refuse('DOCUMENT_NOT_READY', { status: answer })
    if (answer === 'UNAVAILABLE') throw refuse('DOCUMENT_UNAVAILABLE', { status })
    const content = await service.content(id, signal)
    if (!content) throw deleted()
    return { ...content, fileName }
  } catch (error) {
    throw error instanceof SignerProblem ? refuse('SIGNER_ERROR', undefined, error) : error
  }
}
