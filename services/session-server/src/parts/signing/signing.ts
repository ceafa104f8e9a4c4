import { SECOND } from '@chancela/service-kernel/clock'
import { Semaphore } from '@chancela/service-kernel/concurrency'
import { Refusal } from '@chancela/service-kernel/errors'
import { newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { SessionMetrics } from '../../metrics.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureRow } from '../../store/tables.ts'
import type { SignatureService } from '../../upstream/signature-service/signature-service.ts'
import type { Sessions, SigningTurn } from '../sessions/live-session.ts'
import { Budget } from './budget.ts'
import { type FinishingDependencies, finishSignature } from './finish-signature.ts'
import type { HeldDocument } from './held-document.ts'
import { sendDocument } from './send-document.ts'
import type { SignatureLog } from './signature-log.ts'
import { refusalOf } from './signing-failure.ts'
import { signingMetrics } from './signing-metrics.ts'
import type { Acceptance, SigningOrder, SigningRequest } from './signing-order.ts'

export interface SigningParts {
  readonly sessions: Sessions
  readonly service: SignatureService
  readonly log: SignatureLog
  readonly metrics: SessionMetrics
  lost(): void
}

/** A document of a batch, or why it is not signed. */
export type BatchItem = HeldDocument | { readonly fileName: string; readonly refusal: Refusal }

/** The outcome of one. */
export type BatchOutcome = { readonly fileName: string } & (
  | { readonly signatureId: string }
  | { readonly refusal: Refusal }
)

/** Signs documents under sessions, with limited concurrency. */
export class Signing {
  readonly #context: Context
  readonly #sessions: Sessions
  readonly #dependencies: FinishingDependencies
  readonly #slots: Semaphore
  readonly #underWay = new Set<Promise<void>>()

  constructor(context: Context, { sessions, service, log, metrics, lost }: SigningParts) {
    this.#context = context
    this.#sessions = sessions
    this.#slots = new Semaphore(context.settings.Signing.SignerConcurrency)
    this.#dependencies = { service, log, metrics: signingMetrics(metrics), logger: context.logger, lost }
    metrics.session_documents_in_flight.measure(() => this.#underWay.size)
  }

  /** Signs one document; resolves when it is signed, or when the request's budget is used up. */
  signOne(request: SigningRequest, document: HeldDocument | undefined): Promise<Acceptance> {
    return this.#call(request, async (turn, budget) => {
      const certificate = await turn.certificate()
      const present = requirePdf(document)
      await untilReady(turn, budget)
      return this.#sign({ request, turn, certificate, budget, document: present, batchId: null })
    })
  }

  /** Signs several documents independently; a failure is reported for its document only. */
  signBatch(request: SigningRequest, items: readonly BatchItem[]): Promise<readonly BatchOutcome[]> {
    return this.#call(request, async (turn, budget) => {
      const certificate = await turn.certificate()
      if (items.length === 0) throw refuse('INVALID_DOCUMENT')
      const batchId = newRowId(this.#context.clock())
      await untilReady(turn, budget).catch(unlessSpent(budget))
      const sign = async (document: HeldDocument) =>
        this.#sign({ request, turn, certificate, budget, document: requirePdf(document), batchId })
      return Promise.all(items.map((item) => this.#outcome(request, item, sign)))
    })
  }

  async #outcome(
    { correlationId }: SigningRequest,
    item: BatchItem,
    sign: (document: HeldDocument) => Promise<Acceptance>,
  ): Promise<BatchOutcome> {
    const { fileName } = item
    if ('refusal' in item) return item
    try {
      return { fileName, signatureId: (await sign(item)).signatureId }
    } catch (error) {
      const refusal = error instanceof Refusal ? error : refuse('INTERNAL_ERROR', undefined, error)
      // Errors of single documents bypass the place where causes are logged.
      if (refusal.status >= 500)
        this.#context.logger.error(
          { err: refusal.cause ?? refusal, refusal: refusal.code, correlationId },
          'signing request failed',
        )
      return { fileName, refusal }
    }
  }

  /** Resolves when no signature is running. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #call<T>(request: SigningRequest, work: (turn: SigningTurn, budget: Budget) => Promise<T>): Promise<T> {
    const { clock, settings } = this.#context
    const turn = await this.#turn(request.sessionId, clock())
    const budget = new Budget(settings.Signing.BudgetSeconds * SECOND, request.client)
    try {
      return await work(turn, budget)
    } finally {
      budget.clear()
      await turn.end()
    }
  }

  async #turn(sessionId: string, now: Date): Promise<SigningTurn> {
    try {
      return this.#sessions.beginSigning(sessionId, now)
    } catch (error) {
      throw error instanceof Refusal ? await this.#sessions.refusalOf(sessionId) : error
    }
  }

  async #sign(order: SigningOrder): Promise<Acceptance> {
    const release = await this.#slot(order.budget)
    let finishing: Promise<void> | undefined
    try {
      const row = await this.#dependencies.log.begin(startOf(order))
      const arrival = await this.#whileUnderWay(sendDocument(this.#dependencies, order, row))
      const acceptedAt = this.#context.clock()
      if (!arrival) return await this.#acceptLost(order, row, acceptedAt)
      const { documentId, isSigned } = arrival
      if (isSigned) return await this.#acceptSigned(order, { ...row, document_id: documentId }, acceptedAt)
      finishing = this.#finish(order, { ...row, document_id: documentId }, acceptedAt)
      void finishing.then(release)
      await Promise.race([finishing, order.budget.over])
      return { signatureId: documentId, acceptedAt }
    } finally {
      if (!finishing) release()
    }
  }

  async #slot(budget: Budget): Promise<() => void> {
    try {
      return await this.#slots.take(budget.waiting)
    } catch (error) {
      throw refusalOf(error, budget)
    }
  }

  /** Continues after the request has ended. */
  #finish(order: SigningOrder, row: SignatureRow, acceptedAt: Date): Promise<void> {
    const accepted = this.#accept(order.turn, row, acceptedAt)
    return this.#whileUnderWay(finishSignature(this.#dependencies, order, row, accepted))
  }

  /** Work that a stopping server waits for. */
  #whileUnderWay<T>(work: Promise<T>): Promise<T> {
    const over = work.then(
      () => undefined,
      () => undefined,
    )
    this.#underWay.add(over)
    void over.then(() => this.#underWay.delete(over))
    return work
  }

  /** Written while the document is signed: if the write is lost, the document is found by its mark. */
  async #accept(turn: SigningTurn, row: SignatureRow, at: Date): Promise<void> {
    const counted = this.#count(turn, at)
    await this.#dependencies.log.accept(row, row.document_id!)
    await counted
  }

  /** The document came to be with its signature. */
  async #acceptSigned({ turn }: SigningOrder, row: SignatureRow, acceptedAt: Date): Promise<Acceptance> {
    this.#dependencies.metrics.ended('signed')
    await Promise.all([this.#count(turn, acceptedAt), this.#dependencies.log.sign(row)])
    return { signatureId: row.document_id!, acceptedAt }
  }

  /** The client gets the id of the row, under which the document is fetched once its own is known. */
  async #acceptLost({ turn }: SigningOrder, { id }: SignatureRow, acceptedAt: Date): Promise<Acceptance> {
    await this.#count(turn, acceptedAt)
    return { signatureId: id, acceptedAt }
  }

  #count(turn: SigningTurn, at: Date): Promise<void> {
    const { logger } = this.#context
    return turn.accept(at).catch((error) => logger.error({ err: error }, 'signing call could not be counted'))
  }
}

function requirePdf(document: HeldDocument | undefined): HeldDocument {
  if (!document || document.bytes === 0) throw refuse('INVALID_DOCUMENT')
  if (!document.isPdf) throw refuse('UNSUPPORTED_DOCUMENT')
  return document
}

async function untilReady(turn: SigningTurn, budget: Budget): Promise<void> {
  try {
    await turn.ready(budget.waiting)
  } catch (error) {
    throw refusalOf(error, budget)
  }
}

/** A batch whose budget ran out before it started reports that for each document. */
const unlessSpent =
  (budget: Budget) =>
  (error: unknown): void => {
    if (!budget.isSpent) throw error
  }

const startOf = ({ request, turn: { session }, certificate, document, batchId }: SigningOrder) => ({
  session_id: session.id,
  certificate_id: certificate.id,
  application_id: request.applicationId,
  cpf: session.cpf,
  custody: session.custody.kind,
  file_name: document.fileName,
  bytes: document.bytes,
  sha256: document.sha256(),
  batch_id: batchId,
  correlation_id: request.correlationId,
})
