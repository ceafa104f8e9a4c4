import type { ServerResponse } from 'node:http'
import { FrameworkProblem } from '../../errors/index.ts'

export interface LoadLimits {
  /** Counted calls that run at the same time; no limit when absent. */
  readonly maxRunning?: number | undefined
  /** Counted calls that wait for a slot, in order of arrival. Default 0. */
  readonly maxQueued?: number | undefined
  /** Seconds in the Retry-After of refused calls; not sent when absent. */
  readonly busyRetryAfterSeconds?: number | undefined
}

/** How loaded an app is, for metrics. */
export interface Load {
  readonly running: number
  readonly queued: number
  /** Calls refused since the start. */
  readonly refused: number
}

/** One admitted call. It holds its slot until the response is sent and its work has ended, whichever is later. */
export interface Place {
  /** The handler has started: its work goes on even if the client disconnects. */
  begin(): void
  end(): void
}

type Decision = (error: Error | null, place?: Place) => void

/** Lets N calls run and M wait, and refuses the rest at once: a longer queue would only delay every response. */
export class LoadGate {
  readonly #maxRunning: number
  readonly #maxQueued: number
  readonly #headers: Record<string, string>
  readonly #queue = new Set<{ admit: () => void }>()
  #running = 0
  #refused = 0

  constructor({ maxRunning = Number.POSITIVE_INFINITY, maxQueued = 0, busyRetryAfterSeconds }: LoadLimits) {
    this.#maxRunning = maxRunning
    this.#maxQueued = maxQueued
    this.#headers = busyRetryAfterSeconds === undefined ? {} : { 'retry-after': String(busyRetryAfterSeconds) }
  }

  get load(): Load {
    return { running: this.#running, queued: this.#queue.size, refused: this.#refused }
  }

  /** Calls `decide` at once, or when a slot is free; never, if the client disconnects before. */
  enter(response: ServerResponse, decide: Decision): void {
    if (this.#running < this.#maxRunning) decide(null, this.#take(response))
    else if (this.#queue.size < this.#maxQueued) this.#wait(response, decide)
    else {
      this.#refused += 1
      decide(new FrameworkProblem('busy', { headers: this.#headers }))
    }
  }

  #wait(response: ServerResponse, decide: Decision): void {
    const leave = (): void => void this.#queue.delete(waiting)
    const waiting = {
      admit: () => {
        response.off('close', leave)
        decide(null, this.#take(response))
      },
    }
    this.#queue.add(waiting)
    response.once('close', leave)
  }

  #take(response: ServerResponse): Place {
    this.#running += 1
    let open = true
    let working = false
    let held = true
    const releaseWhenOver = (): void => {
      if (open || working || !held) return
      held = false
      this.#release()
    }
    response.once('close', () => {
      open = false
      releaseWhenOver()
    })
    return {
      begin: () => {
        working = true
      },
      end: () => {
        working = false
        releaseWhenOver()
      },
    }
  }

  #release(): void {
    this.#running -= 1
    const [next] = this.#queue
    if (!next) return
    this.#queue.delete(next)
    next.admit()
  }
}
