import type { Mailer } from '@chancela/outbox/mail'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import type { Hold, HoldChange, Holds } from '../../parts/holds.ts'
import { mailNotice } from './notice-mails.ts'
import { type HeldKind, type HeldReason, noticeTexts } from './notice-texts.ts'

type HeldNow = Hold<HeldReason>

export interface HoldMailParts {
  readonly what: HeldKind
  readonly holds: Pick<Holds<HeldReason>, 'list'>
  readonly mailer: Pick<Mailer, 'enqueue'>
  /** Queued jobs by what is held. */
  queued(names: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Whether nobody is told of a hold by mail now. */
  isQuiet?(hold: HeldNow, waiting: number): boolean
  /** Whether what was held is still there to be told of. */
  isKnown?(name: string): boolean
}

/** Tells operators by mail of profiles, or folders, that stay held, and of their end. */
export class HoldMails {
  readonly #context: Pick<Context, 'settings' | 'clock' | 'store'>
  readonly #parts: HoldMailParts
  /** Holds that were told by mail, by name. */
  readonly #told = new Map<string, HeldNow>()

  constructor(context: Pick<Context, 'settings' | 'clock' | 'store'>, parts: HoldMailParts) {
    this.#context = context
    this.#parts = parts
  }

  /** A short outage is in the event log only. */
  async tellHeld(): Promise<void> {
    const due = this.#due()
    if (due.length === 0) return
    const { queued, isQuiet } = this.#parts
    const waiting = await queued(due.map(({ name }) => name))
    for (const hold of due) {
      const files = waiting.get(hold.name) ?? 0
      if (isQuiet?.(hold, files)) continue
      await this.#mail('held', hold, files)
      this.#told.set(hold.name, hold)
    }
  }

  /** Whether a mail is due that tells of the end: only who was told of the hold is told of it. */
  isEndDue({ kind, hold: { name } }: HoldChange): boolean {
    return kind === 'ended' && this.#told.delete(name) && (this.#parts.isKnown?.(name) ?? true)
  }

  tellEnded(hold: HeldNow): Promise<void> {
    return this.#mail('resumed', hold, 0)
  }

  #due(): readonly HeldNow[] {
    const { settings, clock } = this.#context
    const late = plus(clock(), -settings.Notices.HeldMinutes * MINUTE)
    return this.#parts.holds
      .list()
      .filter(({ name, reason, since }) => since <= late && this.#told.get(name)?.reason !== reason)
  }

  async #mail(step: 'held' | 'resumed', hold: HeldNow, waiting: number): Promise<void> {
    const { settings, store, clock } = this.#context
    const { what, mailer } = this.#parts
    const content = noticeTexts[settings.Notices.Language][step](what, hold, waiting)
    const notice = { kind: `${what}-${step}`, content, now: clock() }
    await store.transaction((tx) => mailNotice(mailer, tx, settings.Notices, notice))
  }
}
