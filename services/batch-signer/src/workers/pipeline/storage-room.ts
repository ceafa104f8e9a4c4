import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@chancela/service-kernel/clock'
import type { NewEvent } from '@chancela/service-kernel/events'
import type { Logger } from '@chancela/service-kernel/http'
import { FolderHeld } from '../../rules/folder-conditions.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { said, telling } from '../../rules/sentences.ts'
import { saidTrouble, type Trouble, troubleOf, troubleOfError } from '../../rules/trouble.ts'
import { saysDiskFull, saysOutOfFiles } from '../../upstream/storage/local/disk-errors.ts'

/** Why the pipeline waits for its storage. */
export interface StorageTrouble extends Trouble {
  readonly since: Date
}

export interface StorageRoomOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** Records an operational event; may fail while the database is on the full disk. */
  record(event: NewEvent): Promise<unknown>
  /** Writes and removes some data in the folders of the work; throws while that is not possible. */
  probe(): Promise<void>
  /** Called when there is room again. */
  onOpen(): void
  /** Milliseconds until the first probe; doubled up to thirty times as long while it fails. Default 1000. */
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
 * Whether the disks of the files and of the database can be written. While they are full, gone or read-only, jobs wait
 * where they are, none is picked up, and one event informs the operator; work resumes by itself.
 */
export class StorageRoom {
  readonly #options: StorageRoomOptions
  readonly #stopped = new AbortController()
  readonly #unrecorded: NewEvent[] = []
  #filesFull = false
  #storeFull = false
  #waiting: PromiseWithResolvers<void> | undefined
  #recording: Promise<void> | undefined
  #suspicion: Promise<boolean> | undefined
  #trouble: StorageTrouble | undefined
  #factor = 1
  #openedAt = Number.NEGATIVE_INFINITY

  constructor(options: StorageRoomOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return !this.#filesFull && !this.#storeFull
  }

  /** Why the pipeline waits; undefined while it does not. */
  get trouble(): StorageTrouble | undefined {
    return this.#trouble
  }

  /** Runs `work`; when the disk is full or a work folder cannot be used, waits and runs it again. */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        // Of one folder, whatever its cause: the others go on.
        if (error instanceof FolderHeld) throw error
        if (!isNoFilesFault(error) && !(await this.#isOfFolders(error))) throw error
        await this.#room(error)
      }
    }
  }

  /** A probe tells apart: where it fails as well, the folders are at fault and not this one file. */
  async #isOfFolders(error: unknown): Promise<boolean> {
    if (!(error instanceof JobFailure) || error.code !== 'job.storage-failed') return false
    this.#suspicion ??= this.#probeFails().finally(() => {
      this.#suspicion = undefined
    })
    return this.#suspicion
  }

  #probeFails(): Promise<boolean> {
    return this.#options.probe().then(
      () => false,
      () => true,
    )
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
    this.#options.logger.error({ err: error, what }, 'storage unusable: pipeline paused')
    if (this.#waiting) return
    const since = this.#options.clock()
    this.#trouble = { since, ...whyUnusable(error, what) }
    this.#waiting = withResolvers()
    // There may be no waiter yet; a stop must not become an unhandled rejection.
    this.#waiting.promise.catch(() => {})
    this.#say({
      type: 'StoragePaused',
      actor: 'pipeline',
      code: 'job.storage-failed',
      ...telling(said('storage-paused', { why: saidTrouble(this.#trouble) }), { what, since: since.toISOString() }),
    })
  }

  #openIfRoom(): void {
    if (!this.isOpen || !this.#waiting) return
    this.#openedAt = performance.now()
    this.#trouble = undefined
    this.#waiting.resolve()
    this.#waiting = undefined
    this.#options.logger.info('storage available again: pipeline resumed')
    this.#say({ type: 'StorageResumed', actor: 'pipeline', ...telling(said('storage-resumed')) })
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

/** Passes, whatever file met it: a probe a moment later may find nothing. */
const isNoFilesFault = (error: unknown): boolean => saysDiskFull(error) || saysOutOfFiles(error)

function whyUnusable(error: unknown, what: 'files' | 'database'): Trouble {
  if (what === 'database') return troubleOf(saysDiskFull(error) ? 'database-full' : 'database-unwritable')
  if (saysDiskFull(error)) return troubleOf('work-folders-full')
  return error instanceof JobFailure ? troubleOfError(error) : troubleOf('work-folders-unusable')
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
