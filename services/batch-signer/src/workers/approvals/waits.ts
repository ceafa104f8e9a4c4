import { SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import { said, telling } from '../../rules/sentences.ts'
import { overdueJobs } from '../../store/approvals.ts'
import type { JobChange } from '../../store/job-ledger.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'
import { type HandBackParts, handBack, rejectedColumns } from './hand-back.ts'

export interface WaitParts extends HandBackParts {
  readonly metrics: Pick<BatchMetrics, 'bulk_approvals_expired_total'>
}

/** Waits that are ended in one look; the next look takes the others. */
const AT_ONCE = 100

/** What ends the wait of a parked job besides an approval: its deadline, and the way back of a rejected file. */
export class Waits {
  readonly #context: Context
  readonly #parts: WaitParts
  readonly #handingBack = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined
  #looking: Promise<void> | undefined
  #stopListening: () => void = () => {}

  constructor(context: Context, parts: WaitParts) {
    this.#context = context
    this.#parts = parts
  }

  /** By the wall clock, also while the pipeline is paused: a pause extends no wait. */
  start(): void {
    const { settings, ledger, heartbeats } = this.#context
    this.#stopListening = ledger.listen((changes) => this.#noticed(changes))
    const every = settings.Pipeline.PollIntervalSeconds * SECOND
    this.#heartbeat = heartbeats.expect('overdue approvals', every)
    this.#timer = setInterval(() => void this.expireNow(), every)
    this.#timer.unref()
    void this.expireNow()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    this.#stopListening()
    await this.#looking
    await Promise.all(this.#handingBack.values())
  }

  /** Whether the file of a rejected job is on its way back. */
  isBusy(jobId: string): boolean {
    return this.#handingBack.has(jobId)
  }

  /** Ends every wait that is over; never throws. */
  expireNow(): Promise<void> {
    this.#looking ??= this.#expireOverdue()
      .then(() => this.#heartbeat?.beat())
      .catch((error) => this.#context.logger.warn({ err: error }, 'overdue approvals could not be looked for'))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #expireOverdue(): Promise<void> {
    const { store, clock } = this.#context
    for (const job of await overdueJobs(store.db, clock(), AT_ONCE)) await expireWait(this.#context, this.#parts, job)
  }

  #noticed(changes: readonly JobChange[]): void {
    for (const { id, status, code } of changes)
      if (status === 'Canceled' && code === 'approval.rejected') this.#handBack(id)
  }

  /** What fails here is tried again by the sweeper. */
  #handBack(id: string): void {
    const { logger } = this.#context
    const done = this.#handBackOne(id)
      .catch((error) => logger.warn({ err: error, job: id }, 'a rejected file could not be handed back now'))
      .finally(() => this.#handingBack.delete(id))
    this.#handingBack.set(id, done)
  }

  async #handBackOne(id: string): Promise<void> {
    const job = await this.#context.store.db
      .selectFrom('job')
      .select(rejectedColumns)
      .where('id', '=', id)
      .where('input_disposal', '=', 'pending')
      .executeTakeFirst()
    if (job) await handBack(this.#context, this.#parts, job)
  }
}

type Overdue = Awaited<ReturnType<typeof overdueJobs>>[number]

/** Of a deadline and a decision at the same time, the first to write wins. The copy goes to error/; the input stays. */
async function expireWait(
  context: Context,
  { work, metrics }: { readonly work: Pick<WorkArea, 'relocate'>; readonly metrics: WaitParts['metrics'] },
  { id, file_name: fileName, original_path, profile_name: profile, expires_at }: Overdue,
): Promise<void> {
  const now = context.clock()
  const at = expires_at!
  const isExpired = await context.ledger.deciding(async (tx, moves) => {
    const isMoved = await moves.expire(id, now.toISOString(), said('expired', { at }))
    if (isMoved)
      await context.events.record(tx, {
        type: 'ApprovalExpired',
        actor: 'pipeline',
        subject: { kind: 'job', id },
        ...telling(said('approval-expired', { file: fileName, at }), { profile }),
      })
    return isMoved
  })
  if (!isExpired) return
  metrics.bulk_approvals_expired_total.inc({ profile })
  await work.relocate(id, { fileName, ...(original_path !== null && { inputPath: original_path }) }, now)
}
