import { type Clock, DAY, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeats, NamedCheck, Readiness } from '@chancela/service-kernel/health'
import type { Closing } from '@chancela/service-kernel/service'
import type { Logger } from 'pino'
import { watchMailServer } from '../mail/watch-mail-server.ts'
import { type Channel, type ChannelOptions, openChannels } from './channels.ts'
import type { NoticeKind } from './notice.ts'

export interface NoticesContext extends Omit<ChannelOptions, 'service'> {
  readonly clock: Clock
  readonly logger: Logger
  readonly readiness: Pick<Readiness, 'add' | 'verdict'>
  readonly heartbeats: Heartbeats
  readonly closing: Closing
}

export interface NoticesOptions {
  readonly service: string
  /** Checks that the service tells of in words of its own, by name up to the first colon. */
  readonly except?: readonly string[]
  /**
   * What is not as it should be with those the service works for, in the form of red checks: operators are told of it,
   * and the service is as ready as before.
   */
  readonly conditions?: () => Promise<readonly NamedCheck[]>
}

/** Tells operators of red checks. */
export interface Notices {
  /** Looks now; resolves when everybody who could be told is. */
  look(): Promise<void>
}

const INTERVAL = 30 * SECOND
const REPEATED_AFTER = DAY

/**
 * Watches readiness for as long as the service runs, if the settings name anybody who is told; the mail server is watched
 * besides, which operators and others are told by.
 */
export function watchReadiness(context: NoticesContext, options: NoticesOptions): Notices {
  watchMailServer({ ...context, service: options.service }, context.settings.Email)
  const channels = openChannels({ ...context, service: options.service })
  if (channels.length === 0) return { look: async () => {} }
  const watch = new ReadinessWatch(context, options, channels)
  watch.start()
  context.closing.add('the notices to operators', () => watch.stop())
  return watch
}

/** A check that is red, or was. */
interface Trouble {
  readonly since: Date
  detail: string | undefined
  /** Green since then; it is over when it stays so. */
  greenSince: Date | undefined
  /** Who knows of it, and since when. */
  readonly told: Map<Channel, Date>
}

/**
 * What was told is kept in memory: where the database is the trouble, it could not be written. So a restart tells again,
 * once, of what is still red, and each process of several tells for itself. A channel that fails is tried at the next look.
 */
class ReadinessWatch implements Notices {
  readonly #context: NoticesContext
  readonly #options: NoticesOptions
  readonly #channels: readonly Channel[]
  readonly #troubles = new Map<string, Trouble>()
  #last: readonly NamedCheck[] = []
  #turn: Promise<void> = Promise.resolve()
  #stop: () => void = () => {}

  constructor(context: NoticesContext, options: NoticesOptions, channels: readonly Channel[]) {
    this.#context = context
    this.#options = options
    this.#channels = channels
  }

  start(): void {
    const heartbeat = this.#context.heartbeats.expect('notices to operators', INTERVAL)
    const timer = setInterval(() => void this.look().then(() => heartbeat.beat()), INTERVAL).unref()
    this.#stop = () => {
      clearInterval(timer)
      heartbeat.end()
    }
  }

  async stop(): Promise<void> {
    this.#stop()
    await Promise.all(this.#channels.map((channel) => channel.close()))
    await this.#turn
  }

  look(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const checks = [...(await this.#context.readiness.verdict()).checks, ...(await this.#conditions())]
      const now = this.#context.clock()
      this.#notice(
        checks.filter(({ name }) => !this.#options.except?.includes(name.split(':', 1)[0]!)),
        now,
      )
      for (const [check, trouble] of this.#troubles) await this.#tellAll(check, trouble, now)
    })
    return this.#turn
  }

  /** Those of before where they cannot be found out: the database is a trouble of its own. */
  async #conditions(): Promise<readonly NamedCheck[]> {
    try {
      this.#last = (await this.#options.conditions?.()) ?? []
    } catch (error) {
      this.#context.logger.error({ err: error }, 'conditions to be told of could not be found out')
    }
    return this.#last
  }

  #notice(checks: readonly NamedCheck[], now: Date): void {
    const red = new Map(checks.filter(({ ok }) => !ok).map((check) => [check.name, check]))
    for (const { name, detail } of red.values()) {
      const known = this.#troubles.get(name)
      if (known) Object.assign(known, { detail, greenSince: undefined })
      else this.#troubles.set(name, { since: now, detail, greenSince: undefined, told: new Map() })
    }
    // One that is gone, as of a folder that was removed, is over like one that is green.
    for (const [name, trouble] of this.#troubles) if (!red.has(name)) trouble.greenSince ??= now
  }

  async #tellAll(check: string, trouble: Trouble, now: Date): Promise<void> {
    await Promise.all(this.#channels.map((channel) => this.#tell(channel, check, trouble, now)))
    if (this.#isOver(trouble, now) && trouble.told.size === 0) this.#troubles.delete(check)
  }

  async #tell(channel: Channel, check: string, trouble: Trouble, now: Date): Promise<void> {
    const kind = this.#due(trouble, trouble.told.get(channel), now)
    if (kind === undefined) return
    const { since, detail, greenSince } = trouble
    try {
      const at = kind === 'over' ? greenSince! : now
      await channel.tell({ kind, service: this.#options.service, check, detail, since, at })
      if (kind === 'over') trouble.told.delete(channel)
      else trouble.told.set(channel, now)
    } catch (error) {
      this.#context.logger.error({ err: error, check, channel: channel.name }, 'a notice could not be sent')
    }
  }

  /** Told once, again after a day, and once when it is over; what comes and goes is one trouble until it stays away. */
  #due(trouble: Trouble, told: Date | undefined, now: Date): NoticeKind | undefined {
    if (trouble.greenSince) return told && this.#isOver(trouble, now) ? 'over' : undefined
    if (told) return now.getTime() - told.getTime() >= REPEATED_AFTER ? 'continues' : undefined
    return this.#lasts(trouble.since, now) ? 'began' : undefined
  }

  #isOver({ greenSince }: Trouble, now: Date): boolean {
    return greenSince !== undefined && this.#lasts(greenSince, now)
  }

  #lasts(since: Date, now: Date): boolean {
    return now.getTime() - since.getTime() >= this.#context.settings.Notices.AfterMinutes * MINUTE
  }
}
