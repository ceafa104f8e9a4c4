import { hotStatement, type Store } from '@chancela/service-kernel/store'
import type { Kysely, Transaction } from 'kysely'
import type { ApprovalRule } from '../rules/approval-rule.ts'
import {
  activeStatuses,
  type JobEnd,
  type JobMove,
  type JobSource,
  type JobStatus,
  jobBeginnings,
  jobMoves,
  nameKey,
  type SignatureFormat,
} from '../rules/job.ts'
import type { JobReason } from '../rules/job-reason.ts'
import { type Said, said, saidFailure, words } from '../rules/sentences.ts'
import type { FileIdentity } from '../rules/tombstone.ts'
import { ApprovalMoves } from './approval-moves.ts'
import { freezeApprovals } from './approvals.ts'
import { answeredIn, GroupCommit } from './group-commit.ts'
import { durationOf, HistoryWriter, type Line, type Moved, storable } from './job-history-writer.ts'
import type { JobNews, JobTeller } from './job-news.ts'
import {
  CLAIMED,
  type ClaimedRow,
  claimJobs,
  type HeldNames,
  insertedColumns,
  insertJobs,
  insertPayments,
  type MovedRow,
  markCanceled,
  markCompleted,
  markFailed,
  markInput,
  markKeyReached,
  markParked,
  markPutBack,
  markSigned,
  markSignedAndCompleted,
  takeOverJob,
} from './job-statements.ts'
import type { InputDisposal, JobRow, Tables } from './tables.ts'

/** The channel on which waiting work is announced. */
export const QUEUE_CHANNEL = 'batch-queue'

/** A new job. */
export interface NewJob {
  /** GUID version 4. */
  readonly id: string
  readonly fileName: string
  readonly originalPath: string
  /** Null for an upload. */
  readonly inputFolder: string | null
  readonly format: SignatureFormat
  readonly source: JobSource
  readonly profileName: string
  readonly parentJobId?: string
  readonly externalReference?: string
  readonly encryptionRequested?: boolean
  /** Which file of a watched folder it is: another one under its name is another file. */
  readonly inputIdentity?: FileIdentity | undefined
  /** First line of the job's history. */
  readonly message: Line
}

/** Why a job failed. */
interface FailureReason {
  readonly code: string
  readonly error: string
  /** JSON of the reason behind the sentence. */
  readonly reason?: string
  /** What the failure is counted by. Default: the code. */
  readonly errorCause?: string
}

/** A job that failed at intake, such as a file whose name was signed before. */
export interface BornFailed extends NewJob, FailureReason {}

export type EnqueueOutcome =
  | { readonly outcome: 'Enqueued' }
  /** An active job has the path; this is no error. */
  | { readonly outcome: 'AlreadyActive' }
  /** A Completed or active job has the name (file.already-processed). */
  | { readonly outcome: 'AlreadyProcessed'; readonly holderId: string; readonly holderName: string }

/** What is about to be signed, recorded before the key is used. */
export interface ReachedKey {
  readonly sha256: string
  readonly length: number
  /** Name of the output, recorded before any file has it. */
  readonly outputName: string
  /** Absolute; output/ under the root when not given. */
  readonly outputFolder?: string | null
  /** A line for the history. */
  readonly message?: Line
  /** JSON of the remittance's summary. */
  readonly cnab240?: string
  /** JSON of the remittance's payments. */
  readonly payments?: string
}

/** What a job waits for when it parks. */
export interface Parked {
  readonly sha256: string
  readonly length: number
  readonly rule: ApprovalRule
  /** Name of the kept copy in the job's folder under processing/. */
  readonly stagedName: string
  readonly fileName: string
  readonly profileName: string
  readonly message: Line
  /** JSON of the remittance's summary. */
  readonly cnab240?: string
  /** JSON of the remittance's payments. */
  readonly payments?: string
}

export interface Signed {
  readonly message: Line
}

export interface Completed {
  /** When `signed` was not recorded before: both moves are then made in one write. */
  readonly signed?: Signed
  readonly encrypted: boolean
  readonly outputLength: number
  readonly queueMs: number
  readonly signingMs: number
  readonly verificationMs: number
  readonly outputMs: number
  readonly message: Line
}

export interface Failed extends FailureReason {
  /** The state the job fails from. */
  readonly from: (typeof jobMoves.fail.from)[number]
  /** Lines for the history besides the error itself. */
  readonly lines?: readonly Line[]
}

