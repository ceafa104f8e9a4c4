// Completes the signature of a document the signature service has. The client is answered 202 in any case: a document
// that cannot be signed is canceled there, so that it does not stay pending for ever.
import type { Logger } from '@chancela/service-kernel/http'
import { cancelReason } from '../../rules/cancel-reasons.ts'
import type { SignatureRow } from '../../store/tables.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'
import type { SendingDependencies } from './send-document.ts'
import { type Settlement, settleDocument } from './settle-document.ts'
import { type Failure, namesOf, sentenceOf } from './signature-log.ts'
import { failureOf } from './signing-failure.ts'
import type { SigningOrder } from './signing-order.ts'

export interface FinishingDependencies extends SendingDependencies {
  readonly logger: Logger
}

/** Signs the document; never throws. `accepted` resolves when the row records that the document has arrived. */
export async function finishSignature(
  dependencies: FinishingDependencies,
  order: SigningOrder,
  row: SignatureRow,
  accepted: Promise<void>,
): Promise<void> {
  try {
    await signAt(dependencies, order, row.document_id!)
  } catch (error) {
    await accepted
    return giveUp(dependencies, row, failureOf(error, order.budget), error)
  }
  await accepted
  dependencies.metrics.ended('signed')
  await dependencies.log.sign(row)
}

async function signAt(dependencies: FinishingDependencies, order: SigningOrder, documentId: string): Promise<void> {
  const { service, metrics } = dependencies
  const {
    turn,
    certificate: { signer, certificate },
    budget: { signal },
  } = order
  const der = certificate.der.toString('base64')
  const begun = await metrics.timed('begin', () => service.start(documentId, signer, der, signal))
  const signature = await metrics.timed('key', () => turn.sign(begun.digest, begun.algorithm, signal))
  await metrics.timed('complete', () => service.complete(begun, signature, signal))
}

/** After a completion without an answer the document may be signed: its status is checked before all else. */
async function giveUp(
  dependencies: FinishingDependencies,
  row: SignatureRow,
  failure: Failure,
  error: unknown,
): Promise<void> {
  const { service, logger, log, metrics, lost } = dependencies
  const reason = sentenceOf(failure)
  logger.warn({ ...namesOf(row), reason, ...unexpected(error) }, 'signing failed')
  try {
    const settlement = await settleDocument(service, row.document_id!, cancelReason(failure.code))
    await endings[settlement](dependencies, row, failure)
  } catch (problem) {
    logger.error({ err: problem, ...namesOf(row) }, 'document of a failed signing could not be canceled')
    metrics.ended('unknown')
    await log.lose(row, failure)
    lost()
  }
}

const endings: Readonly<
  Record<Settlement, (dependencies: FinishingDependencies, row: SignatureRow, failure: Failure) => Promise<void>>
> = {
  signed: ({ log, metrics }, row) => {
    metrics.ended('signed')
    return log.sign(row)
  },
  canceled: ({ log, metrics }, row, failure) => {
    metrics.ended('canceled')
    return log.cancel(row, failure)
  },
  gone: ({ log, metrics }, row, { code, detail }) => {
    metrics.ended('canceled')
    return log.cancel(row, { code, detail: `${detail} The document is no longer at the signature service.` })
  },
}

/** An unexpected error, logged with its stack. */
const unexpected = (error: unknown) => (error instanceof SignerProblem ? {} : { err: error })
