// Sends a document to the signature service. A failure is reported to the client only while it is certain that the
// document has not arrived there (spec 1 A, Endpoints: POST /v1/signatures).
import type { SignatureRow } from '../../store/tables.ts'
import type { SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'
import type { Failure, SignatureLog } from './signature-log.ts'
import { failureOf, refusalOf } from './signing-failure.ts'
import type { SigningMetrics } from './signing-metrics.ts'
import type { SigningOrder } from './signing-order.ts'

export interface SendingDependencies {
  readonly service: SignatureService
  readonly log: SignatureLog
  readonly metrics: SigningMetrics
  /** Called when a document's arrival is unknown, so that it is looked up later. */
  lost(): void
}

/**
 * Sends the document and returns its id there; undefined when it may be there, and its id is not known yet. Throws the
 * client's error after writing it to the row.
 */
export async function sendDocument(
  dependencies: SendingDependencies,
  order: SigningOrder,
  row: SignatureRow,
): Promise<string | undefined> {
  try {
    const uploadId = await upload(dependencies, order)
    return await create(dependencies, order, row, uploadId)
  } catch (error) {
    if (error instanceof Lost) return await writeLoss(dependencies, order, row, error)
    await writeFailure(dependencies, order, row, error)
    throw refusalOf(error, order.budget)
  }
}

/** It is unknown whether the document arrived. */
class Lost extends Error {
  override readonly name = 'Lost'
}

async function upload({ service, metrics }: SendingDependencies, { document, budget }: SigningOrder): Promise<string> {
  try {
    return await metrics.timed('upload', () => service.upload(document, budget.waiting))
  } finally {
    // A request aborted by us is no failure of the service.
    budget.waiting.throwIfAborted()
  }
}

async function create(
  { service, metrics }: SendingDependencies,
  { document, certificate, budget }: SigningOrder,
  { id: mark, file_name: fileName }: SignatureRow,
  uploadId: string,
): Promise<string> {
  document.release()
  try {
    const { signer } = certificate
    return await metrics.timed('create', () => service.create({ uploadId, fileName, signer, mark }, budget.signal))
  } catch (error) {
    if (!(error instanceof SignerProblem) || error.kind !== 'uncertain') throw error
    return await look(service, mark, error, budget.signal)
  }
}

/** Looks up a document whose creation got no answer: it exists, it does not, or that is unknown. */
async function look(
  service: SignatureService,
  mark: string,
  lost: SignerProblem,
  signal: AbortSignal,
): Promise<string> {
  const found = await service.findByMark(mark, signal).catch(() => {
    throw new Lost('The document cannot be looked for.', { cause: lost })
  })
  if (found !== undefined) return found
  // The aborted request may still arrive.
  throw lost.isOver ? lost : new Lost('The document may still arrive.', { cause: lost })
}

function writeFailure(
  { log, metrics }: SendingDependencies,
  { budget }: SigningOrder,
  row: SignatureRow,
  error: unknown,
): Promise<void> {
  const failure = failureOf(error, budget)
  metrics.ended(outcomeOf(failure))
  return log.fail(row, failure)
}

async function writeLoss(
  { log, metrics, lost }: SendingDependencies,
  { budget }: SigningOrder,
  row: SignatureRow,
  { cause }: Lost,
): Promise<undefined> {
  metrics.ended('unknown')
  await log.lose(row, failureOf(cause, budget))
  lost()
}

const outcomeOf = ({ code }: Failure) =>
  code === 'SIGN_TIMEOUT' ? 'timed-out' : code === 'SIGNER_REJECTED' ? 'rejected' : 'failed'
