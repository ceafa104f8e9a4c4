import type { DocumentStatus, SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'

/** Final state of a document at the signature service. */
export type Settlement = 'signed' | 'canceled' | 'gone'

const settlements: Readonly<Record<DocumentStatus, Settlement | 'open'>> = {
  Pending: 'open',
  FlowConcluded: 'signed',
  Concluded: 'signed',
  Refused: 'canceled',
  Canceled: 'canceled',
  Expired: 'canceled',
}

/**
 * Settles a document whose signature was not completed here: keeps it if it is signed, and cancels it if it is still
 * pending, so that nobody waits for it for ever. Throws SignerProblem while the service cannot be reached.
 */
export async function settleDocument(
  service: SignatureService,
  documentId: string,
  reason: string,
): Promise<Settlement> {
  const settled = await look(service, documentId)
  if (settled !== 'open') return settled
  try {
    await service.cancel(documentId, reason)
    return 'canceled'
  } catch (error) {
    if (!(error instanceof SignerProblem) || error.kind !== 'rejected') throw error
    // It is no longer pending, due to a concurrent change: read its final state.
    const since = await look(service, documentId)
    if (since === 'open') throw error
    return since
  }
}

async function look(service: SignatureService, documentId: string): Promise<Settlement | 'open'> {
  const found = await service.find(documentId)
  if (!found) return 'gone'
  const settlement = settlements[found.status]
  // A deleted one cannot be canceled, and nobody waits for it.
  return settlement === 'open' && found.isDeleted ? 'gone' : settlement
}