/** Why a job goes back to the queue. */
export interface PutBack extends Pick<FailureReason, 'code' | 'error' | 'reason'> {
  /** The state the job goes back from. Default: Processing. */
  readonly from?: (typeof jobMoves.putBack.from)[number]
}

/** A change of a job, reported after it is durable. */
export interface JobChange {
  readonly id: string
  readonly status: JobStatus
  readonly from: JobStatus | null
  readonly fileName?: string
  readonly profileName: string
  readonly source: JobSource
  readonly format: SignatureFormat
  readonly inputFolder?: string | null
  readonly at: string
  readonly code?: string
  /** Whether an operator canceled it: not an approver, a deadline, or a store that was too slow. */
  readonly byOperator?: boolean
  /** Of a job that people decide about. */
  readonly move?: JobMove
  readonly encrypted?: boolean
  /** From pick-up to output, in milliseconds; of completed jobs. */
  readonly durationMs?: number
}

export interface LedgerOptions {
  readonly store: Store<Tables>
  /** Identity and incarnation of this process. */
  readonly owner: string
  /** Whether a file name is signed only once (Pipeline:RejectAlreadyProcessedFileNames). */
  readonly namesOnce: boolean
  onTrouble(error: unknown): void
  onRecovery(): void
  /** Milliseconds between two attempts of a failing store. Default 500. */
  readonly retryMs?: number
  /** Called when a listener throws: a bug, which must not make a durable change look undone. Default: ignored. */
  onListenerError?(error: unknown): void
  /** Writes what others are told, with the change itself. Default: nobody is told anything. */
  readonly tell?: JobTeller | undefined
}

type Entry =
  | { readonly kind: 'enqueue'; readonly at: string; readonly job: NewJob; readonly named: boolean }
  | { readonly kind: 'bornFailed'; readonly at: string; readonly job: BornFailed }
  | { readonly kind: 'reachedKey'; readonly at: string; readonly id: string; readonly change: ReachedKey }
  | { readonly kind: 'parked'; readonly at: string; readonly id: string; readonly change: Parked }
  | { readonly kind: 'signed'; readonly at: string; readonly id: string; readonly change: Signed }
  | { readonly kind: 'completed'; readonly at: string; readonly id: string; readonly change: Completed }
  | { readonly kind: 'failed'; readonly at: string; readonly id: string; readonly change: Failed }
  | { readonly kind: 'putBack'; readonly at: string; readonly id: string; readonly change: PutBack }
  | {
      readonly kind: 'canceled'
      readonly at: string
      readonly id: string
      readonly from: JobStatus
      readonly message: Line
      readonly byOperator: boolean
    }
  | {
      readonly kind: 'input'
      readonly at: string
      readonly id: string
      readonly disposal: InputDisposal
      readonly line?: SettledLine
    }

/** A line about an input that was not simply removed. */
interface SettledLine {
  readonly code?: string
  readonly message: Line
  /** Of the job. Default: Completed. */
  readonly status?: JobEnd
}

const PICKED_UP = words('picked-up', {})

const nothingHeld: HeldNames = { profiles: [], folders: [] }

type Result = boolean | EnqueueOutcome

/**
 * The only writer of jobs' states. Changes of all lanes in one turn go into one transaction, with the histories, the
 * counts and the statistics, so that these always agree; a call resolves when its change is durable. Every move names
 * the expected state and owner: false means that another writer was first.
 */
