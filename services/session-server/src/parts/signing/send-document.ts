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

/** A document at the signature service, signed where it came to be with its signature. */
export interface Arrival {
  readonly documentId: string
  readonly isSigned: boolean
}

/**
 * Sends the document; undefined when it may be there, and its id is not known yet. Throws the client's error after
 * writing it to the row. Where the service lets it, the document is signed before there is one: then no failure on the
 * way leaves a document behind that waits for nobody.
 */
export async function sendDocument(
  dependencies: SendingDependencies,
  order: SigningOrder,
  row: SignatureRow,
): Promise<Arrival | undefined> {
  try {
    return (await sendWhole(dependencies, order, row)) ?? (await sendInSteps(dependencies, order, row))
  } catch (error) {
    if (error instanceof Lost) return await writeLoss(dependencies, order, row, error)
    await writeFailure(dependencies, order, row, error)
    throw refusalOf(error, order.budget)
  }
}

/** In two calls: one that gives what to sign, and one that creates the signed document. Undefined where it is not taken so. */
async function sendWhole(
  { service, metrics }: SendingDependencies,
  { document, certificate: { signer, certificate }, turn, budget }: SigningOrder,
  { id: mark, file_name: fileName }: SignatureRow,
): Promise<Arrival | undefined> {
  if (!service.mayTakeWhole(document)) return undefined
  const der = certificate.der.toString('base64')
  const begun = await unlessGivenUp(budget, () =>
    metrics.timed('begin', () => service.startDocument(document, { fileName, signer, mark }, der, budget.waiting)),
  )
  if (!begun) return undefined
  document.release()
  const signature = await unlessGivenUp(budget, () =>
    metrics.timed('key', () => turn.sign(begun.digest, begun.algorithm, budget.waiting)),
  )
  const documentId = await orFound(service, mark, budget.signal, () =>
    metrics.timed('complete', () => service.completeDocument(begun, signature, budget.signal)),
  )
  return { documentId, isSigned: true }
}

/** In the steps of every such service: the file, the document, and then its signature. */
async function sendInSteps(
  dependencies: SendingDependencies,
  order: SigningOrder,
  row: SignatureRow,
): Promise<Arrival> {
  const { service } = dependencies
  const wasAsked = service.mayTakeWhole(order.document)
  const uploadId = await upload(dependencies, order)
  const documentId = await create(dependencies, order, row, uploadId)
  if (wasAsked) service.takesSteps()
  return { documentId, isSigned: false }
}

/** It is unknown whether the document arrived. */
class Lost extends Error {
  override readonly name = 'Lost'
}

const upload = ({ service, metrics }: SendingDependencies, { document, budget }: SigningOrder): Promise<string> =>
  unlessGivenUp(budget, () => metrics.timed('upload', () => service.upload(document, budget.waiting)))

/** A request aborted by us is no failure of the service. */
async function unlessGivenUp<T>({ waiting }: SigningOrder['budget'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    waiting.throwIfAborted()
  }
}

async function create(
  { service, metrics }: SendingDependencies,
  { document, certificate: { signer }, budget: { signal } }: SigningOrder,
  { id: mark, file_name: fileName }: SignatureRow,
  uploadId: string,
): Promise<string> {
  document.release()
  return orFound(service, mark, signal, () =>
    metrics.timed('create', () => service.create(uploadId, { fileName, signer, mark }, signal)),
  )
}

/** The id of the document that the work creates, also where its answer was lost. */
async function orFound(
  service: SignatureService,
  mark: string,
  signal: AbortSignal,
  work: () => Promise<string>,
): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignerProblem) || error.kind !== 'uncertain') throw error
    return await look(service, mark, error, signal)
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
