import type { ByteBudget } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { Destinations } from '../../parts/destinations.ts'
import type { ProfileDirectory, SignedContent, SigningPlan } from '../../parts/signing/signing.ts'
import type { StuckFiles } from '../../parts/stuck-files.ts'
import { ProfileHeld } from '../../rules/conditions.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import type { Signed } from '../../store/job-ledger.ts'
import type { ClaimedRow } from '../../store/job-statements.ts'
import type {
  Destination,
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
  readonly metrics: BatchMetrics
  readonly room: StorageRoom
  readonly memory: ByteBudget
  readonly rendezvous: CommitRendezvous
  readonly stuck: StuckFiles
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
      await this.#clearUp(staged)
    } catch (error) {
      await this.#end(error)
    } finally {
      this.#giveBack()
    }
  }

  /** From the input to Completed; returns what was signed. */
  async #signFile(): Promise<Staged> {
    const { clock } = this.#dependencies.context
    const queueMs = Math.max(0, clock().getTime() - Date.parse(this.#job.queued_at))
    const plan = this.#planned()
    const staged = await this.#stage()
    await this.#reserveMemory(plan, staged)
    const remittance = plan.profile.checkCnab240 ? await this.#checkRemittance(plan, staged) : undefined
    await this.#validateCertificate(plan)
    await this.#reachKey(plan, staged, remittance)

    const signing = stopwatch()
    const signed = await this.#sign(plan, staged)
    const signingMs = signing()
    this.#signed = { message: `Signed ${staged.length} bytes, SHA-256 ${staged.sha256}, as ${plan.format}.` }
    // Verifying a large file takes long enough to be visible; a small one is recorded with its end, in one write.
    if (staged.kind === 'file') await this.#recordSigned(this.#signed)
    const { written, ...verified } = await this.#verifyAndWrite(plan, signed)
    await this.#dependencies.room.enter(async () => this.#dependencies.work.requireFree(this.#place()))
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
    await this.#orLater('the output was not given its name', () => this.#promote())
    await this.#orLater('cleanup postponed', async () => {
      if (staged.kind === 'file') await work.settle(this.#job.id)
      await this.#disposeOfInput(staged)
    })
  }

  async #orLater(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#dependencies.context.logger.warn({ err: error, job: this.#job.id }, `completed job: ${what}`)
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

  async #stage(): Promise<Staged> {
    const { id, original_path } = this.#job
    if (original_path === null) throw new JobFailure('job.input-missing')
    this.#staged = await this.#dependencies.room.enter(() => this.#dependencies.inputs.stage(id, original_path))
    return this.#staged
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
      record: async (type: string, code: string | undefined, text: string) => {
        const subject = { kind: 'job', id: this.#job.id }
        const named = `${this.#job.file_name}: ${text}`
        await context.events.record(context.store.db, {
          type,
          actor: 'pipeline',
          subject,
          ...(code !== undefined && { code }),
          text: named,
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
    await this.#recorded(() => ledger.reachedKey(this.#job.id, change, clock()))
    this.#outputName = outputName
    this.#folder = folder
  }

  // The disk is full while a large file is signed into its scratch file: the signature never left this process, and is
  // made again when there is room.
  #sign(plan: SigningPlan, staged: Staged): Promise<SignedContent> {
    const { room, work, context } = this.#dependencies
    return room.enter(() => plan.sign(staged, context.clock(), () => work.scratch(this.#job.id)))
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
    const { room, work, context } = this.#dependencies
    return room.enter(async () =>
      work.write(this.#job.id, await signed.output(context.clock()), { ...this.#destination(), folder: this.#folder }),
    )
  }

  #destination = (): Destination => this.#dependencies.destinations.of(this.#job.input_folder)

  #place = (): OutputPlace => ({ folder: this.#folder, name: this.#outputName! })

  async #promote(): Promise<void> {
    await this.#dependencies.room.enter(() => giveOutput(this.#dependencies, this.#job, this.#place()))
  }

  #complete(plan: SigningPlan, written: WrittenOutput, times: Times): Promise<void> {
    const { ledger, clock } = this.#dependencies.context
    const verdict = plan.profile.verify ? 'Verified' : 'Not verified, because the profile does not ask for it'
    const change = {
      ...times,
      ...(this.#state === 'Processing' && { signed: this.#signed! }),
      encrypted: plan.encrypts,
      outputLength: written.length,
      message: `${verdict}; ${written.length} bytes put into ${this.#folder ?? 'output/'} as ${this.#outputName}.`,
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
    const { context, inputs, metrics, rendezvous, stuck, onDiverged } = this.#dependencies
    const countDiverged = (profile: string) => metrics.bulk_inputs_diverged_total.inc({ profile })
    const beforeRecording = () => rendezvous.meet()
    return disposeOfInput({ context, inputs, stuck, onDiverged, countDiverged, beforeRecording }, this.#job, staged)
  }

  async #end(error: unknown): Promise<void> {
    const { logger } = this.#dependencies.context
    const { id } = this.#job
    try {
      // The current owner of the row decides, about its files too: none of them was seen by anybody.
      if (error instanceof RowLost) logger.warn({ job: id }, 'job lease lost')
      else if (error instanceof ProfileHeld && this.#mayWait(error)) await this.#putBack(error)
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
  async #putBack({ code, message }: ProfileHeld): Promise<void> {
    const { context, work } = this.#dependencies
    await work.removeProcessing(this.#job.id)
    await context.ledger.putBack(this.#job.id, { code, error: message }, context.clock())
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
  async #relocate(failure: JobFailure): Promise<string | undefined> {
    const { work, room, context } = this.#dependencies
    const { id, file_name: fileName, original_path: inputPath } = this.#job
    const source = sourceOfCopy(failure, this.#staged, inputPath)
    try {
      await work.discard(id, this.#folder)
      await room.enter(() => work.relocate(id, { fileName, ...source }, context.clock()))
      return undefined
    } catch (error) {
      if (error instanceof StoppedWaiting) throw error
      context.logger.error({ err: error, job: id }, 'a failed job could not be put into error/')
      return 'The file could not be copied to error/; it is still where it was.'
    }
  }
}

type Times = Readonly<Record<'queueMs' | 'signingMs' | 'verificationMs' | 'outputMs', number>>

// An input that could not be staged is not copied either: it is locked, gone or incomplete.
const NOT_STAGED: readonly string[] = ['job.input-held', 'job.input-missing', 'job.input-unstable']

function sourceOfCopy(failure: JobFailure, staged: Staged | undefined, inputPath: string | null) {
  if (staged) return { staged }
  return inputPath === null || NOT_STAGED.includes(failure.code) ? {} : { inputPath }
}

const isForNextStart = (error: unknown): boolean => error instanceof Unrecorded || error instanceof StoppedWaiting

/** Whole milliseconds since creation, by the monotonic clock. */
function stopwatch(): () => number {
  const begun = performance.now()
  return () => Math.round(performance.now() - begun)
}