export class JobLedger {
  readonly #options: LedgerOptions
  readonly #group: GroupCommit<Entry, Result>
  readonly #listeners = new Set<(changes: readonly JobChange[]) => void>()
  /** Jobs given to a worker that have not ended. */
  readonly #inHands = new Set<string>()
  #claimInDoubt = false

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#group = new GroupCommit<Entry, Result>({
      commit: (entries, again) => this.#commit(entries, again),
      passes: (error) => options.store.problem(error) !== undefined,
      onTrouble: options.onTrouble,
      onRecovery: options.onRecovery,
      withdrawal,
      ...(options.retryMs !== undefined && { retryMs: options.retryMs }),
    })
  }

  get owner(): string {
    return this.#options.owner
  }

  /** Queues a file, unless its path is active or (`named`, by default) its name was signed before. */
  enqueue(job: NewJob, now: Date, { named = true }: { named?: boolean } = {}): Promise<EnqueueOutcome> {
    return this.#add(this.#enqueueing(job, now, named))
  }

  /**
   * Queues a file for somebody who waits for the answer: throws when the store is in trouble or slow. Its job, should it
   * have been recorded after all, is then canceled.
   */
  enqueueInTime(job: NewJob, now: Date, { named = true }: { named?: boolean } = {}): Promise<EnqueueOutcome> {
    return this.#group.addInTime(this.#enqueueing(job, now, named), PATIENCE_MS) as Promise<EnqueueOutcome>
  }

  /** Throws when the store cannot write, as far as is known, or does not answer in time. */
  async requireStore(): Promise<void> {
    this.#group.requireNoTrouble()
    const { db } = this.#options.store
    await answeredIn(PATIENCE_MS, db.selectFrom('pipeline_state').select('paused').executeTakeFirst())
  }

  /** Records a job that was refused at intake. */
  recordRefused(job: BornFailed, now: Date): Promise<boolean> {
    return this.#add({ kind: 'bornFailed', at: now.toISOString(), job })
  }

  reachedKey(id: string, change: ReachedKey, now: Date): Promise<boolean> {
    return this.#add({ kind: 'reachedKey', at: now.toISOString(), id, change })
  }

  /** Parks a job until people have decided; the worker has it no more. */
  parked(id: string, change: Parked, now: Date): Promise<boolean> {
    return this.#end({ kind: 'parked', at: now.toISOString(), id, change })
  }

  /**
   * Runs a change of approvals, and of the jobs that wait for them, in a transaction of its own, for somebody who waits
   * for the answer: throws when the store is in trouble or slow.
   */
  async deciding<R>(work: (tx: Kysely<Tables>, moves: ApprovalMoves) => Promise<R>): Promise<R> {
    this.#group.requireNoTrouble()
    const { store } = this.#options
    const { result, changes } = await answeredIn(
      PATIENCE_MS,
      store.transaction(async (tx) => {
        const moves = new ApprovalMoves(tx, this.owner)
        const result = await work(tx, moves)
        await moves.write()
        await this.#tell(tx, moves)
        if (moves.hasReleased) await store.notify(tx, QUEUE_CHANNEL)
        return { result, changes: moves.changes }
      }),
    )
    this.#emit(changes)
    return result
  }

  signed(id: string, change: Signed, now: Date): Promise<boolean> {
    return this.#add({ kind: 'signed', at: now.toISOString(), id, change })
  }

  completed(id: string, change: Completed, now: Date): Promise<boolean> {
    return this.#end({ kind: 'completed', at: now.toISOString(), id, change })
  }

  failed(id: string, change: Failed, now: Date): Promise<boolean> {
    return this.#end({ kind: 'failed', at: now.toISOString(), id, change })
  }

  /** Returns a job whose profile cannot sign now to the queue. */
  putBack(id: string, change: PutBack, now: Date): Promise<boolean> {
    return this.#end({ kind: 'putBack', at: now.toISOString(), id, change })
  }

  canceled(id: string, from: JobStatus, message: Line, now: Date): Promise<boolean> {
    return this.#add({ kind: 'canceled', at: now.toISOString(), id, from, message, byOperator: true })
  }

  /** Cancels for somebody who waits for the answer: throws when the store is in trouble or slow, and may cancel later. */
  canceledInTime(id: string, from: JobStatus, message: Said, now: Date): Promise<boolean> {
    const entry = { kind: 'canceled', at: now.toISOString(), id, from, message, byOperator: true } as const
    return this.#group.addInTime(entry, PATIENCE_MS) as Promise<boolean>
  }

  /** Takes a job in flight from an owner that cannot end it; false when it was moved or taken meanwhile. */
  async takeOver(id: string, from: string | null): Promise<boolean> {
    const taken = await takeOverJob(this.#options.store.db, [[id, this.owner, from]])
    return taken.length > 0
  }

  /** Records the disposal of a completed job's input; a divergence also adds a line to the history. */
  inputSettled(id: string, disposal: InputDisposal, now: Date, line?: SettledLine): Promise<boolean> {
    return this.#add({ kind: 'input', at: now.toISOString(), id, disposal, ...(line && { line }) })
  }

  /** Picks up the oldest queued jobs of what is not held, at most `most`; none while the pipeline is paused. */
  async claim(most: number, now: Date, held: HeldNames = nothingHeld): Promise<readonly ClaimedRow[]> {
    if (this.#claimInDoubt) return this.#claimedUnawares()
    const at = now.toISOString()
    const claimed = await this.#picked(most, at, held)
    for (const { id } of claimed) this.#inHands.add(id)
    this.#emit(claimed.map((row) => pickedUp(row, at)))
    return claimed
  }

  /** Calls back after every durable change; returns a function to stop. */
  listen(listener: (changes: readonly JobChange[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): Promise<void> {
    return this.#group.close()
  }

  #enqueueing(job: NewJob, now: Date, named: boolean): Entry {
    return { kind: 'enqueue', at: now.toISOString(), job, named: named && this.#options.namesOnce }
  }

  #add<R extends Result>(entry: Entry): Promise<R> {
    return this.#group.add(entry) as Promise<R>
  }

  async #end(entry: Extract<Entry, { kind: 'completed' | 'failed' | 'putBack' | 'parked' }>): Promise<boolean> {
    const ended = await this.#add<boolean>(entry)
    this.#inHands.delete(entry.id)
    return ended
  }

  async #picked(most: number, at: string, held: HeldNames): Promise<readonly ClaimedRow[]> {
    const { store } = this.#options
    try {
      return await store.transaction(async (tx) => {
        const rows = await claimJobs(tx, { owner: this.owner, at, most, ...held })
        const history = new HistoryWriter()
        for (const row of rows) history.move({ ...row, at, ...by('pickUp'), message: PICKED_UP })
        if (rows.length > 0) await history.write(tx)
        return rows
      })
    } catch (error) {
      this.#claimInDoubt = store.problem(error) !== undefined
      throw error
    }
  }

  // A server lost during the commit may have written the claim: those jobs belong to us and nobody works on them.
  async #claimedUnawares(): Promise<readonly ClaimedRow[]> {
    const mine = await claimedBy(this.#options.store.db, this.owner)
    const claimed = mine.filter(({ id }) => !this.#inHands.has(id))
    this.#claimInDoubt = false
    for (const { id } of claimed) this.#inHands.add(id)
    this.#emit(claimed.map((row) => pickedUp(row, row.started_at)))
    return claimed
  }

  #emit(changes: readonly JobChange[]): void {
    if (changes.length === 0) return
    for (const listener of this.#listeners) {
      try {
        listener(changes)
      } catch (error) {
        this.#options.onListenerError?.(error)
      }
    }
  }

  async #tell(tx: Transaction<Tables>, news: JobNews): Promise<void> {
    const { tell } = this.#options
    if (tell && news.changes.length + news.decisions.length > 0) await tell(tx, news)
  }

  async #commit(entries: readonly Entry[], again: boolean): Promise<readonly Result[]> {
    const { store } = this.#options
    const outcome = await store.transaction(async (tx) => {
      const writing = new Writing(tx, this.owner)
      // After a lost connection it is unknown whether the last attempt was committed: the rows tell.
      const done = again ? await writing.writtenBefore(entries) : new Set<Entry>()
      // Those were told of in the attempt that wrote them.
      const told = writing.changes.length
      await writing.write(entries.filter((entry) => !done.has(entry)))
      await this.#tell(tx, { decisions: [], changes: writing.changes.slice(told) })
      if (writing.enqueued) await store.notify(tx, QUEUE_CHANNEL)
      return {
        results: entries.map((entry) => (done.has(entry) ? doneResult(entry) : writing.resultOf(entry))),
        writing,
      }
    })
    this.#emit(outcome.writing.changes)
    return outcome.results
  }
}

