import { basename } from 'node:path'
import type { ByteBudget } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { Destinations } from '../../parts/destinations.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { ApprovedSignatures, ProfileDirectory, SignedContent, SigningPlan } from '../../parts/signing/signing.ts'
import type { StuckFiles } from '../../parts/stuck-files.ts'
import type { ApprovalRule } from '../../rules/approval-rule.ts'
import { type Held, ProfileHeld } from '../../rules/conditions.ts'
import { FolderHeld } from '../../rules/folder-conditions.ts'
import { type ApproverCertificate, expiryOf } from '../../rules/frozen-approval.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import { type Said, said, telling, together, words } from '../../rules/sentences.ts'
import { decisionsOf, type FrozenApproval, findApproval } from '../../store/approvals.ts'
import type { Signed } from '../../store/job-ledger.ts'
import { findJob } from '../../store/job-reads.ts'
import type { ClaimedRow } from '../../store/job-statements.ts'
import type { ApprovalDecisionRow } from '../../store/tables.ts'
import type {
  Destination,
  EnvelopeFiles,
  InputFiles,
  OutputPlace,
  Staged,
  WorkArea,
  WrittenOutput,
} from '../../upstream/storage/storage.ts'
import type { CommitRendezvous } from './commit-rendezvous.ts'
import { type DisposalDependencies, disposeOfInput } from './input-disposal.ts'
import { giveOutput } from './output-delivery.ts'
import { type PassedRemittance, remittanceGate } from './remittance-gate.ts'
import { StoppedWaiting, type StorageRoom } from './storage-room.ts'

/** What every job needs. */
export interface JobDependencies {
  readonly context: Context
  readonly profiles: ProfileDirectory
  readonly work: WorkArea
  readonly inputs: InputFiles
  readonly envelopes: Pick<EnvelopeFiles, 'path'>
  readonly metrics: BatchMetrics
  readonly room: StorageRoom
  readonly memory: ByteBudget
  readonly rendezvous: CommitRendezvous
  readonly stuck: StuckFiles
  readonly folderHolds: FolderHolds
  readonly destinations: Destinations
  readonly onDiverged: DisposalDependencies['onDiverged']
}

/** The row no longer belongs to this worker: another one ended the job or took it over. */
class RowLost extends Error {
  override readonly name = 'RowLost'
}

/** The ledger could not write; the row stays as it is until recovery ends it. */
class Unrecorded extends Error {
  override readonly name = 'Unrecorded'
}

/**
 * One job from pick-up to end. The order is the guarantee: the state is durable in the ledger before the next file
 * operation, so that a crash at any point leaves a row and files that start-up recovery can interpret.
 */
export class JobRun {
  readonly #dependencies: JobDependencies
  readonly #job: ClaimedRow
  #state: 'Processing' | 'Verifying' = 'Processing'
  /** The history line of the signature, once made. */
  #signed: Signed | undefined
  #plan: SigningPlan | undefined
  #staged: Staged | undefined
  /** Of a released job. */
  #approved: ApprovedSignatures | undefined
  #outputName: string | undefined
  /** Of the output, as recorded with its name: settings may change meanwhile. */
  #folder: string | null = null
  #giveBack: () => void = () => {}

  constructor(dependencies: JobDependencies, job: ClaimedRow) {
    this.#dependencies = dependencies
    this.#job = job
  }

  /** Never throws: every outcome is in the ledger, or left to recovery, which runs again and again. */
  async run(): Promise<void> {
    try {
      const staged = await this.#signFile()
      if (staged) await this.#clearUp(staged)
    } catch (error) {
      await this.#end(error)
    } finally {
      this.#giveBack()
    }
  }

