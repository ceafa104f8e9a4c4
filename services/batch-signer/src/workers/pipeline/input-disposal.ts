import type { NewEvent } from '@chancela/service-kernel/events'
import type { Context } from '../../context.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { StuckFiles } from '../../parts/stuck-files.ts'
import type { JobEnd } from '../../rules/job.ts'
import { type Said, said, telling } from '../../rules/sentences.ts'
import type { ClaimedRow } from '../../store/job-statements.ts'
import type { Disposal, Fingerprint, InputFiles, Staged } from '../../upstream/storage/storage.ts'

/** A completed job whose input must still be compared and deleted. */
export type DisposableJob = Pick<
  ClaimedRow,
  'id' | 'file_name' | 'original_path' | 'input_folder' | 'source' | 'profile_name'
>

export interface DisposalDependencies {
  readonly context: Pick<Context, 'clock' | 'store' | 'events' | 'ledger'>
  readonly inputs: InputFiles
  readonly stuck: Pick<StuckFiles, 'inputStuck' | 'inputFreed'>
  /** Tells a file that was removed from one whose folder is gone. */
  readonly folderHolds: Pick<FolderHolds, 'ofInput'>
  /** Counts an input that was left in place. */
  countDiverged(profileName: string): void
  /** Waits for other jobs, so that the records share a transaction; recovery does not need it. */
  beforeRecording?(): Promise<void>
  /** Returns the rewritten file of a watched folder to its watcher. */
  onDiverged(job: DisposableJob): void
}

/**
 * Disposal of a completed job's input (spec 2, Files 2): deleted if it still equals what was staged; otherwise left in
 * place, reported, and returned as a new candidate, unless it came by upload. An unchanged input that cannot be removed
 * stays pending, which keeps its path from being queued again, and stops its folder: false, to be tried again.
 */
export async function disposeOfInput(
  dependencies: DisposalDependencies,
  job: DisposableJob,
  staged: Fingerprint | Staged,
  status: JobEnd = 'Completed',
): Promise<boolean> {
  const { context, stuck } = dependencies
  const disposal = await disposed(dependencies, job, staged)
  if (disposal.kind === 'stuck') {
    await stuck.inputStuck(job, disposal.reason)
    return false
  }
  await dependencies.beforeRecording?.()
  if (disposal.kind === 'diverged') await recordDiverged(dependencies, job, disposal.reason, status)
  else await context.ledger.inputSettled(job.id, disposal.kind, context.clock())
  await stuck.inputFreed(job.id)
  // An upload's file has no watcher that could take it.
  if (disposal.kind === 'diverged' && job.input_folder !== null) dependencies.onDiverged(job)
  return true
}

/** A file whose folder is gone is still there when the folder is back: it would be signed again. */
async function disposed(
  { inputs, folderHolds }: DisposalDependencies,
  job: DisposableJob,
  staged: Fingerprint | Staged,
): Promise<Disposal> {
  if (job.original_path === null) return { kind: 'missing' }
  const disposal = await inputs.dispose(job.original_path, staged)
  const held = disposal.kind === 'missing' ? await folderHolds.ofInput(job) : undefined
  return held ? { kind: 'stuck', reason: said('folder-unreachable') } : disposal
}

async function recordDiverged(
  { context, countDiverged }: DisposalDependencies,
  job: DisposableJob,
  why: Said,
  status: JobEnd,
): Promise<void> {
  await context.events.record(context.store.db, divergedEvent(job, why))
  await context.ledger.inputSettled(job.id, 'diverged', context.clock(), {
    code: 'job.input-diverged',
    message: said('input-left', { why }),
    status,
  })
  countDiverged(job.profile_name)
}

const divergedEvent = (job: DisposableJob, why: Said): NewEvent => ({
  type: 'InputDiverged',
  actor: 'pipeline',
  subject: { kind: 'job', id: job.id },
  code: 'job.input-diverged',
  ...telling(said('input-diverged', { file: job.file_name, why }), {
    path: job.original_path,
    folder: job.input_folder,
    profile: job.profile_name,
  }),
})
