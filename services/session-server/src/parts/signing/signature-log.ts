import { plus, SECOND } from '@chancela/service-kernel/clock'
import type { Logger } from '@chancela/service-kernel/http'
import { newRowId, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import {
  findSignature,
  insertSignature,
  lookAtAllNow,
  moveSignature,
  type SignatureChange,
  type SignatureMove,
} from '../../store/signature-rows.ts'
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

/** A change of a row that is known here alone. */
interface Unwritten {
  readonly move: SignatureMove
  readonly change: SignatureChange
}

const ROW_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Wait before the store is tried again. */
const AGAIN_AFTER = SECOND

/** The rows of signatures: the progress of a document, written before it is sent. */
export class SignatureLog {
  readonly #store: Store<Tables>
  readonly #clock: Context['clock']
  readonly #logger: Logger
  readonly #patienceMs: number
  readonly #answerMs: number
  /** Open ones on which nobody works any more, and until when their documents may arrive. */
  #left: { readonly ids: ReadonlySet<string>; readonly until: Date } | undefined
  /** By row, in their order. No signature begins without the store, so there are no more than were under way. */
  readonly #unwritten = new Map<string, Unwritten[]>()
  readonly #again: () => void

  /** `again` is called a moment after something could not be written, so that `writeAgain` is. */
  constructor({ store, clock, logger, settings: { Signing, Signer } }: Context, again: () => void) {
    this.#store = store
    this.#clock = clock
    this.#logger = logger
    this.#again = again
    // By then the signing call has given up: its budget and the timeouts of all its requests are over.
    this.#patienceMs = (Signing.BudgetSeconds + 4 * Signer.TimeoutSeconds) * SECOND
    this.#answerMs = Signer.TimeoutSeconds * SECOND
  }

  /** Before the first signature begins, where every process that had begun one is gone: all open ones are checked. */
  async takeOver(): Promise<void> {
    const now = this.#clock()
    this.#left = { ids: new Set(await lookAtAllNow(this.#store.db, now)), until: plus(now, this.#answerMs) }
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

  /** By the id of the row; undefined for whatever is none. */
  async find(id: string): Promise<SignatureRow | undefined> {
    return ROW_ID.test(id) ? findSignature(this.#store.db, id) : undefined
  }

  /** Whether nobody works on it: the process that began it is gone. */
  isLeft({ id }: SignatureRow): boolean {
    return this.#left?.ids.has(id) === true
  }

  /**
   * When a document that is not found can no longer arrive. What a process sent that is gone is answered within the time
   * of one answer after we began; nothing else follows.
   */
  arrivesUntil(row: SignatureRow): Date {
    const known = plus(new Date(row.started_at), this.#patienceMs)
    const left = this.isLeft(row) ? this.#left!.until : known
    return left < known ? left : known
  }

  accept(row: SignatureRow, documentId: string): Promise<void> {
    return this.#move(row, 'accept', { documentId, lookAt: plus(this.#clock(), this.#patienceMs) })
  }

  sign(row: SignatureRow): Promise<void> {
    return this.#move(row, 'sign', { documentId: row.document_id ?? undefined, endedAt: this.#clock() })
  }

  cancel(row: SignatureRow, failure: Failure): Promise<void> {
    return this.#move(row, 'cancel', { ...kept(failure), endedAt: this.#clock() })
  }

  /** `lookAt` when it may still arrive, and is then to be canceled. */
  fail(row: SignatureRow, failure: Failure, lookAt?: Date): Promise<void> {
    return this.#move(row, 'fail', { ...kept(failure), endedAt: this.#clock(), lookAt })
  }

  /** Scheduled for another check at once. */
  lose(row: SignatureRow, failure: Failure, documentId?: string): Promise<void> {
    return this.#move(row, 'lose', { ...kept(failure), documentId, lookAt: this.#clock() })
  }

  /**
   * Writes what could not be written before; false while the store still takes nothing. Without this a document that is
   * settled, or could not be, would be looked at only when its signing call might have given up.
   */
  async writeAgain(): Promise<boolean> {
    for (const [id, moves] of this.#unwritten) {
      try {
        for (const { move, change } of moves) await this.#write(id, move, change)
      } catch {
        this.#soon()
        return false
      }
      this.#unwritten.delete(id)
    }
    return true
  }

  /** A row that cannot be written stays open: the failure affects nothing else. */
  async #move(row: SignatureRow, move: SignatureMove, change: SignatureChange): Promise<void> {
    const earlier = this.#unwritten.get(row.id)
    if (earlier) return void earlier.push({ move, change })
    try {
      await this.#write(row.id, move, change)
    } catch (error) {
      const { documentId } = change
      this.#logger.error({ err: error, ...namesOf(row), move, documentId }, 'signature log could not be written')
      this.#unwritten.set(row.id, [{ move, change }])
      this.#soon()
    }
  }

  /** Doing it twice changes nothing: a move that was made finds the row in another state. */
  #write(id: string, move: SignatureMove, change: SignatureChange): Promise<boolean> {
    return writeAlone(this.#store, (db) => moveSignature(db, id, move, change))
  }

  #soon(): void {
    setTimeout(this.#again, AGAIN_AFTER).unref()
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
