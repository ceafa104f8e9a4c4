import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { ByteBudget } from '@chancela/service-kernel/concurrency'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { Destinations } from '../../parts/destinations.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import type { StuckFiles } from '../../parts/stuck-files.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { QUEUE_CHANNEL } from '../../store/job-ledger.ts'
import type { ClaimedRow } from '../../store/job-statements.ts'
import { probeFolder } from '../../upstream/storage/local/probe-folder.ts'
import type { EnvelopeFiles, InputFiles, WorkArea } from '../../upstream/storage/storage.ts'
import { CommitRendezvous } from './commit-rendezvous.ts'
import type { DisposableJob } from './input-disposal.ts'
import { type JobDependencies, JobRun } from './job-run.ts'
import { StorageRoom, type StorageTrouble } from './storage-room.ts'

export interface PipelineParts {
  readonly profiles: ProfileDirectory
  readonly work: WorkArea
  readonly inputs: InputFiles
  readonly envelopes: Pick<EnvelopeFiles, 'path'>
  readonly metrics: BatchMetrics
  readonly stuck: StuckFiles
  readonly folderHolds: FolderHolds
  /** Default: every output goes to output/ under the root. */
  readonly destinations?: Destinations
  /** Whether this process may pick jobs up. Default: always. */
  mayClaim?(): boolean
  /** Returns a rewritten input to its watcher as a new candidate. */
  onDiverged(job: DisposableJob): void
  /** Bytes jobs may hold in memory together. Default 64 MiB. */
  readonly memoryBytes?: number
  /** Milliseconds until a full disk is probed for the first time. Default 1000. */
  readonly probeMs?: number
}

/** Jobs in flight, by format and in all. */
interface InFlightCounts {
  readonly pades: number
  readonly cades: number
  readonly xades: number
  readonly total: number
}

/** The lanes that sign queued jobs. */
export interface Pipeline {
  start(): void
  /** Stops claiming; waits up to `waitMs` (default 25 s) for jobs in flight. The next start fails the rest. */
  stop(waitMs?: number): Promise<void>
  /** Looks at the queue now. */
  wake(): void
  inFlight(): InFlightCounts
  /** Whether a lane has the job. */
  isRunning(jobId: string): boolean
  /** Why the pipeline has paused itself: a full disk, a folder that is gone; undefined while it runs. */
  waitsForStorage(): StorageTrouble | undefined
  /** For the ledger's `onTrouble` and `onRecovery`: its database cannot write for now. */
  storeTrouble(error: unknown): void
  storeRecovered(): void
}

const toOutput: Destinations = { of: () => ({ folder: null }) }

const MEMORY_BYTES = 64 * 1024 * 1024
const STOP_WAIT_MS = 25_000
/** A job that takes longer is stuck in its lane: nothing that is waited for within one takes as long. */
const MOST_OF_A_JOB = 20 * MINUTE

/** Wires the pipeline; nothing is picked up before `start`. */
export function createPipeline(context: Context, parts: PipelineParts): Pipeline {
  return new WorkerPool(context, parts)
}

class WorkerPool implements Pipeline {
  readonly #context: Context
  readonly #dependencies: JobDependencies
  readonly #room: StorageRoom
  readonly #memory: ByteBudget
  readonly #lanes: number
  readonly #claimAtOnce: number
  readonly #claimsNot: () => boolean
  readonly #running = new Map<string, { readonly job: ClaimedRow; readonly end: Promise<void> }>()
  #claiming: Promise<void> | undefined
  /** There may be queued work: woken since the queue was last seen empty. */
  #maybeMore = false
  #stopped = true
  #stopListening: () => void = () => {}
  #stopWaiting: () => void = () => {}
  #poll: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined

