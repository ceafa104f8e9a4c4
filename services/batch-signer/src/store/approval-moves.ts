import type { Kysely } from 'kysely'
import { type JobMove, type JobStatus, jobMoves } from '../rules/job.ts'
import { HistoryWriter, type Line } from './job-history-writer.ts'
import type { JobChange } from './job-ledger.ts'
import type { DecisionNews } from './job-news.ts'
import { type MovedRow, markExpired, markRejected, markReleased, markVetoed } from './job-statements.ts'
import type { Tables } from './tables.ts'

/** A rejection, and where the file is handed back. */
export interface Rejection {
  readonly at: string
  readonly from: (typeof jobMoves.reject.from)[number]
  readonly message: Line
  readonly outputName: string
  readonly outputFolder: string | null
  readonly encrypted: boolean
}

/**
 * The moves of jobs that people decide about, in the transaction of the decision. Each names the state it expects:
 * false means that another writer was first.
 */
export class ApprovalMoves {
  readonly changes: JobChange[] = []
  readonly decisions: DecisionNews[] = []
  hasReleased = false
  readonly #tx: Kysely<Tables>
  readonly #owner: string
  readonly #history = new HistoryWriter()

  constructor(tx: Kysely<Tables>, owner: string) {
    this.#tx = tx
    this.#owner = owner
  }

  async release(id: string, at: string, message: Line): Promise<boolean> {
    const [row] = await markReleased(this.#tx, [[id, at]])
    if (row) this.#moved(row, 'release', { at, message })
    this.hasReleased ||= row !== undefined
    return row !== undefined
  }

  async reject(id: string, { at, from, message, outputName, outputFolder, encrypted }: Rejection): Promise<boolean> {
    const values = [id, at, this.#owner, from, outputName, outputFolder, Number(encrypted)]
    const [row] = await markRejected(this.#tx, [values])
    if (row) this.#moved(row, 'reject', { at, message, from, code: 'approval.rejected' })
    if (row) this.#history.ended(at, 'canceled')
    return row !== undefined
  }

  /** The worker that has the job will find the rejection before it uses the key. */
  async veto(id: string, at: string, message: Line): Promise<boolean> {
    const [row] = await markVetoed(this.#tx, [[id, at]])
    if (row) this.#history.line(id, at, 'Processing', message)
    return row !== undefined
  }

  async expire(id: string, at: string, message: Line): Promise<boolean> {
    const [row] = await markExpired(this.#tx, [[id, at]])
    if (row) this.#moved(row, 'expire', { at, message })
    if (row) this.#history.ended(at, 'canceled')
    return row !== undefined
  }

  /** What somebody decided, whether or not it moves the job. */
  decided(decision: DecisionNews): void {
    this.decisions.push(decision)
  }

  /** A line about a decision that moves nothing. */
  line(id: string, at: string, message: Line): void {
    this.#history.line(id, at, 'AwaitingApproval', message)
  }

  write(): Promise<void> {
    return this.#history.write(this.#tx)
  }

  #moved(row: MovedRow, move: JobMove, told: Told): void {
    const { at, message, from = jobMoves[move].from[0], code } = told
    const moved = { ...row, at, from, status: jobMoves[move].to, message, ...(code !== undefined && { code }) }
    this.#history.move(moved)
    const { id, profile_name: profileName, source, format } = row
    this.changes.push({ id, profileName, source, format, at, from, move, status: moved.status, ...(code && { code }) })
  }
}

interface Told {
  readonly at: string
  readonly message: Line
  readonly from?: JobStatus
  readonly code?: string
}
