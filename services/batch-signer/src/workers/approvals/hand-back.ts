import type { Context } from '../../context.ts'
import type { RecordedCode } from '../../contract/errors.ts'
import type { Destinations } from '../../parts/destinations.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { type Said, said, telling } from '../../rules/sentences.ts'
import { findApproval, markHidden } from '../../store/approvals.ts'
import type { JobRow } from '../../store/tables.ts'
import type { InputFiles, OutputBytes, OutputPlace, Promotion, WorkArea } from '../../upstream/storage/storage.ts'
import { type DisposalDependencies, disposeOfInput } from '../pipeline/input-disposal.ts'

export interface HandBackParts {
  readonly work: WorkArea
  readonly inputs: Pick<InputFiles, 'stageKept'>
  readonly profiles: Pick<ProfileDirectory, 'encryption'>
  readonly destinations: Destinations
  readonly disposal: Omit<DisposalDependencies, 'context'>
}

/** A rejected job whose file is still to be handed back. */
export type RejectedRow = Pick<
  JobRow,
  | 'id'
  | 'file_name'
  | 'original_path'
  | 'input_folder'
  | 'source'
  | 'profile_name'
  | 'encryption_requested'
  | 'content_sha256'
  | 'content_length'
  | 'output_name'
  | 'output_folder'
  | 'output_encrypted'
  | 'output_length'
>

/** What `handBack` reads of a job. */
export const rejectedColumns = [
  'id',
  'file_name',
  'original_path',
  'input_folder',
  'source',
  'profile_name',
  'encryption_requested',
  'content_sha256',
  'content_length',
  'output_name',
  'output_folder',
  'output_encrypted',
  'output_length',
] as const satisfies readonly (keyof JobRow)[]

/**
 * Hands a rejected file back: it gets its `.reject` name in the output folder, then the input is removed. Where that
 * cannot be, because the name is taken or the copy is not what was rejected, what there is of the copy goes to error/
 * and the input stays. False: to be tried again.
 */
export async function handBack(context: Context, parts: HandBackParts, job: RejectedRow): Promise<boolean> {
  const promotion = await promoted(context, parts, job)
  if (promotion === 'taken') return giveUp(context, parts, job)
  // Given before, it was told then.
  if (promotion === 'given') await recordHandedBack(context, job)
  const staged = { sha256: job.content_sha256 ?? '', length: Number(job.content_length) }
  return disposeOfInput({ context, ...parts.disposal }, job, staged, 'Canceled')
}

async function promoted(context: Context, parts: HandBackParts, job: RejectedRow): Promise<Promotion> {
  const place = { folder: job.output_folder, name: job.output_name! }
  try {
    await makeHidden(context, parts, job, place)
    return await parts.work.promote(job.id, place)
  } catch (error) {
    if (isRefusal(error)) return 'taken'
    throw error
  }
}

/**
 * The hidden output is durable, then the row says so, then the copy goes: after that only the name is missing, so that
 * neither a copy nor a hidden output means delivered, and never lost.
 */
async function makeHidden(context: Context, parts: HandBackParts, job: RejectedRow, place: OutputPlace): Promise<void> {
  const { work, destinations } = parts
  if (job.output_length === null) {
    if (!work.waitingOutput(job.id, place.folder) || (await hasCopy(context, work, job))) {
      const destination = { ...destinations.of(job.input_folder), folder: place.folder }
      work.requireFree(place)
      await work.write(job.id, await contentOf(context, parts, job), destination)
    }
    await markHidden(context.store.db, job.id)
  }
  await work.settle(job.id)
}

/** Written as it is, the copy has become the hidden output. */
async function hasCopy({ store }: Context, work: WorkArea, { id }: RejectedRow): Promise<boolean> {
  const approval = await findApproval(store.db, id)
  return approval !== undefined && work.keptFile(id, approval.staged_name) !== undefined
}

/** The copy, if it is still what was rejected. */
async function contentOf(
  { store, clock }: Context,
  { work, inputs, profiles }: HandBackParts,
  job: RejectedRow,
): Promise<OutputBytes> {
  const approval = await findApproval(store.db, job.id)
  const path = approval && work.keptFile(job.id, approval.staged_name)
  if (path === undefined) throw new JobFailure('approval.content-changed')
  const { sha256 } = await inputs.stageKept(job.id, approval!.staged_name)
  if (sha256 !== job.content_sha256) throw new JobFailure('approval.content-changed')
  if (job.output_encrypted !== 1) return { path }
  const encryptionRequested = job.encryption_requested === null ? null : job.encryption_requested === 1
  const encrypt = profiles.encryption({ profileName: job.profile_name, encryptionRequested })
  // The promise was an encrypted file; nobody is given the plain one instead.
  if (!encrypt) throw new JobFailure('job.encryption-failed')
  return encrypt({ path }, clock())
}

const REFUSALS: readonly RecordedCode[] = ['job.output-exists', 'job.encryption-failed', 'approval.content-changed']

/** Whatever else fails is tried again. */
const isRefusal = (error: unknown): error is JobFailure => error instanceof JobFailure && REFUSALS.includes(error.code)

/** The copy goes to error/; the input stays where it is. */
async function giveUp(context: Context, { work }: HandBackParts, job: RejectedRow): Promise<boolean> {
  const { id, file_name: fileName, original_path } = job
  const now = context.clock()
  await work.relocate(id, { fileName, ...(original_path !== null && { inputPath: original_path }) }, now)
  const told = { file: fileName, name: job.output_name! }
  await record(context, job, 'RejectionHandbackFailed', said('rejected-file-not-handed-back', told))
  const line = { status: 'Canceled', message: said('not-handed-back', { name: job.output_name! }) } as const
  context.logger.warn({ job: id, name: job.output_name }, 'RejectionHandbackFailed')
  return context.ledger.inputSettled(id, 'none', now, line)
}

async function recordHandedBack(context: Context, job: RejectedRow): Promise<void> {
  const told = { file: job.file_name, name: job.output_name! }
  await record(context, job, 'RejectedFileHandedBack', said('rejected-file-handed-back', told))
}

const record = ({ events, store }: Context, job: RejectedRow, type: string, what: Said) =>
  events.record(store.db, {
    type,
    actor: 'pipeline',
    subject: { kind: 'job', id: job.id },
    ...telling(what, { profile: job.profile_name, folder: job.output_folder, name: job.output_name }),
  })
