import type { NewEvent } from '@chancela/service-kernel/events'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { Hold, HoldChange } from '../../parts/holds.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import type { ProfileHolds } from '../../parts/signing/profile-holds.ts'
import type { HoldReason } from '../../rules/conditions.ts'
import type { FolderCondition } from '../../rules/folder-conditions.ts'
import { said, saidFailure, telling } from '../../rules/sentences.ts'
import { markWaiting, markWaitingNoMore, type WaitingFor } from '../../store/held-jobs.ts'

export interface HoldNoticeParts {
  readonly profiles: ProfileHolds
  readonly folders: FolderHolds
  readonly live: Pick<LiveTopics, 'announce'>
  readonly metrics: Pick<BatchMetrics, 'bulk_profile_held' | 'bulk_folder_held'>
}

/** What can be held: how it is told, and whose jobs wait. */
interface Kind {
  whose(name: string): WaitingFor
  readonly begun: string
  readonly ended: string
  readonly begunKey: 'profile-held' | 'folder-held'
  readonly endedKey: 'profile-signs-again' | 'folder-goes-on'
}

const kinds = {
  profile: {
    whose: (name) => ({ profile_name: name }),
    begun: 'SigningProfileHeld',
    ended: 'SigningProfileResumed',
    begunKey: 'profile-held',
    endedKey: 'profile-signs-again',
  },
  folder: {
    whose: (name) => ({ input_folder: name }),
    begun: 'FolderStopped',
    ended: 'FolderResumed',
    begunKey: 'folder-held',
    endedKey: 'folder-goes-on',
  },
} as const satisfies Readonly<Record<string, Kind>>

type What = keyof typeof kinds

/** Milliseconds in which jobs that were queued for what is held are gathered before they are marked. */
const GATHER = 200

/** Tells of held profiles and folders: an event and a metric when one is held and when it goes on, a reason on its jobs. */
export class HoldNotices {
  readonly #context: Context
  readonly #parts: HoldNoticeParts
  readonly #shown = { profile: new Map<string, string>(), folder: new Map<string, string>() }
  #turn: Promise<void> = Promise.resolve()
  #gathering: NodeJS.Timeout | undefined
  #stopListening: readonly (() => void)[] = []

  constructor(context: Context, parts: HoldNoticeParts) {
    this.#context = context
    this.#parts = parts
  }

  start(): void {
    const { profiles, folders } = this.#parts
    for (const hold of profiles.list()) this.#changed('profile', { kind: 'begun', hold })
    for (const hold of folders.list()) this.#changed('folder', { kind: 'begun', hold })
    this.#stopListening = [
      profiles.listen((change) => this.#changed('profile', change)),
      folders.listen((change) => this.#changed('folder', change)),
      this.#context.ledger.listen((changes) => {
        const isHeld = changes.some(
          ({ status, profileName, inputFolder }) =>
            status === 'Queued' && (profiles.of(profileName) || folders.of(inputFolder ?? '')),
        )
        if (isHeld) this.#markSoon()
      }),
    ]
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    clearTimeout(this.#gathering)
    await this.#turn
  }

  #changed(what: What, { kind, hold }: HoldChange): void {
    this.#count(what, kind, hold)
    this.#inTurn(() => this.#context.events.record(this.#context.store.db, eventOf(what, kind, hold)))
    if (kind === 'ended') this.#inTurn(() => this.#unmark(what, hold.name))
    this.#inTurn(() => this.#markAll())
    for (const topic of ['profiles', 'folders', 'pipeline', 'jobs'] as const) this.#parts.live.announce(topic)
  }

  #count(what: What, kind: HoldChange['kind'], { name, reason }: Hold): void {
    const shown = this.#shown[what]
    const before = shown.get(name)
    if (before !== undefined) this.#set(what, name, before, 0)
    if (kind === 'ended') shown.delete(name)
    else shown.set(name, reason)
    if (kind === 'begun') this.#set(what, name, reason, 1)
  }

  #set(what: What, name: string, reason: string, value: 0 | 1): void {
    const { bulk_profile_held, bulk_folder_held } = this.#parts.metrics
    if (what === 'profile') bulk_profile_held.set({ profile: name, reason: reason as HoldReason }, value)
    else bulk_folder_held.set({ folder: name, reason: reason as FolderCondition }, value)
  }

  /** As things are by now, whatever was announced. */
  async #unmark(what: What, name: string): Promise<void> {
    if (!this.#of(what).of(name)) await markWaitingNoMore(this.#context.store.db, kinds[what].whose(name))
  }

  /** All: a job of a folder that goes on may still wait for its profile. */
  async #markAll(): Promise<void> {
    for (const what of ['profile', 'folder'] as const)
      for (const { name, code, message, told } of this.#of(what).list())
        await markWaiting(this.#context.store.db, kinds[what].whose(name), {
          code,
          message,
          reason: told ? JSON.stringify(told) : null,
        })
  }

  #of = (what: What): Pick<ProfileHolds | FolderHolds, 'of' | 'list'> =>
    what === 'profile' ? this.#parts.profiles : this.#parts.folders

  #markSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#inTurn(() => this.#markAll())
    }, GATHER)
  }

  /** One after the other, so that the log tells them in their order; a failing store must not stop the others. */
  #inTurn(work: () => Promise<unknown>): void {
    this.#turn = this.#turn.then(work).then(
      () => {},
      (error: unknown) => this.#context.logger.error({ err: error }, 'a notice of a hold could not be written'),
    )
  }
}

const eventOf = (what: What, kind: HoldChange['kind'], hold: Hold): NewEvent => {
  const { name, reason, code, message, told } = hold
  const since = hold.since.toISOString()
  const { begun, ended, begunKey, endedKey } = kinds[what]
  const happened =
    kind === 'begun'
      ? said(begunKey, { name, why: saidFailure({ code, error: message, reason: told }) })
      : said(endedKey, { name, since })
  return {
    type: kind === 'begun' ? begun : ended,
    actor: 'pipeline',
    subject: { kind: what, id: name },
    code,
    ...telling(happened, { [what]: name, reason, since }),
  }
}
