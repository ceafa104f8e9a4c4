import { DAY, plus, SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { settleDocument } from '../parts/signing/settle-document.ts'
import { type Failure, namesOf, type SignatureLog, sentenceOf } from '../parts/signing/signature-log.ts'
import { cancelReason } from '../rules/cancel-reasons.ts'
import { deleteSignatures, lookLater, openSignatures } from '../store/signature-rows.ts'
import type { SignatureRow } from '../store/tables.ts'
import type { SignatureService } from '../upstream/signature-service/signature-service.ts'
import { SignerProblem } from '../upstream/signature-service/signer-problem.ts'

const AT_ONCE = 100
const DELETED_AT_ONCE = 1000

/** Wait before the next check: half of the time since the start, within these bounds. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [5 * SECOND, DAY]

/**
 * Looks up documents whose outcome is unknown, because the server stopped or an answer was lost, and settles each:
 * signed, canceled, or never arrived. Deletes entries older than the log is kept. Nothing is looked up before the call
 * that began it has given up, or its process is certainly gone: it may be signing.
 */
export function reconcileSignatures(context: Context, service: SignatureService, log: SignatureLog): Worker {
  const { store, clock, settings } = context
  const reconciler = new Reconciler(context, service, log)
  return sweeper(context, { name: 'signature reconciliation', every: SHORTEST_WAIT }, async () => {
    if (!(await log.writeAgain())) return false
    const hasMore = await reconciler.lookAtAll()
    const before = plus(clock(), -settings.Signing.LogDays * DAY)
    const deleted = await deleteSignatures(store.db, before, DELETED_AT_ONCE)
    return hasMore || deleted === DELETED_AT_ONCE
  })
}

class Reconciler {
  readonly #context: Context
  readonly #service: SignatureService
  readonly #log: SignatureLog

  constructor(context: Context, service: SignatureService, log: SignatureLog) {
    this.#context = context
    this.#service = service
    this.#log = log
  }

  /** True when there may be more; stops at the first row for which the service is unreachable. */
  async lookAtAll(): Promise<boolean> {
    const { store, clock } = this.#context
    const rows = await openSignatures(store.db, clock(), AT_ONCE)
    for (const row of rows) if (!(await this.#look(row))) return false
    return rows.length === AT_ONCE
  }

  /** Returns whether the service could be reached. */
  async #look(row: SignatureRow): Promise<boolean> {
    try {
      const documentId = row.document_id ?? (await this.#service.findByMark(row.id))
      await (documentId === undefined ? this.#miss(row) : this.#settle(row, documentId))
      return true
    } catch (error) {
      if (!(error instanceof SignerProblem)) throw error
      await this.#later(row, error.message)
      return error.kind === 'rejected'
    }
  }

  /** It is not there. Nobody works on one that was left: that is told at once, and it is looked for once more. */
  #miss(row: SignatureRow): Promise<void> {
    const until = this.#log.arrivesUntil(row)
    if (until <= this.#context.clock()) return this.#fail(row)
    return this.#log.isLeft(row) ? this.#fail(row, until) : this.#later(row, 'The document may still arrive.')
  }

  async #settle(row: SignatureRow, documentId: string): Promise<void> {
    const failure = failureOf(row)
    const reason = sentenceOf(failure)
    const settlement = await settleDocument(this.#service, documentId, cancelReason(failure.code))
    if (row.state !== 'Accepted') await this.#log.accept(row, documentId)
    if (settlement === 'signed') await this.#log.sign(row)
    else await this.#log.cancel(row, failure)
    const names = namesOf({ ...row, document_id: documentId })
    this.#context.logger.warn({ ...names, settlement, reason }, 'lost document reconciled')
  }

  async #fail(row: SignatureRow, lookAt?: Date): Promise<void> {
    const failure = failureOf(row)
    await this.#log.fail(row, failure, lookAt)
    if (row.state === 'Failed') return
    this.#context.logger.warn(
      { ...namesOf(row), reason: sentenceOf(failure) },
      'document never reached the signature service',
    )
  }

  async #later(row: SignatureRow, reason: string): Promise<void> {
    const { store, clock, logger } = this.#context
    const lookAt = plus(clock(), waitOf(row, clock()))
    await lookLater(store.db, row.id, lookAt)
    logger.warn({ ...namesOf(row), was: row.state, reason, lookAt }, 'document outcome unknown')
  }
}

const waitOf = ({ started_at }: SignatureRow, now: Date): number =>
  Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, (now.getTime() - Date.parse(started_at)) / 2))

/** Why it failed; a server that stopped could not record a reason. */
const failureOf = ({ code, detail }: SignatureRow): Failure => ({
  code: code ?? 'INTERRUPTED',
  detail: detail ?? 'The server stopped before the signature was made.',
})