/** How long a caller waits for the store, in milliseconds: it can try again, which a file in a folder cannot. */
const PATIENCE_MS = 10_000

/**
 * Somebody who was told that a file was not taken will send it again: its job must not run, too. Of what an operator
 * asked for, nothing is taken back.
 */
const withdrawal = (entry: Entry): Entry =>
  entry.kind === 'enqueue'
    ? { kind: 'canceled', at: entry.at, id: entry.job.id, from: 'Queued', message: WITHDRAWN, byOperator: false }
    : entry

const WITHDRAWN = 'Withdrawn: the database did not answer in time, and who asked for the job was told so.'

const pickedUp = (row: ClaimedRow, at: string): JobChange => ({
  ...changeOf(row),
  fileName: row.file_name,
  ...by('pickUp'),
  at,
})

const doneResult = (entry: Entry): Result => (entry.kind === 'enqueue' ? { outcome: 'Enqueued' } : true)

const changeOf = (row: Pick<JobRow, 'id' | 'profile_name' | 'source' | 'format'>) => ({
  id: row.id,
  profileName: row.profile_name,
  source: row.source,
  format: row.format,
})

/** One group being written. */
class Writing {
  enqueued = false
  readonly changes: JobChange[] = []
  readonly #tx: Kysely<Tables>
  readonly #owner: string
  readonly #history = new HistoryWriter()
  readonly #results = new Map<Entry, Result>()

