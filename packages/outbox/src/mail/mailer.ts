import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, HOUR, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeats } from '@chancela/service-kernel/health'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Db, Store } from '@chancela/service-kernel/store'
import type { Logger } from 'pino'
import {
  type ClaimedJob,
  type HandlerContext,
  HopelessJob,
  type JobWorker,
  jobCounts,
  startWorker,
  type WorkerTrouble,
} from '../queue/index.ts'
import { enqueueMails } from './enqueue-mails.ts'
import { MAIL_QUEUE, type Mail, type MailJob } from './mail.ts'
import { dropContent, readContent } from './mail-contents.ts'
import type { MailMetrics, MailOutcome } from './mail-metrics.ts'
import { mailSchedule } from './mail-schedule.ts'
import type { MailSettings } from './mail-settings.ts'
import { type MailTransport, openMailTransport } from './mail-transport.ts'
import { Pace } from './pace.ts'
import { MailRefused } from './smtp-failure.ts'
import { tidyOutbox } from './tidy-outbox.ts'

export interface MailerOptions<Tables> {
  readonly store: Store<Tables>
  readonly clock: Clock
  readonly secrets: Secrets
  readonly logger: Logger
  /** Base folder of relative paths in the settings. */
  readonly dataFolder: string
  readonly settings: MailSettings
  readonly metrics?: MailMetrics
  /** Where the queue tells that it turns. Default: nowhere. */
  readonly heartbeats?: Heartbeats
  /** How long a crash delays the mails it interrupted, in seconds. Default 60. */
  readonly leaseSeconds?: number
  /** Whether a mail that is `about` something has become pointless while it waited; such a mail is not sent. */
  isMoot?(about: string): Promise<boolean>
}

/** Writes and sends the mails of a service. */
export interface Mailer {
  /**
   * Writes mails to the outbox, in the transaction of the change they report. Each is sent at least once. Writes
   * nothing while mail is switched off.
   */
  enqueue<Tables>(tx: Db<Tables>, mails: readonly Mail[], now: Date): Promise<void>
  start(): void
  /** Checks the outbox, and resolves when nothing is due and every result is recorded. */
  idle(): Promise<void>
  /** Starts no more mails, and gives those in progress `drainSeconds` (default 10) to end. */
  stop(options?: { readonly drainSeconds?: number }): Promise<void>
}

export const createMailer = <Tables>(options: MailerOptions<Tables>): Mailer =>
  options.settings.Enabled ? new SmtpMailer(options) : silentMailer

const silentMailer: Mailer = {
  enqueue: async () => {},
  start: () => {},
  idle: async () => {},
  stop: async () => {},
}

class MailExpired extends HopelessJob {}

class SmtpMailer<Tables> implements Mailer {
  readonly #options: MailerOptions<Tables>
  readonly #transport: MailTransport
  readonly #pace: Pace
  /** Promises that must settle before the mailer has stopped. */
  readonly #underWay = new Set<Promise<unknown>>()
  #worker: JobWorker | undefined
  #nextTidy = new Date(0)

  constructor(options: MailerOptions<Tables>) {
    const { settings, clock, metrics, store } = options
    this.#options = options
    this.#transport = openMailTransport(store.service, options.dataFolder, settings)
    this.#pace = new Pace(settings.PerMinute ?? Number.POSITIVE_INFINITY, clock)
    metrics?.mail_waiting.measure(async () => {
      const { waiting, claimed } = await jobCounts(store.db, MAIL_QUEUE)
      return waiting + claimed
    })
  }

