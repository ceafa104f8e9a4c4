import type { JobStatus } from '../rules/job.ts'

/** Topics of live updates. */
const liveTopics = ['jobs', 'pipeline', 'profiles', 'folders', 'backup'] as const

export type LiveTopic = (typeof liveTopics)[number]

/** A job in a live update. */
export interface ChangedJob {
  readonly id: string
  readonly status: JobStatus
}

/** All changes since the last update. */
export interface LiveUpdate {
  readonly topics: ReadonlySet<LiveTopic>
  /** The current state of each changed job; only the newest changes when there are more than an update holds. */
  readonly jobs: readonly ChangedJob[]
}

export interface LiveOptions {
  /** Milliseconds between two updates. Default 500. */
  readonly intervalMs?: number
  /** Changed jobs in one update. Default 200, the largest page of a list. */
  readonly mostJobs?: number
}

/**
 * Notifies dashboards of changes, at most twice a second: the first change at once, those that follow within the
 * interval together at its end.
 */
export class LiveTopics {
  readonly #intervalMs: number
  readonly #mostJobs: number
  readonly #listeners = new Set<(update: LiveUpdate) => void>()
  #topics = new Set<LiveTopic>()
  #jobs = new Map<string, JobStatus>()
  #timer: NodeJS.Timeout | undefined

  constructor({ intervalMs = 500, mostJobs = 200 }: LiveOptions = {}) {
    this.#intervalMs = intervalMs
    this.#mostJobs = mostJobs
  }

  announce(topic: LiveTopic): void {
    // Without listeners nothing is collected: a batch of a million files would waste the memory.
    if (this.#listeners.size === 0) return
    this.#topics.add(topic)
    this.#publishSoon()
  }

  /** Announces jobs with the state they reached. */
  announceJobs(changed: readonly ChangedJob[]): void {
    if (this.#listeners.size === 0) return
    for (const { id, status } of changed) {
      // Deleted first, so that the map is ordered by the last change.
      this.#jobs.delete(id)
      this.#jobs.set(id, status)
    }
    this.announce('jobs')
  }

  /** Calls back with every update; returns a function to stop. */
  listen(listener: (update: LiveUpdate) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#listeners.clear()
  }

  #publishSoon(): void {
    if (this.#timer) return
    this.#publish()
    this.#timer = setTimeout(() => this.#intervalOver(), this.#intervalMs)
    this.#timer.unref()
  }

  #intervalOver(): void {
    this.#timer = undefined
    if (this.#topics.size > 0) this.#publishSoon()
  }

  #publish(): void {
    const jobs = [...this.#jobs].slice(-this.#mostJobs).map(([id, status]) => ({ id, status }))
    const update = { topics: this.#topics, jobs }
    this.#topics = new Set()
    this.#jobs = new Map()
    for (const listener of this.#listeners) listener(update)
  }
}