  constructor(tx: Kysely<Tables>, owner: string) {
    this.#tx = tx
    this.#owner = owner
  }

  resultOf(entry: Entry): Result {
    return this.#results.get(entry) ?? false
  }

  async write(entries: readonly Entry[]): Promise<void> {
    for (const round of rounds(entries)) await this.#writeRound(round)
    await this.#history.write(this.#tx)
  }

  async #writeRound(entries: readonly Entry[]): Promise<void> {
    const of = <K extends Entry['kind']>(kind: K) =>
      entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind)
    await this.#enqueue(of('enqueue'))
    await this.#bornFailed(of('bornFailed'))
    await this.#reachedKey(of('reachedKey'))
    await this.#parked(of('parked'))
    await this.#signed(of('signed'))
    await this.#completed(of('completed'))
    await this.#failed(of('failed'))
    await this.#putBack(of('putBack'))
    await this.#canceled(of('canceled'))
    await this.#inputs(of('input'))
  }

  /** The entries an earlier attempt has written after all. */
  async writtenBefore(entries: readonly Entry[]): Promise<Set<Entry>> {
    const ids = entries.map(idOf)
    const rows = await this.#tx
      .selectFrom('job')
      .select(['id', 'status', 'updated_at', 'reached_key_at', 'input_disposal', 'profile_name', 'source', 'format'])
      .where('id', 'in', ids)
      .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    const written = entries.filter((entry) => wasWritten(entry, found.get(idOf(entry))))
    for (const entry of written) this.#emitOf(entry, found.get(idOf(entry))!)
    return new Set(written)
  }

  // The attempt that wrote it could not report it.
  #emitOf(entry: Entry, row: Seen): void {
    if (entry.kind === 'reachedKey' || entry.kind === 'input') return
    const told = { ...changeOf(row), at: entry.at }
    if (entry.kind === 'completed' && entry.change.signed) this.changes.push({ ...told, ...by('signed') })
    this.changes.push({ ...told, from: stateBefore(entry), status: statusAfter[entry.kind], ...changeOfMove(entry) })
  }

  async #enqueue(entries: readonly Extract<Entry, { kind: 'enqueue' }>[]): Promise<void> {
    if (entries.length === 0) return
    const admitted = await this.#admitted(entries)
    const inserted = await this.#insert(admitted.map(({ job, at }) => rowOf(job, at, jobBeginnings.enqueue)))
    for (const entry of admitted) {
      const row = inserted.get(entry.job.id)
      this.#results.set(entry, row ? { outcome: 'Enqueued' } : { outcome: 'AlreadyActive' })
      if (!row) continue
      this.enqueued = true
      const { inputFolder, message } = entry.job
      this.#move({ ...row, at: entry.at, from: null, status: jobBeginnings.enqueue, message }, changeOfMove(entry))
      if (inputFolder !== null) this.#history.folder(inputFolder, entry.at)
    }
  }

  /** Excludes files whose name a Completed or active job has, in the database or earlier in this group. */
  async #admitted(entries: readonly Extract<Entry, { kind: 'enqueue' }>[]) {
    const keys = [...new Set(entries.filter(({ named }) => named).map(({ job }) => keyOf(job)))]
    const rows = keys.length > 0 ? await holdersOf(this.#tx, keys) : []
    const holders = new Map<string, Holder[]>()
    for (const row of rows) holders.set(row.name_key, [...(holders.get(row.name_key) ?? []), row])
    return entries.filter((entry) => {
      const { id, originalPath } = entry.job
      const key = keyOf(entry.job)
      const held = holders.get(key) ?? []
      if (entry.named && held.length > 0) {
        this.#results.set(entry, refusedBy(held, entry.job))
        return false
      }
      const holder = {
        id,
        file_name: entry.job.fileName,
        name_key: key,
        original_path: originalPath,
        status: jobBeginnings.enqueue,
        input_disposal: 'none',
      } as const
      holders.set(key, [...held, holder])
      return true
    })
  }

  async #bornFailed(entries: readonly Extract<Entry, { kind: 'bornFailed' }>[]): Promise<void> {
    if (entries.length === 0) return
    const inserted = await this.#insert(entries.map(({ job, at }) => rowOf(job, at, jobBeginnings.bornFailed, job)))
    for (const entry of entries) {
      const row = inserted.get(entry.job.id)
      this.#results.set(entry, row !== undefined)
      if (!row) continue
      const { code } = entry.job
      this.#move(
        { ...row, at: entry.at, from: null, status: jobBeginnings.bornFailed, message: failureLine(entry.job), code },
        changeOfMove(entry),
      )
      this.#history.ended(entry.at, 'failed')
    }
  }

  async #insert(rows: readonly Partial<JobRow>[]): Promise<ReadonlyMap<string, MovedRow>> {
    if (rows.length === 0) return new Map()
    const values = rows.map((row) => insertedColumns.map((column) => row[column] ?? null))
    return byId(await insertJobs(this.#tx, values))
  }

  async #reachedKey(entries: readonly Extract<Entry, { kind: 'reachedKey' }>[]): Promise<void> {
    if (entries.length === 0) return
    const rows = entries.map(({ id, at, change: { sha256, length, outputName, outputFolder, cnab240 } }) => [
      id,
      this.#owner,
      at,
      sha256,
      length,
      outputName,
      outputFolder ?? null,
      cnab240 ?? null,
    ])
    const marked = byId(await markKeyReached(this.#tx, rows))
    for (const entry of entries) {
      const { id, at, change } = entry
      this.#results.set(entry, marked.has(id))
      if (marked.has(id) && change.message !== undefined) this.#history.line(id, at, 'Processing', change.message)
    }
    await this.#payments(entries.filter(({ id }) => marked.has(id)))
  }

  async #parked(entries: readonly Extract<Entry, { kind: 'parked' }>[]): Promise<void> {
    if (entries.length === 0) return
    const rows = entries.map(({ id, at, change: { sha256, length, cnab240 } }) => [
      id,
      this.#owner,
      at,
      sha256,
      length,
      cnab240 ?? null,
    ])
    const moved = byId(await markParked(this.#tx, rows))
    for (const entry of entries) {
      const row = this.#settle(entry, moved.get(entry.id))
      if (row) this.#move({ ...row, at: entry.at, ...by('park'), message: entry.change.message })
    }
    const parked = entries.filter(({ id }) => moved.has(id))
    if (parked.length > 0) await freezeApprovals(this.#tx, parked)
    await this.#payments(parked)
  }

  async #payments(entries: readonly { readonly id: string; readonly change: { readonly payments?: string } }[]) {
    const payments = entries.flatMap(({ id, change }) => (change.payments === undefined ? [] : [[id, change.payments]]))
    if (payments.length > 0) await insertPayments(this.#tx, payments)
  }

  async #signed(entries: readonly Extract<Entry, { kind: 'signed' }>[]): Promise<void> {
    if (entries.length === 0) return
    const moved = byId(
      await markSigned(
        this.#tx,
        entries.map(({ id, at }) => [id, this.#owner, at]),
      ),
    )
    for (const entry of entries) {
      const row = this.#settle(entry, moved.get(entry.id))
      if (row) this.#move({ ...row, at: entry.at, ...by('signed'), ...entry.change })
    }
  }

  async #completed(entries: readonly Extract<Entry, { kind: 'completed' }>[]): Promise<void> {
    await this.#completedBy(
      markSignedAndCompleted,
      entries.filter(({ change }) => change.signed),
    )
    await this.#completedBy(
      markCompleted,
      entries.filter(({ change }) => !change.signed),
    )
  }

  async #completedBy(
    mark: typeof markCompleted,
    entries: readonly Extract<Entry, { kind: 'completed' }>[],
  ): Promise<void> {
    if (entries.length === 0) return
    const rows = entries.map(({ id, at, change }) => [
      id,
      this.#owner,
      at,
      change.encrypted ? 1 : 0,
      change.outputLength,
      change.queueMs,
      change.signingMs,
      change.verificationMs,
      change.outputMs,
    ])
    const moved = byId(await mark(this.#tx, rows))
    for (const entry of entries) {
      const row = this.#settle(entry, moved.get(entry.id))
      if (!row) continue
      const { message, signed } = entry.change
      if (signed) this.#move({ ...row, at: entry.at, ...by('signed'), ...signed })
      this.#move({ ...row, at: entry.at, ...by('complete'), message }, changeOfMove(entry))
      this.#history.ended(entry.at, 'completed', entry.change)
    }
  }

  async #failed(entries: readonly Extract<Entry, { kind: 'failed' }>[]): Promise<void> {
    if (entries.length === 0) return
    const rows = entries.map(({ id, at, change }) => [
      id,
      this.#owner,
      at,
      change.from,
      change.code,
      storable(change.error),
      change.reason === undefined ? null : storable(change.reason),
      change.errorCause ?? change.code,
    ])
    const moved = byId(await markFailed(this.#tx, rows))
    for (const entry of entries) {
      const row = this.#settle(entry, moved.get(entry.id))
      if (!row) continue
      const { from, code, lines = [] } = entry.change
      for (const line of lines) this.#history.line(entry.id, entry.at, from, line)
      this.#move(
        { ...row, at: entry.at, ...by('fail', from), message: failureLine(entry.change), code },
        changeOfMove(entry),
      )
      this.#history.ended(entry.at, 'failed')
    }
  }

  async #putBack(entries: readonly Extract<Entry, { kind: 'putBack' }>[]): Promise<void> {
    if (entries.length === 0) return
    const rows = entries.map(({ id, at, change: { code, error, reason, from = 'Processing' } }) => [
      id,
      this.#owner,
      at,
      from,
      code,
      storable(error),
      reason ?? null,
    ])
    const moved = byId(await markPutBack(this.#tx, rows))
    for (const entry of entries) {
      const row = this.#settle(entry, moved.get(entry.id))
      const { code, from } = entry.change
      const message = said('waits-again', { why: failureLine(entry.change) })
      if (row) this.#move({ ...row, at: entry.at, ...by('putBack', from), message, code })
    }
  }

  async #canceled(entries: readonly Extract<Entry, { kind: 'canceled' }>[]): Promise<void> {
    if (entries.length === 0) return
    const moved = byId(
      await markCanceled(
        this.#tx,
        entries.map(({ id, at, from }) => [id, at, from]),
      ),
    )
    for (const entry of entries) {
      const row = this.#settle(entry, moved.get(entry.id))
      if (!row) continue
      const { at, from, message } = entry
      this.#move({ ...row, at, ...by('cancel', from), message }, changeOfMove(entry))
      this.#history.ended(at, 'canceled')
    }
  }

  async #inputs(entries: readonly Extract<Entry, { kind: 'input' }>[]): Promise<void> {
    if (entries.length === 0) return
    const marked = byId(
      await markInput(
        this.#tx,
        entries.map(({ id, disposal }) => [id, disposal]),
      ),
    )
    for (const entry of entries) {
      const row = this.#settle(entry, marked.get(entry.id))
      const { status = 'Completed', message, code } = entry.line ?? {}
      if (row && message !== undefined) this.#history.line(row.id, entry.at, status, message, code)
    }
  }

  #settle<Row>(entry: Entry, row: Row | undefined): Row | undefined {
    this.#results.set(entry, row !== undefined)
    return row
  }

  #move(moved: Moved, more: Partial<JobChange> = {}): void {
    this.#history.move(moved)
    const { at, from, status } = moved
    this.changes.push({ ...changeOf(moved), at, from, status, ...more })
  }
}