  /** From the input to Completed; returns what was signed. Undefined: the job waits for people. */
  async #signFile(): Promise<Staged | undefined> {
    const { clock } = this.#dependencies.context
    const queueMs = Math.max(0, clock().getTime() - Date.parse(this.#job.queued_at))
    const plan = this.#planned()
    await this.#requireDestination()
    const staged = await (this.#isReleased ? this.#stageApproved() : this.#stage())
    await this.#reserveMemory(plan, staged)
    const remittance = plan.profile.checkCnab240 ? await this.#checkRemittance(plan, staged) : undefined
    if (plan.profile.approval && !this.#isReleased) return this.#park(plan.profile.approval, staged, remittance)
    await this.#validateCertificate(plan)
    await this.#reachKey(plan, staged, remittance)

    const signing = stopwatch()
    const signed = await this.#sign(plan, staged)
    const signingMs = signing()
    const { length, sha256 } = staged
    this.#signed = { message: words('signed', { length, sha256, format: plan.format }) }
    // Verifying a large file takes long enough to be visible; a small one is recorded with its end, in one write.
    if (staged.kind === 'file') await this.#recordSigned(this.#signed)
    const { written, ...verified } = await this.#verifyAndWrite(plan, signed)
    await this.#inOutput(async () => this.#dependencies.work.requireFree(this.#place()))
    await this.#complete(plan, written, { queueMs, signingMs, ...verified })
    this.#dependencies.profiles.holds.signed(this.#job.profile_name, this.#job.id)
    return staged
  }

  /**
   * After Completed nothing can fail the job any more: what cannot be done now is tried again by recovery. The output
   * is seen from here on, so that whoever takes it at once takes it from a job that has completed.
   */
  async #clearUp(staged: Staged): Promise<void> {
    const { work } = this.#dependencies
    const isNamed = await this.#orLater('the output was not given its name', () => this.#promote())
    // Its name is in the row alone: should the store be lost before it has it, the input is what can be signed again.
    if (!isNamed) return
    await this.#orLater('cleanup postponed', async () => {
      if (staged.kind === 'file' || this.#isReleased) await work.settle(this.#job.id)
      return this.#disposeOfInput(staged)
    })
  }

  /** Whether it was done. */
  async #orLater(what: string, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work()
    } catch (error) {
      this.#dependencies.context.logger.warn({ err: error, job: this.#job.id }, `completed job: ${what}`)
      return false
    }
  }

  #planned(): SigningPlan {
    const { profile_name, format, encryption_requested } = this.#job
    this.#plan = this.#dependencies.profiles.plan({
      profileName: profile_name,
      format,
      encryptionRequested: encryption_requested === null ? null : encryption_requested === 1,
    })
    return this.#plan
  }

  /** Enough people have approved the copy that was kept: that one is signed, whatever lies in the folder now. */
  get #isReleased(): boolean {
    return this.#job.released_at !== null
  }

  /** The approved bytes, proven to be the same. */
  async #stageApproved(): Promise<Staged> {
    const { context, inputs, metrics, room } = this.#dependencies
    const { id, profile_name: profile } = this.#job
    const approval = await findApproval(context.store.db, id)
    if (!approval?.content_sha256) throw new JobFailure('approval.content-unmeasured')
    const staged = await room.enter(() => inputs.stageKept(id, approval.staged_name))
    if (staged.sha256 !== approval.content_sha256) {
      metrics.bulk_jobs_content_changed_total.inc({ profile })
      throw new JobFailure('approval.content-changed')
    }
    this.#staged = staged
    this.#approved = await this.#signaturesOf(approval)
    return staged
  }

  /** What the approvers signed, where they approved by signing. */
  async #signaturesOf({ job_id, rule, envelope_sha256 }: FrozenApproval): Promise<ApprovedSignatures> {
    const { context, envelopes } = this.#dependencies
    const decisions = await decisionsOf(context.store.db, job_id)
    return {
      signers: rule.signers,
      envelope:
        envelope_sha256 === null ? null : { path: envelopes.path(job_id, envelope_sha256), sha256: envelope_sha256 },
      thumbprints: decisions.filter(({ decision }) => decision === 'approved').map(thumbprintOf),
    }
  }

  /** The copy is durable before the row says that people may decide about it. */
  async #park(rule: ApprovalRule, staged: Staged, remittance: PassedRemittance | undefined): Promise<undefined> {
    const { context, room, work } = this.#dependencies
    const { id, file_name: fileName, profile_name: profileName, original_path } = this.#job
    const stagedName = basename(original_path ?? fileName)
    await room.enter(() => work.keep(id, staged, stagedName))
    const { line, ...kept } = remittance ?? {}
    const { sha256, length } = staged
    const now = context.clock()
    const message = together(line, ...parkedLines(rule, staged, now))
    const change = { sha256, length, rule, stagedName, fileName, profileName, message, ...kept }
    await this.#recorded(() => context.ledger.parked(id, change, now))
  }

  async #stage(): Promise<Staged> {
    const { id, original_path } = this.#job
    if (original_path === null) throw new JobFailure('job.input-missing')
    const { room, inputs, folderHolds } = this.#dependencies
    try {
      this.#staged = await room.enter(() => inputs.stage(id, original_path))
    } catch (error) {
      // A share that is gone takes its files with it: they are not the ones at fault.
      throw (isOfFile(error) && (await folderHolds.ofInput(this.#job))) || error
    }
    return this.#staged
  }

  /** Before the key is used for nothing: an output folder of its own may be gone. */
  async #requireDestination(): Promise<void> {
    const { folder } = this.#destination()
    if (folder === null) return
    this.#folder = folder
    await this.#inOutput(async () => this.#dependencies.work.requireWritable(folder))
  }

  /** What is wrong with an output folder of its own is not the storage of the pipeline, which waits as a whole. */
  #inOutput<T>(work: () => Promise<T>): Promise<T> {
    const { room, folderHolds } = this.#dependencies
    return room.enter(async () => {
      try {
        return await work()
      } catch (error) {
        const held = await folderHolds.ofOutput(this.#folder, error, this.#staged?.length ?? 0)
        if (held && this.#job.input_folder !== null) folderHolds.begin(this.#job.input_folder, held)
        throw held ?? error
      }
    })
  }

  /** A large PDF or XML is signed in memory, one at a time; CAdES streams it. */
  async #reserveMemory(plan: SigningPlan, staged: Staged): Promise<void> {
    const streams = staged.kind === 'file' && plan.format === 'Cades' && !plan.profile.checkCnab240
    this.#giveBack = await this.#dependencies.memory.take(streams ? 0 : staged.length)
  }

  #checkRemittance(plan: SigningPlan, staged: Staged): Promise<PassedRemittance> {
    const { context, metrics } = this.#dependencies
    const options = {
      settings: context.settings,
      clock: context.clock,
      record: async (type: string, code: string | undefined, what: Said) => {
        const subject = { kind: 'job', id: this.#job.id }
        await context.events.record(context.store.db, {
          type,
          actor: 'pipeline',
          subject,
          ...(code !== undefined && { code }),
          ...telling(said('about-file', { file: this.#job.file_name, what })),
        })
      },
      countDateCheckSkipped: (profile: string) =>
        metrics.bulk_cnab240_payment_date_checks_skipped_total.inc({ profile }),
    }
    return remittanceGate(options, plan.profile, staged)
  }

  async #validateCertificate(plan: SigningPlan): Promise<void> {
    try {
      await plan.validateCertificate(this.#dependencies.context.clock())
    } catch (error) {
      this.#dependencies.metrics.bulk_cert_validation_failed_total.inc({ profile: plan.profile.name })
      throw error
    }
  }

  /**
   * From here on a redo could sign twice: the content is recorded before the key is used, and the output's name before
   * a file has it, so that recovery knows which name a completed job was promised.
   */
  async #reachKey(
    plan: SigningPlan,
    { sha256, length }: Staged,
    remittance: PassedRemittance | undefined,
  ): Promise<void> {
    const { ledger, clock } = this.#dependencies.context
    const outputName = plan.outputName(this.#job.file_name)
    const { line, ...kept } = remittance ?? {}
    const { folder } = this.#destination()
    const change = {
      sha256,
      length,
      outputName,
      outputFolder: folder,
      ...kept,
      ...(line !== undefined && { message: line }),
    }
    await this.#recorded(() => ledger.reachedKey(this.#job.id, change, clock())).catch((error) =>
      this.#rejectedOr(error),
    )
    this.#outputName = outputName
    this.#folder = folder
  }

  /** An approver may have rejected the job after this worker picked it up. */
  async #rejectedOr(error: unknown): Promise<never> {
    const { store } = this.#dependencies.context
    const job = error instanceof RowLost ? await findJob(store.db, this.#job.id) : undefined
    throw job?.vetoed_at && job.status === 'Processing' ? new JobFailure('approval.rejected') : error
  }

  // The disk is full while a large file is signed into its scratch file: the signature never left this process, and is
  // made again when there is room.
  #sign(plan: SigningPlan, staged: Staged): Promise<SignedContent> {
    const { room, work, context } = this.#dependencies
    const scratch = () => work.scratch(this.#job.id)
    const [approved, now] = [this.#approved, context.clock()]
    return room.enter(() =>
      approved ? plan.signApproved(staged, approved, now, scratch) : plan.sign(staged, now, scratch),
    )
  }

  async #recordSigned(signed: Signed): Promise<void> {
    const { ledger, clock } = this.#dependencies.context
    await this.#recorded(() => ledger.signed(this.#job.id, signed, clock()))
    this.#state = 'Verifying'
  }

  async #verifyAndWrite(plan: SigningPlan, signed: SignedContent) {
    const verification = stopwatch()
    await this.#verify(plan, signed)
    const verificationMs = verification()
    const putting = stopwatch()
    const written = await this.#write(signed)
    return { written, verificationMs, outputMs: putting() }
  }

  async #verify(plan: SigningPlan, signed: SignedContent): Promise<void> {
    if (plan.profile.verify) return signed.verify(this.#dependencies.context.clock())
    this.#dependencies.metrics.bulk_jobs_verify_skipped_total.inc({ profile: plan.profile.name })
  }

  /** Durable under a hidden name. The signed bytes are kept while the disk is full. */
  #write(signed: SignedContent): Promise<WrittenOutput> {
    const { work, context } = this.#dependencies
    return this.#inOutput(async () =>
      work.write(this.#job.id, await signed.output(context.clock()), { ...this.#destination(), folder: this.#folder }),
    )
  }

  #destination = (): Destination => this.#dependencies.destinations.of(this.#job.input_folder)

  #place = (): OutputPlace => ({ folder: this.#folder, name: this.#outputName! })

  #promote(): Promise<boolean> {
    return this.#inOutput(() => giveOutput(this.#dependencies, this.#job, this.#place()))
  }

  #complete(plan: SigningPlan, written: WrittenOutput, times: Times): Promise<void> {
    const { ledger, clock } = this.#dependencies.context
    const { length } = written
    const change = {
      ...times,
      ...(this.#state === 'Processing' && { signed: this.#signed! }),
      encrypted: plan.encrypts,
      outputLength: length,
      message: words(plan.profile.verify ? 'verified' : 'not-verified', {
        length,
        folder: this.#folder ?? 'output/',
        name: this.#outputName!,
      }),
    }
    return this.#recorded(() => ledger.completed(this.#job.id, change, clock()))
  }

  async #recorded(change: () => Promise<boolean>): Promise<void> {
    await this.#dependencies.rendezvous.meet()
    const moved = await change().catch((error) => {
      throw new Unrecorded('The ledger did not take the change.', { cause: error })
    })
    if (!moved) throw new RowLost('The row was moved by somebody else.')
  }

  #disposeOfInput(staged: Staged): Promise<boolean> {
    const { context, inputs, metrics, rendezvous, stuck, folderHolds, onDiverged } = this.#dependencies
    const countDiverged = (profile: string) => metrics.bulk_inputs_diverged_total.inc({ profile })
    const beforeRecording = () => rendezvous.meet()
    const parts = { context, inputs, stuck, folderHolds, onDiverged, countDiverged, beforeRecording }
    return disposeOfInput(parts, this.#job, staged)
  }

  async #end(error: unknown): Promise<void> {
    const { logger } = this.#dependencies.context
    const { id } = this.#job
    try {
      // The current owner of the row decides, about its files too: none of them was seen by anybody.
      if (error instanceof RowLost) logger.warn({ job: id }, 'job lease lost')
      else if (error instanceof ProfileHeld && this.#mayWait(error)) await this.#putBack(error)
      else if (error instanceof FolderHeld) await this.#waitForFolder(error)
      else if (isForNextStart(error)) logger.warn({ err: error, job: id }, 'job left to recovery')
      else await this.#fail(this.#failureOf(error))
    } catch (last) {
      logger.error({ err: last, job: id }, 'job result could not be recorded; recovery will')
    }
  }

  #mayWait(held: ProfileHeld): boolean {
    const { id, profile_name: profile } = this.#job
    const { holds } = this.#dependencies.profiles
    if (this.#signed) return false
    // Picked up together with the one that began the hold.
    if (holds.of(profile)?.reason === held.condition) return true
    if (!holds.mayPutBack(profile, id)) return false
    holds.begin(profile, held)
    return true
  }

  /** Nothing of the attempt is kept: no signature of it has left this process. */
  async #putBack(held: Held<string>): Promise<void> {
    const { context, work } = this.#dependencies
    if (this.#isReleased) await work.removeAttempt(this.#job.id)
    else await work.removeProcessing(this.#job.id)
    const { code, error, reason } = held.recorded
    const change = { from: this.#state, code, error, ...(reason !== undefined && { reason }) }
    await context.ledger.putBack(this.#job.id, change, context.clock())
  }

  async #waitForFolder(held: FolderHeld): Promise<void> {
    const { folderHolds, work, context } = this.#dependencies
    const { id, input_folder } = this.#job
    if (input_folder !== null) folderHolds.begin(input_folder, held)
    // What cannot be removed there now is written over by the next attempt.
    await work
      .discard(id, this.#folder)
      .catch((error: unknown) => context.logger.warn({ err: error, job: id }, 'a hidden output could not be removed'))
    await this.#putBack(held)
  }

  #failureOf(error: unknown): JobFailure {
    if (error instanceof JobFailure) return error
    this.#dependencies.context.logger.error({ err: error, job: this.#job.id }, 'job failed: unexpected error')
    return new JobFailure('job.signing-failed', reasonOf('unexpected'), { cause: error })
  }

  async #fail(failure: JobFailure): Promise<void> {
    const { context } = this.#dependencies
    // A failure after the signature belongs to Verifying, in the history too.
    if (this.#signed && this.#state === 'Processing') await this.#recordSigned(this.#signed)
    const problem = await this.#relocate(failure)
    const lines = problem === undefined ? failure.lines : [...failure.lines, problem]
    context.logger.warn({ job: this.#job.id, ...failure.recorded }, 'job failed')
    const change = { from: this.#state, ...failure.recorded, lines }
    await context.ledger.failed(this.#job.id, change, context.clock())
  }

  /** The input stays in place; a copy goes to error/. A failure to copy it becomes a line of the history. */
  async #relocate(failure: JobFailure): Promise<Said | undefined> {
    const { work, room, context } = this.#dependencies
    const { id, file_name: fileName, original_path: inputPath } = this.#job
    // What was approved is moved there as it is; it lies under the name of the input.
    const source = this.#isReleased
      ? { inputPath: inputPath ?? fileName }
      : sourceOfCopy(failure, this.#staged, inputPath)
    try {
      await work.discard(id, this.#folder)
      await room.enter(() => work.relocate(id, { fileName, ...source }, context.clock()))
      return undefined
    } catch (error) {
      if (error instanceof StoppedWaiting) throw error
      context.logger.error({ err: error, job: id }, 'a failed job could not be put into error/')
      return said('not-copied')
    }
  }
}

/** Of the certificate that approved; null for an approval that is only a word. */
const thumbprintOf = ({ certificate }: ApprovalDecisionRow): string | null =>
  certificate === null ? null : (JSON.parse(certificate) as ApproverCertificate).thumbprintSha256

/** What the history says about a job that begins to wait. */
function parkedLines(rule: ApprovalRule, { length, sha256 }: Staged, now: Date): readonly (Said | undefined)[] {
  const { minimumApprovers: required, approvers } = rule
  const until = expiryOf(rule, now)
  return [
    said('parked', { required, pool: approvers.length, length, sha256 }),
    until && said('waits-until', { at: until.toISOString() }),
  ]
}

type Times = Readonly<Record<'queueMs' | 'signingMs' | 'verificationMs' | 'outputMs', number>>

// An input that could not be staged is not copied either: it is locked, gone or incomplete.
const NOT_STAGED: readonly string[] = ['job.input-held', 'job.input-missing', 'job.input-unstable']

function sourceOfCopy(failure: JobFailure, staged: Staged | undefined, inputPath: string | null) {
  if (staged) return { staged }
  return inputPath === null || NOT_STAGED.includes(failure.code) ? {} : { inputPath }
}

/** Errors that a folder may be behind. */
const isOfFile = (error: unknown): boolean =>
  error instanceof JobFailure && (error.code === 'job.input-missing' || error.code === 'job.storage-failed')

const isForNextStart = (error: unknown): boolean => error instanceof Unrecorded || error instanceof StoppedWaiting

/** Whole milliseconds since creation, by the monotonic clock. */
function stopwatch(): () => number {
  const begun = performance.now()
  return () => Math.round(performance.now() - begun)
}
