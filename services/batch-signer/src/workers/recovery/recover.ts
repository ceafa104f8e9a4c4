import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { FolderDirectory } from '../../parts/folders/folder-directory.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { StuckFiles } from '../../parts/stuck-files.ts'
import { inFlightStatuses } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { type Interruption, interruptedReason, type RecoveryAction, recoveryActions } from '../../rules/recovery.ts'
import { type Said, said } from '../../rules/sentences.ts'
import type { JobRow } from '../../store/tables.ts'
import type { InputFiles, WorkArea } from '../../upstream/storage/storage.ts'
import { type RejectedRow, rejectedColumns } from '../approvals/hand-back.ts'
import { type DisposableJob, disposeOfInput } from '../pipeline/input-disposal.ts'
import { giveOutput } from '../pipeline/output-delivery.ts'

export interface RecoveryParts {
  readonly work: WorkArea
  readonly inputs: InputFiles
  readonly metrics: BatchMetrics
  readonly stuck: StuckFiles
  readonly folderHolds: Pick<FolderHolds, 'ofInput'>
  readonly watched: Pick<FolderDirectory, 'list'>
  /** Hands the file of a rejected job back; it waits where nothing does. */
  handBack?(job: RejectedRow): Promise<boolean>
  /** Returns a rewritten input to its watcher. Before watchers run their first enumeration finds it. */
  onDiverged?(job: DisposableJob): void
}

/** What tells whether somebody is working on a job. */
export type KnownJob = Pick<JobRow, 'id' | 'owner' | 'status'>

/** Whose jobs are recovered, and why they need it. */
export interface RecoveryScope {
  /** True for a job that somebody is working on. */
  isBusy(job: KnownJob): boolean
  /** Why the job was interrupted; by default because the service stopped. */
  cause?(job: KnownJob): Interruption
  /** Whether a job goes back to the queue instead of failing; by default it fails, as the specification says of a stop. */
  mayBeginAgain?(job: KnownJob): boolean
  /** Whether files that belong to no job are put away: only when nobody else can have begun to write them. */
  readonly strays: boolean
}

/** Nothing runs yet: every job that is not at rest was left by a process that died. */
const atStart: RecoveryScope = { isBusy: () => false, strays: true }

/** Result of the recovery. */
export interface RecoveryReport {
  /** Jobs that were in flight and are Failed now, or Queued again. */
  readonly interrupted: number
  /** Completed jobs whose input was still to be deleted and is settled now. */
  readonly finished: number
  /** Jobs whose files under processing/ were cleared. */
  readonly putAway: number
}

/**
 * Ends jobs that were left in flight, finishes completed ones, and clears processing/. Each step changes the files
 * first and the row last, so that a crash in here is recovered as well.
 */
export async function recover(
  context: Context,
  parts: RecoveryParts,
  scope: RecoveryScope = atStart,
): Promise<RecoveryReport> {
  const interrupted = await endInterrupted(context, parts, scope)
  const finished = await finishDisposals(context, parts, scope)
  const putAway = await clearLeftovers(context, parts, scope)
  return { interrupted, finished, putAway }
}

async function endInterrupted(context: Context, { work }: RecoveryParts, scope: RecoveryScope): Promise<number> {
  const { store, ledger, clock, logger } = context
  const rows = await store.db
    .selectFrom('job')
    .select(['id', 'file_name', 'original_path', 'status', 'reached_key_at', 'released_at', 'owner', 'output_folder'])
    .where('status', 'in', [...inFlightStatuses])
    .orderBy('created_at')
    .execute()
  return inTurns(logger, rows.filter(notBusy(scope)), async (row) => {
    // Whoever had it can record nothing from here on, so that its files are nobody else's.
    if (!(await ledger.takeOver(row.id, row.owner))) return false
    await work.discard(row.id, row.output_folder)
    const { recorded } = new JobFailure('job.interrupted', interruptedReason(row, scope.cause?.(row)))
    const change = { ...recorded, from: row.status as (typeof inFlightStatuses)[number] }
    if (scope.mayBeginAgain?.(row)) {
      await (row.released_at === null ? work.removeProcessing(row.id) : work.removeAttempt(row.id))
      return ledger.putBack(row.id, change, clock())
    }
    const lines = await relocated(work.relocate(row.id, sourceOf(row), clock()), logger)
    return ledger.failed(row.id, { ...change, lines }, clock())
  })
}

const notBusy =
  (scope: RecoveryScope) =>
  (row: KnownJob): boolean =>
    !scope.isBusy(row)