/** Entries for one job run one after the other: a statement moves a row once and cannot tell for which of two. */
function rounds(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const ids = new Set(entries.map(idOf))
  if (ids.size === entries.length) return [entries]
  const found: Entry[][] = []
  const turns = new Map<string, number>()
  for (const entry of entries) {
    const turn = turns.get(idOf(entry)) ?? 0
    turns.set(idOf(entry), turn + 1)
    found[turn] = [...(found[turn] ?? []), entry]
  }
  return found
}

/** A move of the table, for histories, counts and listeners. */
const by = (move: JobMove, from: JobStatus = jobMoves[move].from[0]) => ({ from, status: jobMoves[move].to })

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))

const idOf = (entry: Entry): string => ('job' in entry ? entry.job.id : entry.id)

const statusAfter: Readonly<Record<Move['kind'], JobStatus>> = {
  ...jobBeginnings,
  parked: jobMoves.park.to,
  signed: jobMoves.signed.to,
  completed: jobMoves.complete.to,
  failed: jobMoves.fail.to,
  putBack: jobMoves.putBack.to,
  canceled: jobMoves.cancel.to,
}

type Seen = Pick<
  JobRow,
  'id' | 'status' | 'updated_at' | 'reached_key_at' | 'input_disposal' | 'profile_name' | 'source' | 'format'
