import { type SqlBool, sql } from 'kysely'
import type { Context } from '../context.ts'
import { type Actor, nameOf } from '../rules/actor.ts'
import { refuse } from '../rules/refuse.ts'
import { type Said, said, telling, together } from '../rules/sentences.ts'
import { deleteApprovals } from '../store/approvals.ts'
import { deleteJobRows } from '../store/delete-jobs.ts'
import { jobsToClear, type RemovableJob } from '../store/job-reads.ts'
import type { WorkArea } from '../upstream/storage/storage.ts'
import { isCancelable } from './cancel-job.ts'
import { isInFlight } from './delete-job.ts'
import { type FilesGone, type JobFileParts, removeJobFiles } from './job-files.ts'

/** Result of Clear Jobs. */
interface ClearResult {
  readonly deleted: number
  readonly filesDeleted: number
  readonly foldersDeleted: number
  readonly eventsDeleted: number
  /** Jobs that stay: in flight, or with a file that could not be removed. */
  readonly itemsFailed: number
  readonly message: string
}

interface Cleared {
  readonly ids: string[]
  filesDeleted: number
  foldersDeleted: number
  itemsFailed: number
  unsignedKept: number
}

/** Jobs read per page, and files removed concurrently. */
const PAGE = 500
const AT_ONCE = 16

/** Rows deleted per statement of the transaction. */
const ROWS_AT_ONCE = 1_000

type ClearParts = JobFileParts & { readonly work: Pick<WorkArea, 'leftovers'> }

type ClearContext = Pick<Context, 'store' | 'ledger' | 'events' | 'chain' | 'logger'>

/**
 * Clear Jobs: deletes every job in every state with its files and all earlier events. Files go first, so that
 * unreachable storage leaves every row; then the rows, the event and the reset of the statistics in one transaction.
 * Jobs in flight stay, because their workers still write to their rows. A disconnected client does not stop it.
 */
export async function clearJobs(
  context: ClearContext,
  parts: ClearParts,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<ClearResult> {
  await requireStorage(parts)
  const cleared = await clearFiles(context, parts, now)
  const at = now.toISOString()
  const { deleted, eventsDeleted } = await context.store.transaction(async (tx) => {
    const reason = 'jobs-cleared'
    const { chain } = context
    await chain.removing(tx, reason, { event: sql<SqlBool>`at <= ${at}` })
    let deleted = 0
    for (let from = 0; from < cleared.ids.length; from += ROWS_AT_ONCE) {
      const gone = await deleteJobRows(tx, cleared.ids.slice(from, from + ROWS_AT_ONCE))
      await deleteApprovals(tx, { chain, jobIds: gone, reason })
      deleted += gone.length
    }
    const events = await tx.deleteFrom('audit_event').where('at', '<=', at).executeTakeFirstOrThrow()
    await tx.deleteFrom('throughput').execute()
    await tx.updateTable('pipeline_state').set({ statistics_since: at }).execute()
    const { filesDeleted, foldersDeleted, itemsFailed } = cleared
    await context.events.record(tx, {
      type: 'JobsCleared',
      actor,
      ...telling(together(said('jobs-cleared', { actor: nameOf(actor) }), outcomeOf(deleted, cleared)), {
        deleted,
        filesDeleted,
        foldersDeleted,
        itemsFailed,
      }),
    })
    return { deleted, eventsDeleted: Number(events.numDeletedRows) }
  })
  const { filesDeleted, foldersDeleted, itemsFailed } = cleared
  const { text: message } = outcomeOf(deleted, cleared)
  return { deleted, filesDeleted, foldersDeleted, eventsDeleted, itemsFailed, message }
}

/** Checked first: unreachable storage would fail for every job. */
async function requireStorage({ work }: ClearParts): Promise<void> {
  try {
    await work.leftovers()
  } catch (error) {
    throw refuse('service.busy', { reason: 'The work folders cannot be reached.' }, error)
  }
}

const outcomeOf = (deleted: number, { itemsFailed: failed, unsignedKept }: Cleared): Said =>
  together(
    failed === 0 ? said('jobs-gone', { deleted }) : said('jobs-gone-but', { deleted, failed }),
    unsignedKept > 0 && said('unsigned-stay', { count: unsignedKept }),
  )

/** Removes the files of all jobs not in flight; the result lists those whose rows may be deleted. */
async function clearFiles(context: ClearContext, parts: JobFileParts, now: Date): Promise<Cleared> {
  const cleared: Cleared = { ids: [], filesDeleted: 0, foldersDeleted: 0, itemsFailed: 0, unsignedKept: 0 }
  let after = ''
  for (;;) {
    const page = await jobsToClear(context.store.db, now.toISOString(), after, PAGE)
    if (page.length === 0) return cleared
    after = page.at(-1)!.id
    const waiting = [...page]
    const lane = async () => {
      for (let job = waiting.shift(); job; job = waiting.shift())
        note(cleared, job, await clearOne(context, parts, job, now))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }
}

function note(cleared: Cleared, { id }: RemovableJob, gone: FilesGone | undefined): void {
  if (!gone) {
    cleared.itemsFailed += 1
    return
  }
  cleared.ids.push(id)
  cleared.filesDeleted += gone.filesDeleted
  cleared.foldersDeleted += gone.foldersDeleted
  cleared.unsignedKept += gone.unsignedKept
}

/** Removes the files of one job; undefined when the job must stay. */
async function clearOne(
  { store, ledger, logger }: ClearContext,
  parts: JobFileParts,
  job: RemovableJob,
  now: Date,
): Promise<FilesGone | undefined> {
  if (isInFlight(job.status)) return undefined
  // Canceled first, so that no worker picks up a job whose files are being deleted.
  const isWaiting = isCancelable(job.status)
  if (isWaiting && !(await ledger.canceled(job.id, job.status, said('canceled-to-clear'), now))) return undefined
  try {
    return await removeJobFiles(store.db, parts, job, { alone: false })
  } catch (error) {
    logger.error({ err: error, jobId: job.id }, 'the files of a job could not be removed; the job stays')
    return undefined
  }
}
