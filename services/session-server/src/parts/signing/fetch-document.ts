import { refuse } from '../../rules/refuse.ts'
import type { ArrivingBytes } from '../../upstream/signature-service/exchange.ts'
import type { DocumentStatus, SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'

/** The contract's answer for a document in each state (document-platform facts 1.11). */
const answers: Readonly<Record<DocumentStatus, 'ready' | 'DOCUMENT_NOT_READY' | 'DOCUMENT_UNAVAILABLE'>> = {
  Pending: 'DOCUMENT_NOT_READY',
  FlowConcluded: 'DOCUMENT_NOT_READY',
  Concluded: 'ready',
  Refused: 'DOCUMENT_UNAVAILABLE',
  Canceled: 'DOCUMENT_UNAVAILABLE',
  Expired: 'DOCUMENT_UNAVAILABLE',
}

/** The signed document as a stream. Any key may fetch any document whose id it knows. */
export async function fetchDocument(
  service: SignatureService,
  id: string,
  signal: AbortSignal,
): Promise<ArrivingBytes & { readonly fileName: string }> {
  try {
    const found = await service.find(id, signal)
    if (!found) throw refuse('DOCUMENT_NOT_FOUND')
    const answer = answers[found.status]
    if (answer !== 'ready') throw refuse(answer, { status: found.status })
    return { ...(await service.content(id, signal)), fileName: found.fileName }
  } catch (error) {
    throw error instanceof SignerProblem ? refuse('SIGNER_ERROR', undefined, error) : error
  }
}