>

type Move = Exclude<Entry, { kind: 'reachedKey' | 'input' }>

function stateBefore(entry: Move): JobStatus | null {
  if (entry.kind === 'parked') return jobMoves.park.from[0]
  if (entry.kind === 'signed') return jobMoves.signed.from[0]
  if (entry.kind === 'completed') return jobMoves.complete.from[0]
  if (entry.kind === 'putBack') return entry.change.from ?? jobMoves.putBack.from[0]
  if (entry.kind === 'failed') return entry.change.from
  return entry.kind === 'canceled' ? entry.from : null
}

/** Fields of a change for listeners besides the move itself. */
function changeOfMove(entry: Move): Partial<JobChange> {
  if (entry.kind === 'enqueue') return fileOf(entry.job)
  if (entry.kind === 'bornFailed') return { ...fileOf(entry.job), code: entry.job.code }
  if (entry.kind === 'completed') return { encrypted: entry.change.encrypted, durationMs: durationOf(entry.change) }
  if (entry.kind === 'canceled') return { byOperator: entry.byOperator }
  return entry.kind === 'failed' ? { code: entry.change.code } : {}
}

const fileOf = ({ fileName, inputFolder }: NewJob) => ({ fileName, inputFolder })

function wasWritten(entry: Entry, row: Seen | undefined): boolean {
  if (!row) return false
  if (entry.kind === 'reachedKey') return row.reached_key_at === entry.at
  if (entry.kind === 'input') return row.input_disposal === entry.disposal
  // The row may have been picked up since; then its time is later.
  if (entry.kind === 'enqueue') return true
  return row.status === statusAfter[entry.kind] && row.updated_at === entry.at
}

