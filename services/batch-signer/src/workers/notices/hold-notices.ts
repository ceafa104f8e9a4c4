import type { NewEvent } from '@chancela/service-kernel/events'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import type { Hold, HoldChange, ProfileHolds } from '../../parts/signing/profile-holds.ts'
import { markWaiting, markWaitingNoMore } from '../../store/held-jobs.ts'

export interface HoldNoticeParts {
  readonly holds: ProfileHolds
  readonly live: Pick<LiveTopics, 'announce'>
  readonly metrics: Pick<BatchMetrics, 'bulk_profile_held'>
}

/** Milliseconds in which jobs that were queued for a held profile are gathered before they are marked. */
const GATHER = 200

/** Tells of held profiles: an event and a metric when one is held and when it signs again, and a reason on its jobs. */
export class HoldNotices {
  readonly #context: Context
  readonly #parts: HoldNoticeParts
  readonly #shown = new Map<string, Hold>()
  #turn: Promise<void> = Promise.resolve()
  #gathering: NodeJS.Timeout | undefined
  #stopListening: readonly (() => void)[] = []

  constructor(context: Context, parts: HoldNoticeParts) {
    this.#context = context
    this.#parts = parts
  }

  start(): void {
    const { holds } = this.#parts
    for (const hold of holds.list()) this.#changed({ kind: 'begun', hold })
    this.#stopListening = [
      holds.listen((change) => this.#changed(change)),
      this.#context.ledger.listen((changes) => {
        if (changes.some(({ status, profileName }) => status === 'Queued' && holds.of(profileName))) this.#markSoon()
      }),
    ]
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    clearTimeout(this.#gathering)
    await this.#turn
  }

  #changed({ kind, hold }: HoldChange): void {
    this.#count(kind, hold)
    this.#inTurn(() => this.#record(kind === 'begun' ? heldEvent(hold) : resumedEvent(hold)))
    this.#inTurn(() => this.#mark(hold))
    for (const topic of ['profiles', 'pipeline', 'jobs'] as const) this.#parts.live.announce(topic)
  }

  #count(kind: HoldChange['kind'], hold: Hold): void {
    const { bulk_profile_held: held } = this.#parts.metrics
    const { profile } = hold
    const before = this.#shown.get(profile)
    if (before) held.set({ profile, reason: before.reason }, 0)
    if (kind === 'begun') this.#shown.set(profile, hold)
    else this.#shown.delete(profile)
    if (kind === 'begun') held.set({ profile, reason: hold.reason }, 1)
  }

  #record(event: NewEvent): Promise<unknown> {
    return this.#context.events.record(this.#context.store.db, event)
  }

  /** As things are by now, whatever was announced. */
  #mark({ profile }: Hold): Promise<unknown> {
    const { db } = this.#context.store
    const hold = this.#parts.holds.of(profile)
    return hold ? markWaiting(db, hold) : markWaitingNoMore(db, profile)
  }

  #markSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      for (const hold of this.#parts.holds.list()) this.#inTurn(() => this.#mark(hold))
    }, GATHER)
  }

  /** One after the other, so that the log tells them in their order; a failing store must not stop the others. */
  #inTurn(work: () => Promise<unknown>): void {
    this.#turn = this.#turn.then(work).then(
      () => {},
      (error: unknown) => this.#context.logger.error({ err: error }, 'a notice of a held profile could not be written'),
    )
  }
}

const about = ({ profile, reason, code, since }: Hold) => ({
  actor: 'pipeline',
  subject: { kind: 'profile', id: profile },
  code,
  data: { profile, reason, since: since.toISOString() },
})

const heldEvent = (hold: Hold): NewEvent => ({
  ...about(hold),
  type: 'SigningProfileHeld',
  text: `The profile ${hold.profile} is held; its files wait. ${hold.message}`,
})

const resumedEvent = (hold: Hold): NewEvent => ({
  ...about(hold),
  type: 'SigningProfileResumed',
  text: `The profile ${hold.profile} signs again; it was held since ${hold.since.toISOString()}.`,
})
