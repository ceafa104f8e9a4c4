import { plus, SECOND } from '@chancela/service-kernel/clock'
import type { Logger } from '@chancela/service-kernel/http'
import { newRowId, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { insertSignature, moveSignature, type SignatureMove } from '../../store/signature-rows.ts'
import type { SignatureRow, Tables } from '../../store/tables.ts'

/** Why a signature did not come about. */
export interface Failure {
  /** Of the contract's vocabulary where it has one for it. */
  readonly code: string
  readonly detail: string
}

/** Long enough for any sentence; what others wrote may be longer. */
const LONGEST_DETAIL = 1000

/** What is known of a signature before it begins. */
export type SignatureStart = Omit<
  SignatureRow,
  'id' | 'state' | 'document_id' | 'code' | 'detail' | 'started_at' | 'ended_at' | 'look_at'
>

/** The rows of signatures: what a document's way was, written before it is gone. */
export class SignatureLog {
  readonly #store: Store<Tables>
  readonly #clock: Context['clock']
  readonly #logger: Logger
  readonly #patienceMs: number

  constructor({ store, clock, logger, settings: { Signing, Signer } }: Context) {
    this.#store = store
    this.#clock = clock
    this.#logger = logger
    // Whoever signs has given up by then: its time is over, and so is that of every question it may still have asked.
    this.#patienceMs = (Signing.BudgetSeconds + 4 * Signer.TimeoutSeconds) * SECOND
  }

  /** Durable when it resolves: from here on a document that gets lost is looked for. */
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

  /** Whether a document that nobody finds may be on its way still. */
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

  /** It is looked at again at once. */
  lose(row: SignatureRow, failure: Failure, documentId?: string): Promise<void> {
    return this.#move(row, 'lose', { ...kept(failure), documentId, lookAt: this.#clock() })
  }

  /** A row that cannot be written stays open, and what it stands for is looked at later: nothing else fails by it. */
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

/** One sentence of it. */
export const sentenceOf = ({ code, detail }: Failure): string => `${code}: ${detail}`

/** What a line of the log says of a signature: enough to find it, and nobody's number. */
export const namesOf = ({ id, correlation_id, document_id, batch_id }: SignatureRow) => ({
  row: id,
  correlationId: correlation_id,
  ...(document_id !== null && { documentId: document_id }),
  ...(batch_id !== null && { batchId: batch_id }),
})