/** A full or failing disk prevents the copy in error/, not the job's end: the input is still in place. */
async function relocated(relocation: Promise<void>, logger: Context['logger']): Promise<readonly Said[]> {
  try {
    await relocation
    return []
  } catch (error) {
    logger.error({ err: error }, 'an interrupted job could not be put into error/')
    return [said('not-copied')]
  }
}

const sourceOf = ({ file_name, original_path }: Pick<JobRow, 'file_name' | 'original_path'>) => ({
  fileName: file_name,
  ...(original_path !== null && { inputPath: original_path }),
})

async function finishDisposals(context: Context, parts: RecoveryParts, scope: RecoveryScope): Promise<number> {
  const { inputs, metrics, stuck, folderHolds, onDiverged = () => {} } = parts
  const rows = await context.store.db
    .selectFrom('job')
    .select(rejectedColumns)
    .select(['owner', 'status'])
    .where('input_disposal', '=', 'pending')
    .execute()
  const countDiverged = (profile: string) => metrics.bulk_inputs_diverged_total.inc({ profile })
  const dependencies = { context, inputs, stuck, folderHolds, countDiverged, onDiverged }
  return inTurns(context.logger, rows.filter(notBusy(scope)), async (row) => {
    if (row.status === 'Canceled') return (await parts.handBack?.(row)) ?? false
    if (!(await finishOutput(parts, row))) return false
    const staged = { sha256: row.content_sha256 ?? '', length: Number(row.content_length) }
    return disposeOfInput(dependencies, row, staged)
  })
}

type FinishedRow = Pick<JobRow, 'id' | 'file_name' | 'input_folder' | 'output_name' | 'output_folder'>

/** The output of a completed job gets the name that was promised; one that has it already has no hidden name. */
async function finishOutput({ work, stuck }: RecoveryParts, row: FinishedRow): Promise<boolean> {
  const { output_name: name, output_folder: folder } = row
  const isGiven = name === null || (await giveOutput({ work, stuck }, row, { folder, name }))
  await work.settle(row.id)
  return isGiven
}

async function clearLeftovers(context: Context, parts: RecoveryParts, scope: RecoveryScope): Promise<number> {
  const folders = parts.watched.list().flatMap(({ folder }) => folder.output.path ?? [])
  const ids = await parts.work.leftovers(folders)
  const rows = await leftoverRows(context, ids)
  return inTurns(context.logger, ids, (id) => {
    const row = rows.get(id)
    if (row) return scope.isBusy(row) ? nothing() : clearKnown(context, parts, row)
    return scope.strays ? clearUnknown(context, parts, id) : nothing()
  })
}

const nothing = async (): Promise<boolean> => false

type LeftoverRow = FinishedRow & Pick<JobRow, 'original_path' | 'status' | 'owner' | 'input_disposal'>

async function leftoverRows({ store }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, LeftoverRow>> {
  if (ids.length === 0) return new Map()
  const rows = await store.db
    .selectFrom('job')
    .select(['id', 'file_name', 'original_path', 'status', 'output_name', 'output_folder', 'input_folder', 'owner'])
    .select('input_disposal')
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function clearKnown(context: Context, parts: RecoveryParts, row: LeftoverRow): Promise<boolean> {
  const action: RecoveryAction = recoveryActions[row.status]
  // What is in flight was taken over before, or belongs to who has it.
  if (action === 'leave' || action === 'fail') return false
  if (action === 'finish') return finishOutput(parts, row)
  // A rejected file that is still to be handed back.
  if (row.input_disposal === 'pending') return false
  await parts.work.discard(row.id, row.output_folder)
  await parts.work.relocate(row.id, sourceOf(row), context.clock())
  return true
}

/** A folder whose job was deleted, or was never recorded, still contains a file of somebody. */
async function clearUnknown({ clock }: Context, { work }: RecoveryParts, id: string): Promise<boolean> {
  await work.relocate(id, { fileName: id, isUnknown: true }, clock())
  return true
}

/** Jobs recovered concurrently: their changes share a transaction, so that a full pipeline recovers fast. */
const AT_ONCE = 16

/**
 * Counts the jobs that were recovered. One that cannot be recovered now keeps its row and affects neither the others
 * nor the start; it is tried again.
 */
async function inTurns<T>(
  logger: Context['logger'],
  all: readonly T[],
  work: (one: T) => Promise<boolean>,
): Promise<number> {
  let count = 0
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const results = await Promise.allSettled(all.slice(from, from + AT_ONCE).map(work))
    for (const result of results) {
      if (result.status === 'rejected') logger.error({ err: result.reason }, 'job recovery failed; tried again later')
      else if (result.value) count += 1
    }
  }
  return count
}
