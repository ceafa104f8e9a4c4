import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Context } from '../context.ts'
import type { ProfileDirectory } from '../parts/signing/signing.ts'
import { MAX_PATH_LENGTH } from '../rules/job.ts'
import { refuse, refuseAs } from '../rules/refuse.ts'
import { said } from '../rules/sentences.ts'
import type { NewJob } from '../store/job-ledger.ts'
import { findJob } from '../store/job-reads.ts'
import type { JobRow } from '../store/tables.ts'
import { removeTombstones } from '../store/tombstones.ts'
import { identityAt } from '../upstream/storage/folders/sample.ts'

/**
 * Queues the file of a failed job as a new job under the profile the failed one recorded; the failed job stays as it is
 * (spec 2, States 5).
 */
export async function retryJob(
  { store, ledger }: Pick<Context, 'store' | 'ledger'>,
  profiles: Pick<ProfileDirectory, 'get'>,
  jobId: string,
  now: Date,
): Promise<{ readonly newJobId: string; readonly parentJobId: string; readonly status: 'Queued' }> {
  const job = await findJob(store.db, jobId)
  if (!job) throw refuse('job.not-found', { jobId })
  const originalPath = retriablePath(job)
  refuseUnwilling(profiles, job.profile_name)
  if (!(await isFile(originalPath))) throw refuse('job.input-missing', { jobId })
  const retry = retryOf(job, originalPath)
  // The name belongs to this job: the rule that a name is signed only once applies to other files.
  const { outcome } = await ledger.enqueueInTime(retry, now, { named: false })
  if (outcome !== 'Enqueued') throw refuse('job.already-processing', { jobId })
  // Judged anew: what was refused before counts no more.
  await removeTombstones(store.db, [originalPath])
  return { newJobId: retry.id, parentJobId: jobId, status: 'Queued' }
}

/** The input of a job that may be retried. */
function retriablePath({ id: jobId, status, error_code, original_path, vetoed_at }: JobRow): string {
  // Somebody said no, whether that ended the job or a worker found it: only a new file asks again.
  if (vetoed_at !== null) throw refuse('job.rejected-not-retriable', { jobId })
  if (status !== 'Failed') throw refuse('job.not-failed', { jobId, status })
  // A retry is exempt from the name rule; a job refused by that rule must not get around it.
  if (error_code === 'file.already-processed') throw refuse('file.already-processed', { jobId })
  if (original_path === null) throw refuse('job.input-missing', { jobId })
  if (original_path.length > MAX_PATH_LENGTH)
    throw refuseAs(409, 'job.path-too-long', { jobId, limit: MAX_PATH_LENGTH })
  return original_path
}

function refuseUnwilling(profiles: Pick<ProfileDirectory, 'get'>, name: string): void {
  const profile = profiles.get(name)
  if (!profile) throw refuse('profile.not-found', { profile: name })
  if (!profile.enabled) throw refuse('profile.disabled', { profile: name })
  if (profile.method === 'SignerFolder') throw refuse('profile.takes-no-files', { profile: name })
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    // Any error here would also prevent reading the file.
    () => false,
  )

const retryOf = (job: JobRow, originalPath: string): NewJob => ({
  id: randomUUID(),
  fileName: job.file_name,
  originalPath,
  inputFolder: job.input_folder,
  format: job.format,
  source: 'Retry',
  profileName: job.profile_name,
  parentJobId: job.id,
  ...(job.external_reference !== null && { externalReference: job.external_reference }),
  ...(job.encryption_requested !== null && { encryptionRequested: job.encryption_requested === 1 }),
  // An upload is never mistaken for another file: nobody else writes to its folder.
  ...(job.input_folder !== null && { inputIdentity: identityAt(originalPath) }),
  message: said('retry-of', { job: job.id }),
})