const keyOf = ({ fileName }: NewJob): string => nameKey(storable(fileName))

function rowOf(job: NewJob, at: string, status: JobStatus, failed?: BornFailed): Partial<JobRow> {
  return {
    id: job.id,
    file_name: storable(job.fileName),
    name_key: keyOf(job),
    original_path: job.originalPath,
    active_path: failed ? null : job.originalPath,
    input_folder: job.inputFolder,
    format: job.format,
    source: job.source,
    status,
    profile_name: job.profileName,
    parent_job_id: job.parentJobId ?? null,
    external_reference: job.externalReference === undefined ? null : storable(job.externalReference),
    encryption_requested: job.encryptionRequested === undefined ? null : Number(job.encryptionRequested),
    created_at: at,
    updated_at: at,
    queued_at: at,
    input_identity: job.inputIdentity ?? null,
    ...(failed && { finished_at: at, ...failureOf(failed) }),
  }
}

const failureLine = ({ code, error, reason }: Pick<FailureReason, 'code' | 'error' | 'reason'>): Said =>
  saidFailure({ code, error, ...(reason !== undefined && { reason: JSON.parse(reason) as JobReason }) })

const failureOf = ({ code, error, reason, errorCause }: FailureReason) => ({
  error_code: code,
  error_message: storable(error),
  error_reason: reason === undefined ? null : storable(reason),
  error_cause: errorCause ?? code,
})

const claimedBy = hotStatement<string, ClaimedRow & { readonly started_at: string }>('batch_claimed_by', {
  sqlite: {
    text: `select ${CLAIMED}, started_at from job where status = 'Processing' and owner = ?`,
    parameters: (owner) => [owner],
  },
  postgres: {
    text: `select ${CLAIMED}, started_at from job where status = 'Processing' and owner = $1`,
    parameters: (owner) => [owner],
  },
})

type Holder = Pick<JobRow, 'id' | 'file_name' | 'name_key' | 'original_path' | 'status' | 'input_disposal'>

const holdersOf = hotStatement<readonly string[], Holder>('batch_name_holders', {
  sqlite: {
    text: `select id, file_name, name_key, original_path, status, input_disposal from job
      where name_key in (select value from json_each(?)) and status not in ('Failed', 'Canceled')`,
    parameters: (keys) => [JSON.stringify(keys)],
  },
  postgres: {
    text: `select id, file_name, name_key, original_path, status, input_disposal from job
      where name_key = any($1::text[]) and status not in ('Failed', 'Canceled')`,
    parameters: (keys) => [keys],
  },
})

const isActive = (status: JobStatus): boolean => (activeStatuses as readonly JobStatus[]).includes(status)

// The holder's own file, found again before the holder has ended or deleted it, is not a second file.
function refusedBy(holders: readonly Holder[], { originalPath }: NewJob): EnqueueOutcome {
  const hasFile = holders.some(
    ({ original_path, status, input_disposal }) =>
      original_path === originalPath && (isActive(status) || input_disposal === 'pending'),
  )
  const { id: holderId, file_name: holderName } = holders[0]!
  return hasFile ? { outcome: 'AlreadyActive' } : { outcome: 'AlreadyProcessed', holderId, holderName }
}
