import type { DocumentStatus, SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'

/** How a document ended at the signature service. */
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
 * Brings a document whose signature did not come to its end here to an end there: what is signed is signed, and what
 * still waits is canceled, so that nobody waits for it for ever. Throws SignerProblem while the service cannot be asked.
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
    // Somebody was quicker: it is no longer pending, and says how it ended.
    const since = await look(service, documentId)
    if (since === 'open') throw error
    return since
  }
}

async function look(service: SignatureService, documentId: string): Promise<Settlement | 'open'> {
  const found = await service.find(documentId)
  return found ? settlements[found.status] : 'gone'
}