  enqueue<AnyTables>(tx: Db<AnyTables>, mails: readonly Mail[], now: Date): Promise<void> {
    return enqueueMails(tx, this.#options.secrets, mails, now)
  }

  start(): void {
    const { store, clock, settings, heartbeats, leaseSeconds = 60 } = this.#options
    this.#worker ??= startWorker<MailJob, Tables>(store, {
      queue: MAIL_QUEUE,
      // Several instances share an outbox, and none may take another's mails for those of its own previous run.
      instance: randomUUID(),
      clock,
      retry: mailSchedule(settings.MaxAttempts),
      concurrency: settings.Connections,
      leaseSeconds,
      ...(heartbeats && { heartbeats }),
      handle: (job, context) => this.#handle(job, context),
      onError: (error, trouble) => this.#onError(error, trouble),
    })
    this.#tidyOutbox()
  }

  idle(): Promise<void> {
    return this.#worker?.idle() ?? Promise.resolve()
  }

  async stop({ drainSeconds = 10 }: { readonly drainSeconds?: number } = {}): Promise<void> {
    this.#pace.close()
    await this.#quiet(drainSeconds * SECOND)
    // Mails that wait for a slot are released at once: none will get one any more.
    await this.#worker?.stop({ drainSeconds: 0 })
    await this.#transport.close()
  }

  async #handle(job: ClaimedJob<MailJob>, context: HandlerContext): Promise<void> {
    await this.#pace.turn(context.signal)
    await this.#follow(this.#send(job, context))
  }

  async #send({ id, payload }: ClaimedJob<MailJob>, context: HandlerContext): Promise<void> {
    const { store, secrets, clock, logger } = this.#options
    const { kind, to, deliverBy, about } = payload
    if (deliverBy !== undefined && clock() > new Date(deliverBy)) throw new MailExpired('What it says holds no more.')
    const isMoot = about !== undefined && ((await this.#options.isMoot?.(about)) ?? false)
    if (!isMoot) {
      const content = await readContent(store.db, secrets, id)
      if (!content) throw new HopelessJob('What it said is forgotten.')
      await this.#transport.send(id, content, clock())
    }
    await store.transaction(async (tx) => {
      await dropContent(tx, id)
      await context.complete(tx)
    })
    this.#count(isMoot ? 'expired' : 'sent')
    logger.info({ mail: id, kind, to }, isMoot ? 'mail not sent: it became pointless' : 'mail sent')
  }

  #onError(error: unknown, trouble: WorkerTrouble): void {
    const { logger } = this.#options
    if (trouble.kind === 'store') {
      logger.error({ err: error }, 'mail outbox unavailable')
      return
    }
    const { id, payload, attempt } = trouble.job as ClaimedJob<MailJob>
    const about = { mail: id, kind: payload.kind, to: payload.to, attempt, err: error }
    if (trouble.kind === 'lease-lost') logger.warn(about, 'mail lease lost to another instance')
    else if (trouble.kind === 'retried') this.#deferred(about, trouble.retryAt)
    else this.#ended(about, error)
  }

  #deferred(about: object, retryAt: Date): void {
    this.#count('deferred')
    this.#options.logger.warn({ ...about, retryAt }, 'mail deferred')
  }

  #ended(about: { readonly mail: string }, error: unknown): void {
    this.#count(outcomeOf(error))
    this.#options.logger.error(about, 'mail failed permanently')
    this.#tidy(dropContent(this.#options.store.db, about.mail))
    this.#tidyOutbox()
  }

  #count(outcome: MailOutcome): void {
    this.#options.metrics?.mail_attempts_total.inc({ outcome })
  }

  /** At the start, and occasionally when mails are given up: it scans all waiting mails. */
  #tidyOutbox(): void {
    const { store, clock } = this.#options
    const now = clock()
    if (now < this.#nextTidy) return
    this.#nextTidy = plus(now, HOUR)
    this.#tidy(tidyOutbox(store.db, now))
  }

  /** A content that cannot be deleted now is deleted by the next start; it is sealed in any case. */
  #tidy(work: Promise<unknown>): void {
    const { logger } = this.#options
    void this.#follow(work).catch((error) => logger.error({ err: error }, 'mail outbox cleanup failed'))
  }

  async #follow<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work)
    try {
      return await work
    } finally {
      this.#underWay.delete(work)
    }
  }

  async #quiet(milliseconds: number): Promise<void> {
    const giveUp = new AbortController()
    const timeUp = delay(milliseconds, undefined, { signal: giveUp.signal }).catch(() => {})
    await Promise.race([Promise.allSettled(this.#underWay), timeUp])
    giveUp.abort()
  }
}

function outcomeOf(error: unknown): MailOutcome {
  if (error instanceof MailRefused) return 'refused'
  return error instanceof MailExpired ? 'expired' : 'gave_up'
}
