import { plus, SECOND } from '@chancela/service-kernel/clock'
import type { Logger } from '@chancela/service-kernel/http'
import { newRowId, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { insertSignature, moveSignature, type SignatureMove } from '../../store/signature-rows.ts'
import type { SignatureRow, Tables } from '../../store/tables.ts'

/** Why a signature failed. */
export interface Failure {
  /** A code of the contract where there is one. */
  readonly code: string
  readonly detail: string
}

/** Long enough for our sentences; messages of others are cut. */
const LONGEST_DETAIL = 1000

/** The columns known before signing starts. */
export type SignatureStart = Omit<
  SignatureRow,
  'id' | 'state' | 'document_id' | 'code' | 'detail' | 'started_at' | 'ended_at' | 'look_at'
>

/** The rows of signatures: the progress of a document, written before it is sent. */
export class SignatureLog {
  readonly #store: Store<Tables>
  readonly #clock: Context['clock']
  readonly #logger: Logger
  readonly #patienceMs: number

  constructor({ store, clock, logger, settings: { Signing, Signer } }: Context) {
    this.#store = store
    this.#clock = clock
    this.#logger = logger
    // By then the signing call has given up: its budget and the timeouts of all its requests are over.
    this.#patienceMs = (Signing.BudgetSeconds + 4 * Signer.TimeoutSeconds) * SECOND
  }

  /** Durable when it resolves: from now on a lost document is looked up. */
  async begin(start: SignatureStart): Promise<SignatureRow> {
    const now = this.#clock()
    const row: SignatureRow = {
      ...start,
      id: newRowId(now),
      state: 'Sending',
      document_id: null,
      code: null,
      detail: null,
      started_at: now.toISOString(),
      ended_at: null,
      look_at: plus(now, this.#patienceMs).toISOString(),
    }
    await writeAlone(this.#store, (db) => insertSignature(db, row))
    return row
  }

  /** Whether a document that is not found may still arrive. */
  mayStillArrive({ started_at }: SignatureRow): boolean {
    return this.#clock().getTime() < Date.parse(started_at) + this.#patienceMs
  }

  accept(row: SignatureRow, documentId: string): Promise<void> {
    return this.#move(row, 'accept', { documentId, lookAt: plus(this.#clock(), this.#patienceMs) })
  }

  sign(row: SignatureRow): Promise<void> {
    return this.#move(row, 'sign', { endedAt: this.#clock() })
  }

  cancel(row: SignatureRow, failure: Failure): Promise<void> {
    return this.#move(row, 'cancel', { ...kept(failure), endedAt: this.#clock() })
  }

  fail(row: SignatureRow, failure: Failure): Promise<void> {
    return this.#move(row, 'fail', { ...kept(failure), endedAt: this.#clock() })
  }

  /** Scheduled for another check at once. */
  lose(row: SignatureRow, failure: Failure, documentId?: string): Promise<void> {
    return this.#move(row, 'lose', { ...kept(failure), documentId, lookAt: this.#clock() })
  }

  /** A row that cannot be written stays open and is reconciled later: the failure affects nothing else. */
  async #move(row: SignatureRow, move: SignatureMove, change: Parameters<typeof moveSignature>[3]): Promise<void> {
    try {
      await writeAlone(this.#store, (db) => moveSignature(db, row.id, move, change))
    } catch (error) {
      const { documentId } = change
      this.#logger.error({ err: error, ...namesOf(row), move, documentId }, 'signature log could not be written')
    }
  }
}

const kept = ({ code, detail }: Failure): Failure => ({ code, detail: detail.slice(0, LONGEST_DETAIL) })

/** One sentence for a failure. */
export const sentenceOf = ({ code, detail }: Failure): string => `${code}: ${detail}`

/** Log fields that identify a signature, without any CPF. */
export const namesOf = ({ id, correlation_id, document_id, batch_id }: SignatureRow) => ({
  row: id,
  correlationId: correlation_id,
  ...(document_id !== null && { documentId: document_id }),
  ...(batch_id !== null && { batchId: batch_id }),
})