  constructor(
    context: Context,
    { memoryBytes = MEMORY_BYTES, probeMs, mayClaim, destinations = toOutput, ...parts }: PipelineParts,
  ) {
    this.#context = context
    this.#claimsNot = () => mayClaim?.() === false
    this.#lanes = context.settings.Pipeline.MaxConcurrency
    // Jobs claimed together are written together: fewer, larger claims save transactions, but leave lanes empty.
    this.#claimAtOnce = Math.max(1, Math.min(64, Math.ceil(this.#lanes / 3)))
    this.#memory = new ByteBudget(memoryBytes)
    const probeId = randomUUID()
    this.#room = new StorageRoom({
      clock: context.clock,
      logger: context.logger,
      record: (event) => context.events.record(context.store.db, event),
      probe: () => probeRoom(parts.work, probeId),
      onOpen: () => this.wake(),
      ...(probeMs !== undefined && { probeMs }),
    })
    const rendezvous = new CommitRendezvous(() => this.#running.size)
    this.#dependencies = { context, room: this.#room, memory: this.#memory, rendezvous, destinations, ...parts }
  }

  start(): void {
    this.#stopped = false
    this.#stopListening = this.#context.store.listen(QUEUE_CHANNEL, () => this.wake())
    const { profiles, folderHolds } = this.#dependencies
    const stops = [profiles.holds, folderHolds].map((holds) =>
      holds.listen(({ kind }) => kind === 'ended' && this.wake()),
    )
    this.#stopWaiting = () => {
      for (const stop of stops) stop()
    }
    const every = this.#context.settings.Pipeline.PollIntervalSeconds * SECOND
    this.#heartbeat = this.#context.heartbeats.expect('queue of jobs', every)
    this.#poll = setInterval(() => this.wake(), every)
    this.wake()
  }

  async stop(waitMs: number = STOP_WAIT_MS): Promise<void> {
    this.#stopped = true
    this.#stopListening()
    this.#stopWaiting()
    clearInterval(this.#poll)
    this.#heartbeat?.end()
    this.#room.stop()
    await within(waitMs, async () => {
      await this.#claiming
      await Promise.all([...this.#running.values()].map(({ end }) => end))
    })
  }

  wake(): void {
    this.#maybeMore = true
    this.#fill()
  }

  inFlight(): InFlightCounts {
    const count = (format: SignatureFormat) =>
      [...this.#running.values()].filter(({ job }) => job.format === format).length
    return { pades: count('Pades'), cades: count('Cades'), xades: count('Xades'), total: this.#running.size }
  }

  isRunning(jobId: string): boolean {
    return this.#running.has(jobId)
  }

  waitsForStorage(): StorageTrouble | undefined {
    return this.#room.trouble
  }

  storeTrouble(error: unknown): void {
    this.#room.storeTrouble(error)
  }

  storeRecovered(): void {
    this.#room.storeRecovered()
  }

  /** Claims until the lanes are nearly full or the queue is empty. */
  #fill(): void {
    this.#claiming ??= this.#claimWhileUseful()
      .then(() => this.#heartbeat?.beat())
      .catch((error) => {
        // The next poll of the queue, at the latest after the poll interval, tries again.
        if (this.#context.store.problem(error)) this.#room.storeTrouble(error)
        else this.#context.logger.error({ err: error }, 'the queue could not be read')
      })
      .finally(() => {
        this.#claiming = undefined
      })
  }

  async #claimWhileUseful(): Promise<void> {
    while (this.#mayClaim()) {
      const most = this.#freeWorkers()
      this.#maybeMore = false
      const { profiles, folderHolds } = this.#dependencies
      const held = { profiles: profiles.holds.names(), folders: folderHolds.names() }
      const claimed = await this.#context.ledger.claim(most, this.#context.clock(), held)
      if (claimed.length === most) this.#maybeMore = true
      for (const job of claimed) this.#launch(job)
    }
  }

  #mayClaim(): boolean {
    if (this.#claimsNot()) return false
    return this.#maybeMore && !this.#stopped && this.#room.isOpen && this.#memory.hasRoom && this.#isRoomForClaim()
  }

  #freeWorkers(): number {
    return this.#lanes - this.#running.size
  }

  #isRoomForClaim(): boolean {
    return this.#freeWorkers() >= this.#claimAtOnce
  }

  #launch(job: ClaimedRow): void {
    const lane = this.#context.heartbeats.expect(`job ${job.id}`, MOST_OF_A_JOB)
    const end = new JobRun(this.#dependencies, job).run().then(() => {
      lane.end()
      this.#running.delete(job.id)
      if (this.#maybeMore && this.#isRoomForClaim()) this.#fill()
    })
    this.#running.set(job.id, { job, end })
  }
}

/** A probe writes more than the smallest files, so that room for one of them does not restart a thousand jobs. */
const PROBE = Buffer.alloc(1024 * 1024)

/** The same id in each try, so that one that succeeds removes what a failed one could not. */
async function probeRoom(work: WorkArea, id: string): Promise<void> {
  try {
    await work.write(id, [PROBE])
  } finally {
    await work.removeProcessing(id)
  }
  await probeFolder(dirname(work.outputPath('a')))
}

async function within(milliseconds: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work(), timeout])
  clearTimeout(timer)
}
