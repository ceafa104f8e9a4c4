import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import { inFlightStatuses } from '../../rules/job.ts'
import { interruptedMessage, type RecoveryAction, recoveryActions } from '../../rules/recovery.ts'
import type { JobRow } from '../../store/tables.ts'
import type { InputFiles, WorkArea } from '../../upstream/storage/storage.ts'
import { disposeOfInput } from '../pipeline/input-disposal.ts'

export interface RecoveryParts {
  readonly work: WorkArea
  readonly inputs: InputFiles
  readonly metrics: BatchMetrics
}

/** Result of the recovery. */
export interface RecoveryReport {
  /** Jobs that were in flight and are Failed now. */
  readonly interrupted: number
  /** Completed jobs whose input was still to be deleted. */
  readonly finished: number
  /** Jobs whose files under processing/ were cleared. */
  readonly putAway: number
}

/**
 * Start-up recovery, before anything is picked up: fails jobs a crash left in flight, finishes incomplete ones, and
 * clears processing/. Each step changes the files first and the row last, so that a crash in here is recovered as well.
 */
export async function recover(context: Context, parts: RecoveryParts): Promise<RecoveryReport> {
  const interrupted = await failInterrupted(context, parts)
  const finished = await finishDisposals(context, parts)
  const putAway = await clearLeftovers(context, parts)
  const report = { interrupted, finished, putAway }
  if (interrupted + finished + putAway > 0) await record(context, report)
  return report
}

async function failInterrupted({ store, ledger, clock, logger }: Context, { work }: RecoveryParts): Promise<number> {
  const rows = await store.db
    .selectFrom('job')
    .select(['id', 'file_name', 'original_path', 'status', 'reached_key_at'])
    .where('status', 'in', [...inFlightStatuses])
    .orderBy('created_at')
    .execute()
  await inTurns(logger, rows, async (row) => {
    await work.discard(row.id, null)
    const lines = await relocated(work.relocate(row.id, sourceOf(row), clock()), logger)
    const from = row.status as (typeof inFlightStatuses)[number]
    const error = interruptedMessage(row)
    await ledger.failed(row.id, { from, code: 'job.interrupted', error, lines, anyOwner: true }, clock())
  })
  return rows.length
}

/** A full or failing disk prevents the copy in error/, not the job's end: the input is still in place. */
async function relocated(relocation: Promise<void>, logger: Context['logger']): Promise<readonly string[]> {
  try {
    await relocation
    return []
  } catch (error) {
    logger.error({ err: error }, 'an interrupted job could not be put into error/')
    return ['The file could not be copied to error/; it is still where it was.']
  }
}

const sourceOf = ({ file_name, original_path }: Pick<JobRow, 'file_name' | 'original_path'>) => ({
  fileName: file_name,
  ...(original_path !== null && { inputPath: original_path }),
})

async function finishDisposals(context: Context, { work, inputs, metrics }: RecoveryParts): Promise<number> {
  const rows = await context.store.db
    .selectFrom('job')
    .select(['id', 'file_name', 'original_path', 'input_folder', 'source', 'profile_name'])
    .select(['content_sha256', 'content_length', 'output_name'])
    .where('input_disposal', '=', 'pending')
    .execute()
  const dependencies = {
    context,
    inputs,
    countDiverged: (profile: string) => metrics.bulk_inputs_diverged_total.inc({ profile }),
    // The watchers have not started: their first enumeration finds the file.
    onDiverged: () => {},
  }
  await inTurns(context.logger, rows, async (row) => {
    await finishOutput(work, row)
    const staged = { sha256: row.content_sha256 ?? '', length: Number(row.content_length) }
    await disposeOfInput(dependencies, row, staged)
  })
  return rows.length
}

/** The output of a completed job gets the name that was promised; one that has it already has no hidden name. */
async function finishOutput(work: WorkArea, { id, output_name }: Pick<JobRow, 'id' | 'output_name'>): Promise<void> {
  if (output_name !== null) await work.promote(id, { folder: null, name: output_name })
  await work.settle(id)
}

async function clearLeftovers(context: Context, { work }: RecoveryParts): Promise<number> {
  const ids = await work.leftovers()
  let putAway = 0
  await inTurns(context.logger, ids, async (id) => {
    const row = await context.store.db
      .selectFrom('job')
      .select(['id', 'file_name', 'original_path', 'status', 'output_name'])
      .where('id', '=', id)
      .executeTakeFirst()
    // A folder whose job was deleted, or was never recorded, still contains a file of somebody.
    const action: RecoveryAction = row ? recoveryActions[row.status] : 'relocate'
    if (action === 'leave') return
    if (row && action === 'finish') await finishOutput(work, row)
    else await work.relocate(id, row ? sourceOf(row) : { fileName: id, isUnknown: true }, context.clock())
    putAway += 1
  })
  return putAway
}

async function record({ events, store, logger }: Context, report: RecoveryReport): Promise<void> {
  logger.warn(report, 'start-up recovery done')
  await events.record(store.db, {
    type: 'StartupRecovery',
    actor: 'recovery',
    text: `${report.interrupted} job(s) were interrupted and are Failed; ${report.finished} completed job(s) had their input settled; the leftovers of ${report.putAway} job(s) were put away.`,
    data: { ...report },
  })
}

/** Jobs recovered concurrently: their changes share a transaction, so that a full pipeline recovers fast. */
const AT_ONCE = 16

/** A job that cannot be recovered now keeps its row and affects neither the others nor the start. */
async function inTurns<T>(
  logger: Context['logger'],
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const results = await Promise.allSettled(all.slice(from, from + AT_ONCE).map(work))
    for (const result of results)
      if (result.status === 'rejected')
        logger.error({ err: result.reason }, 'job recovery failed; tried again at the next start')
  }
}
