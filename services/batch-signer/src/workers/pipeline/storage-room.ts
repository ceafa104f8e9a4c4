import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@chancela/service-kernel/clock'
import type { NewEvent } from '@chancela/service-kernel/events'
import type { Logger } from '@chancela/service-kernel/http'
import { saysDiskFull } from '../../upstream/storage/local/disk-errors.ts'

export interface StorageRoomOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** Records an operational event; may fail while the database is on the full disk. */
  record(event: NewEvent): Promise<unknown>
  /** Writes and removes some data; throws while there is no room. */
  probe(): Promise<void>
  /** Called when there is room again. */
  onOpen(): void
  /** Milliseconds until the first probe; doubled up to thirty times as long while the disk stays full. Default 1000. */
  readonly probeMs?: number
}

/** Thrown into work that waits for room when the service stops: start-up recovery ends its job. */
export class StoppedWaiting extends Error {
  override readonly name = 'StoppedWaiting'
}

/** Milliseconds after which a disk that was full counts as recovered, and the next failure starts with a short wait. */
const HEALED = 60_000
const LONGEST_FACTOR = 30

/**
 * Whether there is room on the disks of the files and of the database. While there is none, jobs wait where they are,
 * none is picked up, and one event informs the operator; work resumes by itself.
 */
export class StorageRoom {
  readonly #options: StorageRoomOptions
  readonly #stopped = new AbortController()
  readonly #unrecorded: NewEvent[] = []
  #filesFull = false
  #storeFull = false
  #waiting: PromiseWithResolvers<void> | undefined
  #recording: Promise<void> | undefined
  #factor = 1
  #openedAt = Number.NEGATIVE_INFINITY

  constructor(options: StorageRoomOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return !this.#filesFull && !this.#storeFull
  }

  /** Runs `work`; when the disk is full, waits for room and runs it again. */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!saysDiskFull(error)) throw error
        await this.#room(error)
      }
    }
  }

  /** The database cannot write for now: it recovers when it accepts the pending event, or by `storeRecovered`. */
  storeTrouble(error: unknown): void {
    if (this.#storeFull) return
    this.#storeFull = true
    this.#close(error, 'database')
    // Not awaited: waiting jobs learn of its end through `#waiting`.
    void this.#tryUntil(
      () => this.#storeFull,
      () => this.#recordAll(),
      () => this.storeRecovered(),
    )
  }

  storeRecovered(): void {
    this.#storeFull = false
    this.#openIfRoom()
  }

  /** Rejects all waiting work with StoppedWaiting. */
  stop(): void {
    this.#stopped.abort()
    this.#waiting?.reject(new StoppedWaiting('The service stopped while the job waited for room on the disk.'))
    this.#waiting = undefined
  }

  async #room(error: unknown): Promise<void> {
    if (!this.#filesFull) {
      this.#filesFull = true
      this.#close(error, 'files')
      // Not awaited: waiting jobs learn of its end through `#waiting`.
      void this.#tryUntil(
        () => this.#filesFull,
        () => this.#options.probe(),
        () => this.#filesHaveRoom(),
      )
    }
    await this.#waiting?.promise
  }

  #close(error: unknown, what: 'files' | 'database'): void {
    this.#options.logger.error({ err: error, what }, 'storage full: pipeline paused')
    if (this.#waiting) return
    this.#waiting = withResolvers()
    // There may be no waiter yet; a stop must not become an unhandled rejection.
    this.#waiting.promise.catch(() => {})
    this.#say({
      type: 'StoragePaused',
      actor: 'pipeline',
      text: `The pipeline paused itself: the ${what === 'files' ? 'work folders have' : 'database has'} no room. Jobs wait; none fails by it.`,
      data: { what, since: this.#options.clock().toISOString() },
    })
  }

  #openIfRoom(): void {
    if (!this.isOpen || !this.#waiting) return
    this.#openedAt = performance.now()
    this.#waiting.resolve()
    this.#waiting = undefined
    this.#options.logger.info('storage available again: pipeline resumed')
    this.#say({ type: 'StorageResumed', actor: 'pipeline', text: 'The pipeline goes on: there is room again.' })
    this.#options.onOpen()
  }

  #filesHaveRoom(): void {
    this.#filesFull = false
    this.#openIfRoom()
  }

  /** Retries while the failure lasts, at growing intervals; after a quick relapse it starts with long ones. */
  async #tryUntil(isTrouble: () => boolean, probe: () => Promise<void>, over: () => void): Promise<void> {
    const { probeMs = 1000 } = this.#options
    if (performance.now() - this.#openedAt > HEALED) this.#factor = 1
    while (isTrouble()) {
      // Rejects when the service stops, which the next line checks.
      await delay(probeMs * this.#factor, undefined, { signal: this.#stopped.signal }).catch(() => {})
      if (this.#stopped.signal.aborted) return
      this.#factor = Math.min(this.#factor * 2, LONGEST_FACTOR)
      await probe().then(over, () => {})
    }
  }

  /** Events are queued, in order, until the database accepts them. */
  #say(event: NewEvent): void {
    this.#unrecorded.push(event)
    this.#recordAll().catch((error) => {
      this.#options.logger.warn({ err: error, type: event.type }, 'event held until the database is writable')
    })
  }

  #recordAll(): Promise<void> {
    this.#recording ??= this.#recordInOrder().finally(() => {
      this.#recording = undefined
    })
    return this.#recording
  }

  async #recordInOrder(): Promise<void> {
    for (let event = this.#unrecorded[0]; event; event = this.#unrecorded[0]) {
      await this.#options.record(event)
      this.#unrecorded.shift()
    }
  }
}

// Promise.withResolvers comes with Node 22.
function withResolvers(): PromiseWithResolvers<void> {
  let [resolve, reject]: [() => void, (reason: unknown) => void] = [() => {}, () => {}]
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(reason: unknown): void
}
