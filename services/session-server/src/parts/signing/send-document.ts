// The way of a document to the signature service. Until it has arrived there the client is told what went wrong.
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
  /** A document was lost sight of: somebody is to look for it. */
  lost(): void
}

/** Hands the document over; returns its id there. Throws what the client is told, the row written. */
export async function sendDocument(
  dependencies: SendingDependencies,
  order: SigningOrder,
  row: SignatureRow,
): Promise<string> {
  try {
    const uploadId = await upload(dependencies, order)
    return await create(dependencies, order, row, uploadId)
  } catch (error) {
    await writeFailure(dependencies, order, row, error)
    throw refusalOf(error instanceof Lost ? error.cause : error, order.budget)
  }
}

/** Nobody can say whether the document arrived. */
class Lost extends Error {
  override readonly name = 'Lost'
}

async function upload({ service, metrics }: SendingDependencies, { document, budget }: SigningOrder): Promise<string> {
  try {
    return await metrics.timed('upload', () => service.upload(document, budget.waiting))
  } finally {
    // What was cut off because nobody waits for it any more is no fault of the service.
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

/** The answer got lost: the document is there, or it is not, or nobody can tell. */
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
  // What was cut off may still arrive.
  throw lost.isOver ? lost : new Lost('The document may still arrive.', { cause: lost })
}

async function writeFailure(
  { log, metrics, lost }: SendingDependencies,
  { budget }: SigningOrder,
  row: SignatureRow,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Lost)) {
    const failure = failureOf(error, budget)
    metrics.ended(outcomeOf(failure))
    return log.fail(row, failure)
  }
  metrics.ended('unknown')
  await log.lose(row, failureOf(error.cause, budget))
  lost()
}

const outcomeOf = ({ code }: Failure) =>
  code === 'SIGN_TIMEOUT' ? 'timed-out' : code === 'SIGNER_REJECTED' ? 'rejected' : 'failed'
